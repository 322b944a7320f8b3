package browser

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"turnout/internal/httpapi/apitest"
)

// created is an event with both tokens.
type created struct{ apitest.Content }

func (c created) public() string  { return "/e/" + c.EventToken }
func (c created) private() string { return c.public() + "#organizer=" + c.OrganizerToken }

// ask calls the service without a browser, to prepare a test or to check the result.
func ask(t *testing.T, call apitest.Call) apitest.Content {
	t.Helper()
	return apitest.Ask(t, base, call).Content
}

type fields = apitest.Object

// supper returns a sample event without an end. otherwise has the names and values, in turn, of members that differ.
func supper(otherwise ...string) fields {
	event := apitest.FullEvent(fields{})
	delete(event, "endDateTime")
	for i := 0; i < len(otherwise); i += 2 {
		event[otherwise[i]] = otherwise[i+1]
	}
	return event
}

// announce creates an event, and signs guests up.
func announce(t *testing.T, event fields, guests ...string) created {
	t.Helper()
	needBrowser(t)
	result := created{ask(t, apitest.CreateEvent(event))}
	for _, name := range guests {
		signUp(t, result, name)
	}
	return result
}

// crowd returns as many guests' names.
func crowd(guests int) (names []string) {
	for n := range guests {
		names = append(names, fmt.Sprintf("Guest %d", n+1))
	}
	return names
}

// invited opens the page of a new event with these guests.
func invited(t *testing.T, guests ...string) (created, *visitor) {
	t.Helper()
	return visit(t, created.public, guests)
}

// organizing opens the organizer's page of a new event with these guests.
func organizing(t *testing.T, guests ...string) (created, *visitor) {
	t.Helper()
	event, v := visit(t, created.private, guests)
	v.Until("the list with the link", `location.hash === '#organize'`)
	return event, v
}

func visit(t *testing.T, page func(created) string, guests []string) (created, *visitor) {
	t.Helper()
	event := announce(t, supper(), guests...)
	return event, newVisitor(t, manner{}, page(event))
}

func signUp(t *testing.T, event created, name string) (rsvpToken string) {
	t.Helper()
	return ask(t, apitest.CreateRSVP(event.EventToken, fields{"name": name})).RSVPToken
}

func cancel(t *testing.T, event created, reason string) {
	t.Helper()
	body := fields{"cancelled": true}
	if reason != "" {
		body["cancellationReason"] = reason
	}
	ask(t, apitest.CancelEvent(event.EventToken, event.OrganizerToken, body))
}

// move cancels an event and names the event that replaces it, as the site does.
func move(t *testing.T, from, to created, reason string) {
	t.Helper()
	body := fields{"cancelled": true, "movedTo": to.EventToken}
	if reason != "" {
		body["cancellationReason"] = reason
	}
	ask(t, apitest.CancelEvent(from.EventToken, from.OrganizerToken, body))
}

// attendees returns the names on the service's list.
func attendees(t *testing.T, event created) []string {
	t.Helper()
	names := []string{}
	for _, attendee := range ask(t, apitest.ListAttendees(event.EventToken, event.OrganizerToken)).Attendees {
		names = append(names, attendee.Name)
	}
	return names
}

// hasNames checks the names on the service's list.
func hasNames(t *testing.T, event created, want ...string) {
	t.Helper()
	if got := attendees(t, event); !slices.Equal(got, want) {
		t.Errorf("the service has %q, want %q", got, want)
	}
}

// The page shows a place in the lines in which the organizer wrote it. Other texts have the place in one line. Blank
// texts count as absent.
func TestPlaceInLinesAndBlankTexts(t *testing.T) {
	const place, line = " Clubhouse,\n  Main St 5\n\n12345 Town \n", "Clubhouse, Main St 5, 12345 Town"
	event := announce(t, supper("location", place, "description", " \u200b"))
	v := newVisitor(t, manner{})
	v.Prepare(fn("haveShareSheet", false))
	v.Open(event.public())
	is(v, `document.querySelector('.spot').innerText`, "Clubhouse,\nMain St 5\n12345 Town")
	v.Check("the map's address", `document.querySelector('.spot').href.endsWith('`+url.PathEscape(line)+`')`)
	is(v, `document.querySelectorAll('.description').length`, 0)
	v.Open(event.private())
	v.Sees(line)
	bare := announce(t, supper("location", "\u200b \n"))
	cancel(t, bare, "\n")
	v.Open(bare.public())
	v.Sees("Cancelled")
	v.Started()
	is(v, `document.querySelectorAll('.spot, #state').length`, 0)
	v.Check("no empty card", `document.getElementById('panel').hidden`)
}
