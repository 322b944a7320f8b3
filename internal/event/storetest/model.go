package storetest

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"turnout/internal/event"
)

// A model makes every call on the store and on a Memory: both must return the same. In any order, events
// are created, accept RSVPs, are cancelled, expire, and are deleted item by item. Calls are repeated, by
// strangers too, and with the RSVPs of the other event.
type model struct {
	store  Movable
	memory Memory
	now    time.Time
	events []*modelEvent
	known  []event.RSVP // the RSVPs of all calls so far, for either event
}

type modelEvent struct {
	fixture
	want fixture // the same event in memory

	// Once the store has begun to delete, the count may be too high, but never higher than it was.
	deleting bool
	forgets  bool // whether cancelled RSVPs were deleted, any of which may be created again
	most     int
}

func anySequence(t *testing.T, s Store) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{store: s, now: created}
		actions := m.actions()
		actions["delete item"] = m.deleteItem
		rt.Repeat(actions)
		for _, e := range m.events {
			e.compare(rt)
		}
	})
}

func (m *model) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"":             m.compare,
		"CreateEvent":  m.createEvent,
		"CreateRSVP":   m.createRSVP,
		"CreateRSVP 2": m.createRSVP, // a second name makes these calls more frequent
		"GetRSVP":      m.getRSVP,
		"CancelRSVP":   m.cancelRSVP,
		"CancelEvent":  m.cancelEvent,
		"wait":         m.wait,
	}
}

// draw picks an event.
func (m *model) draw(t *rapid.T) *modelEvent {
	if len(m.events) == 0 {
		t.Skip("no event yet")
	}
	e := m.events[rapid.IntRange(0, len(m.events)-1).Draw(t, "event")]
	e.t, e.want.t = t, t
	return e
}

func (m *model) createEvent(t *rapid.T) {
	const events = 2
	if len(m.events) == events {
		m.repeatEvent(t)
		return
	}
	e := sampleEvent()
	e.CreatedAt = m.now
	lives := rapid.SampledFrom([]time.Duration{-1, 0, time.Minute, time.Minute + 900*time.Millisecond})
	e.ExpiresAt = m.now.Add(lives.Draw(t, "expires in"))
	f := newFixtureOf(t, m.store, e)
	f.wantNil("CreateEvent", m.memory.CreateEvent(t.Context(), e, f.organizer))
	m.events = append(m.events, &modelEvent{fixture: f, want: fixture{t, &m.memory, e, f.organizer}})
}

// repeatEvent creates an event again, unless it is deleted: then it would be new.
func (m *model) repeatEvent(t *rapid.T) {
	e := m.draw(t)
	if e.deleted() {
		return
	}
	again, organizer := e.event, e.organizer
	again.CreatedAt = m.now
	switch rapid.IntRange(0, 2).Draw(t, "changed") {
	case 1:
		again.Description = new("Bring a salad.")
	case 2:
		organizer = randomHash()
	}
	e.wantError("CreateEvent again", e.createEvent(again, organizer), e.want.createEvent(again, organizer))
}

// deleted reports whether the details are deleted.
func (e *modelEvent) deleted() bool {
	_, err := e.want.getEvent()
	return err != nil
}

func (m *model) createRSVP(t *rapid.T) {
	e := m.draw(t)
	m.now = m.now.Add(1) // the order within one instant is left to the store
	r := event.RSVP{ID: randomID(), CreatedAt: m.now}
	if len(m.known) > 0 && rapid.IntRange(0, 2).Draw(t, "again") == 0 {
		r.ID = rapid.SampledFrom(m.known).Draw(t, "RSVP").ID
	}
	if stored, ok := m.memory.events[e.event.Token].rsvps[r.ID]; e.forgets && ok && stored.Name == "" {
		t.Skip("it may be deleted")
	}
	r.Name = rapid.SampledFrom([]string{"Anna", "Ben"}).Draw(t, "name")
	m.known = append(m.known, r)
	e.wantDeletedStaysDeleted(func() { e.wantError("CreateRSVP", e.createRSVP(r), e.want.createRSVP(r)) })
}

// drawRSVP picks an RSVP that was sent to either event.
func (m *model) drawRSVP(t *rapid.T) event.RSVPID {
	if len(m.known) == 0 {
		return randomID()
	}
	return rapid.SampledFrom(m.known).Draw(t, "RSVP").ID
}

func (m *model) getRSVP(t *rapid.T) { m.draw(t).compareRSVP(t, m.drawRSVP(t)) }

func (e *modelEvent) compareRSVP(t *rapid.T, id event.RSVPID) {
	got, err := e.getRSVP(id)
	want, wantErr := e.want.getRSVP(id)
	e.wantError("GetRSVP", err, wantErr)
	if got != want {
		t.Errorf("GetRSVP: %q, want %q", got, want)
	}
}

func (m *model) cancelRSVP(t *rapid.T) {
	e, id := m.draw(t), m.drawRSVP(t)
	e.wantDeletedStaysDeleted(func() { e.wantError("CancelRSVP", e.cancelRSVP(id), e.want.cancelRSVP(id)) })
}

// cancelEvent asserts nothing about items, because a cancel may close counters that were deleted.
func (m *model) cancelEvent(t *rapid.T) {
	e := m.draw(t)
	c := event.Cancellation{
		Reason:  rapid.SampledFrom([]*string{nil, new("rain")}).Draw(t, "reason"),
		MovedTo: rapid.SampledFrom([]*event.Token{nil, {1}}).Draw(t, "moved to"),
		Key:     rapid.SampledFrom([]event.Hash{{}, {1}}).Draw(t, "key"),
	}
	organizer := e.organizer
	if rapid.IntRange(0, 2).Draw(t, "stranger") == 0 {
		organizer = randomHash()
	}
	e.wantError("CancelEvent", e.cancelEventWith(organizer, c, m.now), e.want.cancelEventWith(organizer, c, m.now))
}

// wait stops at the instants at which an error of a nanosecond shows.
func (m *model) wait(t *rapid.T) {
	m.now = m.now.Add(rapid.SampledFrom([]time.Duration{1, time.Second}).Draw(t, "wait"))
	if len(m.events) > 0 && rapid.IntRange(0, 2).Draw(t, "for an event to expire") == 0 {
		at := m.draw(t).event.ExpiresAt.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "nanoseconds after")))
		if at.After(m.now) {
			m.now = at
		}
	}
}

// deleteItem makes the store delete one item of an event that has expired.
func (m *model) deleteItem(t *rapid.T) {
	e := m.draw(t)
	items := e.items()
	if !m.now.After(e.event.ExpiresAt) || len(items) == 0 {
		t.Skip("nothing to delete")
	}
	if !e.deleting {
		e.deleting, e.most = true, len(e.want.guests())
	}
	p := rapid.SampledFrom(items).Draw(t, "item")
	e.wantNil("DeleteItem", m.store.(Store).DeleteItem(t.Context(), e.event.Token, p))
	switch {
	case p.Part == Details:
		_, err := m.memory.EraseEvent(t.Context(), e.event.Token, m.now)
		e.wantNil("EraseEvent", err)
	case p.Part == RSVPs && !e.deleted():
		m.deleteListed(e)
	}
}

// deleteListed finds out by the list which RSVP the store has deleted: an RSVP of the list, or else a cancelled RSVP.
func (m *model) deleteListed(e *modelEvent) {
	left, err := e.listAttendees(e.organizer)
	e.wantNil("ListAttendees", err)
	gone, _ := e.want.listAttendees(e.organizer)
	cancelled := len(m.memory.events[e.event.Token].rsvps) - len(gone)
	gone = slices.DeleteFunc(gone, func(r event.RSVP) bool {
		return slices.ContainsFunc(left, func(l event.RSVP) bool { return l.Compare(r) == 0 })
	})
	switch {
	case len(gone) == 0 && cancelled > 0:
		e.forgets = true
	case len(gone) == 1:
		delete(m.memory.events[e.event.Token].rsvps, gone[0].ID)
	default:
		e.t.Fatalf("%d RSVPs are gone when one is deleted", len(gone))
	}
}

// wantDeletedStaysDeleted runs do. Once the store has begun to delete, it asserts that do has added no item.
func (e *modelEvent) wantDeletedStaysDeleted(do func()) {
	if e.deleting {
		e.wantNothingRecreated(do)
	} else {
		do()
	}
}

// compare reads one of the events. An effect on the other event shows in a later step.
func (m *model) compare(t *rapid.T) {
	if len(m.events) > 0 {
		m.draw(t).compare(t)
	}
}

// compare reads everything of an event.
func (e *modelEvent) compare(t *rapid.T) {
	e.t, e.want.t = t, t
	want, missing := e.want.getEvent()
	got, err := e.getEvent()
	e.wantError("GetEvent", err, missing)
	if missing != nil {
		_, err := e.listAttendees(e.organizer)
		e.wantError("ListAttendees", err, missing)
		return
	}
	if e.deleting {
		if got.AttendeeCount < 0 || got.AttendeeCount > e.most {
			t.Fatalf("the count is %d while the store deletes, want 0 to %d", got.AttendeeCount, e.most)
		}
		want.AttendeeCount = got.AttendeeCount
	}
	e.wantEvent(want)
	_, err = e.listAttendees(randomHash())
	e.wantError("ListAttendees by a stranger", err, event.ErrOrganizerToken)
	rsvps, _ := e.want.listAttendees(e.organizer)
	listed, err := e.listAttendees(e.organizer)
	e.wantNil("ListAttendees", err)
	e.wantRSVPs(listed, rsvps)
}
