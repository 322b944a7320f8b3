package dynamo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

// inputOf decodes the input of a call.
func inputOf(t *testing.T, c faulttest.Call) (input struct {
	ClientRequestToken        string
	ProjectionExpression      string
	FilterExpression          string
	ExpressionAttributeValues map[string]map[string]any
}) {
	t.Helper()
	must(t, json.Unmarshal(c.Body, &input))
	return input
}

// openWired returns a store that has an event, and the transport that records the store's further calls.
func openWired(t *testing.T) (*Store, event.Event, *faulttest.Transport) {
	t.Helper()
	s, calls := openFaulty(t, newTable(t))
	e := createEvent(t, s)
	calls.Inject(faulttest.NoFault)
	return s, e, calls
}

var (
	now       = time.Date(2100, 5, 1, 12, 0, 0, 0, time.UTC)
	organizer = event.NewToken().Hash()
)

func newEvent() event.Event {
	return event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-05-01T12:00:00.9Z", Timezone: "UTC",
		CreatedAt: now, ExpiresAt: now.Add(7*24*time.Hour + 900*time.Millisecond)}
}

func createEvent(t *testing.T, s *Store) event.Event {
	t.Helper()
	e := newEvent()
	must(t, s.CreateEvent(t.Context(), e, organizer))
	return e
}

func newRSVP() event.RSVP {
	return event.RSVP{ID: event.NewToken().RSVPID(), Name: "Ada", CreatedAt: now}
}

// TestLogicalWriteKeepsItsToken: all attempts of a write have the same bytes and the same client request token. The
// next write has another token. The bytes matter, because DynamoDB does not document whether it compares bytes or
// values to recognize a repeated attempt.
func TestLogicalWriteKeepsItsToken(t *testing.T) {
	for name, failure := range map[string]faulttest.Fault{
		"conflict": faulttest.Conflicting, "in progress": faulttest.InProgress, "500": faulttest.ServerError,
	} {
		t.Run(name, func(t *testing.T) {
			const operation = "TransactWriteItems"
			s, e, calls := openWired(t)
			calls.Inject(faulttest.Only(operation, faulttest.First(3, failure)))
			for range 2 {
				must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
			}
			var tokens, bodies []string
			for _, c := range calls.Calls(operation) {
				tokens = append(tokens, inputOf(t, c).ClientRequestToken)
				bodies = append(bodies, string(c.Body))
			}
			if different := len(slices.Compact(bodies)); different != 2 {
				t.Errorf("%d different bodies of two writes", different)
			}
			if len(tokens) != 5 || tokens[0] == "" || tokens[3] == tokens[4] || len(slices.Compact(tokens[:4])) != 1 {
				t.Errorf("tokens %q, want four times the same and then another", tokens)
			}
		})
	}
}

// TestItemsExpire: all items of an event expire with the event. An RSVP may have begun before the event was cancelled,
// or before the RSVP was withdrawn. While such an RSVP is under way, TTL removes neither closed gates nor tombstones. A
// tombstone has no name.
func TestItemsExpire(t *testing.T) {
	for name, test := range map[string]struct {
		cancelled time.Duration // from the expiry to the cancel, a withdrawal and an erase
		gates     int           // the number of closed gates
		outlive   time.Duration // how long the items outlive the cancel
	}{
		"an hour before":       {-time.Hour, DefaultGates, time.Hour},
		"a second before":      {-time.Second, DefaultGates, inFlightWindow},
		"at the last moment":   {0, DefaultGates, inFlightWindow},
		"just after":           {time.Second, DefaultGates, inFlightWindow},
		"long after: no gates": {inFlightWindow, 0, inFlightWindow},
	} {
		t.Run(name, func(t *testing.T) {
			s := openLocal(t)
			e, gone := createEvent(t, s), newRSVP()
			at, erased := e.ExpiresAt.Add(test.cancelled), newRSVP()
			erased.Name = "Ben"
			must(t,
				s.CreateRSVP(t.Context(), e.Token, newRSVP()),
				s.CreateRSVP(t.Context(), e.Token, gone),
				s.CreateRSVP(t.Context(), e.Token, erased),
				s.CancelRSVP(t.Context(), e.Token, gone.ID, at),
				s.CancelEvent(t.Context(), e.Token, organizer, event.Cancellation{}, at),
			)
			_, err := s.EraseRSVPs(t.Context(), e.Token, erased.Name, false, at)
			must(t, err)
			items, err := s.items(t.Context(), e.Token)
			must(t, err)
			var r reader
			closed, tombstones := 0, 0
			for _, i := range items {
				end := e.ExpiresAt
				switch {
				case i["closed"] != nil && r.boolean(i, "closed"):
					closed++
					end = at.Add(test.outlive)
				case strings.HasPrefix(sortOf(i), rsvpPrefix) && len(i) == 3:
					tombstones++
					end = at.Add(test.outlive)
				}
				if over := time.Unix(int64(r.number(i, "expiresAt")), 0).Sub(end); over < 0 || over > time.Second {
					t.Errorf("%s expires %v after %v", sortOf(i), over, end)
				}
			}
			if closed != test.gates || tombstones != 2 || r.err != nil {
				t.Errorf("%d closed gates, %d tombstones, %v", closed, tombstones, r.err)
			}
		})
	}
}

// TestGateExpiresByItself: if the event expires between an RSVP's read and its transaction, the transaction refuses the
// RSVP. The limit is exact to the nanosecond.
func TestGateExpiresByItself(t *testing.T) {
	c := newTable(t)
	c.Gates = 1
	s := Open(c)
	e := createEvent(t, s)
	must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
	later := e
	later.ExpiresAt = e.ExpiresAt.Add(time.Hour)
	item := detailsItem(later, organizer, event.Hash{})
	_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: s.table, Item: item})
	must(t, err)
	r := newRSVP()
	r.CreatedAt = e.ExpiresAt.Add(time.Nanosecond)
	if err := s.CreateRSVP(t.Context(), e.Token, r); err != event.ErrEventExpired {
		t.Errorf("after the expiry: %v", err)
	}
	r.CreatedAt = e.ExpiresAt
	if err := s.CreateRSVP(t.Context(), e.Token, r); err != nil {
		t.Errorf("at the expiry: %v", err)
	}
}
