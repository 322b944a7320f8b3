package event

import "context"

// Event returns an event as the public sees it, or ErrEventNotFound.
func (s *Service) Event(ctx context.Context, eventToken string) (Event, error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return Event{}, ErrEventNotFound
	}
	return s.Store.EventByToken(ctx, token)
}
