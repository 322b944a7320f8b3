package dynamo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// units has numbers of DynamoDB's capacity units, for reads and for writes.
type units struct{ read, write float64 }

var capacity = regexp.MustCompile(`"CapacityUnits":([0-9.]+)`)

// metered adds up the capacity that DynamoDB reports for every call. For a transaction, DynamoDB Local reports the cost
// of one item, or nothing if the transaction is refused.
func metered(used *units) faulttest.Fault {
	var mu sync.Mutex
	return func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		var body map[string]any
		_ = json.Unmarshal(c.Body, &body) // the SDK has written valid JSON
		body["ReturnConsumedCapacity"] = "TOTAL"
		c.Body, _ = json.Marshal(body)
		items, _ := body["TransactItems"].([]any)
		response, err := send(c)
		if err != nil {
			return nil, err
		}
		answer, _ := io.ReadAll(response.Body) // cannot fail, because the body is in memory
		response.Body = io.NopCloser(bytes.NewReader(answer))
		consumed := 0.0
		for _, match := range capacity.FindAllSubmatch(answer, -1) {
			units, _ := strconv.ParseFloat(string(match[1]), 64)
			consumed += units * float64(max(1, len(items)))
		}
		mu.Lock()
		defer mu.Unlock()
		if c.Operation == "GetItem" || c.Operation == "Query" {
			used.read += consumed
		} else {
			used.write += consumed
		}
		return response, nil
	}
}

// TestCapacity: each operation costs the same with 10 and with 1,000 guests, if each item has less than 1 KB. Only the
// cost of a list depends on the number of guests. A transaction costs 2 write units per item. A consistent read costs 1
// unit per 4 KB, which the items of a Query share. Any other read costs half of this. Therefore the figures show that
// an early refusal costs no transaction, and that only the health check's read is not consistent.
func TestCapacity(t *testing.T) {
	t.Parallel()
	for _, guests := range []int{10, 1000} {
		s, calls := openFaulty(t, newTable(t))
		ctx, e, unknown := t.Context(), createEvent(t, s), event.NewToken()
		var puts []types.WriteRequest
		for n := range guests {
			r := newRSVP()
			r.Name, r.CreatedAt = "A guest whose name is of the usual length", now.Add(time.Duration(n))
			put := &types.PutRequest{Item: rsvpItem(e.Token, r, e.ExpiresAt)}
			puts = append(puts, types.WriteRequest{PutRequest: put})
		}
		for batch := range slices.Chunk(puts, batchSize) {
			must(t, s.writeBatch(ctx, batch))
		}
		counted(t, s, e, guests, 0)
		var used units
		calls.Inject(metered(&used))

		list := func(organizer event.Hash) ([]event.RSVP, error) {
			rsvps, err := storetest.List(ctx, s, e.Token, organizer)
			return rsvps, err
		}
		cancel := func(token event.Token, organizer event.Hash) error {
			return s.CancelEvent(ctx, token, organizer, event.Cancellation{Reason: new("rain")}, now)
		}
		read := func(token event.Token, rsvp event.RSVPID) error { _, err := s.GetRSVP(ctx, token, rsvp); return err }
		r := newRSVP()
		for _, row := range []struct {
			operation string
			call      func() error
			err       error
			want      units
		}{
			{"create event", func() error { return s.CreateEvent(ctx, newEvent(), organizer) }, nil, units{write: 1}},
			{"create event again", func() error { return s.CreateEvent(ctx, e, organizer) }, nil, units{}},
			{"get event", func() error { _, err := s.GetEvent(ctx, e.Token); return err }, nil, units{read: 1}},
			{"create RSVP", func() error { return s.CreateRSVP(ctx, e.Token, r) }, nil, units{read: 1, write: 2 * 2}},
			{"create RSVP again", func() error { return s.CreateRSVP(ctx, e.Token, r) }, nil, units{read: 1}},
			{"get RSVP", func() error { return read(e.Token, r.ID) }, nil, units{read: 2}},
			{"get RSVP, no such one", func() error { return read(e.Token, newRSVP().ID) }, event.ErrRSVPNotFound, units{read: 2}},
			{"get RSVP, no such event", func() error { return read(unknown, r.ID) }, event.ErrEventNotFound, units{read: 2}},
			{"cancel RSVP", func() error { return s.CancelRSVP(ctx, e.Token, r.ID, now) }, nil, units{read: 1, write: 2 * 2}},
			{"cancel RSVP again", func() error { return s.CancelRSVP(ctx, e.Token, r.ID, now) }, nil, units{read: 1}},
			{"cancel RSVP, no such one", func() error { return s.CancelRSVP(ctx, e.Token, newRSVP().ID, now) }, nil, units{read: 1}},
			{"create RSVP, no such event", func() error { return s.CreateRSVP(ctx, unknown, newRSVP()) }, event.ErrEventNotFound, units{read: 1}},
			{"list attendees, no such organizer", func() error { _, err := list(event.Hash{}); return err }, event.ErrOrganizerToken, units{read: 1}},
			{"cancel event, no such event", func() error { return cancel(unknown, organizer) }, event.ErrEventNotFound, units{read: 1}},
			{"cancel event, no such organizer", func() error { return cancel(e.Token, event.Hash{}) }, event.ErrOrganizerToken, units{read: 1}},
			{"cancel event", func() error { return cancel(e.Token, organizer) }, nil, units{read: 1, write: (1 + DefaultGates) * 2}},
			{"cancel event again", func() error { return cancel(e.Token, organizer) }, event.ErrAlreadyCancelled, units{read: 1}},
			// The second read looks for the RSVP of a repeated call.
			{"create RSVP, cancelled", func() error { return s.CreateRSVP(ctx, e.Token, newRSVP()) }, event.ErrEventCancelled, units{read: 2}},
			{"health", func() error { return s.Health(ctx) }, nil, units{read: 0.5}},
		} {
			used = units{}
			if err := row.call(); !errors.Is(err, row.err) || used != row.want {
				t.Errorf("%s at %d guests: %v, used %+v, want %+v", row.operation, guests, err, used, row.want)
			}
		}
		used = units{}
		listed, err := list(organizer)
		inOrder := slices.IsSortedFunc(listed, func(a, b event.RSVP) int { return a.CreatedAt.Compare(b.CreatedAt) })
		if err != nil || len(listed) != guests || !inOrder {
			t.Errorf("%d guests are listed, want %d in order: %v", len(listed), guests, err)
		}
		// An RSVP with a usual name is an item of some 150 bytes.
		bytes := (used.read - 1) * 4096 / float64(guests)
		if used.write != 0 || guests > 100 && (bytes < 100 || bytes > 200) {
			t.Errorf("listing %d guests used %+v, for %.0f bytes each", guests, used, bytes)
		}
	}
}

// TestUnitsAreThoseOfCosts: COSTS.md has the capacity units of each method of the store. Operators compute their bill
// from COSTS.md.
func TestUnitsAreThoseOfCosts(t *testing.T) {
	t.Parallel()
	costs, err := os.ReadFile("../../infra/COSTS.md")
	must(t, err)
	s, wire := openFaulty(t, newTable(t))
	var used units
	wire.Inject(metered(&used))
	for method := range (storetest.Subject{}).Calls(s) {
		of := subject(t, s)
		used = units{}
		must(t, of.Calls(s)[method](t.Context()))
		name := regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(method, "$1 $2")
		row := regexp.MustCompile(`(?i)\n\| ` + name + ` \| ([0-9.]+) \| ([0-9.]+)(, and 1 for)?`)
		found := row.FindStringSubmatch(string(costs))
		if found == nil {
			t.Errorf("COSTS.md has no units of %s, which uses %+v", name, used)
			continue
		}
		write, _ := strconv.ParseFloat(found[1], 64)
		read, _ := strconv.ParseFloat(found[2], 64)
		if found[3] != "" {
			read++ // for the one guest
		}
		if want := (units{read, write}); used != want {
			t.Errorf("%s uses %+v, but in COSTS.md %+v", name, used, want)
		}
	}
}
