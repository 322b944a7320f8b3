package dynamo

import (
	"net/http"
	"testing"
	"time"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestWithdrawalMeetsChange: TTL has removed the gate of an RSVP, and then the RSVP, which is made
// again while it is withdrawn. The new one goes, too, and its gate does not count it.
func TestWithdrawalMeetsChange(t *testing.T) {
	s, e, calls := openWired(t)
	r := newRSVP()
	must(t, s.AddRSVP(t.Context(), e.Token, r))
	expire := func(k key) error {
		return tested{s}.DeleteItem(t.Context(), e.Token, storetest.Item{Key: sortOf(item(k))})
	}
	must(t, expire(gateKey(e.Token, gateOf(r.Hash, s.gates))))
	calls.Inject(faulttest.Only("UpdateItem", faulttest.First(1, func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		must(t, expire(rsvpKey(e.Token, r.Hash)))
		r.CreatedAt = r.CreatedAt.Add(time.Nanosecond)
		must(t, s.AddRSVP(t.Context(), e.Token, r))
		return send(c)
	})))
	must(t, s.RemoveRSVP(t.Context(), e.Token, r.Hash, now))
	if _, err := s.RSVPName(t.Context(), e.Token, r.Hash); err != event.ErrRSVPNotFound {
		t.Error(err)
	}
	if got, err := s.EventByToken(t.Context(), e.Token); err != nil || got.AttendeeCount != 0 {
		t.Errorf("%d guests, %v", got.AttendeeCount, err)
	}
}
