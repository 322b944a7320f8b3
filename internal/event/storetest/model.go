package storetest

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"turnout/internal/event"
)

// A model is a store as a few maps: it predicts what every call must return.
// Events are created, take RSVPs, are cancelled, expire and are deleted piece by
// piece, in any order.
type model struct {
	store  Store
	now    time.Time
	events []*modelEvent
}

type modelEvent struct {
	fixture
	stored  map[event.Hash]event.RSVP
	removed map[event.Hash]bool
	known   []event.RSVP // all that have ever been sent, for repeated calls

	// Once the store has begun to delete, the count may be too high, but never
	// higher than it was.
	deleting bool
	deleted  bool // the details
	forgets  bool // removed RSVPs: one was deleted, any of them
	most     int
}

func anySequence(t *testing.T, s Store) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{store: s, now: created}
		rt.Repeat(map[string]func(*rapid.T){
			"":             m.compare,
			"AddEvent":     m.addEvent,
			"AddRSVP":      m.addRSVP,
			"AddRSVP 2":    m.addRSVP, // more often than the others
			"RemoveRSVP":   m.removeRSVP,
			"CancelEvent":  m.cancelEvent,
			"wait":         m.wait,
			"delete piece": m.deletePiece,
		})
		for _, e := range m.events {
			e.compare(rt)
		}
	})
}

// draw picks an event.
func (m *model) draw(t *rapid.T) *modelEvent {
	if len(m.events) == 0 {
		t.Skip("no event yet")
	}
	e := m.events[rapid.IntRange(0, len(m.events)-1).Draw(t, "event")]
	e.t = t
	return e
}

func (m *model) addEvent(t *rapid.T) {
	const events = 2
	if len(m.events) == events {
		m.repeatEvent(t)
		return
	}
	e := sampleEvent()
	e.CreatedAt = m.now
	e.ExpiresAt = m.now.Add(rapid.SampledFrom([]time.Duration{-1, 0, time.Minute, time.Minute + 900*time.Millisecond}).Draw(t, "expires in"))
	m.events = append(m.events, &modelEvent{fixture: newFixtureOf(t, m.store, e), stored: map[event.Hash]event.RSVP{}, removed: map[event.Hash]bool{}})
}

// repeatEvent adds an event again, unless it is deleted: then it would be new.
func (m *model) repeatEvent(t *rapid.T) {
	e := m.draw(t)
	if e.deleted {
		return
	}
	again, organizer, want := e.event, e.organizer, error(nil)
	again.CreatedAt = m.now
	switch rapid.IntRange(0, 2).Draw(t, "changed") {
	case 1:
		again.Description, want = new("Bring a salad."), event.ErrTokenTaken
	case 2:
		organizer, want = randomHash(), event.ErrTokenTaken
	}
	e.wantError("AddEvent again", e.create(again, organizer), want)
}

func (m *model) addRSVP(t *rapid.T) {
	e := m.draw(t)
	r := event.RSVP{Hash: randomHash(), CreatedAt: m.now}
	if len(e.known) > 0 && rapid.IntRange(0, 2).Draw(t, "again") == 0 {
		r.Hash = rapid.SampledFrom(e.known).Draw(t, "RSVP").Hash
	}
	if e.forgets && e.removed[r.Hash] {
		t.Skip("it may be deleted")
	}
	r.Name = rapid.SampledFrom([]string{"Anna", "Ben"}).Draw(t, "name")
	e.known = append(e.known, r)

	stored, again := e.stored[r.Hash]
	admitted := e.event.Admits(m.now)
	switch {
	case e.deleted:
		admitted = event.ErrEventNotFound
	case again && stored.Name == r.Name:
		admitted = nil
	case again, e.removed[r.Hash]:
		admitted = event.ErrTokenTaken
	case admitted == nil:
		e.stored[r.Hash] = r
	}
	e.wantDeletedStaysDeleted(func() { e.wantError("AddRSVP", e.add(r), admitted) })
}

func (m *model) removeRSVP(t *rapid.T) {
	e := m.draw(t)
	hash := randomHash()
	if len(e.known) > 0 {
		hash = rapid.SampledFrom(e.known).Draw(t, "RSVP").Hash
	}
	e.wantDeletedStaysDeleted(func() { e.wantNil("RemoveRSVP", e.remove(hash)) })
	if _, ok := e.stored[hash]; ok {
		delete(e.stored, hash)
		e.removed[hash] = true
	}
}

// A cancel may close counters that are deleted.
func (m *model) cancelEvent(t *rapid.T) {
	e := m.draw(t)
	reason := rapid.SampledFrom([]*string{nil, new("rain")}).Draw(t, "reason")
	organizer := e.organizer
	if rapid.IntRange(0, 2).Draw(t, "stranger") == 0 {
		organizer = randomHash()
	}
	var want error
	switch {
	case e.deleted:
		want = event.ErrEventNotFound
	case organizer != e.organizer:
		want = event.ErrOrganizerToken
	case e.event.Cancelled:
		want = event.ErrAlreadyCancelled
	default:
		e.event.Cancelled, e.event.CancellationReason = true, reason
	}
	e.wantError("CancelEvent", e.cancel(organizer, reason, m.now), want)
}

// wait stops at the moments where an error of a nanosecond shows.
func (m *model) wait(t *rapid.T) {
	m.now = m.now.Add(rapid.SampledFrom([]time.Duration{1, time.Second}).Draw(t, "wait"))
	if len(m.events) > 0 && rapid.IntRange(0, 2).Draw(t, "for an event to expire") == 0 {
		at := m.draw(t).event.ExpiresAt.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "nanoseconds after")))
		if at.After(m.now) {
			m.now = at
		}
	}
}

// deletePiece makes the store delete one piece of an event that has expired.
func (m *model) deletePiece(t *rapid.T) {
	e := m.draw(t)
	pieces := e.pieces()
	if !m.now.After(e.event.ExpiresAt) || len(pieces) == 0 {
		t.Skip("nothing to delete")
	}
	if !e.deleting {
		e.deleting, e.most = true, len(e.stored)
	}
	p := rapid.SampledFrom(pieces).Draw(t, "piece")
	e.wantNil("DeletePiece", m.store.DeletePiece(t.Context(), e.event.Token, p))
	switch {
	case p.Part == Details:
		e.deleted = true
	case p.Part == RSVPs && !e.deleted:
		e.deleteListed()
	}
}

// deleteListed determines by the list which RSVP the store has deleted, or that it was
// a removed one.
func (e *modelEvent) deleteListed() {
	left, err := e.list(e.organizer)
	e.wantNil("AttendeesByEvent", err)
	if len(left) == len(e.stored) && len(e.removed) > 0 {
		e.forgets = true
		return
	}
	if len(left) != len(e.stored)-1 {
		e.t.Fatalf("of %d RSVPs %d are left when one is deleted", len(e.stored), len(left))
	}
	maps.DeleteFunc(e.stored, func(_ event.Hash, r event.RSVP) bool {
		return !slices.ContainsFunc(left, func(l event.RSVP) bool { return l.Position().Compare(r.Position()) == 0 })
	})
}

// wantDeletedStaysDeleted is wantNothingRecreated once the store has begun to delete.
func (e *modelEvent) wantDeletedStaysDeleted(do func()) {
	if e.deleting {
		e.wantNothingRecreated(do)
	} else {
		do()
	}
}

// compare reads one of the events: what a call does to another one shows later.
func (m *model) compare(t *rapid.T) {
	if len(m.events) > 0 {
		m.draw(t).compare(t)
	}
}

// compare reads everything of an event and compares it with the model.
func (e *modelEvent) compare(t *rapid.T) {
	e.t = t
	if e.deleted {
		_, err := e.read()
		e.wantError("EventByToken", err, event.ErrEventNotFound)
		_, err = e.list(e.organizer)
		e.wantError("AttendeesByEvent", err, event.ErrEventNotFound)
		return
	}
	e.event.AttendeeCount = len(e.stored)
	if e.deleting {
		got, err := e.read()
		e.wantNil("EventByToken", err)
		if got.AttendeeCount < 0 || got.AttendeeCount > e.most {
			t.Fatalf("the count is %d while the store deletes, want 0 to %d", got.AttendeeCount, e.most)
		}
		e.event.AttendeeCount = got.AttendeeCount
	}
	e.wantEvent(e.event)
	want := slices.Collect(maps.Values(e.stored))
	slices.SortFunc(want, func(a, b event.RSVP) int { return a.Position().Compare(b.Position()) })
	e.wantRSVPs(e.pages(rapid.SampledFrom([]int{0, 8, 1 << 20}).Draw(t, "bytes of a page"), nil), want)
}
