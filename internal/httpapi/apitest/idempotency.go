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

// isDerived asserts that a token is a UUID of version 8, and shows nothing of the key.
func (a answer) isDerived(token, key string) {
	a.t.Helper()
	if parsed, err := uuid.Parse(token); err != nil || parsed.Version() != 8 {
		a.fatalf("%s is not a UUID of version 8", token)
	}
	const shown = 8 // digits, which do not occur by chance
	digits := strings.ReplaceAll(key, "-", "")
	for i := range len(digits) - shown + 1 {
		if part := digits[i : i+shown]; strings.Contains(strings.ReplaceAll(token, "-", ""), part) {
			a.fatalf("%s shows %s of the key", token, part)
		}
	}
}

func repeatedEvent(c client) {
	key := newKey()
	body := EventBody(Object{"description": "Bring a chair.", "location": "Behind the house"})
	first := c.send(withKey(CreateEvent(body), key)).is(http.StatusCreated)
	e := eventFixture{c, Event{first.text("eventToken"), first.text("organizerToken")}}
	first.isDerived(e.Token, key)
	first.isDerived(e.Organizer, key)
	if e.Token == e.Organizer {
		c.Error("both tokens are the same")
	}
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

	others := Object{
		"title": "Another party", "description": "Bring a table.", "location": "In front of the house",
		"dateTime": "2099-05-01T19:00:00Z", "timezone": "UTC",
	}
	c.setsEvery("CreateEventInput", others)
	for field, value := range others {
		e.unchanged("another "+field, func(c client) {
			other := maps.Clone(body)
			other[field] = value
			c.send(withKey(CreateEvent(other), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		})
	}
	e.cancel()
	e.unchanged("after the cancellation", func(client) { again(body, key) })

	if other := c.send(withKey(CreateEvent(body), newKey())).is(http.StatusCreated); other.text("eventToken") == e.Token {
		c.Error("another key makes the same event")
	}
}

func repeatedRSVP(c client) {
	key := newKey()
	e, other := c.newEvent(), c.newEvent()
	ada, grace := Object{"name": "Ada Lovelace"}, Object{"name": "Grace Hopper"}
	first := c.send(withKey(CreateRSVP(e.Token, ada), key)).is(http.StatusCreated)
	token := first.text("rsvpToken")
	first.isDerived(token, key)
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

	spent := func(c client) {
		c.cancelRSVP(e.Token, token).is(http.StatusNoContent)
		for _, body := range []Object{ada, grace} {
			c.send(withKey(CreateRSVP(e.Token, body), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		}
		e.has()
	}
	c.test("after the RSVP is cancelled", spent)
	key = newKey()
	first = c.send(withKey(CreateRSVP(e.Token, ada), key)).is(http.StatusCreated)
	token = first.text("rsvpToken")

	e.cancel()
	e.unchanged("after the cancellation", func(c client) {
		again(c)
		c.send(withKey(CreateRSVP(e.Token, grace), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		c.send(withKey(CreateRSVP(e.Token, ada), newKey())).isProblem(http.StatusConflict, "event-cancelled")
	})
	c.test("after the RSVP is cancelled, at a cancelled event", spent)
	c.test("an expired event accepts no new key", func(c client) {
		past := c.pastEvent()
		c.send(withKey(CreateRSVP(past.Token, ada), newKey())).isProblem(http.StatusConflict, "event-expired")
	})
	c.test("an unknown event has no RSVPs", func(c client) {
		c.send(withKey(CreateRSVP(unissued(), ada), key)).isProblem(http.StatusNotFound, "event-not-found")
	})
}

func repeatedCancel(c client) {
	e, key := c.newEvent(), newKey()
	e.guest("Ada Lovelace")
	rain := Object{"cancelled": true, "cancellationReason": "Rain all day."}
	c.send(withKey(CancelEvent(e.Token, e.Organizer, rain), key)).is(http.StatusNoContent)
	e.unchanged("again", func(c client) {
		for _, spelled := range []string{key, `"` + key + `"`, strings.ToUpper(key)} {
			c.send(withKey(CancelEvent(strings.ToUpper(e.Token), e.Organizer, rain), spelled)).is(http.StatusNoContent)
		}
		for _, other := range []Object{{"cancelled": true}, {"cancelled": true, "cancellationReason": "Snow."}} {
			c.send(withKey(CancelEvent(e.Token, e.Organizer, other), key)).isProblem(http.StatusUnprocessableEntity, "idempotency-key-reused")
		}
		c.send(withKey(CancelEvent(e.Token, e.Organizer, rain), newKey())).isProblem(http.StatusConflict, "event-already-cancelled")
		c.send(CancelEvent(e.Token, e.Organizer, rain)).isProblem(http.StatusConflict, "event-already-cancelled")
		c.send(withKey(CancelEvent(e.Token, unissued(), rain), key)).isProblem(http.StatusForbidden, "invalid-organizer-token")
	})
}

func badKeys(c client) {
	good := newKey()
	e := c.newEvent()
	const message = "must be a UUID of version 4, sent once"
	for name, values := range map[string][]string{
		"no UUID":   {"my-key"},
		"version 7": {"019abc56-3f1e-7c4a-9b2d-5e8f01a2b3c4"},
		"a list":    {good + "," + newKey()},
		"twice":     {good, good},
	} {
		e.unchanged(name, func(c client) {
			c.send(withKey(CreateEvent(EventBody(nil)), values...)).isInvalid([2]string{"Idempotency-Key", message})
			c.send(withKey(CreateRSVP(e.Token, Object{"name": "Ada Lovelace"}), values...)).isInvalid([2]string{"Idempotency-Key", message})
			c.send(withKey(CancelEvent(e.Token, e.Organizer, Object{"cancelled": true}), values...)).isInvalid([2]string{"Idempotency-Key", message})
			c.send(withKey(CreateRSVP(unissued(), Object{}), values...)).
				isInvalid([2]string{"Idempotency-Key", message}, [2]string{"name", "is required"})
		})
	}
	c.test("operations that create nothing ignore a key", func(c client) {
		c.send(withKey(GetEvent(e.Token), "my-key")).is(http.StatusOK)
		c.send(withKey(CancelRSVP(e.Token, unissued()), "my-key")).is(http.StatusNoContent)
	})
}
