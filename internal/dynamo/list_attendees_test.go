package dynamo

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// counted adds guests and tombstones to the counts of one of an event's gates, without adding their items.
func counted(t *testing.T, s *Store, e event.Event, guests, tombstones int) {
	t.Helper()
	admit := s.admit(newRSVP(), e)
	admit.Update.UpdateExpression = aws.String(*admit.Update.UpdateExpression + ", tombstones :tombstones")
	admit.Update.ExpressionAttributeValues[":one"] = number(int64(guests))
	admit.Update.ExpressionAttributeValues[":tombstones"] = number(int64(tombstones))
	must(t, s.transaction(admit).commit(t.Context()))
}

// TestListInRanges: the count, which includes tombstones, decides how many Queries read the list in parallel. With any
// count, every guest is listed once, and no tombstone is listed.
func TestListInRanges(t *testing.T) {
	s, e, calls := openWired(t)
	const guests = 100
	for i := range guests {
		r := newRSVP()
		r.CreatedAt = now.Add(time.Duration(i))
		must(t, s.CreateRSVP(t.Context(), e.Token, r))
	}
	gone := newRSVP()
	must(t, s.CreateRSVP(t.Context(), e.Token, gone), s.CancelRSVP(t.Context(), e.Token, gone.ID, now))
	count, tombstones := guests, 1
	for _, test := range []struct{ count, tombstones, ranges int }{
		{guests, 1, 1}, {perQuery - 1, 1, 1}, {perQuery, 1, 2}, {1, perQuery - 1, 1}, {1, perQuery, 2},
		{2*perQuery - 1, 1, 2}, {2 * perQuery, 1, 4}, {8 * perQuery, 1, 16}, {100 * perQuery, 1, 16}, {0, 1, 1},
	} {
		counted(t, s, e, test.count-count, test.tombstones-tombstones)
		count, tombstones = test.count, test.tombstones
		calls.Inject(faulttest.NoFault)
		rsvps, err := storetest.List(t.Context(), s, e.Token, organizer)
		query := inputOf(t, calls.Calls()[1])
		filtered := query.FilterExpression == "attribute_exists(createdAt)"
		if query.ProjectionExpression != "sk, #name, createdAt" || !filtered {
			t.Errorf("%+v", query)
		}
		inOrder := slices.IsSortedFunc(rsvps, func(a, b event.RSVP) int { return a.CreatedAt.Compare(b.CreatedAt) })
		if err != nil || len(rsvps) != guests || !inOrder {
			t.Errorf("%d RSVPs in order: %t, %v", len(rsvps), inOrder, err)
		}
		if all, queries := len(calls.Calls()), len(calls.Calls("Query")); queries != 1+test.ranges || all != queries {
			t.Errorf("%d queries of %d calls, want %d", queries, all, 1+test.ranges)
		}
	}
}

// TestEmptyPage: DynamoDB may return a page without items before further pages.
func TestEmptyPage(t *testing.T) {
	s, e, calls := openWired(t)
	must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
	empty := fmt.Sprintf(`{"Items":[],"LastEvaluatedKey":{"pk":{"S":%q},"sk":{"S":"RSVP#-"}}}`, partition(e.Token))
	calls.Inject(func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		if bytes.Contains(c.Body, []byte("FilterExpression")) && !bytes.Contains(c.Body, []byte("ExclusiveStartKey")) {
			return faulttest.Respond(http.StatusOK, empty)(c, send)
		}
		return send(c)
	})
	rsvps, err := storetest.List(t.Context(), s, e.Token, organizer)
	if err != nil || len(rsvps) != 1 {
		t.Errorf("%d RSVPs, %v", len(rsvps), err)
	}
}

// TestListFailsAsAWhole: if one range or one RSVP cannot be read, no list is returned.
func TestListFailsAsAWhole(t *testing.T) {
	s, e, calls := openWired(t)
	counted(t, s, e, maxRanges*perQuery, 0)
	calls.Inject(func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		if bytes.Contains(c.Body, []byte(`"RSVP#_`)) || bytes.Contains(c.Body, []byte(`RSVP#b~`)) {
			return faulttest.Denied(c, send)
		}
		return send(c)
	})
	rsvps, err := storetest.List(t.Context(), s, e.Token, organizer)
	if err == nil || !strings.Contains(err.Error(), "AccessDenied") || rsvps != nil {
		t.Errorf("%d RSVPs, %v", len(rsvps), err)
	}
	corrupt := rsvpItem(e.Token, newRSVP(), e.ExpiresAt)
	delete(corrupt, "name")
	calls.Inject(faulttest.NoFault)
	_, err = s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: s.table, Item: corrupt})
	must(t, err)
	_, err = storetest.List(t.Context(), s, e.Token, organizer)
	if err == nil || !strings.Contains(err.Error(), "name") {
		t.Errorf("with a corrupt RSVP: %v", err)
	}
}
