package browser

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A link may have values that the service would refuse. Such a value is not stored, and does not change the pages.
func TestLinkBeyondTheBounds(t *testing.T) {
	event, v := announce(t, supper(), "Ben"), newVisitor(t, manner{})
	const token = "00000000-0000-4000-8000-000000000000"
	for _, name := range []string{tooLong("name", 1), strings.Repeat("🎉", 50_000), "%E2%A0%80", ""} {
		v.Open(event.public() + "#name=" + name + "&rsvp=" + token)
		v.Sees("Are you coming?")
		is(v, fn("countStored", "rsvp."), 0)
	}
	v.Open(event.public() + "#name=A&rsvp=" + strings.Repeat("!", 200_000) + "a")
	v.Sees("Are you coming?")
	v.Open(event.public() + "#name=" + strings.Repeat("🎉", 100) + "&rsvp=" + signUp(t, event, strings.Repeat("🎉", 100)))
	v.Sees("You’re in, 🎉")
}

// Every page ignores stored entries beyond the bounds, which an earlier release may have stored, and reads valid
// entries. Entries of links that the service did not know are removed.
func TestStoredEntriesBeyondTheBounds(t *testing.T) {
	event, v := announce(t, supper(), "Ben"), newVisitor(t, manner{})
	v.do(func(ctx context.Context) error { return v.driver.Navigate(ctx, base+"/robots.txt") })
	on[struct{}](v, "storeBeyondBounds", event.EventToken, event.OrganizerToken)
	for path, sees := range map[string]string{
		"/": "Rooftop supper", event.public(): "Are you coming?", event.organize(): "Ben",
	} {
		v.Open(path)
		v.Sees(sees)
		v.SeesNot("AAAA")
		is(v, fn("countStored", "rsvp."), 0)
	}
}

// A guest's own link is confirmed at the next visit if its first page was left before the response came.
func TestLinkWhosePageWasLeft(t *testing.T) {
	event, v := announce(t, supper(), "Ben"), newVisitor(t, manner{})
	link := event.public() + "#name=Ann&rsvp=" + signUp(t, event, "Ann")
	end := v.Disturb(http.MethodGet, held)
	v.Open(link)
	v.Sees("This link is for Ann")
	v.Reload()
	v.Sees("This link is for Ann")
	end()
	v.Open(event.public())
	v.Sees("You’re in, Ann")
}

// A guest's own link whose confirmation has failed is confirmed after a pause, or when the visitor returns, also from
// the back/forward cache while the first request has no response.
func TestLinkIsAskedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		fault answer
		again string
	}{
		"after a pause":  {answer{Lost: "before", Path: "rsvps"}, fn("pass", 20_000)},
		"on return":      {answer{Lost: "before", Path: "rsvps"}, fn("look")},
		"from the cache": {answer{Held: true, Path: "rsvps"}, fn("turnPage", "pageshow")},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper(), "Ben"), newVisitor(t, manner{})
			token := signUp(t, event, "Ann")
			v.Prepare(fn("holdLong", 15_000))
			v.Prepare(fn("instead", http.MethodGet, c.fault))
			v.Open(event.public() + "#name=Ann&rsvp=" + token)
			v.Sees("This link is for Ann")
			unseen(v, fn("answeredInstead")+` === 1`)
			on[struct{}](v, "instead", http.MethodGet, nil)
			eval[struct{}](v, `void `+c.again)
			v.Sees("You’re in, Ann")
		})
	}
}

// The page forgets a guest's link that the service does not know. Its message contains no text of the link.
func TestLinkThatTheServiceDoesNotKnow(t *testing.T) {
	event, v := announce(t, supper(), "Ben"), newVisitor(t, manner{})
	v.Open(event.public() + "#name=SECURITY+NOTICE&rsvp=00000000-0000-4000-8000-000000000000")
	v.Sees("isn’t on the guest list", "Are you coming?")
	v.SeesNot("SECURITY NOTICE", "taken off elsewhere")
	is(v, fn("countStored", "rsvp."), 0)
	v.Click("OK")
	v.SeesNoMore("isn’t on the guest list")

	token := signUp(t, event, "Ann")
	v.Open(event.public() + "#name=Ann&rsvp=" + token)
	v.Sees("You’re in, Ann")
	withdraw(t, event, token)
	v.Prepare(later(time.Minute))
	v.Open(event.public())
	v.Sees("taken off elsewhere", "Ann")
}

// A link's text begins with the host that the link opens, whatever the writing direction of the characters. This holds
// for the server's HTML and for the script.
func TestLinksReadFromLeftToRight(t *testing.T) {
	const address = "https://evil.example/\u200fhttps://zoom.example/j/1"
	event := announce(t, supper("location", "\u200f"+address, "description", "\u05d0"+address))
	v := newVisitor(t, manner{})
	v.expected = "app-"
	for _, blocked := range [][]string{{"/assets/app-*"}, nil} {
		v.Block(blocked...)
		v.do(func(ctx context.Context) error { return v.driver.Navigate(ctx, base+event.public()) })
		if blocked == nil {
			v.Started()
		}
		for _, link := range []string{".description a", "dd .big a"} {
			is(v, fn("isBefore", link, "evil", "zoom"), true)
		}
	}
}
