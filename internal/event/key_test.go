package event_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"turnout/internal/event"
)

const (
	aKey     = "8e03978e-40d5-43dd-bc93-6894a57f9324"
	otherKey = "0197c6a0-1b2c-4d3e-8f40-5a6b7c8d9e0f"
)

// TestTokensFromAKey: a new release must derive the same tokens, and the same stored hash of a cancel's key, as the
// release before it. A client may repeat a request with its key after the release.
func TestTokensFromAKey(t *testing.T) {
	const (
		derivedEvent     = "f7fb8624-aacf-8a46-952f-79ab94a8295c"
		derivedOrganizer = "8e240f1b-26fc-8b46-a4c0-2a517bf53799"
		derivedRSVP      = "5dccc95c-a74f-8914-85b8-f8f6d8d856e7" // the RSVP token that the key gives for eventToken
	)
	at, id := token(eventToken), token(aKey)
	cancelKey := sha256.Sum256(slices.Concat([]byte("turnout cancel key"), at[:], id[:]))
	for _, spelled := range []string{aKey, strings.ToUpper(aKey), `"` + aKey + `"`} {
		service, key := newService(t), event.ParseKey([]string{spelled})
		e, organizer, err := service.CreateEvent(t.Context(), validEvent(), key)
		if err != nil || e.Token.String() != derivedEvent || organizer.String() != derivedOrganizer {
			t.Errorf("%s: event %v, organizer %v, %v", spelled, e.Token, organizer, err)
		}
		rsvp, name, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent("Anna")}, key)
		if err != nil || rsvp.String() != derivedRSVP || name != "Anna" {
			t.Errorf("%s: RSVP %v of %s, %v", spelled, rsvp, name, err)
		}
		_, stored := service.GetRSVP(t.Context(), eventToken, derivedRSVP)
		cancelled := service.CancelEvent(t.Context(), eventToken, organizerToken, confirmed, key)
		byOrganizer, repeated := token(organizerToken).Hash(), event.Cancellation{Key: cancelKey}
		again := service.Store.CancelEvent(t.Context(), at, byOrganizer, repeated, now)
		if err := errors.Join(stored, cancelled, again); err != nil {
			t.Errorf("%s: %v", spelled, err)
		}
	}
}

// taken is a store in which every token is taken.
type taken struct{ event.Store }

func (taken) CreateEvent(context.Context, event.Event, event.Hash) error { return event.ErrTokenTaken }

// TestTokenTaken: if a random token is taken, an earlier attempt of the same call has stored the event, and an operator
// has erased the event since.
func TestTokenTaken(t *testing.T) {
	if _, _, err := event.NewService(taken{}).CreateEvent(t.Context(), validEvent(), event.Key{}); err != nil {
		t.Error(err)
	}
}

// FuzzParseKey: ParseKey accepts no key that others may guess, because they could derive the tokens from it.
func FuzzParseKey(f *testing.F) {
	for _, value := range []string{
		aKey, strings.ToUpper(otherKey), `"` + otherKey + `"`, `"`, `""`, "",
		"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
		"c232ab00-9414-11ec-b3c8-9f6bdeced846", "0197c6a0-1b2c-7d3e-8f40-5a6b7c8d9e0f", // versions 1 and 7
		"8e03978e-40d5-43dd-3c93-6894a57f9324", "8e03978e-40d5-43dd-cc93-6894a57f9324", // other variants of UUID
		"{" + aKey + "}", `"` + aKey, aKey + `"`, `"` + aKey + "x", `""` + aKey + `""`, "'" + aKey + "'",
		`"` + aKey + `";a=1`, `" ` + aKey + `"`, aKey + ", " + aKey,
	} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		service := newService(t)
		e, _, err := service.CreateEvent(t.Context(), validEvent(), event.ParseKey([]string{value}))
		id := strings.ToLower(value)
		if len(id) == 38 && id[0] == '"' && id[37] == '"' {
			id = id[1:37]
		}
		parsed, isUUID := event.ParseToken(id)
		valid := isUUID && id[14] == '4' && strings.ContainsRune("89ab", rune(id[19]))
		if valid != (err == nil) || valid && e.Token == parsed {
			t.Errorf("%q: %v, %v", value, e.Token, err)
		}
	})
}
