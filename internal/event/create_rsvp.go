package event

import "context"

// CreateRSVPInput is the body of a create-RSVP request, unchecked.
type CreateRSVPInput struct {
	Name Field[string]
}

// CreateRSVP admits a guest and issues the token of the RSVP. A repeat with the same key
// returns the same token, as long as the RSVP is stored, even if the event has been cancelled
// or has expired since. Errors, the first that applies: a ValidationError, ErrEventNotFound,
// ErrIdempotencyKeyReused if the key was used for another name or for an RSVP that was
// cancelled, ErrEventCancelled, ErrEventExpired. The time of the call decides whether it has expired.
func (s *Service) CreateRSVP(
	ctx context.Context, eventToken string, in CreateRSVPInput, key Key,
) (rsvp Token, name string, err error) {
	var invalid ValidationError
	invalid.key(key)
	text := invalid.text("name", in.Name, true, nil, visible(maxName))
	if len(invalid) > 0 {
		return Token{}, "", invalid
	}
	token, ok := ParseToken(eventToken)
	if !ok {
		return Token{}, "", ErrEventNotFound
	}
	if key.given() {
		rsvp = key.token(rsvpPurpose, token[:]...)
	} else {
		rsvp = NewToken()
	}
	err = s.Store.CreateRSVP(ctx, token, RSVP{ID: rsvp.RSVPID(), Name: *text, CreatedAt: s.Now()})
	if err := reused(key, err); err != nil {
		return Token{}, "", err
	}
	return rsvp, *text, nil
}
