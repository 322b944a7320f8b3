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

// A meter adds up the consumed capacity that DynamoDB reports for every call. For a
// transaction DynamoDB Local reports the cost of one item, and nothing for a refused
// one.
type meter struct {
	mu   sync.Mutex
	used units
}

func (m *meter) fault(c faulttest.Call, send faulttest.Send) faulttest.Response {
	var body map[string]any
	_ = json.Unmarshal(c.Body, &body) // the SDK's
	body["ReturnConsumedCapacity"] = "TOTAL"
	writes, _ := body["TransactItems"].([]any)
	items := len(writes)
	c.Body, _ = json.Marshal(body)
	a := send(c)
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

// TestCapacity: operations cost the same at 10 and at 10,000 guests, for items of less
// than 1 KB. A transaction costs 2 write units per item, a consistent read 1 unit per
// 4 KB, of all items of a Query together. Only the list costs what it reads.
func TestCapacity(t *testing.T) {
	t.Parallel()
	for _, guests := range []int{10, 10_000} {
		table := robustness.NewTable(t)
		var m meter
		transport := faulttest.NewTransport(table.Endpoint)
		t.Cleanup(transport.Close)
		transport.Inject(m.fault)
		table.Transport = transport
		a := robustness.Serve(t, dynamo.Open(table))
		p, nobody := a.NewEvent(), apitest.Event{Token: uuid.NewString(), Organizer: uuid.NewString()}
		notOrganizer := apitest.Event{Token: p.Token, Organizer: nobody.Organizer}
		fill(t, a, table, p, "A guest whose name is of the usual length", guests)

		var leaver robustness.Answer
		for _, row := range []struct {
			operation string
			status    int
			call      func() robustness.Answer
			want      units
		}{
			{"create event", 201, func() robustness.Answer { _, got := a.CreateEvent(); return got }, units{write: 1}},
			{"get event", 200, func() robustness.Answer { return a.GetEvent(p) }, units{read: 1}},
			{"create RSVP", 201, func() robustness.Answer { leaver = a.CreateRSVP(p, "A guest"); return leaver }, units{read: 1, write: 2 * 2}},
			{"cancel RSVP", 204, func() robustness.Answer { return a.CancelRSVP(p, leaver.RSVPToken) }, units{read: 1, write: 2 * 2}},
			{"cancel RSVP again", 204, func() robustness.Answer { return a.CancelRSVP(p, leaver.RSVPToken) }, units{read: 1}},
			{"create RSVP, no such event", 404, func() robustness.Answer { return a.CreateRSVP(nobody, "A guest") }, units{read: 1}},
			{"list attendees, no such organizer", 403, func() robustness.Answer { return a.ListAttendees(notOrganizer) }, units{read: 1}},
			{"cancel event", 204, func() robustness.Answer { return a.CancelEvent(p, "rain") }, units{read: 1, write: (1 + dynamo.DefaultGates) * 2}},
			// The second read looks for the RSVP of a repeated call.
			{"create RSVP, cancelled", 409, func() robustness.Answer { return a.CreateRSVP(p, "A guest") }, units{read: 2}},
			{"health", 200, func() robustness.Answer { return a.Health() }, units{read: 0.5}},
		} {
			m.used = units{}
			if got := row.call(); got.Status != row.status || m.used != row.want {
				t.Errorf("%s at %d guests: %d, used %+v, want %+v", row.operation, guests, got.Status, m.used, row.want)
			}
		}
		m.used = units{}
		if listed := len(a.ListAttendees(p).Attendees); listed != guests {
			t.Errorf("%d guests are listed, want %d", listed, guests)
		}
		// An RSVP of a usual name is an item of some 150 bytes.
		bytes := (m.used.read - 1) * 4096 / float64(guests)
		if m.used.write != 0 || guests > 100 && (bytes < 100 || bytes > 200) {
			t.Errorf("listing %d guests used %+v, for %.0f bytes each", guests, m.used, bytes)
		}
	}
}
