package apitest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
)

// concurrent is the number of clients that call at once.
const concurrent = 32

// rsvpsAndCancel cancels an event during concurrent RSVPs, each followed by others
// as long as they succeed. Every acknowledged RSVP is listed, and none succeeds after
// the cancel was acknowledged (promise P15).
func rsvpsAndCancel(c client) {
	const friends = 4
	type arrival struct {
		name   string
		late   bool // sent after the cancel was acknowledged
		answer answer
		err    error
	}
	var (
		arrivals     [concurrent][friends]arrival
		acknowledged atomic.Int32
		cancelled    atomic.Bool
		cancel, seen answer // of the cancel, and of a read right after it
		errs         [2]error
	)
	e := c.newEvent()
	together(concurrent, func(group int) {
		for i := range arrivals[group] {
			a := &arrivals[group][i]
			a.name = fmt.Sprintf("Guest number %d of group %d", i, group)
			a.late = cancelled.Load()
			a.answer, a.err = c.try(CreateRSVP(e.Token, Object{"name": a.name}))
			if a.err != nil || a.answer.Status != http.StatusCreated {
				return
			}
			if acknowledged.Add(1) == concurrent {
				cancel, errs[0] = c.try(CancelEvent(e.Token, e.Organizer, Object{"cancelled": true}))
				cancelled.Store(true)
				seen, errs[1] = c.try(GetEvent(e.Token))
			}
		}
	})
	if err := errors.Join(errs[:]...); err != nil {
		c.Fatal(err)
	}
	if acknowledged.Load() < concurrent {
		c.Fatalf("only %d RSVPs succeeded before the cancel", acknowledged.Load())
	}
	cancel.is(http.StatusNoContent)

	var in []string
	for _, group := range arrivals {
		for _, a := range group {
			switch {
			case a.err != nil:
				c.Fatal(a.err)
			case a.name == "":
				// not sent: the one before was refused
			case a.answer.Status != http.StatusCreated:
				a.answer.isProblem(http.StatusConflict, "event-cancelled")
			case a.late:
				c.Errorf("the RSVP of %s was sent after the cancel and succeeded", a.name)
			default:
				in = append(in, a.name)
			}
		}
	}
	listed := e.names()
	slices.Sort(listed)
	slices.Sort(in)
	if !slices.Equal(listed, in) {
		c.Errorf("listed are %q, acknowledged were %q", listed, in)
	}
	then := int(seen.is(http.StatusOK).object()["attendeeCount"].(float64))
	if now := e.count(); now != len(in) || then != len(in) {
		c.Errorf("%d guests were acknowledged, %d are counted, %d were when the event was cancelled", len(in), now, then)
	}
}

func manyCancelOneRSVP(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	grace := e.guest("Grace Hopper")
	e.guest("Alan Turing")
	for _, a := range c.allAtOnce(16, func(int) Call { return CancelRSVP(e.Token, grace) }) {
		a.is(http.StatusNoContent)
	}
	e.has("Ada Lovelace", "Alan Turing")
}

func manyCancelOneEvent(c client) {
	e := c.newEvent()
	reason := func(i int) string { return fmt.Sprintf("Reason number %d", i) }
	winner := -1
	for i, a := range c.allAtOnce(8, func(i int) Call {
		return CancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": reason(i)})
	}) {
		switch {
		case a.Status != http.StatusNoContent:
			a.isProblem(http.StatusConflict, "event-already-cancelled")
		case winner >= 0:
			c.Errorf("organizers %d and %d both succeeded", winner, i)
		default:
			winner = i
		}
	}
	if winner < 0 {
		c.Fatal("no cancel succeeded")
	}
	if got := c.getEvent(e.Token).is(http.StatusOK).object()["cancellationReason"]; got != reason(winner) {
		c.Errorf("the reason is %q, want %q", got, reason(winner))
	}
}

// allAtOnce makes n calls at once and returns their answers.
func (c client) allAtOnce(n int, make func(int) Call) []answer {
	c.Helper()
	answers, errs := [concurrent]answer{}, [concurrent]error{}
	together(n, func(i int) { answers[i], errs[i] = c.try(make(i)) })
	for _, err := range errs {
		if err != nil {
			c.Fatal(err)
		}
	}
	return answers[:n]
}
