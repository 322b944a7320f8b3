package dynamo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestErrorsHoldNoSecrets: errors are logged, so they name the cause, but have no content of the call or of DynamoDB's
// response.
func TestErrorsHoldNoSecrets(t *testing.T) {
	const name = "Ada Lovelace, Countess"
	e, r := newEvent(), newRSVP()
	e.Title, r.Name = name, name
	item := `{"pk":{"S":"EVENT#` + e.Token.String() + `"},"sk":{"S":"DETAILS"},` +
		`"name":{"S":"` + name + `"},"title":{"S":"` + name + `"}}`
	respond := func(body string) faulttest.Fault { return faulttest.Respond(http.StatusOK, body) }
	for _, test := range []struct {
		fault faulttest.Fault
		cause string // the logged cause; empty if the error is ErrUnavailable
	}{
		{faulttest.Denied, "AccessDeniedException"},
		{respond("<html>" + name), "deserialization failed"},
		{respond(`{"Item":` + item[:len(item)-10]), "deserialization failed"},
		{respond(`{"Item":` + item + `,"Items":[` + item + `],"Count":1}`), "without a valid"},
		{faulttest.ServerError, ""}, {faulttest.Reset, ""}, {faulttest.Unresolved, ""},
	} {
		s, transport := openFaulty(t, Config{
			Endpoint: "http://127.0.0.1:1", Table: "table", Region: "local", AccessKeyID: "a", SecretAccessKey: "b",
		})
		transport.Inject(test.fault)
		limit := time.Minute
		if test.cause == "" {
			limit = 20 * time.Millisecond // ends the retries, which have no other limit
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		_, readErr := s.GetEvent(ctx, e.Token)
		_, listErr := storetest.List(ctx, s, e.Token, organizer)
		cancellation := event.Cancellation{Reason: &r.Name, MovedTo: &e.Token, Key: event.Hash{1}}
		for call, err := range map[string]error{
			"GetEvent":      readErr,
			"ListAttendees": listErr,
			"CreateRSVP":    s.CreateRSVP(ctx, e.Token, r),
			"CancelEvent":   s.CancelEvent(ctx, e.Token, organizer, cancellation, now),
			"CancelRSVP":    s.CancelRSVP(ctx, e.Token, r.ID, now),
		} {
			text := fmt.Sprint(err)
			expected := strings.Contains(text, test.cause)
			if test.cause == "" {
				expected = errors.Is(err, event.ErrUnavailable)
			}
			if !expected || strings.Contains(text, name) || strings.Contains(text, e.Token.String()) {
				t.Errorf("%s: %s", call, text)
			}
		}
	}
}
