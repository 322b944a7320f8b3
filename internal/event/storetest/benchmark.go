package storetest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"turnout/internal/event"
)

// Benchmark measures every operation on events of these numbers of guests, each
// in a store of its own, in turns, so that a busy machine slows all of them
// alike. It prints the median times side by side, and the last as a multiple of
// the first. -benchtime is for the operations that may not grow: filling and
// listing take the time they take.
func Benchmark(b *testing.B, open func(b *testing.B) event.Store, sizes ...int) {
	columns := make([]*column, len(sizes))
	for i, guests := range sizes {
		columns[i] = &column{b: b, store: open(b), guests: guests, times: make(map[string][]time.Duration)}
		columns[i].fill()
	}
	for b.Loop() {
		for _, c := range columns {
			c.measure()
		}
	}
	for _, c := range columns {
		c.measureCancel()
	}
	const listings = 3
	for range listings {
		for _, c := range columns {
			c.measureList()
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of all operations is no result
	b.Log(table(columns))
}

const (
	createEvent = "create event"
	getEvent    = "get event"
	createRSVP  = "create RSVP"
	cancelRSVP  = "cancel RSVP"
	listGuests  = "list attendees"
	cancelEvent = "cancel event, once"
)

// A column of the table is one store with one event.
type column struct {
	b         *testing.B
	store     event.Store
	event     event.Event
	organizer event.Hash
	guests    int
	times     map[string][]time.Duration // by operation
}

// A Filler is a store that many guests can be put into faster than one by one.
type Filler interface {
	Fill(ctx context.Context, token event.Token, guests []event.RSVP) error
}

func (c *column) fill() {
	ctx := c.b.Context()
	c.event, c.organizer = sampleEvent(), randomHash()
	err := c.store.AddEvent(ctx, c.event, c.organizer)
	if filler, ok := c.store.(Filler); ok && err == nil {
		guests := make([]event.RSVP, c.guests)
		for i := range guests {
			guests[i] = rsvp(i, fmt.Sprint("guest ", i))
		}
		err = filler.Fill(ctx, c.event.Token, guests)
	} else if err == nil {
		const workers = 128
		err = inParallel(workers, c.guests, func(i int) error {
			ctx, done := context.WithTimeout(ctx, patience)
			defer done()
			return c.store.AddRSVP(ctx, c.event.Token, rsvp(i, fmt.Sprint("guest ", i)))
		})
	}
	if err != nil {
		c.b.Fatalf("filling in %d guests: %v", c.guests, err)
	}
}

// measure leaves the number of guests as it was.
func (c *column) measure() {
	guest := rsvp(c.guests, "one more guest")
	c.time(createEvent, func(ctx context.Context) error {
		return c.store.AddEvent(ctx, sampleEvent(), randomHash())
	})
	c.time(getEvent, func(ctx context.Context) error {
		_, err := c.store.EventByToken(ctx, c.event.Token)
		return err
	})
	c.time(createRSVP, func(ctx context.Context) error {
		return c.store.AddRSVP(ctx, c.event.Token, guest)
	})
	c.time(cancelRSVP, func(ctx context.Context) error {
		return c.store.RemoveRSVP(ctx, c.event.Token, guest.Hash)
	})
}

// measureCancel measures once: an event can be cancelled once.
func (c *column) measureCancel() {
	c.time(cancelEvent, func(ctx context.Context) error {
		return c.store.CancelEvent(ctx, c.event.Token, c.organizer, nil, answered)
	})
}

// measureList has turns of its own: a long list would leave the next operation
// with cold caches.
func (c *column) measureList() {
	c.time(listGuests, func(ctx context.Context) error {
		rsvps, _, err := c.store.AttendeesByEvent(ctx, c.event.Token, c.organizer, event.Position{}, math.MaxInt)
		if err == nil && len(rsvps) != c.guests {
			err = fmt.Errorf("%d attendees, want %d", len(rsvps), c.guests)
		}
		return err
	})
}

func (c *column) time(operation string, do func(context.Context) error) {
	ctx, done := context.WithTimeout(c.b.Context(), patience)
	defer done()
	begin := time.Now()
	err := do(ctx)
	c.times[operation] = append(c.times[operation], time.Since(begin))
	if err != nil {
		c.b.Fatalf("%s: %v", operation, err)
	}
}

func (c *column) median(operation string) time.Duration {
	slices.Sort(c.times[operation])
	return c.times[operation][len(c.times[operation])/2]
}

func table(columns []*column) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nguests\t")
	for _, c := range columns {
		fmt.Fprintf(w, "%d\t", c.guests)
	}
	fmt.Fprintln(w, "last/first\t")
	for _, operation := range []string{createEvent, getEvent, createRSVP, cancelRSVP, cancelEvent, listGuests} {
		fmt.Fprintf(w, "%s\t", operation)
		for _, c := range columns {
			fmt.Fprintf(w, "%v\t", c.median(operation).Round(100*time.Nanosecond))
		}
		first, last := columns[0].median(operation), columns[len(columns)-1].median(operation)
		fmt.Fprintf(w, "%.1f\t\n", float64(last)/float64(first))
	}
	_ = w.Flush()
	return text.String()
}
