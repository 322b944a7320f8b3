package dynamo

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// TestMoments: times are stored to the nanosecond, and their TTL is less than a second later.
func TestMoments(t *testing.T) {
	for _, at := range []time.Time{
		time.Unix(1, 0), time.Unix(1, 1), time.Unix(1, 999_999_999),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(2100, 1, 1, 0, 0, 0, 900_000_000, time.FixedZone("", 3600)),
	} {
		var r reader
		i := item{"at": moment(at), "ttl": ttl(at)}
		if got := r.moment(i, "at"); r.err != nil || !got.Equal(at) || got.Location() != time.UTC {
			t.Errorf("%v became %v, %v", at, got, r.err)
		}
		if after := time.Unix(int64(r.number(i, "ttl")), 0).Sub(at); r.err != nil || after < 0 || after >= time.Second {
			t.Errorf("TTL of %v comes %v after it, %v", at, after, r.err)
		}
	}
}

// TestOldEventsExpire: an event with an old expiry still gets an expiry that TTL respects, because DynamoDB ignores
// expiries of more than five years ago.
func TestOldEventsExpire(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ expires, want time.Time }{
		{now.AddDate(-4, 0, 0), now.AddDate(-4, 0, 0)},
		{now.AddDate(-4, 0, -1), now},
		{now.AddDate(-2026, 0, 0), now},
	} {
		var r reader
		e := event.Event{CreatedAt: now, ExpiresAt: c.expires}
		i := detailsItem(e, event.Hash{}, event.Hash{})
		ttl, until := int64(r.number(i, "expiresAt")), r.moment(i, "admitsUntil")
		if r.err != nil || ttl != c.want.Unix() || !until.Equal(c.expires) {
			t.Errorf("what expires %v has the TTL %d and admits until %v, %v", c.expires, ttl, until, r.err)
		}
	}
}

// TestForeignItems: reading an invalid item returns an error that names the attribute.
func TestForeignItems(t *testing.T) {
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-05-01T12:00:00Z", Timezone: "UTC"}
	for _, name := range []string{"title", "dateTime", "timezone", "cancelled", "createdAt", "admitsUntil"} {
		for what, value := range map[string]types.AttributeValue{
			"missing": nil, "another type": binary([]byte("1")), "no integer": &types.AttributeValueMemberN{Value: "1.5"},
		} {
			i := detailsItem(e, event.Hash{}, event.Hash{})
			i[name] = value
			if _, err := eventFrom(e.Token, i); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	for _, name := range []string{"name", "createdAt", sortKey} {
		i := rsvpItem(e.Token, event.RSVP{}, time.Time{})
		delete(i, name)
		if _, err := rsvpFrom(i); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("RSVP without %s: %v", name, err)
		}
	}
	var r reader
	r.optionalToken(item{"movedTo": text("there")}, "movedTo")
	if r.err == nil || !strings.Contains(r.err.Error(), "movedTo") {
		t.Errorf("an event that has moved to no token: %v", r.err)
	}
	r = reader{}
	if r.number(item{"n": moment(time.Unix(math.MaxInt64, 0))}, "n"); r.err == nil {
		t.Error("a number beyond all bounds is read")
	}
	if organizedBy(item{"organizerTokenHash": binary(nil)}, event.Hash{}) || organizedBy(item{}, event.Hash{}) {
		t.Error("an event without an organizer is organized")
	}
}
