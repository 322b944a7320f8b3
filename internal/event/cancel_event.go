package event

import "context"

// CancelEventInput is the body of a cancel-event request, unchecked.
type CancelEventInput struct {
	Cancelled Field[bool]
	Reason    Field[string]
	MovedTo   Field[string]
}

// A Cancellation is the content of a cancel by the organizer, with its key.
type Cancellation struct {
	Reason  *string
	MovedTo *Token
	Key     Hash // the zero Hash stands for no key
}

// check returns the cancellation of an event, still without a key, or a ValidationError.
func (in CancelEventInput) check(eventToken string, key Key) (c Cancellation, err error) {
	var invalid ValidationError
	invalid.key(key)
	if in.Cancelled.WrongType {
		invalid.add("cancelled", "must be true or false")
	} else if in.Cancelled.Value == nil {
		invalid.add("cancelled", "is required")
	} else if !*in.Cancelled.Value {
		invalid.add("cancelled", "must be true: cancelling is the only update, and it is final")
	}
	c.Reason = invalid.text("cancellationReason", in.Reason, false, nil, atMost(maxReason))
	invalid.text("movedTo", in.MovedTo, false, nil, func(_ *Event, text string) (_, problem string) {
		to, ok := ParseToken(text)
		from, isToken := ParseToken(eventToken)
		toItself := isToken && to == from
		if !ok || toItself {
			problem = "must be the event token of another event"
		}
		c.MovedTo = &to
		return text, problem
	})
	return c, invalid.orNil()
}

// CancelEvent cancels an event for good. A repeat with the same key succeeds again.
// Errors, the first that applies: a ValidationError, ErrEventNotFound,
// ErrOrganizerToken, ErrIdempotencyKeyReused if the key has cancelled the event with
// other content, ErrAlreadyCancelled. Nothing checks that the event of movedTo exists.
func (s *Service) CancelEvent(
	ctx context.Context, eventToken, organizerToken string, in CancelEventInput, key Key,
) error {
	c, err := in.check(eventToken, key)
	if err != nil {
		return err
	}
	token, ok := ParseToken(eventToken)
	if !ok {
		return ErrEventNotFound
	}
	if key.given() {
		c.Key = key.hash(cancelPurpose, token[:]...)
	}
	return reused(key, s.Store.CancelEvent(ctx, token, hashOf(organizerToken), c, s.Now()))
}

// RepeatedCancel returns the result of Store.CancelEvent for an event that was cancelled before, with the key by.
func (e Event) RepeatedCancel(by Hash, c Cancellation) error {
	switch {
	case c.Key == Hash{} || !c.Key.Equal(by):
		return ErrAlreadyCancelled
	case !equal(e.CancellationReason, c.Reason) || !equal(e.MovedTo, c.MovedTo):
		return ErrTokenTaken
	}
	return nil
}
