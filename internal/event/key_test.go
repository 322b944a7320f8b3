package event_test

import (
	"cmp"
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

// Derived tokens, and the stored hash of a cancel's key, outlive a release of the service:
// clients repeat requests with their keys across it.
func TestTokensFromAKey(t *testing.T) {
	const (
		derivedEvent     = "f7fb8624-aacf-8a46-952f-79ab94a8295c"
		derivedOrganizer = "8e240f1b-26fc-8b46-a4c0-2a517bf53799"
		derivedRSVP      = "5dccc95c-a74f-8914-85b8-f8f6d8d856e7" // at eventToken
	)
	at, id := token(eventToken), token(aKey)
	cancelKey := sha256.Sum256(slices.Concat([]byte("turnout cancel key"), at[:], id[:]))
	for _, spelled := range []string{aKey, strings.ToUpper(aKey), `"` + aKey + `"`} {
		service, store := newService()
		create(t, service)
		key := event.ParseKey([]string{spelled})
		e, organizer, err := service.CreateEvent(t.Context(), validEvent(), key)
		if err != nil || e.Token.String() != derivedEvent || organizer.String() != derivedOrganizer {
			t.Errorf("%s: event %v, organizer %v, %v", spelled, e.Token, organizer, err)
		}
		rsvp, name, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent("Anna")}, key)
		if err != nil || rsvp.String() != derivedRSVP || name != "Anna" {
			t.Errorf("%s: RSVP %v of %s, %v", spelled, rsvp, name, err)
		}
		err = service.CancelEvent(t.Context(), eventToken, organizerToken, confirmed, key)
		again := store.CancelEvent(t.Context(), at, token(organizerToken).Hash(), event.Cancellation{Key: cancelKey}, now)
		wantErrors(t, nil, map[string]error{"CancelEvent": err, "with the hash of " + spelled: again})
	}
}

// Another key, another purpose or another event: another token, and each a UUID
// of version 8 that shows nothing of its key.
func TestDerivedTokensDiffer(t *testing.T) {
	var tokens []event.Token
	for _, text := range []string{aKey, otherKey, strings.Replace(aKey, "8e", "8f", 1)} {
		key := event.ParseKey([]string{text})
		service, _ := newService()
		e, organizer, err := service.CreateEvent(t.Context(), validEvent(), key)
		tokens = append(tokens, e.Token, organizer)
		create(t, service)
		for _, at := range []string{eventToken, e.Token.String()} {
			rsvp, _, rsvpErr := service.CreateRSVP(t.Context(), at, event.CreateRSVPInput{Name: sent("Anna")}, key)
			tokens = append(tokens, rsvp)
			err = errors.Join(err, rsvpErr)
		}
		if err != nil {
			t.Error(err)
		}
	}
	for i, token := range tokens {
		s := token.String()
		if s[14] != '8' || !strings.ContainsRune("89ab", rune(s[19])) {
			t.Errorf("%s is not a UUID of version 8", s)
		}
		if slices.Contains(tokens[:i], token) {
			t.Errorf("%s is repeated", s)
		}
		for _, key := range []string{aKey, otherKey} {
			for part := range strings.SplitSeq(key, "-") {
				if strings.Contains(s, part) {
					t.Errorf("%s shows %s of its key", s, part)
				}
			}
		}
	}
}

// FuzzParseKey has the rule for one value.
func TestParseKeyRefuses(t *testing.T) {
	const message = "Idempotency-Key must be a UUID of version 4, sent once"
	for _, values := range [][]string{{""}, {"my-key"}, {aKey, aKey}, {aKey, otherKey}, {aKey, ""}} {
		key := event.ParseKey(values)
		service := refusing()
		_, _, err := service.CreateEvent(t.Context(), validEvent(), key)
		wantInvalid(t, err, message)
		_, _, err = service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent("Anna")}, key)
		wantInvalid(t, err, message)
		_, _, err = service.CreateRSVP(t.Context(), "no token", event.CreateRSVPInput{}, key)
		wantInvalid(t, err, message, "name is required")
		err = service.CancelEvent(t.Context(), "no token", organizerToken, event.CancelEventInput{}, key)
		wantInvalid(t, err, message, "cancelled is required")
	}
}

// A token that is taken was used with its key before. A random one was stored by an earlier
// attempt of the same call, and an operator has removed it since.
func TestTokenTaken(t *testing.T) {
	for want, key := range map[error]event.Key{
		event.ErrIdempotencyKeyReused: event.ParseKey([]string{aKey}),
		nil:                           {},
	} {
		service, _ := newService()
		service.NewToken = func() event.Token { return token(eventToken) }
		other := validEvent()
		other.Title = sent("Another party")
		e, organizer, err := service.CreateEvent(t.Context(), validEvent(), key)
		_, _, otherEvent := service.CreateEvent(t.Context(), other, key)
		name := func(name string) error {
			_, _, err := service.CreateRSVP(t.Context(), e.Token.String(), event.CreateRSVPInput{Name: sent(name)}, key)
			return err
		}
		cancel := func(reason string) error {
			in := event.CancelEventInput{Cancelled: sent(true), Reason: sent(reason)}
			return service.CancelEvent(t.Context(), e.Token.String(), organizer.String(), in, key)
		}
		wantErrors(t, nil, map[string]error{"CreateEvent": err, "CreateRSVP": name("Anna"), "CancelEvent": cancel("rain")})
		wantErrors(t, want, map[string]error{"CreateEvent again": otherEvent, "CreateRSVP again": name("Ben")})
		wantErrors(t, cmp.Or(want, event.ErrAlreadyCancelled), map[string]error{"CancelEvent again": cancel("snow")})
	}
}

// A key that can be guessed would let others derive the tokens.
func FuzzParseKey(f *testing.F) {
	for _, value := range []string{
		aKey, strings.ToUpper(otherKey), `"` + otherKey + `"`, `"`, `""`, "",
		"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
		"c232ab00-9414-11ec-b3c8-9f6bdeced846", "0197c6a0-1b2c-7d3e-8f40-5a6b7c8d9e0f", // versions 1 and 7
		"8e03978e-40d5-43dd-3c93-6894a57f9324", "8e03978e-40d5-43dd-cc93-6894a57f9324", // other variants
		"{" + aKey + "}", `"` + aKey, aKey + `"`, `""` + aKey + `""`, "'" + aKey + "'",
		`"` + aKey + `";a=1`, `" ` + aKey + `"`, aKey + ", " + aKey,
	} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		service, _ := newService()
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
