package event

import "context"

// CancelEventInput is the body of a cancel-event request, unchecked.
type CancelEventInput struct {
	Cancelled Field[bool]
	Reason    Field[string]
}

// check returns the reason, or a ValidationError.
func (in CancelEventInput) check() (reason *string, err error) {
	var invalid ValidationError
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

// CancelEvent cancels an event for good. Errors, the first that applies: a
// ValidationError, ErrEventNotFound, ErrOrganizerToken, ErrAlreadyCancelled.
func (s *Service) CancelEvent(ctx context.Context, eventToken, organizerToken string, in CancelEventInput) error {
	reason, err := in.check()
	if err != nil {
		return err
	}
	token, ok := ParseToken(eventToken)
	if !ok {
		return ErrEventNotFound
	}
	return s.Store.CancelEvent(ctx, token, hashOf(organizerToken), reason, s.Now())
}
