package browser

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"turnout/internal/httpapi/apitest"
)

// movedEvent is a cancelled event whose reason leads to another one.
func movedEvent(t *testing.T) created {
	t.Helper()
	old := announce(t, supper(), guests[:3]...)
	cancel(t, old, "The roof is wet through.\n\nNew date: Saturday, 19 December 2099 at 19:30 (Central European Time)\n"+base+announce(t, days(30)).public())
	return old
}

// noting notes the Idempotency-Key of each write.
const noting = `{
	const request = fetch;
	window.fetch = (address, options) => {
		if (options?.headers?.['Idempotency-Key']) localStorage.setItem('key ' + options.method + options.headers['Idempotency-Key'], '');
		return request(address, options);
	};
}`

// changing opens the form of a new event that has changed.
func changing(t *testing.T, guests ...string) (created, *visitor) {
	t.Helper()
	event := announce(t, supper(), guests...)
	v := newVisitor(t, manner{})
	v.Prepare(noting)
	v.Open(event.private())
	v.Click("Something changed…")
	v.Sees("This replaces Rooftop supper.")
	return event, v
}

// postpone sends the form with another date.
func postpone(v *visitor) {
	v.Helper()
	v.Pick("Date", "2099-12-19")
	v.Click("Announce the change")
}

// hasMoved checks that there is one new event, and one cancel, which leads to it.
func hasMoved(v *visitor, old created) (to string) {
	v.Helper()
	for eval[bool](v, `Object.keys(localStorage).some((name) => name.startsWith('turnout.outbox'))`) {
		v.Idle()
	}
	events := eval[[]struct{ EventToken, DateTime string }](v, `JSON.parse(localStorage.getItem('turnout.mine')).events`)
	for _, event := range events {
		if event.DateTime == "2099-12-19T19:30:00+01:00" {
			to = "/e/" + event.EventToken
		}
	}
	if len(events) != 2 || to == "" {
		v.Fatalf("this device has the events %v", events)
	}
	if keys := eval[[]string](v, `Object.keys(localStorage).filter((name) => name.startsWith('key')).map((name) => name.slice(4, 8)).sort()`); !slices.Equal(keys, []string{"PATC", "POST"}) {
		v.Errorf("keys were sent with %q", keys)
	}
	const news = "New date: Saturday, 19 December 2099 at 19:30 (Central European Time)\n"
	if got := ask(v.T, apitest.GetEvent(old.EventToken)); !got.Cancelled || got.CancellationReason == nil || *got.CancellationReason != news+base+to {
		v.Errorf("the old event is %+v", got)
	}
	return to
}

// Wherever the network fails, and wherever the organizer goes then, the event is changed once.
func TestChangeHappensOnce(t *testing.T) {
	t.Parallel()
	const first, second = "No confirmation yet for your event.", "the old one isn’t cancelled yet"
	for name, cut := range map[string]struct {
		method, says string
		disturbance
	}{
		"before the new event":       {http.MethodPost, first, throttled},
		"after the new event":        {http.MethodPost, first, lost},
		"before the cancel":          {http.MethodPatch, second, throttled},
		"after the cancel":           {http.MethodPatch, second, lost},
		"in the service's own words": {http.MethodPatch, second, unsure},
	} {
		for way, goes := range map[string]func(v *visitor, old created, restore func()){
			"waits": func(v *visitor, _ created, restore func()) {
				restore()
				v.Click("Try now")
				v.Sees("Tell your guests")
			},
			"reloads": func(v *visitor, _ created, restore func()) {
				v.Reload()
				v.Sees(cut.says)
				restore()
				v.Sees("Tell your guests")
			},
			"leaves": func(v *visitor, old created, restore func()) {
				follow(v, "/")
				v.Sees("Rooftop supper")
				restore()
				for !ask(v.T, apitest.GetEvent(old.EventToken)).Cancelled {
					v.Idle()
				}
				v.Open(old.private())
				v.Sees("Tell your guests")
			},
			"has another tab": func(v *visitor, old created, restore func()) {
				other := v.Tab()
				other.Prepare(noting)
				other.Open(old.private())
				other.Sees("Tell your guests")
				restore()
				v.Sees("Tell your guests")
			},
		} {
			t.Run(name+", and the organizer "+way, func(t *testing.T) {
				t.Parallel()
				old, v := changing(t, "Ada")
				restore, _ := v.Disturb(cut.method, cut.disturbance)
				postpone(v)
				v.Sees(cut.says)
				goes(v, old, restore)
				hasMoved(v, old)
			})
		}
	}
}

// Two tabs that change the same event side by side end on the same page.
func TestTwoTabsChangeAnEventOnce(t *testing.T) {
	t.Parallel()
	old, v := changing(t)
	other := v.Tab()
	other.Prepare(noting)
	other.Open("/?change=" + old.EventToken)
	other.Write("Place", "Elsewhere")
	v.Unreachable(true)
	other.Unreachable(true)
	postpone(v)
	v.Sees("No confirmation yet for your event.")
	other.Sees("No confirmation yet for your event.")
	other.Click("Announcing…")
	v.Unreachable(false)
	other.Unreachable(false)
	v.Sees("Tell your guests")
	other.Sees("Tell your guests")
	to := hasMoved(v, old)
	for _, tab := range []*visitor{v, other} {
		if path := tab.Path(); !strings.HasPrefix(path, to) {
			t.Errorf("a tab is at %s, want %s", path, to)
		}
	}
}

// Where nothing is stored, nothing begins.
func TestChangeNeedsStorage(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]string{
		"full":    `void (Storage.prototype.setItem = () => { throw new Error('full'); })`,
		"silent":  `void (Storage.prototype.setItem = () => {})`,
		"blocked": `void Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } })`,
	} {
		t.Run(name, func(t *testing.T) {
			old, v := changing(t)
			eval[struct{}](v, `void (() => { const request = fetch; window.writes = 0; window.fetch = (address, options) => { window.writes += Boolean(options?.method && options.method !== 'GET'); return request(address, options); }; })()`)
			eval[struct{}](v, refuse)
			postpone(v)
			v.Sees("Nothing has happened yet")
			v.Idle()
			if writes := eval[int](v, `writes`); writes > 0 || ask(v.T, apitest.GetEvent(old.EventToken)).Cancelled {
				t.Errorf("%d requests", writes)
			}
		})
	}
}

// Once the new event exists, whatever is with the old one is told on the page of the new one.
func TestOldEventIsNotCancelledByTheChange(t *testing.T) {
	t.Parallel()
	const unknown = `{
		const request = fetch;
		window.fetch = (address, options) => (options?.method === 'PATCH'
			? Promise.resolve(new Response('{"type":"urn:turnout:problem:event-not-found"}', { status: 404 })) : request(address, options));
	}`
	for want, end := range map[string]func(v *visitor, old created){
		"had already been cancelled": func(v *visitor, old created) { cancel(v.T, old, "Rain") },
		"private link wasn’t accepted": func(v *visitor, old created) {
			eval[struct{}](v, `void localStorage.setItem('turnout.mine', localStorage.getItem('turnout.mine').replace(%s, %s))`, old.OrganizerToken, old.EventToken)
			v.Reload()
		},
		"no longer exists": func(v *visitor, _ created) { eval[struct{}](v, unknown) },
	} {
		t.Run(want, func(t *testing.T) {
			old, v := changing(t)
			end(v, old)
			postpone(v)
			v.Sees("Tell your guests")
			v.Sees(want)
			v.Reload()
			v.Sees(want)
			v.Click("Done")
			v.SeesNot(want)
			v.Open("/")
			v.Until("two events", `document.querySelectorAll('.entries li').length === 2`)
			v.SeesNot(want)
		})
	}
}

// A cancel of somebody else that leads to the new event is as good as our own.
func TestOldEventLeadsToTheNewOneAlready(t *testing.T) {
	t.Parallel()
	old, v := changing(t)
	restore, _ := v.Disturb(http.MethodPatch, throttled)
	postpone(v)
	v.Sees("the old one isn’t cancelled yet")
	cancel(t, old, "See "+base+"/e/"+eval[string](v, `JSON.parse(localStorage.getItem('turnout.outbox.' + %s)).created.eventToken`, old.EventToken)+" instead.")
	restore()
	v.Sees("Tell your guests")
	v.SeesNot("already been cancelled")
}

// The form begins with all of the event. A refusal ends in the form, and the event stays.
func TestChangeForm(t *testing.T) {
	t.Parallel()
	event := announce(t, supper("dateTime", "2099-10-25T02:30:00+01:00"))
	v := newVisitor(t, manner{})
	v.Open(event.private())
	v.Click("Something changed…")
	for label, want := range map[string]string{
		"What are you planning?": "Rooftop supper", "Date": "2099-10-25", "Time": "02:30", "Place": "Weserstraße 12, top floor, Berlin",
		"Description": supper()["description"].(string),
	} {
		if got := v.Value(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
	v.Click("Announce the change")
	v.Sees("Nothing has changed yet.")
	v.Click("The first, at UTC+02:00")
	v.Write("What are you planning?", "\u0085") // which is blank to the service only
	v.Click("Announce the change")
	v.Until("an error at the title", `document.activeElement.id === 'title' && document.querySelector('#title-error').textContent`)
	v.Write("What are you planning?", "Supper")
	v.Write("Place", "Park")
	v.Write("Reason, for everyone to read", "The roof is wet.")
	v.Reload()
	v.Click("Announce the change")
	v.Sees("Tell your guests")
	v.Sees("Cancelled: Rooftop supper – The roof is wet.\nNew date: Sunday, 25 October 2099 at 2:30 (Central European Time (Germany))\nNew place: Park")
	v.Open(event.public())
	v.Sees("The roof is wet.")
	v.Click("It moved: see the new event")
	v.Sees("Are you coming?")
	if got := v.Value("Your name"); got != "" {
		t.Errorf("the name is %q", got)
	}
}

// A cancel whose answer was lost goes on after a reload, with its key: it is not refused as a
// second one.
func TestCancelGoesOnAfterAReload(t *testing.T) {
	t.Parallel()
	event, v := organizing(t, "Ada")
	restore, _ := v.Disturb(http.MethodPatch, lost)
	askToCancel(v)
	v.Write("Reason, for everyone to read", "Rain")
	v.Click("Cancel the event")
	v.Sees("No confirmation yet that the event is cancelled.")
	key := eval[string](v, `Object.keys(localStorage).find((name) => name.startsWith('turnout.outbox.'))`)
	v.Reload()
	v.Until("the words for the guests", `document.querySelector('.said').textContent.startsWith('Cancelled: Rooftop supper – Rain')`)
	if again := eval[string](v, `Object.keys(localStorage).find((name) => name.startsWith('turnout.outbox.')) ?? ''`); again != key {
		t.Errorf("it is sent with %q, and was with %q", again, key)
	}
	restore()
	for eval[bool](v, `Boolean(localStorage.getItem(%s))`, key) {
		v.Idle()
	}
	v.SeesNot("The event wasn’t cancelled.")
	link := eval[string](v, `document.querySelector('#tell a[href^="https://wa.me/"]').href`)
	if said, err := url.QueryUnescape(link); err != nil || !strings.HasSuffix(said, "text=Cancelled: Rooftop supper – Rain\n"+base+event.public()) {
		t.Errorf("WhatsApp gets %s", said)
	}
}

// changes is a flow for every engine: the answers to the cancel are lost until the page is loaded again.
func changes(p *sitePage, _ string) {
	old := announce(p.T, supper())
	p.Open(old.private())
	p.Click("Something changed…")
	p.Sees("This replaces Rooftop supper.")
	eval[struct{}](p, `void (() => {
		const request = fetch;
		window.fetch = async (address, options) => {
			const answer = await request(address, options);
			if (options?.method === 'PATCH') throw new TypeError('lost');
			return answer;
		};
	})()`)
	p.Pick("Date", "2099-12-19")
	p.Click("Announce the change")
	p.Sees("the old one isn’t cancelled yet")
	p.Reload()
	p.Sees("New date: Saturday, December 19, 2099 at 7:30 PM (Central European Time)")
	p.Open(old.public())
	p.Click("It moved: see the new event")
	p.Sees("Saturday, December 19")
}
