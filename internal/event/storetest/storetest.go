// Package storetest is the contract that every event.Store passes.
package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"turnout/internal/event"
)

// A Movable is a store whose events can be moved to another store.
type Movable interface {
	event.Store
	Eraser
}

// A Store is a store under test, with methods for tests alone.
type Store interface {
	Movable

	// Items returns the stored items of an event.
	Items(ctx context.Context, token event.Token) ([]Item, error)

	// DeleteItem deletes an item, and the items that the store never keeps without it. The
	// store itself does so some time after the event has expired.
	DeleteItem(ctx context.Context, token event.Token, p Item) error
}

// An Item is a part of an event that a store may delete before the other parts.
type Item struct {
	Part Part
	Key  string // identifies the item within its part; tests do not interpret it
}

// A Part is a kind of items.
type Part string

const (
	Details  Part = "details"  // an event that exists has one such item
	Counters Part = "counters" // items that count the guests, in any number
	RSVPs    Part = "RSVPs"    // one item for each RSVP, cancelled ones included
)

// Methods are the names of the methods of event.Store, so that a test of all of them misses none.
func Methods() (names []string) {
	for method := range reflect.TypeFor[event.Store]().Methods() {
		names = append(names, method.Name)
	}
	return names
}

// List returns the list of an event in order, or nil with an error.
func List(ctx context.Context, s event.Store, token event.Token, organizer event.Hash) (list []event.RSVP, err error) {
	err = s.ListAttendees(ctx, token, organizer, func(r event.RSVP) error {
		list = append(list, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, event.RSVP.Compare)
	return list, nil
}

// Run checks stores against the contract. Each clause gets a new store.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, clause := range contract {
		t.Run(clause.name, func(t *testing.T) { clause.check(t, open(t)) })
	}
}

var contract = []struct {
	name  string
	check func(*testing.T, Store)
}{
	{"round trip of events", keepsEvents},
	{"events with neighbouring tokens", keepsEventsApart},

	{"list of more than a megabyte", listsMegabyte},

	{"expiry to the nanosecond", expiresExactly},
	{"context is done", givesUp},

	{"EraseEvent", erases},
	{"EraseRSVPs", erasesByName},

	{"concurrent repetitions", repeatsAtOnce},
	{"concurrent CreateRSVP and CancelEvent", cancelUnderContention},

	{"any sequence of calls", anySequence},
}
