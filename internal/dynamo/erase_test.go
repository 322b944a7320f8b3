package dynamo

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestEraseEvent: after an erase, a tombstone of the details stays until the event would have expired, and for at least
// a year. Closed gates stay for a while. RSVPs are deleted in several calls. If an erase was interrupted, the next
// erase deletes the rest. Package storetest tests the results of operations on an erased event. Package explore tests
// all orders of calls.
func TestEraseEvent(t *testing.T) {
	s := openLocal(t)
	near, far, headless := newEvent(), newEvent(), newEvent()
	far.ExpiresAt = now.AddDate(7000, 0, 0)
	guests := map[event.Token]int{near.Token: batchSize + 1, far.Token: 1, headless.Token: 1}
	for _, e := range []event.Event{near, far, headless} {
		must(t, s.CreateEvent(t.Context(), e, organizer))
		for range guests[e.Token] {
			must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
		}
	}
	must(t, tested{s}.DeleteItem(t.Context(), headless.Token, storetest.Item{Key: detailsSort})) // acts as TTL
	for _, run := range []struct {
		event     event.Event
		tombstone time.Time
	}{
		{near, now.AddDate(1, 0, 0)},
		{far, far.ExpiresAt},
		{headless, now.AddDate(1, 0, 0)},
	} {
		if n, err := s.EraseEvent(t.Context(), run.event.Token, now); err != nil || n != 1+guests[run.event.Token] {
			t.Errorf("%d items, %v", n, err)
		}
		left := rsvpItem(run.event.Token, newRSVP(), now)
		_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: s.table, Item: left})
		must(t, err)
		if n, err := s.EraseEvent(t.Context(), run.event.Token, now); err != nil || n != 1 {
			t.Errorf("%d items that an interrupted call has left, %v", n, err)
		}
		wantErased(t, s, run.event, run.tombstone)
	}
}

// wantErased asserts that an event has only a tombstone and closed gates left.
func wantErased(t *testing.T, s *Store, e event.Event, tombstone time.Time) {
	t.Helper()
	left, err := s.items(t.Context(), e.Token)
	must(t, err)
	if len(left) != 1+DefaultGates {
		t.Errorf("%d items are left", len(left))
	}
	for n, i := range left {
		var r reader
		want := seconds(tombstone)
		if n > 0 {
			want = seconds(now.Add(inFlightWindow))
		}
		if n == 0 && len(i) != 3 || n > 0 && !r.boolean(i, "closed") || int64(r.number(i, "expiresAt")) != want {
			t.Errorf("left is %v", i)
		}
	}
}

// TestEraseMeetsChange: between an erase's read and its transaction, the event is created again with a later expiry.
// The tombstone stays until the later event would have expired.
func TestEraseMeetsChange(t *testing.T) {
	s, faults := openFaulty(t, newTable(t))
	earlier := createEvent(t, s)
	must(t, s.CreateRSVP(t.Context(), earlier.Token, newRSVP()))
	later := earlier
	later.ExpiresAt = now.AddDate(7000, 0, 0)
	meanwhile := func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		must(t,
			tested{s}.DeleteItem(t.Context(), earlier.Token, storetest.Item{Key: detailsSort}),
			s.CreateEvent(t.Context(), later, organizer),
		)
		return send(c)
	}
	faults.Inject(faulttest.Only("TransactWriteItems", faulttest.First(1, meanwhile)))
	if n, err := s.EraseEvent(t.Context(), earlier.Token, now); err != nil || n != 2 {
		t.Errorf("%d items, %v", n, err)
	}
	wantErased(t, s, later, later.ExpiresAt)
}

// TestEraseRetries: an erase succeeds although transactions of guests and the organizer conflict with it, and although
// DynamoDB throttles some of its deletes.
func TestEraseRetries(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, faults *faulttest.Transport) {
		e := createEvent(t, s)
		must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
		unprocessed := func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
			nothing := strings.Replace(string(c.Body), "RequestItems", "UnprocessedItems", 1)
			return faulttest.Respond(200, nothing)(c, send)
		}
		faults.Inject(faulttest.Then(
			faulttest.Only("TransactWriteItems", faulttest.First(3, faulttest.Conflicting)),
			faulttest.Only("BatchWriteItem", faulttest.First(2, unprocessed)),
		))
		if n, err := s.EraseEvent(t.Context(), e.Token, now); err != nil || n != 2 {
			t.Errorf("%d items, %v", n, err)
		}
		wantErased(t, s, e, now.AddDate(1, 0, 0))
		transactions, deletes := len(faults.Calls("TransactWriteItems")), len(faults.Calls("BatchWriteItem"))
		if transactions != 4 || deletes != 3 {
			t.Errorf("%d transactions and %d calls that delete", transactions, deletes)
		}
	})
}
