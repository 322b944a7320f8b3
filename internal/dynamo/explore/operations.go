package explore

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// An operation is one call of the store for one client.
type operation struct {
	kind    kind
	guest   int  // the guest whose RSVP is created, cancelled or read
	content int  // which of two ends, names or cancellations the operation has
	keyed   bool // whether a cancel has the one idempotency key
}

type kind int

const (
	createEvent kind = iota
	createRSVP
	cancelRSVP
	cancelEvent
	erase
	getEvent
	listAttendees
	getRSVP
)

// alphabet has the operations that searches combine.
var alphabet = []operation{
	{kind: createEvent}, {kind: createEvent, content: 1},
	{kind: createRSVP}, {kind: createRSVP, content: 1}, {kind: createRSVP, guest: 1},
	{kind: cancelRSVP}, {kind: cancelRSVP, guest: 1},
	{kind: cancelEvent}, {kind: cancelEvent, keyed: true}, {kind: cancelEvent, content: 1, keyed: true},
	{kind: erase}, {kind: getEvent}, {kind: listAttendees}, {kind: getRSVP},
}

func (k kind) String() string {
	return [...]string{
		createEvent:   "create event",
		createRSVP:    "create RSVP",
		cancelRSVP:    "cancel RSVP",
		cancelEvent:   "cancel event",
		erase:         "erase",
		getEvent:      "get event",
		listAttendees: "list attendees",
		getRSVP:       "get RSVP",
	}[k]
}

func (o operation) String() string {
	text := o.kind.String()
	if o.kind == createRSVP || o.kind == cancelRSVP || o.kind == getRSVP {
		text += " of " + guests[o.guest].names[0]
	}
	if o.content > 0 {
		text += " with other content"
	}
	if o.keyed {
		text += " with a key"
	}
	return text
}

// A code is the kind of an answer of an operation.
type code uint8

const (
	nothing code = iota // the operation has no outcome yet
	done
	isActive       // the event was read and is active
	isCancelled    // the event was read with the first cancellation
	isCancelledToo // the event was read with the other cancellation
	isIn           // the RSVP was read under the first name
	isInToo        // the RSVP was read under the other name
	notFound
	rsvpNotFound
	tokenTaken
	alreadyCancelled
	eventCancelled
	eventExpired
	unavailable
	defect
)

var meanings = [...]error{
	nothing:          errors.New("no answer"),
	done:             errors.New("done"),
	isActive:         errors.New("is active"),
	isCancelled:      errors.New("is cancelled"),
	isCancelledToo:   errors.New("is cancelled with other content"),
	isIn:             errors.New("is in"),
	isInToo:          errors.New("is in under the other name"),
	notFound:         event.ErrEventNotFound,
	rsvpNotFound:     event.ErrRSVPNotFound,
	tokenTaken:       event.ErrTokenTaken,
	alreadyCancelled: event.ErrAlreadyCancelled,
	eventCancelled:   event.ErrEventCancelled,
	eventExpired:     event.ErrEventExpired,
	unavailable:      event.ErrUnavailable,
}

// An outcome is the answer to a client.
type outcome struct {
	code  code
	count int  // the number of guests that was read
	names mask // the names on a list, by their places
	err   error
}

func (o outcome) String() string {
	if o.code == defect {
		return o.err.Error()
	}
	return meanings[o.code].Error()
}

// A mask is a set of small numbers.
type mask uint8

func (m mask) has(i int) bool { return m&(1<<i) != 0 }

// A guest has two names. Each name has a place in a mask.
type guest struct {
	hash  event.RSVPID
	key   string // the sort key of the RSVP
	names [2]string
}

func newGuest(first byte, names ...string) guest {
	hash := event.RSVPID{first, 1}
	return guest{hash, rsvpKey + base64.RawURLEncoding.EncodeToString(hash[:16]), [2]string(names)}
}

func place(guest, name int) int { return 2*guest + name }

// guests are counted at different gates, if the store has two. The RSVP of the second guest is earlier, so a
// list is not in the order of the ids.
var guests = [...]guest{newGuest(0, "Ada", "Anna"), newGuest(1, "Ben", "Bea")}

// A bubble of synctest begins at this time.
var (
	start  = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	expiry = start.Add(time.Hour)
	end    = "1999-12-25T02:00:00Z" // of the event with other content

	cancellations = [...]event.Cancellation{
		{Reason: new("rain"), MovedTo: &event.Token{2}},
		{Reason: new("snow"), MovedTo: &event.Token{3}},
	}

	eventToken = event.Token{0: 1, 15: 1}
	organizer  = event.Hash{1}
)

// A phase is a time of the world. Operations that begin around the expiry, before or after
// it, may be under way on both sides of it. No operation lasts from another phase to the next.
type phase int

const (
	longBefore phase = iota
	beforeExpiry
	afterExpiry
	longAfter
)

// clocks are the times by the clocks of operations that begin in a phase.
var clocks = [...][]phase{{longBefore}, {beforeExpiry}, {beforeExpiry, afterExpiry}, {longAfter}}

func (p phase) time() time.Time {
	return expiry.Add([...]time.Duration{-30 * time.Minute, -time.Minute, time.Minute, 31 * time.Minute}[p])
}

// run calls the store.
func (o operation) run(ctx context.Context, s storetest.Movable, now time.Time) outcome {
	switch o.kind {
	case createEvent:
		return outcomeOf(s.CreateEvent(ctx, event.Event{
			Token:       eventToken,
			Title:       "Picnic",
			DateTime:    "1999-12-25T01:00:00Z",
			EndDateTime: [...]*string{nil, &end}[o.content],
			Timezone:    "UTC",
			CreatedAt:   start,
			ExpiresAt:   expiry,
		}, organizer))
	case createRSVP:
		g := guests[o.guest]
		return outcomeOf(s.CreateRSVP(ctx, eventToken, event.RSVP{
			ID: g.hash, Name: g.names[o.content], CreatedAt: now.Add(-time.Duration(o.guest) * time.Microsecond),
		}))
	case cancelRSVP:
		return outcomeOf(s.CancelRSVP(ctx, eventToken, guests[o.guest].hash, now))
	case cancelEvent:
		c := cancellations[o.content]
		if o.keyed {
			c.Key = event.Hash{2}
		}
		return outcomeOf(s.CancelEvent(ctx, eventToken, organizer, c, now))
	case erase:
		_, err := s.EraseEvent(ctx, eventToken, now)
		return outcomeOf(err)
	case getEvent:
		e, err := s.GetEvent(ctx, eventToken)
		out := outcomeOf(err)
		switch {
		case err != nil:
		case !e.Cancelled:
			out.code = isActive
		default:
			i := cancellationOf(*e.CancellationReason, cmp.Or(e.MovedTo, &event.Token{}).String())
			if i < 0 {
				return outcome{code: defect, err: errors.New("half of a cancellation is read")}
			}
			out.code = isCancelled + code(i)
		}
		out.count = e.AttendeeCount
		return out
	case listAttendees:
		var rsvps []event.RSVP
		out := outcomeOf(s.ListAttendees(ctx, eventToken, organizer, func(r event.RSVP) error {
			rsvps = append(rsvps, r)
			return nil
		}))
		if out.code != done {
			return out
		}
		slices.SortFunc(rsvps, event.RSVP.Compare)
		for i, r := range rsvps {
			g := int(r.ID[0])
			name := slices.Index(guests[g].names[:], r.Name)
			switch {
			case name < 0:
				return outcome{code: defect, err: fmt.Errorf("%s is listed as %q", guests[g].names[0], r.Name)}
			case i > 0 && !rsvps[i-1].CreatedAt.Before(r.CreatedAt):
				return outcome{code: defect, err: fmt.Errorf("%s is listed after %s", r.Name, rsvps[i-1].Name)}
			}
			out.names |= 1 << place(g, name)
		}
		return out
	case getRSVP:
		g := guests[o.guest]
		name, err := s.GetRSVP(ctx, eventToken, g.hash)
		out := outcomeOf(err)
		if err == nil {
			i := slices.Index(g.names[:], name)
			if i < 0 {
				return outcome{code: defect, err: fmt.Errorf("%s is read as %q", g.names[0], name)}
			}
			out.code = isIn + code(i)
		}
		return out
	}
	panic(o.kind)
}

// cancellationOf returns the number of the cancellation with this content, or -1.
func cancellationOf(reason, movedTo string) int {
	return slices.IndexFunc(cancellations[:], func(c event.Cancellation) bool {
		return *c.Reason == reason && c.MovedTo.String() == movedTo
	})
}

func outcomeOf(err error) outcome {
	if err == nil {
		return outcome{code: done}
	}
	if i := slices.IndexFunc(meanings[:], func(known error) bool { return errors.Is(err, known) }); i >= 0 {
		return outcome{code: code(i)}
	}
	return outcome{code: defect, err: err}
}
