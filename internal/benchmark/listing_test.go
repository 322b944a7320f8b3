package benchmark

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamodblocal"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/robustness"
)

// listing measures the list of many guests over HTTP, on DynamoDB Local, from the
// first page to the last. Each page has the time of one request.
func listing(t *testing.T, r *report) {
	server, err := dynamodblocal.StartAt(t.Context(), "127.0.0.1", "0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	table := robustness.NewTableAt(t, server.Endpoint())
	c := robustness.Serve(t, dynamo.Open(table))
	const guests, turns = 100_000, 3
	e := c.NewEvent()
	fill(t, c, table, e, "A guest whose name is of the usual length", guests)
	var times []time.Duration
	for range turns {
		begin := time.Now()
		listed := c.ListAttendees(e)
		times = append(times, time.Since(begin))
		if listed.Status != http.StatusOK || len(listed.Attendees) != guests {
			t.Fatalf("%d, %d guests", listed.Status, len(listed.Attendees))
		}
	}
	r.figure(fmt.Sprintf("list of %d guests over HTTP, DynamoDB Local", guests), median(times)/1000, "s", atMost(8))
}

// fill adds guests of one name to an event without any, as copies of one RSVP with keys
// and times of their own, which is faster than RSVPs. One gate counts all of them.
func fill(t *testing.T, c robustness.Client, table dynamo.Config, e apitest.Event, guest string, guests int) {
	t.Helper()
	if got := c.CreateRSVP(e, guest); got.Status != http.StatusCreated {
		t.Fatal(got.Status)
	}
	items := func(prefix string) []apitest.Object {
		var found struct{ Items []apitest.Object }
		err := dynamotest.Call(http.DefaultClient, table.Endpoint, "Query", apitest.Object{
			"TableName": table.Table, "KeyConditionExpression": "pk = :pk AND begins_with(sk, :prefix)",
			"ExpressionAttributeValues": apitest.Object{":pk": apitest.Object{"S": "EVENT#" + e.Token}, ":prefix": apitest.Object{"S": prefix}},
		}, &found)
		if err != nil || len(found.Items) != 1 {
			t.Fatalf("%d items %s, %v", len(found.Items), prefix, err)
		}
		return found.Items
	}
	rsvp, gate := items("RSVP#")[0], items("GATE#")[0]
	const batch, writers = 25, 4 // as many as DynamoDB takes
	batches := make(chan []any)
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for puts := range batches {
				if err := dynamotest.Call(http.DefaultClient, table.Endpoint, "BatchWriteItem", apitest.Object{"RequestItems": apitest.Object{table.Table: puts}}, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	gate["admitted"] = apitest.Object{"N": fmt.Sprint(guests)}
	puts := []any{apitest.Object{"PutRequest": apitest.Object{"Item": gate}}}
	first := time.Now().UnixNano()
	for n := range guests - 1 {
		hash := make([]byte, 16)
		_, _ = rand.Read(hash)
		item := maps.Clone(rsvp)
		item["createdAt"] = apitest.Object{"N": fmt.Sprint(first + int64(n))}
		item["sk"] = apitest.Object{"S": "RSVP#" + base64.RawURLEncoding.EncodeToString(hash)}
		if puts = append(puts, apitest.Object{"PutRequest": apitest.Object{"Item": item}}); len(puts) == batch {
			batches <- puts
			puts = nil
		}
	}
	if len(puts) > 0 {
		batches <- puts
	}
	close(batches)
	all.Wait()
}
