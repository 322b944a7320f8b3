package browser

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"turnout/internal/httpapi/apitest"
)

// movedEvent returns an event that has moved.
func movedEvent(t *testing.T) created {
	t.Helper()
	old := announce(t, supper(), guests[:3]...)
	move(t, old, announce(t, days(30)), "The roof is wet through.")
	return old
}

// changing opens the form that changes a new event, and notes the keys of requests.
func changing(t *testing.T, prepare ...string) (created, *visitor) {
	t.Helper()
	event, v := announce(t, supper()), newVisitor(t, manner{})
	v.Prepare(fn("noteKeys"))
	for _, script := range prepare {
		v.Prepare(script)
	}
	v.Open(event.private())
	v.Click("Move it to another date or place")
	v.Sees("This replaces Rooftop supper.", "The old event will be cancelled")
	return event, v
}

// postpone sends the form with another date.
func postpone(v *visitor) {
	v.Helper()
	v.Pick("Date", "2099-12-19")
	v.Click("Announce the change")
}

// halfway sends the form, and stops between the new event and the cancel of the old event.
func halfway(v *visitor) (restore func()) {
	v.Helper()
	restore = v.Disturb(http.MethodPatch, throttled)
	postpone(v)
	v.Sees("the old one isn’t cancelled yet")
	return restore
}

// hasMoved checks that one new event exists, and that one cancel leads to it.
func hasMoved(v *visitor, old created) (to string) {
	v.Helper()
	v.AllSent()
	got := ask(v.T, apitest.GetEvent(old.EventToken))
	is(v, fn("savedEvents"), slices.Sorted(slices.Values([]string{old.EventToken, got.MovedTo})))
	same(v, "the new date", ask(v.T, apitest.GetEvent(got.MovedTo)).DateTime, "2099-12-19T19:30:00+01:00")
	is(v, fn("notedMethods"), []string{"PATCH", "POST"})
	if to = "/e/" + got.MovedTo; !got.Cancelled || got.CancellationReason != nil {
		v.Errorf("the old event is %+v", got)
	}
	return to
}

// Wherever the network fails, and to whatever page the organizer then goes, the event is changed exactly once.
func TestChangeHappensOnce(t *testing.T) {
	needBrowser(t)
	for name, c := range map[string]struct {
		method, says string
		disturbance
	}{
		"before the new event": {http.MethodPost, "We don’t know yet whether your event was announced.", throttled},
		"after the cancel":     {http.MethodPatch, "the old one isn’t cancelled yet", unsure},
	} {
		t.Run(name, func(t *testing.T) {
			old, v := changing(t)
			restore := v.Disturb(c.method, c.disturbance)
			postpone(v)
			v.Sees(c.says)
			follow(v, "/")
			v.Sees("Rooftop supper")
			other := v.Tab()
			other.Prepare(fn("noteKeys"))
			other.Open(old.private())
			restore() // otherwise the failing tab may win the lock each time
			other.Sees("Tell your guests")
			v.Open(old.private())
			v.Sees("Tell your guests")
			hasMoved(v, old)
		})
	}
}

// Two tabs that change the same event side by side end on the same page.
func TestTwoTabsChangeAnEventOnce(t *testing.T) {
	old, v := changing(t)
	other := v.Tab()
	other.Prepare(fn("noteKeys"))
	other.Open("/?change=" + old.EventToken)
	other.Write("Place", "Elsewhere")
	tabs := []*visitor{v, other}
	v.Unreachable(true)
	other.Unreachable(true)
	postpone(v)
	for _, tab := range tabs {
		tab.Sees("We don’t know yet whether your event was announced.")
	}
	other.Click("Announcing…")
	v.Unreachable(false)
	other.Unreachable(false)
	for _, tab := range tabs {
		tab.Sees("Tell your guests")
		if to, path := hasMoved(v, old), tab.Path(); !strings.HasPrefix(path, to) {
			t.Errorf("a tab is at %s, want %s", path, to)
		}
	}
}

// If two tabs without locks begin a change at the same time, the change that was stored last is sent.
func TestLastOfTwoChangesIsSent(t *testing.T) {
	const last = "00000000-0000-4000-8000-000000000001"
	old, v := changing(t, noLocks, fn("overwriteItem", last))
	postpone(v)
	v.Sees("Tell your guests")
	hasMoved(v, old)
	if keys := on[[]string](v, "notedKeys"); !slices.Contains(keys, "POST "+last) {
		t.Errorf("the last key was not sent, but %q", keys)
	}
}

// A change does not begin if storage refuses it.
func TestChangeNeedsStorage(t *testing.T) {
	old, v := changing(t)
	on[struct{}](v, "storeNothing")
	postpone(v)
	v.Sees("Nothing has happened yet")
	v.Idle()
	is(v, fn("timesLoaded", "/api/events"), 0)
	same(v, "cancelled", ask(t, apitest.GetEvent(old.EventToken)).Cancelled, false)
}

// Once the new event exists, its page shows an error about the old event. Somebody else's cancel that leads to the new
// event is as good as this device's own.
func TestOldEventIsNotCancelledByTheChange(t *testing.T) {
	needBrowser(t)
	for want, end := range map[string]func(v *visitor, old created){
		"The old page can’t lead here": func(v *visitor, old created) { cancel(v.T, old, "See "+base+old.public()) },
		"": func(v *visitor, old created) {
			to := created{apitest.Content{EventToken: on[string](v, "newEventOf", old.EventToken)}}
			move(v.T, old, to, "")
		},
		"private link wasn’t accepted": func(v *visitor, old created) {
			on[struct{}](v, "spoilSecret", old.EventToken)
		},
		"no longer exists": func(v *visitor, _ created) {
			instead(v, http.MethodPatch, notFound)
		},
	} {
		t.Run(want, func(t *testing.T) {
			old, v := changing(t)
			restore := halfway(v)
			end(v, old)
			restore()
			v.Sees("Tell your guests")
			if want == "" {
				v.SeesNot("Send the link yourself.")
				return
			}
			v.Sees(want)
			v.Reload()
			v.Sees(want)
			v.Click("OK")
			v.SeesNot(want)
			is(v, fn("outboxIsEmpty"), true) // the message is not shown again
		})
	}
}

// If the organizer has removed the old event from the list, the message still says that the old page does not lead to
// the new event.
func TestRemovedEventIsNotCancelledByTheChange(t *testing.T) {
	old, v := changing(t)
	restore := halfway(v)
	follow(v, "/")
	askToRemove(v, "Rooftop supper")
	v.Click("Remove")
	cancel(t, old, "Rain")
	restore()
	comeBack(v)
	v.Sees("The old page can’t lead here")
}

// If another device has moved the event, this device does not announce the event again.
func TestEventWasChangedElsewhere(t *testing.T) {
	old, v := changing(t)
	move(t, old, announce(t, days(30)), "The roof is wet.")
	postpone(v)
	v.Sees("Moved", "The roof is wet.")
	is(v, fn("notedKeys"), []string{})
}

// The form begins with every field of the event. It shows a refusal, and then the event is unchanged.
func TestChangeForm(t *testing.T) {
	event := announce(t, supper("dateTime", "2099-10-25T02:30:00+01:00"))
	v := newVisitor(t, manner{}, event.private())
	v.Click("Move it to another date or place")
	v.Sees("This replaces Rooftop supper.", "The old event will be cancelled")
	want := []string{"2099-10-25", "02:30", "Europe/Berlin", "1", ""}
	for name := range apitest.TextsOf("CreateEventInput") {
		want = append(want, supper()[name].(string))
	}
	slices.Sort(want)
	same(v, "the form", slices.Sorted(slices.Values(on[[]string](v, "valuesIn", "#announce"))), want)
	for name, date := range map[string]string{"+1 week": "2099-11-01", "+1 day": "2099-10-26"} {
		v.Click(name)
		v.Holds("Date", date)
		is(v, fn("texts", "#near-date [aria-pressed=true]"), []string{name})
	}
	v.Pick("Date", "2099-10-25")
	v.Click("Announce the change")
	v.Sees("Nothing has changed yet.")
	v.Click("The first (UTC+2)")
	v.SeesNot("Nothing has changed yet.")
	v.Write("What are you planning?", "Supper")
	v.Write("Place", "Park")
	v.Write("Reason (public)", "The roof is wet.")
	v.Reload()
	v.Click("Announce the change")
	v.Sees("Supper has a new date: Sunday, 25 October 2099 at 2:30\nNew place: Park\n" +
		"The roof is wet.\nPlease say yes again:")
}

// A cancel without a response continues after a reload, with the same key. Then the organizer can tell the guests.
func TestCancelGoesOnAfterAReload(t *testing.T) {
	event, v := organizing(t)
	restore := cancelUnanswered(v, lost, "Rain")
	v.Reload()
	restore()
	v.AllSent()
	v.Sees("Tell your guests")
	v.SeesNot("The event wasn’t cancelled.")
	link := eval[string](v, `document.querySelector('#tell a[href^="https://wa.me/"]').href`)
	said, err := url.QueryUnescape(link)
	v.Must(err)
	if !strings.HasSuffix(said, "text=Cancelled: Rooftop supper – Rain\n"+base+event.public()) {
		t.Errorf("WhatsApp gets %s", said)
	}
}

// TestMessagesFitIntoLinks: Windows opens no link of more than 2,048 characters. The reason is cut after a word. The
// event's link stays whole.
func TestMessagesFitIntoLinks(t *testing.T) {
	reason := strings.Repeat("захворів ", 45)
	for title, said := range map[string]string{
		"Пікнік":                 "Cancelled: Пікнік – захворів захворів",
		strings.Repeat("🎉", 200): "Cancelled: 🎉🎉",
	} {
		event := announce(t, supper("title", title))
		cancel(t, event, reason)
		v := newVisitor(t, manner{}, event.private())
		v.Sees("Tell your guests")
		links := eval[[]string](v, `[...document.querySelectorAll("#tell .ways a")].map(({href}) => href)`)
		if len(links) != 3 {
			t.Errorf("%d ways", len(links))
		}
		for _, link := range links {
			text, err := url.QueryUnescape(link)
			v.Must(err)
			if len(link) > 2048 || !strings.Contains(text, said) || !strings.Contains(text, base+event.public()) {
				t.Errorf("%d characters: %s", len(link), text)
			}
			if strings.Contains(title, "П") && !strings.Contains(text, "захворів…") {
				t.Errorf("the reason is not cut after a word: %s", text)
			}
		}
	}
}

// The page reports a refused cancel until the organizer dismisses the message or cancels again.
func TestCancelIsRefused(t *testing.T) {
	const said = "The event wasn’t cancelled."
	_, v := organizing(t, "Ada")
	refuse := func() {
		t.Helper()
		instead(v, http.MethodPatch, answer{Status: 403, Code: "invalid-organizer-token", Times: 1})
		askToCancel(v)
		v.Click("Cancel the event")
		v.Sees(said)
		v.FocusOn("#dashboard > .bad")
	}
	refuse()
	v.Click("OK")
	v.Until("no notice", `!document.querySelector('#dashboard > .bad')`)
	refuse()
	askToCancel(v)
	v.Click("Cancel the event")
	v.Sees("Tell your guests")
	for _, path := range []string{v.Path(), "/"} {
		v.Open(path)
		v.Sees("Cancelled")
		v.SeesNot(said)
	}
}

// changes is a flow for every engine: an organizer moves an event.
func changes(p *sitePage, _ string) {
	old := announce(p.T, supper())
	p.Open(old.private())
	p.Click("Move it to another date or place")
	p.Sees("This replaces Rooftop supper.")
	instead(p, http.MethodPatch, losing)
	p.Pick("Date", "2099-12-19")
	p.Click("Announce the change")
	p.Sees("the old one isn’t cancelled yet")
	p.Reload()
	p.Sees("Rooftop supper has a new date: Saturday, December 19, 2099 at 7:30 PM\n")
	p.Open(old.public())
	p.Sees("Moved", "Saturday, December 19", "Are you coming?")
}

// TestFocusAfterATransition: during a transition, the next page gets its content before it gets the focus.
func TestFocusAfterATransition(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{})
	v.Open(event.private())
	v.Until("the event is saved", `location.hash === '#organize'`)
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	follow(v, "/")
	v.Click("More for Rooftop supper")
	v.Click("Announce again")
	v.Until("the form", `document.activeElement.closest('form, h1')`)
	v.Idle()
	is(v, `document.activeElement.id`, "date")
}
