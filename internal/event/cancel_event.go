package event

import "context"

// CancelEventInput is the body of a cancel-event request, unchecked.
type CancelEventInput struct {
	Cancelled Field[bool]
	Reason    Field[string]
}

// check returns the reason, or a ValidationError.
func (in CancelEventInput) check(key Key) (reason *string, err error) {
	var invalid ValidationError
	invalid.key(key)
	if in.Cancelled.WrongType {
		invalid.add("cancelled", "must be true or false")
	} else if in.Cancelled.Value == nil {
		invalid.add("cancelled", "is required")
	} else if !*in.Cancelled.Value {
		invalid.add("cancelled", "must be true: cancelling is the only update, and it is final")
	}
	reason = invalid.optionalText("cancellationReason", in.Reason, maxReason)
	return reason, invalid.orNil()
}

// CancelEvent cancels an event for good. A repeat with the same key succeeds again.
// Errors, the first that applies: a ValidationError, ErrEventNotFound,
// ErrOrganizerToken, ErrIdempotencyKeyReused if the key has cancelled the event for
// another reason, ErrAlreadyCancelled.
func (s *Service) CancelEvent(ctx context.Context, eventToken, organizerToken string, in CancelEventInput, key Key) error {
	reason, err := in.check(key)
	if err != nil {
		return err
	}
	token, ok := ParseToken(eventToken)
	if !ok {
		return ErrEventNotFound
	}
	var keyHash Hash
	if key.given() {
		keyHash = key.hash(cancelPurpose, token[:]...)
	}
	return reused(key, s.Store.CancelEvent(ctx, token, hashOf(organizerToken), reason, keyHash, s.Now()))
}

// CancelAgain is the result of Store.CancelEvent for an event that was cancelled with the key
// by.
func (e Event) CancelAgain(by, key Hash, reason *string) error {
	switch {
	case key == Hash{} || !key.Equal(by):
		return ErrAlreadyCancelled
	case !equalText(e.CancellationReason, reason):
		return ErrTokenTaken
	}
	return nil
}
