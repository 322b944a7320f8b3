package apitest

import (
	"maps"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// withKey returns the call with an Idempotency-Key.
func withKey(k Call, values ...string) Call {
	k.Header = http.Header{"Idempotency-Key": values}
	return k
}

func newKey() string { return uuid.NewString() }

// isReused asserts the refusal of a key that was used for another request.
func (a answer) isReused() {
	a.t.Helper()
	a.isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
}

// Package event tests the form of a key, and package storetest tests every repetition.

func repeatedEvent(c client) {
	key, body := newKey(), FullEvent(nil)
	first := c.send(withKey(CreateEvent(body), key)).is(http.StatusCreated)
	e := eventFixture{c, Event{first.text("eventToken"), first.text("organizerToken")}}
	e.guest("Ada Lovelace")
	e.unchanged("again", func(c client) {
		// A repeat may have unknown members, or spell the date-time differently.
		body["unknown"] = 1
		for _, name := range []string{"dateTime", "endDateTime"} {
			body[name] = strings.ToLower(body[name].(string))
		}
		c.send(withKey(CreateEvent(body), key)).is(http.StatusCreated).equals(first.object())
		_, optional := Members("CreateEventInput")
		for _, field := range optional {
			other := maps.Clone(body)
			other[field] = nil
			c.send(withKey(CreateEvent(other), key)).isReused()
		}
	})
}

func repeatedRSVP(c client) {
	key, e := newKey(), c.newEvent()
	ada := Object{"name": "Ada Lovelace"}
	first := c.send(withKey(CreateRSVP(e.Token, ada), key)).is(http.StatusCreated)
	e.cancel()
	e.unchanged("after the cancellation", func(c client) {
		c.send(withKey(CreateRSVP(strings.ToUpper(e.Token), ada), key)).is(http.StatusCreated).equals(first.object())
		c.send(withKey(CreateRSVP(e.Token, ada), newKey())).isProblem(http.StatusConflict, "event-cancelled")
		other := Object{"name": "Grace Hopper"}
		c.send(withKey(CreateRSVP(e.Token, other), key)).isReused()
	})
	e.has("Ada Lovelace")
}

func repeatedCancel(c client) {
	e, key := c.newEvent(), newKey()
	const there = "0197c6a0-1b2c-7d3e-8f40-5a6b7c8d9e0f" // any UUID: the event need not exist
	body := Object{"cancelled": true, "cancellationReason": "Rain all day.", "movedTo": there}
	cancel := CancelEvent(e.Token, e.Organizer, body)
	c.send(withKey(cancel, key)).is(http.StatusNoContent)
	e.unchanged("again", func(c client) {
		cancel.Path = "/events/" + strings.ToUpper(e.Token)
		c.send(withKey(cancel, key)).is(http.StatusNoContent)
		c.send(withKey(cancel, newKey())).isProblem(http.StatusConflict, "event-already-cancelled")
		stranger := CancelEvent(e.Token, unissued(), body)
		c.send(withKey(stranger, key)).isProblem(http.StatusForbidden, "invalid-organizer-token")
		for _, changed := range []Object{
			{"cancellationReason": nil}, {"movedTo": nil}, {"movedTo": unissued()},
		} {
			other := maps.Clone(body)
			maps.Copy(other, changed)
			c.send(withKey(CancelEvent(e.Token, e.Organizer, other), key)).isReused()
		}
		body["movedTo"] = strings.ToUpper(there)
		c.send(withKey(cancel, key)).is(http.StatusNoContent)
	})
}

func badKeys(c client) {
	good, e := newKey(), c.newEvent()
	key := [2]string{"Idempotency-Key", "must be a UUID of version 4, sent once"}
	create, rsvp, cancel := bodyOperations(e)
	e.unchanged("twice", func(c client) {
		for _, o := range []bodyOperation{create, rsvp, cancel} {
			c.send(withKey(o.with(o.good), good, good)).isInvalid(key)
		}
		c.send(withKey(rsvp.with("{}"), "my-key")).isInvalid(key, [2]string{"name", "is required"})
	})
	c.test("operations that create nothing ignore a key", func(c client) {
		c.send(withKey(GetEvent(e.Token), "my-key")).is(http.StatusOK)
		c.send(withKey(CancelRSVP(e.Token, unissued()), "my-key")).is(http.StatusNoContent)
	})
}
