package benchmark

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/faulttest"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/robustness"
)

// units are capacity units of DynamoDB, reading and writing.
type units struct{ read, write float64 }

// arithmetic is the cost of the operations, for items of less than 1 KB and any number
// of guests. A transaction costs 2 write units per item, a
// consistent read 1 unit per 4 KB, of all items of a Query together.
var arithmetic = []struct {
	operation string
	units
}{
	{"create event", units{write: 1}},
	{"get event", units{read: 1}},
	{"create RSVP", units{read: 1, write: 2 * 2}},
	{"cancel RSVP", units{read: 1, write: 2 * 2}},
	{"cancel RSVP again", units{read: 1}},
	{"create RSVP, no such event", units{read: 1}},
	{"list attendees, no such organizer", units{read: 1}},
	{"cancel event", units{read: 1, write: (1 + dynamo.DefaultGates) * 2}},
	{"create RSVP, cancelled", units{read: 2}}, // the second looks for the RSVP of a repeated call
	{"health", units{read: 0.5}},
}

// A meter adds up the consumed capacity that DynamoDB reports for every call. For a
// transaction DynamoDB Local reports the cost of one item, and nothing for a refused
// one.
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
		_ = json.Unmarshal(a.Body, &answer) // a body without a report adds nothing
		for _, table := range answer.ConsumedCapacity {
			m.used.write += float64(items) * table.CapacityUnits
		}
		return a
	}
	var answer struct{ ConsumedCapacity capacity }
	_ = json.Unmarshal(a.Body, &answer)
	switch c.Operation {
	case "GetItem", "Query":
		m.used.read += answer.ConsumedCapacity.CapacityUnits
	default:
		m.used.write += answer.ConsumedCapacity.CapacityUnits
	}
	return a
}

// measureCapacity returns the units of every operation in the arithmetic, at an
// event of so many guests, and of listing them.
func measureCapacity(t *testing.T, guests int) (used map[string]units, listing units) {
	t.Helper()
	table := robustness.NewTable(t)
	var m meter
	transport := faulttest.NewTransport(table.Endpoint)
	t.Cleanup(transport.Close)
	transport.Inject(m.fault)
	table.Transport = transport
	a := robustness.Serve(t, dynamo.Open(table))
	p := a.NewEvent()
	fill(t, a, table, p, "A guest whose name is of the usual length", guests)

	var leaver robustness.Answer
	calls := map[string]func() int{
		"create event": func() int { _, got := a.CreateEvent(); return got.Status },
		"get event":    func() int { return a.GetEvent(p).Status },
		"create RSVP": func() int {
			leaver = a.CreateRSVP(p, "A guest")
			return leaver.Status
		},
		"cancel RSVP":                func() int { return a.CancelRSVP(p, leaver.RSVPToken).Status },
		"cancel RSVP again":          func() int { return a.CancelRSVP(p, leaver.RSVPToken).Status },
		"create RSVP, no such event": func() int { return a.CreateRSVP(apitest.Event{Token: uuid.NewString()}, "A guest").Status },
		"list attendees, no such organizer": func() int {
			return a.ListAttendees(apitest.Event{Token: p.Token, Organizer: uuid.NewString()}).Status
		},
		"cancel event":           func() int { return a.CancelEvent(p, "rain").Status },
		"create RSVP, cancelled": func() int { return a.CreateRSVP(p, "A guest").Status },
		"health":                 func() int { return a.Health().Status },
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
	if listed := len(a.ListAttendees(p).Attendees); listed != guests {
		t.Errorf("%d guests are listed, want %d", listed, guests)
	}
	return used, m.used
}

// TestCapacity: operations cost the same at 10 and at 10,000 guests, except the list,
// which costs what it reads.
func TestCapacity(t *testing.T) {
	t.Parallel()
	for _, guests := range []int{10, 10_000} {
		used, listing := measureCapacity(t, guests)
		for _, row := range arithmetic {
			if used[row.operation] != row.units {
				t.Errorf("%s at %d guests used %+v, want %+v", row.operation, guests, used[row.operation], row.units)
			}
		}
		// An RSVP of a usual name is an item of some 150 bytes.
		bytes := (listing.read - 1) * 4096 / float64(guests)
		if listing.write != 0 || guests > 100 && (bytes < 100 || bytes > 200) {
			t.Errorf("listing %d guests used %+v, for %.0f bytes each", guests, listing, bytes)
		}
	}
}
