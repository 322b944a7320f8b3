package browser

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"turnout/internal/event"
)

const stillComing = "There’s a new date. Still coming?"

// remember puts an RSVP on this device's list.
func remember(v *visitor, e created, name string) {
	v.Helper()
	on[struct{}](v, "saveRSVP", e.EventToken, event.NewToken().String(), name)
}

// Guests are asked only what they have not answered yet, in every state of the new event. This holds for the script's
// own reads and for the server's page. Package eventpage tests the same table.
func TestMovedInEachState(t *testing.T) {
	elsewhere := supper("title", "Dinner", "location", "Park")
	for name, c := range map[string]struct {
		to     fields
		change func(v *visitor, old, to created)
		asks   string // "" if the old event is only cancelled
		yes    string // the message to guests after a yes
	}{
		"open":        {days(30), nil, stillComing, "You’re in for"},
		"over":        {days(-1), nil, "This event is over", "This event is over"},
		"other title": {elsewhere, nil, "It’s somewhere else now. Still coming?", "You’re in for"},
		"closed":      {days(-8), nil, "", ""},
		"cancelled":   {days(30), func(v *visitor, _, to created) { cancel(v.T, to, "") }, "", ""},
		"moved back":  {days(30), func(v *visitor, old, to created) { move(v.T, to, old, "Back") }, "", ""},
		"missing":     {nil, nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVisitor(t, narrow)
			old, to := announce(t, supper()), created{}
			to.EventToken = "00000000-0000-4000-8000-000000000001"
			if c.to != nil {
				to = announce(t, c.to)
			}
			v.Open(old.public())
			come(v, "Anna")
			move(t, old, to, "The roof is wet.")
			if c.change != nil {
				c.change(v, old, to)
			}
			for _, reader := range []struct {
				add  func()
				open []string // names whose guests have not said yes
			}{
				{func() {}, []string{"Anna"}},
				{func() { remember(v, old, "Otto") }, []string{"Anna", "Otto"}},
				{func() { remember(v, to, "anna ") }, []string{"Otto"}},
				{func() { remember(v, to, "Otto") }, nil},
			} {
				reader.add()
				expected := []string{"The roof is wet.", c.asks}
				if reader.open == nil {
					expected[1] = c.yes
				}
				for _, guest := range reader.open {
					if name != "over" && name != "other title" {
						expected = append(expected, "Yes, count "+guest+" in")
					}
				}
				shows := func() {
					t.Helper()
					if c.asks == "" {
						v.Sees("Cancelled", "The roof is wet.")
						v.Until("Cancelled", fn("hasText", ".kicker > :last-child", "Cancelled"))
						v.SeesNot("till coming?", "You’re in", "Yes, count")
						return
					}
					v.Sees(expected...)
					v.Until("Moved", fn("hasText", ".kicker > :last-child", "Moved"))
					v.SeesNot(base)
					is(v, fn("texts", "h1"), []string{c.to["title"].(string)})
					is(v, `document.querySelectorAll('#panel .large').length`, len(expected)-2)
					// A guest who is not asked is offered the old event's calendar entry again, which cancels the event
					// in the calendar.
					withdrawn := `#panel a[href$="/event.ics?cancelled=1"]`
					is(v, fn("isThere", withdrawn), name == "over" || name == "other title")
				}
				v.Open("/no/such/page")
				follow(v, old.public())
				shows()
				v.Idle() // wait until the clock is corrected and expired data is deleted
				v.Open(old.public())
				shows()
				v.Idle()
				shows()
			}
			v.Open(old.private())
			saysMoved := fn("hasText", ".kicker > :last-child", "Moved")
			v.Until("the same to the organizer", fmt.Sprintf(`%s === %t`, saysMoved, c.asks != ""))
			if c.asks != "" {
				v.Sees(" · 1 before the move", "Tell your guests")
				v.SeesNot("Send the invitation")
			}
		})
	}
}

// While the new event cannot be read, no page says that the old event is cancelled, and the script tries again.
func TestMovedToAnUnreadEvent(t *testing.T) {
	old, to := announce(t, supper()), announce(t, days(30))
	v := newVisitor(t, manner{}, old.public())
	come(v, "Anna")
	v.Block("/api/events/" + to.EventToken) // block first: the page may still be reading its event
	move(t, old, to, "The roof is wet.")
	v.Open("/")
	v.Sees("Moved")
	v.SeesNot("Cancelled")
	follow(v, old.public())
	v.Sees("Moved", "The new event can’t be loaded right now", "The roof is wet.")
	v.SeesNot("ancelled", "Yes, count", "Are you coming?", "is coming", "You’re in")
	v.Until("the way there", fn("leadsTo", "#state a", to.public()))
	v.Block()
	comeBack(v)
	v.Sees(stillComing)
}

// TestMovesAreFollowed: the site follows at most three moves, and no move to an event that accepts no RSVPs.
func TestMovesAreFollowed(t *testing.T) {
	v := newVisitor(t, narrow)
	way := []created{announce(t, days(50))}
	for range 4 {
		before := announce(t, supper())
		move(t, before, way[0], "The roof is wet.")
		way = append([]created{before}, way...)
	}
	v.Open(way[0].public())
	v.Sees("Cancelled", "The roof is wet.")
	v.Open(way[1].public())
	last := way[len(way)-1]
	v.Sees("Moved", "Are you coming?")
	v.Reload()
	submit(v, "Anna")
	v.Sees(isIn)
	hasNames(t, last, "Anna")
}

const (
	yes  = "Yes, count Anna in"
	isIn = "You’re in for"
)

// moved opens the page of an event that has moved to a new event since Anna signed up.
func moved(p *sitePage, next fields) (old, to created) {
	p.Helper()
	old, to = announce(p.T, supper()), announce(p.T, next)
	p.Open(old.public())
	submit(p, "Anna")
	p.Sees("You’re number 1")
	move(p.T, old, to, "The roof is wet.")
	p.Open(old.public())
	return old, to
}

// TestYesAgain: a guest says yes to the new event.
func TestYesAgain(t *testing.T) {
	p := newVisitor(t, manner{Language: "en-US"}).sitePage
	old, to := moved(p, days(30))
	p.Click("Go to the new event")
	p.Holds("Your name", "Anna")
	p.Open(old.public())
	p.Hold()
	p.Click("Can’t make the new date")
	p.Click("Undo: Anna is coming")
	p.Click(yes)
	p.Sees(isIn, "Anna is coming", "1 is coming – the red one is you")
	p.FocusOn("#moved-title")
	p.Reload()
	p.Sees(isIn)
	p.SeesNot("till coming?", "Yes, count")
	p.Until("the calendar's entry", fn("isThere", `.actions a[href*="`+to.EventToken+`"]`))
	hasNames(t, old, "Anna")
	p.Open("/")
	p.Sees("Anna is coming")
	is(p, fn("texts", ".entry > a"), []string{"Rooftop supper"}) // the old event has no card
	p.Open(old.public())
	p.Click("Go to the new event")
	p.Sees("You’re in, Anna")
	p.Hold()
	p.Click("Can’t make it after all: Anna")
	p.Open(old.public()) // leaving the page ends the time to undo the withdrawal
	p.Offers(yes)
}

// A yes to the new event is an RSVP like any other: a guest who says yes on two devices is on the list twice. While the
// yes is under way, the page offers no other button. After withdrawing the yes, the guest can say yes again.
func TestYesOnTwoDevices(t *testing.T) {
	v, other := newVisitor(t, manner{}), newVisitor(t, manner{})
	old, to := moved(v.sitePage, days(30))
	other.Open(old.public() + "#name=Anna&rsvp=" + on[string](v, "ownToken"))
	other.Offers(yes)
	v.Hold() // the button stays, because timers are stopped
	restore := v.Disturb(http.MethodPost, held)
	v.Click(yes)
	v.Until("the button to lock", fn("named", "Sending…")+`?.ariaDisabled`)
	is(v, fn("texts", "#panel li button"), []string{"Sending…"})
	restore()
	v.Sees(isIn)
	other.Click(yes)
	other.Sees(isIn, "Anna is coming")
	hasNames(t, old, "Anna")
	hasNames(t, to, "Anna", "Anna")
	v.Open(to.public())
	v.Click("Can’t make it after all: Anna")
	follow(v, old.public()) // leaving the page ends the time to undo the withdrawal
	v.AllSent()
	hasNames(t, to, "Anna")
	v.Click(yes)
	v.Sees(isIn)
	hasNames(t, to, "Anna", "Anna")
}

// The old event's page shows the new event's refusals, even if the page no longer says that the event has moved.
func TestYesIsRefused(t *testing.T) {
	needBrowser(t)
	for _, c := range []struct {
		refusal answer
		words   string
	}{
		{answer{Status: 409, Code: "event-cancelled"}, "This event is cancelled"},
		{answer{Status: 409, Code: "event-expired"}, "This event is over"},
		{notFound, "This event doesn’t exist."},
	} {
		t.Run(c.refusal.Code, func(t *testing.T) {
			v := newVisitor(t, manner{})
			old, to := moved(v.sitePage, days(30))
			instead(v, http.MethodPost, c.refusal)
			v.Click(yes)
			v.Sees("Anna isn’t signed up.", c.words)
			v.Open(old.public())
			v.Sees("Anna isn’t signed up.", c.words)
			v.Click("OK")
			v.SeesNoMore("signed up.")
			if c.refusal.Code != "event-cancelled" {
				v.Offers(yes)
			}
			hasNames(t, to)
		})
	}
}

// TestNewGuestOfAMovedEvent: a guest who has not answered yet signs up for the new event on the old event's page. The
// form still has a name that the guest typed before the move.
func TestNewGuestOfAMovedEvent(t *testing.T) {
	p := newVisitor(t, manner{Language: "en-US"}).sitePage
	old, to := announce(t, supper(), "Zoë"), announce(t, days(30))
	p.Open(old.public())
	p.Idle()
	p.Write("Your name", "Anna")
	move(t, old, to, "The roof is wet.")
	comeBack(p)
	p.Sees("Moved", "The roof is wet.", "Are you coming?", "Be the first")
	p.SeesNot("till coming?", "Go to the new event")
	p.Holds("Your name", "Anna")
	p.Reload()
	p.Holds("Your name", "Anna")
	p.Write("Your name", "Anna & Ben")
	p.Open(to.public())
	p.Holds("Your name", "Anna & Ben")
	p.Open(old.public())
	p.Reload()
	p.Holds("Your name", "Anna & Ben")
	p.Click("Count us both in")
	p.Sees(isIn, "Anna and Ben are coming", "2 are coming – the red ones are you")
	p.FocusOn("#moved-title")
	is(p, fn("countStored", "drafts."), 0)
	p.Reload()
	p.Sees(isIn)
	p.SeesNot("Are you coming?")
	p.Click("Go to the new event")
	p.Sees("You’re both in")
	hasNames(t, old, "Zoë")
	names := attendees(t, to)
	slices.Sort(names) // both RSVPs are sent at the same time
	same(p, "the guests of the new event", names, []string{"Anna", "Ben"})
}

// The old event's page reports the outcome of a new guest's yes as the new event's own page does.
func TestNewGuestOfAMovedEventWaits(t *testing.T) {
	v := newVisitor(t, manner{})
	old, to := announce(t, supper()), announce(t, days(30), "Zoë")
	move(t, old, to, "The roof is wet.")
	v.Open(old.public())
	v.Click("Count me in")
	v.Sees("Please enter your name.")
	restore := v.Disturb(http.MethodPost, unreached)
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.", "1 is coming – the dashed one would be you")
	v.SeesNot("Are you coming?", "Go to the new event")
	restore()
	comeBack(v)
	v.Sees(isIn, "Anna is coming", "2 are coming – the red one is you")
	hasNames(t, to, "Zoë", "Anna")
}

// If an RSVP arrives after the move, the page says that the event has moved, and the new event's form has the guest's
// name.
func TestRSVPMeetsTheMove(t *testing.T) {
	v := newVisitor(t, manner{})
	old, to := announce(t, supper()), announce(t, days(30))
	v.Open(old.public())
	v.Idle()
	move(t, old, to, "The roof is wet.")
	submit(v, "Anna")
	v.Sees("Moved", "Anna isn’t signed up.", "Are you coming?")
	v.SeesNot("cancelled")
	v.Click("OK")
	v.Holds("Your name", "Anna")
	v.Click("Count me in")
	v.Sees(isIn)
	hasNames(t, to, "Anna")
}

// No page says that an event is cancelled before it says that the event has moved.
func TestMovedIsNotCancelledFirst(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(fn("noteTexts", ".kicker > :last-child"))
	for _, sees := range []func(old created){
		func(created) { submit(v, "Ben") },
		func(created) { comeBack(v) },
		func(old created) { v.Open(old.public()) },
	} {
		old, to := announce(t, supper()), announce(t, days(30))
		v.Open(old.public())
		v.Idle() // wait until the event has been read
		v.Hold() // stop the timer that limits the wait for the new event
		move(t, old, to, "The roof is wet.")
		sees(old)
		v.Sees("Moved", "Are you coming?")
		is(v, fn("wasNoted", "Cancelled"), false)
	}
}

// Home follows all moves of an event for which a guest of this device has signed up. The device keeps the copies that
// home needs. A yes is for the last event.
func TestMovedAtHome(t *testing.T) {
	old, on, to := announce(t, supper()), announce(t, supper()), announce(t, days(30))
	v := newVisitor(t, manner{}, old.public())
	come(v, "Anna")
	move(t, old, on, "The roof is wet.")
	move(t, on, to, "Again")
	v.Open("/")
	v.Sees("Moved", "in 30 days")
	v.SeesNot("Cancelled")
	v.Open("/no/such/page")
	v.Unreachable(true)
	follow(v, "/")
	v.Sees("Moved", "As of")
	v.SeesNot("Cancelled")
	v.Unreachable(false)
	v.Click("Rooftop supper")
	v.Sees(stillComing)
	v.Click(yes)
	v.Sees(isIn)
	hasNames(t, to, "Anna")
}

// The device that moved an event shows how many guests have signed up again. Its exported list has the values that this
// needs.
func TestMovedEventKnowsWhoWasComing(t *testing.T) {
	old, v := changing(t)
	signUp(t, old, "Ben")
	signUp(t, old, "Cleo")
	postpone(v)
	v.Sees("Nobody yet · 2 before the move", "Rooftop supper has a new date:")
	path := v.Path()
	v.Open("/")
	_, file := v.Download("Export the list")
	says(t, file, `"before": 2`)
	other := newVisitor(t, manner{}, "/")
	load(other, file)
	other.Sees("2 events are on your list now.")
	other.Open(path)
	other.Sees("Nobody yet · 2 before the move")
}
