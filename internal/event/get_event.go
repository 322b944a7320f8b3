package event

import "context"

// GetEvent returns an event as the public sees it, or ErrEventNotFound.
func (s *Service) GetEvent(ctx context.Context, eventToken string) (Event, error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return Event{}, ErrEventNotFound
	}
	return s.Store.GetEvent(ctx, token)
}
