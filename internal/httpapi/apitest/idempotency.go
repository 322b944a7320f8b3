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

func repeatedEvent(c client) {
	key := newKey()
	body := FullEvent(nil)
	first := c.send(withKey(CreateEvent(body), key)).is(http.StatusCreated)
	e := eventFixture{c, Event{first.text("eventToken"), first.text("organizerToken")}}
	e.guest("Ada Lovelace")

	// The spelling of the key and unknown members make no difference.
	again := func(body Object, keys ...string) {
		c.Helper()
		for _, key := range keys {
			a := c.send(withKey(CreateEvent(body), key)).is(http.StatusCreated)
			a.equals(first.object())
			if a.Header.Get("Location") != first.Header.Get("Location") {
				c.Errorf("Location is %s", a.Header.Get("Location"))
			}
		}
	}
	again(body, key, `"`+key+`"`, strings.ToUpper(key))
	same := maps.Clone(body)
	same["unknown"] = 1
	same["dateTime"] = strings.ToLower(same["dateTime"].(string))
	again(same, key)
	e.has("Ada Lovelace")

	for field, value := range body {
		e.unchanged("another "+field, func(c client) {
			other := maps.Clone(body)
			if other[field] = value.(string) + "!"; field == "dateTime" {
				other[field] = "2099-05-01T19:00:00Z"
			} else if field == "timezone" {
				other[field] = "UTC"
			}
			c.send(withKey(CreateEvent(other), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		})
	}
	e.cancel()
	e.unchanged("after the cancellation", func(client) { again(body, key) })
}

func repeatedRSVP(c client) {
	key := newKey()
	e, other := c.newEvent(), c.newEvent()
	ada, grace := Object{"name": "Ada Lovelace"}, Object{"name": "Grace Hopper"}
	first := c.send(withKey(CreateRSVP(e.Token, ada), key)).is(http.StatusCreated)
	token := first.text("rsvpToken")
	again := func(c client) {
		c.Helper()
		c.send(withKey(CreateRSVP(strings.ToUpper(e.Token), ada), key)).is(http.StatusCreated).equals(first.object())
	}
	again(c)
	e.has("Ada Lovelace")

	e.unchanged("another name", func(c client) {
		c.send(withKey(CreateRSVP(e.Token, grace), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
	})
	c.test("another event", func(c client) {
		if got := c.send(withKey(CreateRSVP(other.Token, grace), key)).is(http.StatusCreated).text("rsvpToken"); got == token {
			c.Error("two events share an RSVP token")
		}
		other.has("Grace Hopper")
	})

	e.cancel()
	e.unchanged("after the cancellation", func(c client) {
		again(c)
		c.send(withKey(CreateRSVP(e.Token, ada), newKey())).isProblem(http.StatusConflict, "event-cancelled")
	})
	c.test("after the RSVP is cancelled", func(c client) {
		c.send(CancelRSVP(e.Token, token)).is(http.StatusNoContent)
		for _, body := range []Object{ada, grace} {
			c.send(withKey(CreateRSVP(e.Token, body), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		}
		e.has()
	})
}

func repeatedCancel(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	key, cancel := newKey(), CancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": "Rain all day."})
	c.send(withKey(cancel, key)).is(http.StatusNoContent)
	e.unchanged("again", func(c client) {
		for _, spelled := range []string{key, `"` + key + `"`, strings.ToUpper(key)} {
			cancel.Path = "/events/" + strings.ToUpper(e.Token)
			c.send(withKey(cancel, spelled)).is(http.StatusNoContent)
		}
		c.send(withKey(cancel, newKey())).isProblem(http.StatusConflict, "event-already-cancelled")
		c.send(cancel).isProblem(http.StatusConflict, "event-already-cancelled")
		for _, other := range []Object{{"cancelled": true}, {"cancelled": true, "cancellationReason": "Snow."}} {
			again := withKey(CancelEvent(e.Token, e.Organizer, other), key)
			c.send(again).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		}
		cancel.Query = organizerQuery(unissued())
		c.send(withKey(cancel, key)).isProblem(http.StatusForbidden, "invalid-organizer-token")
	})
}

func badKeys(c client) {
	good := newKey()
	e := c.newEvent()
	key := [2]string{"Idempotency-Key", "must be a UUID of version 4, sent once"}
	create, rsvp, cancel := bodyOperations(e)
	for name, values := range map[string][]string{
		"no UUID": {"my-key"},
		"a list":  {good + "," + newKey()},
		"twice":   {good, good},
	} {
		e.unchanged(name, func(c client) {
			for _, o := range []bodyOperation{create, rsvp, cancel} {
				c.send(withKey(o.with(o.good), values...)).isInvalid(key)
			}
			c.send(withKey(CreateRSVP(unissued(), Object{}), values...)).isInvalid(key, [2]string{"name", "is required"})
		})
	}
	c.test("operations that create nothing ignore a key", func(c client) {
		c.send(withKey(GetEvent(e.Token), "my-key")).is(http.StatusOK)
		c.send(withKey(CancelRSVP(e.Token, unissued()), "my-key")).is(http.StatusNoContent)
	})
}
