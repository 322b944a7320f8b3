package dynamo

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/event"
)

// These tests look at what goes over the wire: what DynamoDB Local would let
// pass, and the cloud would punish.

// A call is one request to DynamoDB.
type call struct {
	operation string
	body      string
}

func (c call) input(t *testing.T) (input struct {
	ConsistentRead     bool
	ClientRequestToken string
	TransactItems      []map[string]struct{ Item, Key map[string]map[string]any }
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(c.body), &input); err != nil {
		t.Fatal(err)
	}
	return input
}

// wire notes all calls and answers those itself that answer has an answer for.
type wire struct {
	answer func(call) (status int, body string)

	mu    sync.Mutex
	calls []call
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c := call{operation, string(body)}
	w.mu.Lock()
	w.calls = append(w.calls, c)
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

// operations lists the calls by name.
func (w *wire) operations() string {
	var names []string
	for _, c := range w.calls {
		names = append(names, c.operation)
	}
	return strings.Join(names, " ")
}

// openWired returns a store with an event in it, and the wire that its calls from
// now on go over.
func openWired(t *testing.T) (*Store, event.Event, *wire) {
	t.Helper()
	w := new(wire)
	s := openVia(t, w)
	e := addEvent(t, s)
	w.calls = nil
	return s, e, w
}

var (
	now       = time.Date(2100, 5, 1, 12, 0, 0, 0, time.UTC)
	organizer = event.NewToken().Hash()
)

func addEvent(t *testing.T, s *Store) event.Event {
	t.Helper()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-05-01T12:00:00Z", Timezone: "UTC",
		CreatedAt: now, ExpiresAt: now.Add(7 * 24 * time.Hour)}
	if err := s.AddEvent(t.Context(), e, organizer); err != nil {
		t.Fatal(err)
	}
	return e
}

func newRSVP() event.RSVP {
	return event.RSVP{Hash: event.NewToken().Hash(), Name: "Ada", CreatedAt: now}
}

// first returns an answer for the first calls of an operation, and none after.
func first(n int, operation string, status int, body string) func(call) (int, string) {
	return func(c call) (int, string) {
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

func TestReadsAreConsistent(t *testing.T) {
	s, e, w := openWired(t)
	if _, err := s.EventByToken(t.Context(), e.Token); err != nil {
		t.Error(err)
	}
	if _, _, err := s.AttendeesByEvent(t.Context(), e.Token, organizer, event.Position{}, 100); err != nil {
		t.Error(err)
	}
	if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
		t.Error(err)
	}
	if want := "Query GetItem Query GetItem TransactWriteItems"; w.operations() != want {
		t.Fatalf("calls %s, want %s", w.operations(), want)
	}
	for _, c := range w.calls[:4] {
		if !c.input(t).ConsistentRead {
			t.Errorf("%s is not consistent: %s", c.operation, c.body)
		}
	}
}

// TestLogicalWriteKeepsItsToken over the SDK's retries and our own, so DynamoDB
// carries it out once; the next write has another.
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
			var tokens []string
			for _, c := range w.calls {
				if c.operation == operation {
					tokens = append(tokens, c.input(t).ClientRequestToken)
				}
			}
			if len(tokens) != 5 || tokens[0] == "" || tokens[3] == tokens[4] || len(slices.Compact(tokens[:4])) != 1 {
				t.Errorf("tokens %q, want four times the same and then another", tokens)
			}
		})
	}
}

// TestItemsOfAnEventExpireTogether: TTL takes each item by its own expiresAt.
func TestItemsOfAnEventExpireTogether(t *testing.T) {
	s, _, w := openWired(t)
	e := addEvent(t, s)
	if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
		t.Fatal(err)
	}
	items, expiresAt := 0, strconv.FormatInt(e.ExpiresAt.Unix(), 10)
	for _, c := range w.calls {
		for _, write := range c.input(t).TransactItems {
			if put, ok := write["Put"]; ok {
				items++
				if put.Item["expiresAt"]["N"] != expiresAt {
					t.Errorf("%v expires at %v", put.Item[sortKey], put.Item["expiresAt"])
				}
			}
		}
	}
	if items != 1+gateCount+1 {
		t.Errorf("%d items", items)
	}
}

// TestGuestsSpreadOverTheGates, and leave by the one that they came in.
func TestGuestsSpreadOverTheGates(t *testing.T) {
	s, e, w := openWired(t)
	gates := map[any]int{}
	for range 100 {
		r := newRSVP()
		w.calls = nil
		if err := s.AddRSVP(t.Context(), e.Token, r); err != nil {
			t.Fatal(err)
		}
		if err := s.RemoveRSVP(t.Context(), e.Token, r.Hash); err != nil {
			t.Fatal(err)
		}
		in, out := w.calls[1].input(t).TransactItems[1]["Update"].Key[sortKey]["S"], w.calls[2].input(t).TransactItems[1]["Update"].Key[sortKey]["S"]
		if in != out {
			t.Errorf("in by %v, out by %v", in, out)
		}
		gates[in]++
	}
	if len(gates) != gateCount {
		t.Errorf("guests by gate: %v", gates)
	}
}

// TestGateExpiresByItself: the transaction refuses what the read before let pass.
func TestGateExpiresByItself(t *testing.T) {
	s := openLocal(t)
	e := addEvent(t, s)
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

// TestCancellationAnnouncesItself at its first conflict and not again while the
// announcement stands; in the end nothing of it is left.
func TestCancellationAnnouncesItself(t *testing.T) {
	s, e, w := openWired(t)
	w.answer = first(2, "TransactWriteItems", 400, conflict(1+gateCount))
	if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, now); err != nil {
		t.Fatal(err)
	}
	if want := "TransactWriteItems UpdateItem TransactWriteItems TransactWriteItems"; w.operations() != want {
		t.Errorf("calls %s, want %s", w.operations(), want)
	}
	details, err := s.details(t.Context(), e.Token)
	if err != nil || details["cancelling"] != nil {
		t.Errorf("the announcement stands: %v, %v", details["cancelling"], err)
	}
}

// TestGuestsLetAnAnnouncedCancellationGoFirst: they read again before they try.
func TestGuestsLetAnAnnouncedCancellationGoFirst(t *testing.T) {
	for name, test := range map[string]struct {
		until time.Time
		want  string
	}{
		"announced": {now.Add(time.Millisecond), "GetItem GetItem"},
		"passed":    {now, "GetItem TransactWriteItems"},
		"long ago":  {now.Add(-time.Hour), "GetItem TransactWriteItems"},
	} {
		t.Run(name, func(t *testing.T) {
			s, e, w := openWired(t)
			s.announce(t.Context(), e.Token, organizer, test.until)
			w.calls = nil
			if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(w.operations(), test.want) {
				t.Errorf("calls %s, want %s", w.operations(), test.want)
			}
		})
	}
}

// TestOnlyTheOrganizerAnnounces: nobody else can make guests wait.
func TestOnlyTheOrganizerAnnounces(t *testing.T) {
	s := openLocal(t)
	e := addEvent(t, s)
	s.announce(t.Context(), e.Token, event.NewToken().Hash(), now.Add(time.Hour))
	if details, err := s.details(t.Context(), e.Token); err != nil || details["cancelling"] != nil {
		t.Errorf("announced: %v, %v", details["cancelling"], err)
	}
}
