package dynamo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

// TestPageKeepsTheFirst: for every order of arrival, a page equals event.Page of all RSVPs,
// although it drops most of those that are not on it.
func TestPageKeepsTheFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	token, longest := event.NewToken(), 4
	var all []event.RSVP
	afters := []event.Position{{}}
	for range 300 {
		r := newRSVP()
		clear(r.Hash[hashBytes:])
		r.Name = strings.Repeat("x", random.IntN(longest+1)) // an empty one still fits on a full page
		r.CreatedAt = now.Add(time.Duration(random.IntN(50)))
		all, afters = append(all, r), append(afters, r.Position())
	}
	for _, after := range afters[:20] {
		for _, maxBytes := range []int{0, 1, 10, 100, 1 << 20} {
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			p := &page{after: after, maxBytes: maxBytes, until: latest}
			for _, r := range all {
				var read reader
				if p.until != latest && r.CreatedAt.After(read.moment(item{"until": p.until}, "until")) {
					continue // DynamoDB does not send it
				}
				_, err := p.add([]item{rsvpItem(token, r, now)})
				must(t, err)
			}
			if maxBytes <= 100 && len(p.rsvps) > len(all)/2 {
				t.Errorf("%d RSVPs are kept for a page of %d bytes", len(p.rsvps), maxBytes)
			}
			got, more := event.Page(p.rsvps, after, maxBytes)
			want, wantMore := event.Page(slices.Clone(all), after, maxBytes)
			if more != wantMore || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("a page of %d bytes has %d RSVPs, more: %t, want %d, %t", maxBytes, len(got), more, len(want), wantMore)
			}
		}
	}
	if _, err := new(page).add([]item{{}}); err == nil {
		t.Error("an item that is not an RSVP is listed")
	}
}

// counted changes the count of an event by that many guests and tombstones, without their items.
func counted(t *testing.T, s *Store, e event.Event, guests, tombstones int) {
	t.Helper()
	update := s.admit(newRSVP(), e).Update
	update.UpdateExpression = aws.String(*update.UpdateExpression + ", tombstones :tombstones")
	update.ExpressionAttributeValues[":one"] = number(int64(guests))
	update.ExpressionAttributeValues[":tombstones"] = number(int64(tombstones))
	_, err := s.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: s.table, Key: update.Key,
		UpdateExpression: update.UpdateExpression, ConditionExpression: update.ConditionExpression,
		ExpressionAttributeValues: update.ExpressionAttributeValues,
	})
	must(t, err)
}

// TestListInRanges: the count, with tombstones, decides how many Queries read the list in
// parallel; with any count everyone is listed once, and no tombstone. Queries return only
// RSVPs after the position.
func TestListInRanges(t *testing.T) {
	s, e, calls := openWired(t)
	const guests = 100
	for i := range guests {
		r := newRSVP()
		r.CreatedAt = now.Add(time.Duration(i))
		must(t, s.AddRSVP(t.Context(), e.Token, r))
	}
	gone := newRSVP()
	must(t, s.AddRSVP(t.Context(), e.Token, gone), s.RemoveRSVP(t.Context(), e.Token, gone.Hash, now))
	count, tombstones := guests, 1
	for _, test := range []struct{ count, tombstones, ranges int }{
		{guests, 1, 1}, {perQuery - 1, 1, 1}, {perQuery, 1, 2}, {1, perQuery - 1, 1}, {1, perQuery, 2},
		{2*perQuery - 1, 1, 2}, {2 * perQuery, 1, 4}, {8 * perQuery, 1, 16}, {100 * perQuery, 1, 16}, {0, 1, 1},
	} {
		counted(t, s, e, test.count-count, test.tombstones-tombstones)
		count, tombstones = test.count, test.tombstones
		calls.Inject(faulttest.NoFault)
		after := event.Position{CreatedAt: now.Add(-1)}
		rsvps, more, err := s.AttendeesByEvent(t.Context(), e.Token, organizer, after, 1<<20)
		query := inputOf(t, calls.Calls()[1])
		if query.ProjectionExpression != "sk, #name, createdAt" || query.ExpressionAttributeValues[":from"]["N"] != fmt.Sprint(now.UnixNano()-1) {
			t.Errorf("%+v", query)
		}
		inOrder := slices.IsSortedFunc(rsvps, func(a, b event.RSVP) int { return a.CreatedAt.Compare(b.CreatedAt) })
		if err != nil || more || len(rsvps) != guests || !inOrder {
			t.Errorf("%d RSVPs in order: %t, more: %t, %v", len(rsvps), inOrder, more, err)
		}
		if all, queries := len(calls.Calls()), len(calls.Calls("Query")); queries != 1+test.ranges || all != queries {
			t.Errorf("%d queries of %d calls, want %d", queries, all, 1+test.ranges)
		}
	}
}

// TestListFailsAsAWhole: where one range cannot be read, there is no list.
func TestListFailsAsAWhole(t *testing.T) {
	s, e, calls := openWired(t)
	counted(t, s, e, maxRanges*perQuery, 0)
	calls.Inject(func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		if bytes.Contains(c.Body, []byte(`"RSVP#_`)) || bytes.Contains(c.Body, []byte(`RSVP#b~`)) {
			return faulttest.Denied(c, send)
		}
		return send(c)
	})
	rsvps, more, err := s.AttendeesByEvent(t.Context(), e.Token, organizer, event.Position{}, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "AccessDenied") || rsvps != nil || more {
		t.Errorf("%d RSVPs, more: %t, %v", len(rsvps), more, err)
	}
}
