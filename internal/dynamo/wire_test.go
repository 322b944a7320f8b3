package dynamo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/event"
)

// These tests check the requests to DynamoDB: DynamoDB Local accepts some that would
// be wrong or expensive in the cloud.

// A request is one call of DynamoDB.
type request struct {
	operation string
	body      string
}

func (r request) input(t *testing.T) (input struct {
	ConsistentRead                      bool
	ClientRequestToken                  string
	ReturnValuesOnConditionCheckFailure string
	Item, Key                           map[string]map[string]any
	TransactItems                       []map[string]struct {
		Item, Key                 map[string]map[string]any
		ExpressionAttributeValues map[string]map[string]any
	}
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.body), &input); err != nil {
		t.Fatal(err)
	}
	return input
}

// wire records all requests. It answers those for which answer returns a status.
type wire struct {
	answer func(request) (status int, body string)

	mu       sync.Mutex
	requests []request
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c := request{operation, string(body)}
	w.mu.Lock()
	w.requests = append(w.requests, c)
	w.mu.Unlock()
	if w.answer != nil {
		if status, answer := w.answer(c); status != 0 {
			return &http.Response{
				StatusCode: status,
				Header:     http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
				Body:       io.NopCloser(strings.NewReader(answer)),
				Request:    r,
			}, nil
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(r)
}

// operations lists the requests by name.
func (w *wire) operations() string {
	var names []string
	for _, c := range w.requests {
		names = append(names, c.operation)
	}
	return strings.Join(names, " ")
}

// want checks the requests since the last want.
func (w *wire) want(t *testing.T, operations string) {
	t.Helper()
	if got := w.operations(); got != operations {
		t.Errorf("requests %s, want %s", got, operations)
	}
	w.requests = nil
}

// openWired returns a store with an event in it, and the wire that records its further
// requests.
func openWired(t *testing.T) (*Store, event.Event, *wire) {
	t.Helper()
	w := new(wire)
	s := openVia(t, w)
	e := addEvent(t, s)
	w.requests = nil
	return s, e, w
}

var (
	now       = time.Date(2100, 5, 1, 12, 0, 0, 0, time.UTC)
	organizer = event.NewToken().Hash()
)

func newEvent() event.Event {
	return event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-05-01T12:00:00.9Z", Timezone: "UTC",
		CreatedAt: now, ExpiresAt: now.Add(7*24*time.Hour + 900*time.Millisecond)}
}

func addEvent(t *testing.T, s *Store) event.Event {
	t.Helper()
	e := newEvent()
	if err := s.AddEvent(t.Context(), e, organizer); err != nil {
		t.Fatal(err)
	}
	return e
}

func newRSVP() event.RSVP {
	return event.RSVP{Hash: event.NewToken().Hash(), Name: "Ada", CreatedAt: now}
}

// first returns an answer for the first requests of an operation, and none after.
func first(n int, operation string, status int, body string) func(request) (int, string) {
	return func(c request) (int, string) {
		if c.operation != operation || n == 0 {
			return 0, ""
		}
		n--
		return status, body
	}
}

func conflict(writes int) string {
	reasons := strings.Repeat(`{"Code":"None"},`, writes-1) + `{"Code":"TransactionConflict"}`
	return `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[` + reasons + `]}`
}

// TestRequests: the requests of each operation. Every read is strongly consistent.
func TestRequests(t *testing.T) {
	s, e, w := openWired(t)
	r := newRSVP()
	cancelled := addEvent(t, s)
	if err := s.CancelEvent(t.Context(), cancelled.Token, organizer, nil, event.Hash{}, now); err != nil {
		t.Fatal(err)
	}
	w.requests = nil
	for _, test := range []struct {
		name     string
		do       func() error
		want     error
		requests string
	}{
		{"create event", func() error { return s.AddEvent(t.Context(), newEvent(), organizer) }, nil, "PutItem"},
		{"create event again", func() error { return s.AddEvent(t.Context(), e, organizer) }, nil, "PutItem"},
		{"get event", func() error { _, err := s.EventByToken(t.Context(), e.Token); return err }, nil, "Query"},
		{"create RSVP", func() error { return s.AddRSVP(t.Context(), e.Token, r) }, nil, "GetItem TransactWriteItems"},
		{"create RSVP again", func() error { return s.AddRSVP(t.Context(), e.Token, r) }, nil, "GetItem TransactWriteItems"},
		{"create RSVP, unknown", func() error { return s.AddRSVP(t.Context(), event.NewToken(), r) }, event.ErrEventNotFound, "GetItem"},
		{"create RSVP, cancelled", func() error { return s.AddRSVP(t.Context(), cancelled.Token, r) }, event.ErrEventCancelled, "GetItem GetItem"},
		{"list attendees", func() error {
			_, _, err := s.AttendeesByEvent(t.Context(), e.Token, organizer, event.Position{}, 100)
			return err
		}, nil, "Query Query"},
		{"list attendees, another organizer", func() error {
			_, _, err := s.AttendeesByEvent(t.Context(), e.Token, event.Hash{}, event.Position{}, 100)
			return err
		}, event.ErrOrganizerToken, "Query"},
		{"cancel RSVP", func() error { return s.RemoveRSVP(t.Context(), e.Token, r.Hash, now) }, nil, "GetItem TransactWriteItems"},
		{"cancel RSVP again", func() error { return s.RemoveRSVP(t.Context(), e.Token, r.Hash, now) }, nil, "GetItem"},
		{"cancel RSVP, unknown", func() error { return s.RemoveRSVP(t.Context(), e.Token, newRSVP().Hash, now) }, nil, "GetItem"},
		{"cancel event, unknown", func() error { return s.CancelEvent(t.Context(), event.NewToken(), organizer, nil, event.Hash{}, now) }, event.ErrEventNotFound, "GetItem"},
		{"cancel event, another organizer", func() error { return s.CancelEvent(t.Context(), e.Token, event.Hash{}, nil, event.Hash{}, now) }, event.ErrOrganizerToken, "GetItem"},
		{"cancel event, cancelled", func() error { return s.CancelEvent(t.Context(), cancelled.Token, organizer, nil, event.Hash{}, now) }, event.ErrAlreadyCancelled, "GetItem"},
		{"cancel event", func() error { return s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, now) }, nil, "GetItem TransactWriteItems"},
		{"health", func() error { return s.Ready(t.Context()) }, nil, "GetItem"},
	} {
		if err := test.do(); err != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		for _, c := range w.requests {
			read := c.operation == "GetItem" || c.operation == "Query"
			if read && !c.input(t).ConsistentRead && test.name != "health" {
				t.Errorf("%s is not consistent: %s", c.operation, c.body)
			}
		}
		t.Log(test.name)
		w.want(t, test.requests)
	}
}

// TestLogicalWriteKeepsItsToken: all attempts of a write are the same bytes, with one client
// request token, and the next write has another. DynamoDB does not say whether it compares
// bytes or values before it takes an attempt for a repeated one.
func TestLogicalWriteKeepsItsToken(t *testing.T) {
	const operation = "TransactWriteItems"
	failures := map[string]struct {
		status int
		body   string
	}{
		"conflict":    {400, conflict(2)},
		"in progress": {400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionInProgressException"}`},
		"500":         {500, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`},
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			s, e, w := openWired(t)
			w.answer = first(3, operation, failure.status, failure.body)
			for range 2 {
				if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
					t.Fatal(err)
				}
			}
			var tokens, bodies []string
			for _, c := range w.requests {
				if c.operation == operation {
					tokens = append(tokens, c.input(t).ClientRequestToken)
					bodies = append(bodies, c.body)
				}
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

// TestItemsOfAnEventExpireTogether: all items have the same expiresAt.
func TestItemsOfAnEventExpireTogether(t *testing.T) {
	s := openLocal(t)
	e := addEvent(t, s)
	for range 3 {
		if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, now); err != nil {
		t.Fatal(err)
	}
	items, err := s.items(t.Context(), e.Token)
	if err != nil || len(items) != 1+DefaultGates+3 {
		t.Errorf("%d items, %v", len(items), err)
	}
	var r reader
	for _, i := range items {
		if expires := r.number(i, "expiresAt"); expires != int(e.ExpiresAt.Unix())+1 || r.err != nil {
			t.Errorf("%s expires at %d, %v", r.text(i, sortKey), expires, r.err)
		}
	}
}

// TestClosedGatesOutliveRequests: TTL removes neither a closed gate nor a tombstone while
// an RSVP that began before the cancel or the withdrawal is under way. A tombstone has
// no name.
func TestClosedGatesOutliveRequests(t *testing.T) {
	for name, test := range map[string]struct {
		cancelled time.Duration // after the expiry; at the same moment an RSVP is withdrawn
		gates     int
		outlive   time.Duration // the cancel
	}{
		"an hour before":       {-time.Hour, DefaultGates, time.Hour},
		"a second before":      {-time.Second, DefaultGates, underWay},
		"at the last moment":   {0, DefaultGates, underWay},
		"just after":           {time.Second, DefaultGates, underWay},
		"long after: no gates": {underWay, 1, underWay},
	} {
		t.Run(name, func(t *testing.T) {
			s := openLocal(t)
			e, gone := addEvent(t, s), newRSVP()
			at := e.ExpiresAt.Add(test.cancelled)
			if err := errors.Join(
				s.AddRSVP(t.Context(), e.Token, gone),
				s.RemoveRSVP(t.Context(), e.Token, gone.Hash, at),
				s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, at),
			); err != nil {
				t.Fatal(err)
			}
			items, err := s.items(t.Context(), e.Token)
			if err != nil || len(items) != 1+test.gates+1 {
				t.Errorf("%d items, %v", len(items), err)
			}
			if test.gates < DefaultGates {
				items = items[1:] // the gate of the RSVP, which stays open
			}
			var r reader
			for n, i := range items[1:] {
				expires := time.Unix(int64(r.number(i, "expiresAt")), 0)
				if over := expires.Sub(at.Add(test.outlive)); over < 0 || over > time.Second {
					t.Errorf("%s expires at %v, %v after %v", r.text(i, sortKey), expires, over, at)
				}
				if tombstone := n == len(items)-2; tombstone && len(i) != 3 || !tombstone && !r.boolean(i, "closed") {
					t.Errorf("stored is %v", i)
				}
			}
			if r.err != nil {
				t.Error(r.err)
			}
			if e, err := s.EventByToken(t.Context(), e.Token); err != nil || !e.Cancelled || e.AttendeeCount != 0 {
				t.Errorf("%+v, %v", e, err)
			}
		})
	}
}

// TestGateExpiresByItself: the transaction refuses an expired RSVP, to the nanosecond,
// that the read before it did not refuse.
func TestGateExpiresByItself(t *testing.T) {
	c := newTable(t)
	c.Gates = 1
	s := Open(c)
	e := addEvent(t, s)
	if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
		t.Fatal(err)
	}
	later := e
	later.ExpiresAt = e.ExpiresAt.Add(time.Hour)
	_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: s.table, Item: detailsItem(later, organizer)})
	if err != nil {
		t.Fatal(err)
	}
	r := newRSVP()
	r.CreatedAt = e.ExpiresAt.Add(time.Nanosecond)
	if err := s.AddRSVP(t.Context(), e.Token, r); err != event.ErrEventExpired {
		t.Errorf("after the expiry: %v", err)
	}
	r.CreatedAt = e.ExpiresAt
	if err := s.AddRSVP(t.Context(), e.Token, r); err != nil {
		t.Errorf("at the expiry: %v", err)
	}
}
