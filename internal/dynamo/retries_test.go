package dynamo

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// budget is the time limit of a request.
const budget = 8 * time.Second

// bubble runs body with a store in a bubble of synctest, in which only faults and waits take time.
func bubble(t *testing.T, body func(t *testing.T, s *Store, calls *faulttest.Transport)) {
	t.Helper()
	c := newTable(t)
	calls := faulttest.NewTransport(c.Endpoint)
	c.Transport = calls
	synctest.Test(t, func(t *testing.T) { body(t, Open(c), calls) })
}

// subject creates an event with one guest.
func subject(t *testing.T, s *Store) storetest.Subject {
	t.Helper()
	e, r := createEvent(t, s), newRSVP()
	must(t, s.CreateRSVP(t.Context(), e.Token, r))
	e.AttendeeCount = 1
	return storetest.Subject{Event: e, Organizer: organizer, Guest: r, NewEvent: newEvent(), NewGuest: newRSVP()}
}

// atOnce calls all methods of the store at the same time, on events with one guest. Each call has the time
// limit of a request.
func atOnce(t *testing.T, s *Store, inject func()) map[string]error {
	calls := map[string]func(context.Context) error{}
	events := map[string]event.Event{}
	for method := range (storetest.Subject{}).Calls(s) {
		of := subject(t, s)
		events[method], calls[method] = of.Event, of.Calls(s)[method]
	}
	inject()
	var mu sync.Mutex
	errs := map[string]error{}
	var all sync.WaitGroup
	more := map[string]int{"CreateRSVP": 1, "CancelRSVP": -1}
	for name, call := range calls {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), budget)
			defer cancel()
			err := call(ctx)
			mu.Lock()
			defer mu.Unlock()
			if errs[name] = err; err != nil {
				return
			}
			got, err := s.GetEvent(t.Context(), events[name].Token)
			if err != nil || got.AttendeeCount != 1+more[name] || got.Cancelled != (name == "CancelEvent") {
				t.Errorf("%s has left %d guests, cancelled: %t, %v", name, got.AttendeeCount, got.Cancelled, err)
			}
		})
	}
	all.Wait()
	return errs
}

// TestOutages: every operation survives an outage of some seconds within its request. A call is executed once, even if
// its response is lost. The outages follow one another, so no outage may affect the time after it.
func TestOutages(t *testing.T) {
	for name, outage := range map[string]struct {
		length time.Duration
		fault  faulttest.Fault
	}{
		"throttling":              {3 * time.Second, faulttest.Throttled},
		"too little capacity":     {3 * time.Second, faulttest.OverCapacity},
		"errors inside DynamoDB":  {3 * time.Second, faulttest.ServerError},
		"503":                     {3 * time.Second, faulttest.Overloaded},
		"connections reset":       {3 * time.Second, faulttest.Reset},
		"names unresolved":        {3 * time.Second, faulttest.Unresolved},
		"conflicts":               {3 * time.Second, faulttest.Conflicting},
		"transaction in progress": {5 * time.Second, faulttest.InProgress},
		"transaction carried out, then in progress": {5 * time.Second, faulttest.CarriedOut(faulttest.InProgress)},
		"carried out, then 500":                     {3 * time.Second, faulttest.CarriedOut(faulttest.ServerError)},
		"dropped responses":                         {3 * time.Second, faulttest.DroppedResponse},
		"truncated responses":                       {3 * time.Second, faulttest.TruncatedResponse},
		"hanging requests":                          {3 * time.Second, faulttest.HangingRequest},
		"hanging responses":                         {3 * time.Second, faulttest.HangingResponse},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
				for range 3 {
					errs := atOnce(t, s, func() { calls.Inject(faulttest.During(outage.length, outage.fault)) })
					for operation, err := range errs {
						if err != nil {
							t.Errorf("%s: %v", operation, err)
						}
					}
				}
			})
		})
	}
}

// TestOutageWithoutEnd: every operation returns ErrUnavailable within its request.
func TestOutageWithoutEnd(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		for _, fault := range []faulttest.Fault{
			faulttest.Throttled, faulttest.ServerError, faulttest.Reset, faulttest.DroppedResponse,
			faulttest.TruncatedResponse, faulttest.HangingRequest, faulttest.HangingResponse,
		} {
			var begin time.Time
			errs := atOnce(t, s, func() {
				calls.Inject(fault)
				begin = time.Now()
			})
			if took := time.Since(begin); took > budget {
				t.Errorf("answered after %v", took)
			}
			errs["CreateTable, without a deadline"] = s.CreateTable(t.Context())
			calls.Inject(faulttest.NoFault)
			for operation, err := range errs {
				if !errors.Is(err, event.ErrUnavailable) {
					t.Errorf("%s: %v", operation, err)
				}
			}
		}
	})
}

// TestThaw: after a Lambda function was frozen, the signature of its first request may have expired. This call is
// repeated. Any other invalid signature is a final error.
func TestThaw(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		calls.Inject(faulttest.First(1, faulttest.SignatureExpired))
		if err := s.Health(t.Context()); err != nil {
			t.Error(err)
		}
		calls.Inject(faulttest.WrongKey)
		err := s.Health(t.Context())
		if n := len(calls.Calls()); err == nil || errors.Is(err, event.ErrUnavailable) || n != 1 {
			t.Errorf("with a wrong key: %v after %d calls", err, n)
		}
	})
}

// TestWaits: waits grow with the attempts up to a limit, and are random.
func TestWaits(t *testing.T) {
	for failure, bounds := range map[error][]time.Duration{ // the upper limits of the waits, in milliseconds
		errConflict:  {80, 160, 200, 200},
		errThrottled: {50, 100, 200, 400, 800, 1000, 1000},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, waits := &Store{}, make([][]time.Duration, len(bounds))
			for range 1000 {
				attempts, last := 0, time.Now()
				err := s.retry(t.Context(), func() error {
					if attempts > 0 {
						waits[attempts-1] = append(waits[attempts-1], time.Since(last))
					}
					if attempts, last = attempts+1, time.Now(); attempts > len(bounds) {
						return nil
					}
					return failure
				})
				must(t, err)
			}
			for i, bound := range bounds {
				bound *= time.Millisecond
				shortest, longest := slices.Min(waits[i]), slices.Max(waits[i])
				if longest >= bound || longest < bound*9/10 || shortest > bound/10 {
					t.Errorf("%v: after %d attempts waits from %v to %v, want from 0 to %v",
						failure, i+1, shortest, longest, bound)
				}
			}
		})
	}
}
