package storetest

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"turnout/internal/event"
)

// Move makes any sequence of calls on a store, and moves its events to the store that move returns. The
// second store must return the same from every call as the first store would have.
func Move[S Movable](t *testing.T, open func() S, move func(S) S) {
	t.Run("texts and moments", func(t *testing.T) { movesTexts(t, open(), move) })
	t.Run("any sequence of calls", func(t *testing.T) { movesAnySequence(t, open, move) })
}

// edgeCases are texts that databases, encodings and trimming are known to change.
var edgeCases = []string{
	" \t\r\n ",
	"\x00",
	"before\x00after",
	`"quoted", \escaped\, <b>&amp;</b>, {"$": null}, EVENT#DETAILS`,
	"e\u0301 is not \u00e9",
	"\ufeff\u200b\u202e\u2028\ufffd\uffff\U0010ffff",
	"👩‍👩‍👧‍👦🏳️‍🌈",
}

func movesTexts[S Movable](t *testing.T, from S, move func(S) S) {
	var moved []fixture
	for _, text := range append(edgeCases, "0") {
		e := sampleEvent()
		e.Title, e.Description, e.Host, e.Location = text, &text, &text, new("")
		e.DateTime, e.EndDateTime = "9999-12-31t23:59:59.120-23:59", new("9999-12-31t23:59:59.121-23:59")
		e.ExpiresAt = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
		f := newFixtureOf(t, from, e)
		f.admit(text, "Anna")
		f.wantNil("CancelEvent", f.cancelEvent(f.organizer, &text, answered))
		f.event.Cancelled, f.event.CancellationReason, f.event.AttendeeCount = true, &text, 2
		moved = append(moved, f)
	}
	to := move(from)
	for _, f := range moved {
		f.store = to
		f.wantEvent(f.event)
		f.wantGuests(f.event.Title, "Anna")
	}
}

func movesAnySequence[S Movable](t *testing.T, open func() S, move func(S) S) {
	rapid.Check(t, func(rt *rapid.T) {
		from := open()
		m := &model{store: from, now: created}
		actions := m.actions()
		actions["EraseEvent"], actions["EraseRSVPs"] = m.eraseEvent, m.eraseRSVPs
		rt.Repeat(actions)
		to := move(from)
		for _, e := range m.events {
			e.t, e.want.t, e.store = rt, rt, to
			m.askEverything(rt, e)
		}
	})
}

func (m *model) eraseEvent(t *rapid.T) {
	e := m.draw(t)
	_, err := m.store.EraseEvent(t.Context(), e.event.Token, m.now)
	_, want := m.memory.EraseEvent(t.Context(), e.event.Token, m.now)
	e.wantError("EraseEvent", err, want)
}

func (m *model) eraseRSVPs(t *rapid.T) {
	e, all := m.draw(t), rapid.Bool().Draw(t, "all")
	n, err := m.store.EraseRSVPs(t.Context(), e.event.Token, "Anna", all, m.now)
	want, wantErr := m.memory.EraseRSVPs(t.Context(), e.event.Token, "Anna", all, m.now)
	if n != want || (err == nil) != (wantErr == nil) {
		t.Fatalf("%d RSVPs are erased, %v, want %d, %v", n, err, want, wantErr)
	}
}

// askEverything makes each call again: with every token and key that was used.
func (m *model) askEverything(t *rapid.T, e *modelEvent) {
	e.compare(t)
	for _, organizer := range []event.Hash{e.organizer, randomHash()} {
		e.wantError("CreateEvent", e.createEvent(e.event, organizer), e.want.createEvent(e.event, organizer))
	}
	for _, r := range m.known {
		e.compareRSVP(t, r.ID)
		for _, r.Name = range []string{"Anna", "Ben"} {
			m.now = m.now.Add(1)
			r.CreatedAt = m.now
			e.wantError("CreateRSVP", e.createRSVP(r), e.want.createRSVP(r))
		}
	}
	e.compare(t)
	key, there := event.Hash{1}, &event.Token{1}
	for _, c := range []event.Cancellation{
		{},
		{Key: key},
		{Key: key, Reason: new("rain")},
		{Key: key, MovedTo: there},
		{Key: key, Reason: new("rain"), MovedTo: there},
	} {
		for _, organizer := range []event.Hash{randomHash(), e.organizer} {
			got := e.cancelEventWith(organizer, c, m.now)
			e.wantError("CancelEvent", got, e.want.cancelEventWith(organizer, c, m.now))
		}
	}
	for _, r := range m.known {
		e.wantError("CancelRSVP", e.cancelRSVP(r.ID), e.want.cancelRSVP(r.ID))
	}
	e.compare(t)
}
