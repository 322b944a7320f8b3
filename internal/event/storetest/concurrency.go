package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"turnout/internal/event"
)

// together calls do for 0 to n-1, all at once, and returns the errors.
func together(n int, do func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// cancelUnderContention: each guest sends one RSVP after the other until an RSVP is refused. So some RSVPs begin before
// the organizer cancels, some during the cancel, and some after it.
func cancelUnderContention(t *testing.T, s Store) {
	const guests, each = 32, 4
	for _, early := range []int32{1, guests / 2, guests} {
		t.Run(fmt.Sprintf("after %d RSVPs", early), func(t *testing.T) {
			f := newFixture(t, s)
			var sent, countAtCancel atomic.Int32
			var cancelled atomic.Bool
			enough, acknowledged := make(chan struct{}), make([][]string, guests)
			organizer := func() error {
				<-enough
				if err := f.cancelEvent(f.organizer, new("rain"), answered); err != nil {
					return err
				}
				cancelled.Store(true)
				e, err := f.getEvent()
				countAtCancel.Store(int32(e.AttendeeCount))
				return err
			}
			errs := together(guests+1, func(i int) error {
				if i == guests {
					return organizer()
				}
				for n := range each {
					r := rsvp(i*each+n, fmt.Sprint("guest ", i, n))
					if sent.Add(1) == early {
						close(enough)
					}
					began := cancelled.Load()
					err := f.createRSVP(r)
					switch {
					case errors.Is(err, event.ErrEventCancelled):
						return nil
					case err != nil:
						return err
					case began:
						return errors.New("admitted to a cancelled event")
					}
					acknowledged[i] = append(acknowledged[i], r.Name)
				}
				return nil
			})
			admitted := slices.Concat(acknowledged...)
			f.wantNil("the organizer or a guest", errors.Join(errs...))
			f.wantSame("attendees", f.guests(), admitted)
			if counted := int(countAtCancel.Load()); len(admitted) != counted {
				t.Errorf("%d guests were counted after the cancel, %d in the end", counted, len(admitted))
			}
			late := event.RSVP{ID: randomID(), CreatedAt: over}
			f.wantError("CreateRSVP, cancelled and expired", f.createRSVP(late), event.ErrEventCancelled)
		})
	}
}

// repeatsAtOnce makes the same call several times at once. Together the calls have the effect of a single call.
func repeatsAtOnce(t *testing.T, s Store) {
	f := fixture{t, s, sampleEvent(), randomHash()}
	repeat := func(call string, do func() error) {
		t.Helper()
		f.wantNil(call, errors.Join(together(16, func(int) error { return do() })...))
	}
	repeat("CreateEvent", func() error { return f.createEvent(f.event, f.organizer) })
	f.wantEvent(f.event)
	anna, ben := rsvp(0, "Anna"), rsvp(1, "Ben")
	repeat("CreateRSVP", func() error { return f.createRSVP(anna) })
	other := anna
	other.Name = "anna"
	f.wantError("CreateRSVP under another name", f.createRSVP(other), event.ErrTokenTaken)
	f.wantNil("CreateRSVP", f.createRSVP(ben))
	f.wantGuests("Anna", "Ben")
	cleo := rsvp(2, "Cleo")
	repeat("CancelRSVP of one guest, CreateRSVP of another", func() error {
		return errors.Join(f.cancelRSVP(anna.ID), f.createRSVP(cleo))
	})
	f.wantGuests("Ben", "Cleo")
	repeat("CancelRSVP", func() error { return f.cancelRSVP(cleo.ID) })
	f.wantGuests("Ben")
	cancel := event.Cancellation{Reason: new("rain"), MovedTo: new(event.NewToken()), Key: randomHash()}
	repeat("CancelEvent", func() error { return f.cancelEventWith(f.organizer, cancel, answered) })
	f.event.Cancelled, f.event.AttendeeCount = true, 1
	f.event.CancellationReason, f.event.MovedTo = cancel.Reason, cancel.MovedTo
	f.wantEvent(f.event)
}
