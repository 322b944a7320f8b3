package bolt

import (
	"context"
	"errors"
	"testing"
	"time"

	"turnout/internal/event"
)

// An ending is a context that ends after a number of calls of its Err.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestListEndsWithItsRequest: if a request's time ends while its list is being read, the request ends then, and not
// after the whole list.
func TestListEndsWithItsRequest(t *testing.T) {
	s := openNew(t)
	token, organizer := createEvent(t, s, time.Now().Add(time.Hour))
	for range 20 {
		createRSVP(t, s, token, "Ada", time.Now())
	}
	n := 0
	count := func(event.RSVP) error { n++; return nil }
	err := s.ListAttendees(&ending{t.Context(), 10}, token, organizer, count)
	if !errors.Is(err, event.ErrUnavailable) || n == 0 || n >= 10 {
		t.Errorf("%d RSVPs, %v", n, err)
	}
}
