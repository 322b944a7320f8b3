package browser

import (
	"strings"
	"testing"

	"turnout/internal/event"
	"turnout/internal/site"
)

// moveTo cancels an event with the link to another one.
func moveTo(t *testing.T, from, to created) {
	t.Helper()
	cancel(t, from, "The roof is wet.\n\nNew date: soon\n"+base+to.public())
}

const stillComing = "There’s a new date. Still coming?"

// In each state of the new event, what the script reads by itself, as of a visit before, and what the page has from the
// server says the same. Package eventpage holds the server to this table.
func TestMovedInEachState(t *testing.T) {
	for name, c := range map[string]struct {
		to     fields
		change func(v *visitor, old, to created)
		asks   string // "" if the old event is cancelled
	}{
		"open":        {days(30), nil, stillComing},
		"started":     {days(0), nil, stillComing},
		"over":        {days(-1), nil, "This event is over"},
		"other title": {supper("title", "Dinner", "location", "Park"), nil, "It’s somewhere else now. Still coming?"},
		"same title":  {supper("title", " Rooftop supper"), nil, "It’s announced anew. Still coming?"},
		"closed":      {days(-8), nil, ""},
		"cancelled":   {days(30), func(v *visitor, _, to created) { cancel(v.T, to, "") }, ""},
		"moved on":    {days(30), func(v *visitor, _, to created) { moveTo(v.T, to, announce(v.T, days(40))) }, ""},
		"moved back":  {days(30), func(v *visitor, old, to created) { moveTo(v.T, to, old) }, ""},
		"missing":     {nil, nil, ""},
		"unread":      {days(30), func(v *visitor, _, to created) { v.Block("/api/events/" + to.EventToken) }, ""},
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
			moveTo(t, old, to)
			if c.change != nil {
				c.change(v, old, to)
			}
			shows := func() {
				t.Helper()
				if c.asks == "" {
					v.Until("Cancelled", `document.querySelector('.kicker').textContent === 'Cancelled'`)
					v.Sees("This event is cancelled")
					v.Sees("New date: soon\n" + base + to.public())
					v.SeesNot("till coming?")
					return
				}
				v.Sees(c.asks)
				v.Until("Moved", `document.querySelector('.kicker').textContent === 'Moved'`)
				v.Sees("The roof is wet.")
				v.SeesNot("New date: soon")
				is(v, `[...document.querySelectorAll('h1')].map((title) => title.textContent)`, []string{c.to["title"].(string)})
			}
			v.Open("/no/such/page")
			follow(v, old.public())
			shows()
			v.Open("/no/such/page")
			eval[struct{}](v, `import(%s).then(() => {})`, site.Names()[site.Moved]) // which the service worker has elsewhere
			v.Unreachable(true)
			follow(v, old.public())
			v.Sees("As of")
			shows()
			v.Unreachable(false)
			if name != "unread" { // the server reads it
				v.Open(old.public())
				shows()
				v.Idle()
				shows()
			}
		})
	}
}

// A reader who knows names finds them, one who knows none only the question; the organizer sees the numbers of both events.
func TestMovedForEachReader(t *testing.T) {
	old, to := announce(t, supper(), guests[:12]...), announce(t, days(30), guests[:3]...)
	moveTo(t, old, to)
	v := newVisitor(t, manner{})
	v.Open(old.public())
	v.Sees(stillComing)
	v.Sees("3 are coming")
	v.SeesNot("on the list")
	guest := newVisitor(t, manner{})
	for _, name := range []string{"Anna", "Otto"} {
		guest.Open("/no/such/page")
		guest.Open(old.public() + "#name=" + name + "&rsvp=" + event.NewToken().String())
		guest.Sees(name)
	}
	guest.Sees(stillComing)
	guest.Sees("This link is for Anna and Otto")
	v.Click("See the new date")
	v.Sees("Are you coming?")
	v.Open(old.private())
	v.Sees("3 are coming · 12 were before the move")
	v.SeesNot("Share the link")
	v.Sees("Rooftop supper has a new date:")
	v.SeesNot("ancelled")
	v.Click("See “Rooftop supper”")
	v.Sees("Are you coming?")
}

// The card of home says that an event has moved, if this device has seen the new one. It sends no request for that.
func TestMovedAtHome(t *testing.T) {
	old, to := announce(t, supper()), announce(t, days(30))
	v := newVisitor(t, manner{})
	v.Open(old.public())
	come(v, "Anna")
	moveTo(t, old, to)
	asked := `performance.getEntriesByName(location.origin + '/api/events/' + %s).length`
	v.Open("/")
	v.Sees("Cancelled")
	v.Idle()
	if n := eval[int](v, asked, to.EventToken); n > 0 {
		t.Errorf("the new event was asked for %d times", n)
	}
	v.Open(old.public())
	v.Sees(stillComing)
	v.Open("/")
	v.Sees("Moved")
	v.SeesNot("Cancelled")
	v.Idle()
	if n := eval[int](v, asked, to.EventToken); n > 0 {
		t.Errorf("the new event was asked for %d times", n)
	}
	v.Click("Rooftop supper")
	v.Sees(stillComing)
}

// The device that moved an event shows how many came along, and exports what that needs.
func TestMovedEventKnowsWhoWasComing(t *testing.T) {
	old, v := changing(t, ``)
	signUp(t, old, "Ben")
	signUp(t, old, "Cleo")
	postpone(v)
	v.Sees("Nobody yet · 2 were before the move")
	v.Sees("Rooftop supper has a new date:")
	path := v.Path()
	v.Open("/")
	_, file := v.Download("Export the list")
	if !strings.Contains(file, `"before": 2`) {
		t.Errorf("the file holds %s", file)
	}
	other := newVisitor(t, manner{})
	other.Open("/")
	load(other, file)
	other.Sees("2 entries read.")
	other.Open(path)
	other.Sees("Nobody yet · 2 were before the move")
	other.Open("/")
	load(other, strings.Replace(file, `"before": 2`, `"before": "two"`, 1))
	other.Sees("].before is missing or wrong")
}
