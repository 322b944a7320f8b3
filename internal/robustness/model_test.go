package robustness

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"turnout/internal/event"
	"turnout/internal/httpapi/apitest"
)

// A model is the service as a few maps. It returns the right answer to every call.
type model struct {
	client Client
	now    time.Time
	events []*modelEvent
}

type modelEvent struct {
	apitest.Event
	title, dateTime, timezone string
	description, location     *string
	expires                   time.Time
	cancelled                 bool
	reason                    *string
	guests                    []modelGuest // in the order of their RSVPs
}

type modelGuest struct{ name, token string }

// TestModel: after any sequence of calls, valid or not, at any time, the service gives
// the answers of the model.
func TestModel(t *testing.T) {
	store := newBolt(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
		service := event.NewService(store)
		service.Now = func() time.Time { return m.now }
		m.client = inProcess(t, Handler(service))
		rt.Repeat(map[string]func(*rapid.T){
			"":               m.readAll,
			"create event":   m.createEvent,
			"cancel event":   m.cancelEvent,
			"create RSVP":    m.createRSVP,
			"cancel RSVP":    m.cancelRSVP,
			"list attendees": m.listAttendees,
			"wait":           m.wait,
		})
	})
}

// text draws a text in any script of up to most characters, or one that is blank or
// too long.
func text(t *rapid.T, label string, most int) string {
	return rapid.OneOf(
		rapid.StringN(1, min(most, 40), -1),
		rapid.SampledFrom([]string{"", " ", "\t\n", "\u2003\u00a0", "Ada", "  Ada ", "<b>&amp;</b>", "नमस्ते", "👩‍👩‍👧‍👦", "a\x00b"}),
		rapid.Map(rapid.IntRange(most-1, most+1), func(n int) string { return strings.Repeat("é", n) }),
	).Draw(t, label)
}

func optional(t *rapid.T, label string, most int) *string {
	if !rapid.Bool().Draw(t, label+" is set") {
		return nil
	}
	return new(text(t, label, most))
}

// visible reports whether a character can be seen, as Unicode's properties have it.
func visible(r rune) bool {
	formats := unicode.In(r, unicode.Prepended_Concatenation_Mark) || 0xfff9 <= r && r <= 0xfffb || 0x13430 <= r && r <= 0x13440
	return formats || r != 0x2800 && r != 0x1d159 &&
		!unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// fields are the names of the fields that a validation problem must list.
type fields []string

func (f *fields) required(name, value string, most int) {
	if strings.IndexFunc(value, visible) < 0 || utf8.RuneCountInString(value) > most {
		*f = append(*f, name)
	}
}

func (f *fields) optional(name string, value *string, most int) {
	if value != nil && utf8.RuneCountInString(*value) > most {
		*f = append(*f, name)
	}
}

func want(t *rapid.T, got Answer, status int, kind string, invalid ...string) {
	t.Helper()
	var listed []string
	for _, e := range got.FieldErrors {
		listed = append(listed, e.Field)
	}
	if got.Status != status || strings.TrimPrefix(got.Type, "urn:turnout:problem:") != kind || !slices.Equal(listed, invalid) {
		t.Fatalf("answered %d %q %q, want %d %q %q", got.Status, got.Type, listed, status, kind, invalid)
	}
}

// body leaves out what is nil.
func body(members apitest.Object) apitest.Object {
	for name, value := range members {
		if s, ok := value.(*string); ok && s == nil {
			delete(members, name)
		}
	}
	return members
}

func (m *model) createEvent(t *rapid.T) {
	days := rapid.IntRange(-12, 3).Draw(t, "days")
	offset := rapid.IntRange(-14*60, 14*60).Draw(t, "offset in minutes")
	date := m.now.AddDate(0, 0, days).In(time.FixedZone("", offset*60))
	e := &modelEvent{
		title:       text(t, "title", 200),
		description: optional(t, "description", 2000),
		dateTime:    date.Format(time.RFC3339),
		timezone:    rapid.SampledFrom([]string{"Europe/Berlin", "UTC", "America/Argentina/Ushuaia", "Asia/Kolkata"}).Draw(t, "timezone"),
		location:    optional(t, "location", 500),
		expires:     date.AddDate(0, 0, 7),
	}
	var invalid fields
	invalid.required("title", e.title, 200)
	invalid.optional("description", e.description, 2000)
	if rapid.IntRange(0, 9).Draw(t, "bad date") == 0 {
		e.dateTime = rapid.SampledFrom([]string{"", "tomorrow", "2026-02-30T12:00:00Z", "2026-12-01T12:00:00", "2026-12-01"}).Draw(t, "date")
		invalid = append(invalid, "dateTime")
	}
	if rapid.IntRange(0, 9).Draw(t, "bad zone") == 0 {
		e.timezone = rapid.SampledFrom([]string{"", "Local", "Mars/Olympus", "../UTC"}).Draw(t, "zone")
		invalid = append(invalid, "timezone")
	}
	invalid.optional("location", e.location, 500)
	got := m.client.Call(apitest.CreateEvent(body(apitest.Object{
		"title": e.title, "description": e.description, "dateTime": e.dateTime, "timezone": e.timezone, "location": e.location,
	})))
	if len(invalid) > 0 {
		want(t, got, http.StatusBadRequest, "validation-failed", invalid...)
		return
	}
	want(t, got, http.StatusCreated, "")
	e.Event = apitest.Event{Token: got.EventToken, Organizer: got.OrganizerToken}
	m.events = append(m.events, e)
}

// draw picks an event and its path, with the token in either case, or nil and the path
// of no event.
func (m *model) draw(t *rapid.T) (e *modelEvent, token string) {
	if n := len(m.events); n > 0 && rapid.IntRange(0, 9).Draw(t, "known event") > 0 {
		e = m.events[rapid.IntRange(0, n-1).Draw(t, "event")]
		token = e.Token
		if rapid.Bool().Draw(t, "upper case") {
			token = strings.ToUpper(token)
		}
		return e, token
	}
	return nil, rapid.SampledFrom([]string{uuid.NewString(), "x", strings.Repeat("0", 36)}).Draw(t, "no event")
}

// organizer draws a token, and whether it is that of the event.
func organizer(t *rapid.T, e *modelEvent) (token string, right bool) {
	if e != nil && rapid.IntRange(0, 4).Draw(t, "organizer") > 0 {
		return e.Organizer, true
	}
	token = rapid.SampledFrom([]string{"", "x", uuid.NewString()}).Draw(t, "no organizer")
	if e != nil && rapid.Bool().Draw(t, "the public token") {
		token = e.Token
	}
	return token, false
}

func (m *model) cancelEvent(t *rapid.T) {
	e, token := m.draw(t)
	by, right := organizer(t, e)
	reason := optional(t, "reason", 2000)
	members := body(apitest.Object{"cancelled": true, "cancellationReason": reason})
	var invalid fields
	if rapid.IntRange(0, 9).Draw(t, "not cancelled") == 0 {
		members["cancelled"] = rapid.SampledFrom([]any{false, "true", nil}).Draw(t, "cancelled")
		invalid = append(invalid, "cancelled")
	}
	invalid.optional("cancellationReason", reason, 2000)
	got := m.client.Call(apitest.CancelEvent(token, by, members))
	switch {
	case len(invalid) > 0:
		want(t, got, http.StatusBadRequest, "validation-failed", invalid...)
	case e == nil:
		want(t, got, http.StatusNotFound, "event-not-found")
	case !right:
		want(t, got, http.StatusForbidden, "invalid-organizer-token")
	case e.cancelled:
		want(t, got, http.StatusConflict, "event-already-cancelled")
	default:
		want(t, got, http.StatusNoContent, "")
		e.cancelled, e.reason = true, reason
	}
}

func (m *model) createRSVP(t *rapid.T) {
	e, token := m.draw(t)
	name := text(t, "name", 100)
	var invalid fields
	invalid.required("name", name, 100)
	m.now = m.now.Add(time.Millisecond) // guests are listed in the order of their RSVPs
	got := m.client.CreateRSVP(apitest.Event{Token: token}, name)
	switch {
	case len(invalid) > 0:
		want(t, got, http.StatusBadRequest, "validation-failed", invalid...)
	case e == nil:
		want(t, got, http.StatusNotFound, "event-not-found")
	case e.cancelled:
		want(t, got, http.StatusConflict, "event-cancelled")
	case !m.now.Before(e.expires):
		want(t, got, http.StatusConflict, "event-expired")
	default:
		want(t, got, http.StatusCreated, "")
		e.guests = append(e.guests, modelGuest{name, got.RSVPToken})
	}
}

func (m *model) cancelRSVP(t *rapid.T) {
	e, token := m.draw(t)
	rsvp := rapid.SampledFrom([]string{uuid.NewString(), "x"}).Draw(t, "no RSVP")
	if owner, _ := m.draw(t); owner != nil && len(owner.guests) > 0 { // mostly of this event, sometimes of another
		guest := rapid.SampledFrom(owner.guests).Draw(t, "guest")
		rsvp = guest.token
		if owner == e {
			e.guests = slices.DeleteFunc(slices.Clone(e.guests), func(g modelGuest) bool { return g == guest })
		}
	}
	want(t, m.client.CancelRSVP(apitest.Event{Token: token}, rsvp), http.StatusNoContent, "")
}

func (m *model) listAttendees(t *rapid.T) {
	e, token := m.draw(t)
	by, right := organizer(t, e)
	got := m.client.ListAttendees(apitest.Event{Token: token, Organizer: by})
	switch {
	case e == nil:
		want(t, got, http.StatusNotFound, "event-not-found")
	case !right:
		want(t, got, http.StatusForbidden, "invalid-organizer-token")
	default:
		want(t, got, http.StatusOK, "")
		var names []string
		for _, g := range e.guests {
			names = append(names, g.name)
		}
		if !slices.Equal(got.names(), names) {
			t.Fatalf("listed are %q, want %q", got.names(), names)
		}
	}
}

func (m *model) wait(t *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(0, 5*24).Draw(t, "hours")) * time.Hour)
}

// readAll compares the public details of every event.
func (m *model) readAll(t *rapid.T) {
	for _, e := range m.events {
		got := m.client.GetEvent(e.Event)
		want(t, got, http.StatusOK, "")
		seen := fmt.Sprint(got.Title, show(got.Description), got.DateTime, got.Timezone, show(got.Location), got.AttendeeCount, got.Cancelled, show(got.CancellationReason))
		if wanted := fmt.Sprint(e.title, show(e.description), e.dateTime, e.timezone, show(e.location), len(e.guests), e.cancelled, show(e.reason)); seen != wanted {
			t.Fatalf("seen %s\nwant %s", seen, wanted)
		}
	}
}

func show(s *string) string { return strconv.Quote(*cmp.Or(s, new("not set"))) }
