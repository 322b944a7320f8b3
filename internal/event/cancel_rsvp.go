package event

import "context"

// CancelRSVP deletes an RSVP of an event. Tokens that match none change nothing.
func (s *Service) CancelRSVP(ctx context.Context, eventToken, rsvpToken string) error {
	token, ok := ParseToken(eventToken)
	rsvp, isToken := ParseToken(rsvpToken)
	if !ok || !isToken {
		return nil
	}
	return s.Store.CancelRSVP(ctx, token, rsvp.RSVPID(), s.Now())
}
