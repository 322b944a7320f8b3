package dynamo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

// TestCancelUnderContention: a cancel during a burst of RSVPs succeeds within two seconds,
// and no RSVP succeeds afterwards, however much the clocks of the instances differ.
func TestCancelUnderContention(t *testing.T) {
	for name, skews := range map[string][]time.Duration{
		"one clock":      {0},
		"seconds apart":  {0, -3 * time.Second, 3 * time.Second},
		"minutes apart":  {0, -10 * time.Minute, 10 * time.Minute},
		"all are behind": {0, -time.Hour, -time.Hour, -time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
				calls.Inject(faulttest.Then(faulttest.Delay(latency), faulttest.Contention(holds)))
				for n := 0; n < 3 && !t.Failed(); n++ {
					cancelUnderContention(t, s, skews, n)
				}
			})
		})
	}
}

// cancelUnderContention lets guests send RSVPs, each one after the other until one is
// refused, and the n-th instance cancel once as many were admitted as there are guests.
func cancelUnderContention(t *testing.T, s *Store, skews []time.Duration, n int) {
	const guests = 32
	var (
		e         = addEvent(t, s)
		clock     = func(instance int) time.Time { return time.Now().Add(skews[instance%len(skews)]) }
		mu        sync.Mutex
		admitted  []string
		burst     = make(chan struct{})
		cancelled atomic.Bool
		all       sync.WaitGroup
	)
	for guest := range guests {
		all.Go(func() {
			for {
				r := newRSVP()
				r.Name, r.CreatedAt = fmt.Sprint(r.Hash), clock(guest)
				late := cancelled.Load()
				ctx, end := context.WithTimeout(t.Context(), budget)
				err := s.AddRSVP(ctx, e.Token, r)
				if end(); err != nil || late {
					if !errors.Is(err, event.ErrEventCancelled) {
						t.Errorf("an RSVP after the cancel, %t: %v", late, err)
					}
					return
				}
				mu.Lock()
				if admitted = append(admitted, r.Name); len(admitted) == guests {
					close(burst)
				}
				mu.Unlock()
			}
		})
	}
	<-burst
	begin := time.Now()
	ctx, end := context.WithTimeout(t.Context(), budget)
	defer end()
	if err := s.CancelEvent(ctx, e.Token, organizer, nil, event.Hash{}, clock(n)); err != nil {
		t.Error(err)
	}
	if waited := time.Since(begin); waited > 2*time.Second { // of simulated time
		t.Errorf("the organizer waited %v", waited)
	}
	cancelled.Store(true) // also after a failure, or the RSVPs would never end
	then, err := s.EventByToken(t.Context(), e.Token)
	all.Wait()
	rsvps, _, listErr := s.AttendeesByEvent(t.Context(), e.Token, organizer, event.Position{}, 5<<20)
	var listed []string
	for _, r := range rsvps {
		listed = append(listed, r.Name)
	}
	slices.Sort(listed)
	slices.Sort(admitted)
	if err := errors.Join(err, listErr); err != nil || then.AttendeeCount != len(admitted) || !slices.Equal(listed, admitted) {
		t.Errorf("%d guests were counted when the event was cancelled, %d admitted, %d are listed, %v",
			then.AttendeeCount, len(admitted), len(listed), err)
	}
}
