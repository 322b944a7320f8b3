package event

import "context"

// GetRSVP returns the name of a guest whose RSVP stands, in any state of the event. Errors, the
// first that applies: ErrEventNotFound, ErrRSVPNotFound.
func (s *Service) GetRSVP(ctx context.Context, eventToken, rsvpToken string) (name string, err error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return "", ErrEventNotFound
	}
	var id RSVPID // the zero RSVPID belongs to no RSVP
	if t, isToken := ParseToken(rsvpToken); isToken {
		id = t.RSVPID()
	}
	return s.Store.GetRSVP(ctx, token, id)
}
