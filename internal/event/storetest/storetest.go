// Package storetest is the contract that every event.Store passes, and a
// benchmark that shows which of its operations grow with the number of guests.
package storetest

import (
	"testing"

	"turnout/internal/event"
)

// A Store is an event.Store under test, with what only a test may do to it.
type Store interface {
	event.Store

	// Forget removes a part of an event, as the store does by itself some time
	// after the event has expired. A store that never forgets that part alone
	// skips the test.
	Forget(t *testing.T, token event.Token, part Part)

	// Pieces returns how many pieces of a part of an event are stored.
	Pieces(t *testing.T, token event.Token, part Part) int
}

// A Part is what a store may forget of an event while it still has the rest.
type Part string

const (
	Details  Part = "details"
	Counters Part = "counters" // what the number of guests is kept in
	RSVPs    Part = "RSVPs"
)

// Run checks a store against the contract, each clause on what open returns.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, clause := range contract {
		t.Run(clause.name, func(t *testing.T) { clause.check(t, open(t)) })
	}
}

var contract = []struct {
	name  string
	check func(*testing.T, Store)
}{
	{"ready", isReady},

	{"keeps events as they are", keepsEvents},
	{"keeps names as they are", keepsNames},
	{"keeps an event when its token comes again", keepsTakenToken},
	{"keeps one RSVP when it comes again", keepsOneRSVP},
	{"keeps events apart", keepsEventsApart},
	{"lists in the order of RSVP", listsInOrder},
	{"lists guests of the same moment", listsSameMoment},
	{"lists more than a megabyte", listsMegabyte},

	{"does not know an unknown event", refusesUnknown},
	{"obeys the organizer alone", refusesOrganizer},
	{"admits until it is cancelled or expires", refusesGuests},
	{"cancels for good", cancelsForGood},
	{"cancels an expired event", cancelsExpired},
	{"removes an RSVP of that event only", removes},
	{"removes from an event that is over", removesAfterTheEnd},

	{"lives on without counters", withoutCounters},
	{"is unknown without details", withoutDetails},
	{"removes no RSVP that is forgotten", withoutRSVPs},

	{"gives up when the context is done", givesUp},

	{"a crowd meets a cancelling organizer", crowdMeetsCancel},
	{"a crowd removes one RSVP", crowdRemovesOne},
	{"a crowd adds one RSVP", crowdAddsOne},
	{"a crowd of organizers cancels", crowdCancels},
	{"a crowd comes and goes", crowdComesAndGoes},
}
