package event

import "context"

// CancelRSVP deletes an RSVP of an event. Tokens that match none change nothing.
func (s *Service) CancelRSVP(ctx context.Context, eventToken, rsvpToken string) error {
	token, ok := ParseToken(eventToken)
	rsvp, also := ParseToken(rsvpToken)
	if !ok || !also {
		return nil
	}
	return s.Store.RemoveRSVP(ctx, token, rsvp.Hash(), s.Now())
}
