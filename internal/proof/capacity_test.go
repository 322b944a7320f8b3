package proof_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/faulttest"
)

// units are capacity units of DynamoDB, reading and writing.
type units struct{ read, write float64 }

// arithmetic is what the operations must cost, for items of less than 1 KB and
// whatever the number of guests. A transaction costs 2 write units per item, a
// consistent read 1 unit per 4 KB, of all items of a Query together.
var arithmetic = []struct {
	operation string
	units
}{
	{"create event", units{write: 9 * 2}},
	{"get event", units{read: 1}},
	{"create RSVP", units{read: 1, write: 2 * 2}},
	{"cancel RSVP", units{write: 2 * 2}},
	{"create RSVP, no such event", units{read: 1}},
	{"list attendees, no such organizer", units{read: 1}},
	{"cancel event", units{write: 9 * 2}},
	{"create RSVP, cancelled", units{read: 1}},
	{"health", units{read: 0.5}},
}

// A meter has DynamoDB report the capacity of every call, and adds it up. Of a
// transaction DynamoDB Local reports what one of its items costs, and of a refused
// one nothing.
type meter struct {
	mu   sync.Mutex
	used units
}

func (m *meter) fault(c faulttest.Call, send faulttest.Send) faulttest.Response {
	items := 0
	a := faulttest.Rewrite(func(_ string, body map[string]any) {
		body["ReturnConsumedCapacity"] = "TOTAL"
		writes, _ := body["TransactItems"].([]any)
		items = len(writes)
	})(c, send)
	type capacity struct{ CapacityUnits float64 }
	m.mu.Lock()
	defer m.mu.Unlock()
	if items > 0 {
		var answer struct{ ConsumedCapacity []capacity }
		_ = json.Unmarshal(a.Body, &answer) // what is no report adds nothing
		for _, table := range answer.ConsumedCapacity {
			m.used.write += float64(items) * table.CapacityUnits
		}
		return a
	}
	var answer struct{ ConsumedCapacity capacity }
	_ = json.Unmarshal(a.Body, &answer)
	m.used.read += answer.ConsumedCapacity.CapacityUnits
	return a
}

// measureCapacity returns the units of every operation in the arithmetic, at an
// event of so many guests, and of listing them.
func measureCapacity(t *testing.T, guests int) (used map[string]units, listing units) {
	t.Helper()
	table := newTable(t)
	var m meter
	store, _ := behind(t, table, m.fault)
	a := serve(t, store)
	p := a.newEvent()
	a.createRSVP(p.token, "A guest whose name is of the usual length")
	fill(t, table, p, guests)

	var leaver answer
	calls := map[string]func() int{
		"create event": func() int { _, got := a.createEvent(); return got.status },
		"get event":    func() int { return a.getEvent(p.token).status },
		"create RSVP": func() int {
			leaver = a.createRSVP(p.token, "A guest")
			return leaver.status
		},
		"cancel RSVP":                func() int { return a.cancelRSVP(p.token, leaver.RSVPToken).status },
		"create RSVP, no such event": func() int { return a.createRSVP(uuid.NewString(), "A guest").status },
		"list attendees, no such organizer": func() int {
			return a.listAttendees(party{p.token, uuid.NewString()}).status
		},
		"cancel event":           func() int { return a.cancelEvent(t.Context(), p, "rain").status },
		"create RSVP, cancelled": func() int { return a.createRSVP(p.token, "A guest").status },
		"health":                 func() int { return a.send(t.Context(), "GET", "/health", nil).status },
	}
	used = map[string]units{}
	for _, row := range arithmetic {
		m.used = units{}
		if status := calls[row.operation](); status >= 500 {
			t.Errorf("%s: %d", row.operation, status)
		}
		used[row.operation] = m.used
	}
	m.used = units{}
	if listed := len(a.listAttendees(p).Attendees); listed != guests {
		t.Errorf("%d guests are listed, want %d", listed, guests)
	}
	return used, m.used
}

// TestCapacity: operations cost what the design says, at 10 guests as at 10,000,
// but for the list, which pays for what it reads.
func TestCapacity(t *testing.T) {
	t.Parallel()
	for _, guests := range []int{10, 10_000} {
		used, listing := measureCapacity(t, guests)
		for _, row := range arithmetic {
			if used[row.operation] != row.units {
				t.Errorf("%s at %d guests used %+v, want %+v", row.operation, guests, used[row.operation], row.units)
			}
		}
		// An RSVP of a usual name is an item of some 200 bytes.
		bytes := (listing.read - 1) * 4096 / float64(guests)
		if listing.write != 0 || guests > 100 && (bytes < 150 || bytes > 300) {
			t.Errorf("listing %d guests used %+v, for %.0f bytes each", guests, listing, bytes)
		}
	}
}

// fill makes an event of one guest one of so many, by copies of that guest, which
// is quicker than to RSVP. The gates do not count the copies.
func fill(t *testing.T, table dynamo.Config, p party, guests int) {
	t.Helper()
	var found struct{ Items []map[string]any }
	call(t, table, "Query", map[string]any{
		"TableName": table.Table, "KeyConditionExpression": "pk = :pk AND begins_with(sk, :rsvp)",
		"ExpressionAttributeValues": object{":pk": object{"S": "EVENT#" + p.token}, ":rsvp": object{"S": "RSVP#"}},
	}, &found)
	const batch = 25 // as many as DynamoDB takes
	var puts []any
	for n := 1; n < guests; n++ {
		hash := make([]byte, 32)
		copy(hash, fmt.Sprint(n))
		item := object{}
		for name, value := range found.Items[0] {
			item[name] = value
		}
		item["sk"] = object{"S": "RSVP#" + hex.EncodeToString(hash)}
		puts = append(puts, object{"PutRequest": object{"Item": item}})
		if len(puts) == batch || n == guests-1 {
			call(t, table, "BatchWriteItem", object{"RequestItems": object{table.Table: puts}}, nil)
			puts = nil
		}
	}
}

// call calls DynamoDB Local, which looks at a signature only for its form.
func call(t *testing.T, table dynamo.Config, operation string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, table.Endpoint, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20000101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err == nil && answer != nil {
		err = json.Unmarshal(content, answer)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v %s", operation, response.StatusCode, err, content)
	}
}
