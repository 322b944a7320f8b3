package dynamo

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// An item is what DynamoDB stores under a key. A withdrawn RSVP and an erased event leave a tombstone, an
// item that has only expiresAt, so that the token stays taken.
//
// createdAt and admitsUntil are nanoseconds since 1970. expiresAt, the TTL attribute, is seconds since
// 1970, rounded up. All items of an event have the same expiresAt, except tombstones and closed gates
// (closedUntil).
type item = map[string]types.AttributeValue

func detailsItem(e event.Event, organizer, cancelKey event.Hash) item {
	i := item{
		"title":              text(e.Title),
		"dateTime":           text(e.DateTime),
		"timezone":           text(e.Timezone),
		"organizerTokenHash": binary(organizer[:]),
		"cancelled":          boolean(e.Cancelled),
		"createdAt":          moment(e.CreatedAt),
		"admitsUntil":        moment(e.ExpiresAt),
		"expiresAt":          ttl(e.ExpiresAt),
	}
	// TTL ignores items that expired more than five years ago. Such an event never admits an RSVP, so
	// the details are its only item.
	if e.ExpiresAt.Before(e.CreatedAt.AddDate(-4, 0, 0)) {
		i["expiresAt"] = ttl(e.CreatedAt)
	}
	setText(i, "description", e.Description)
	setText(i, "endDateTime", e.EndDateTime)
	setText(i, "location", e.Location)
	setText(i, "host", e.Host)
	setText(i, "language", e.Language)
	setText(i, "cancellationReason", e.CancellationReason)
	if e.MovedTo != nil {
		i["movedTo"] = text(e.MovedTo.String())
	}
	if cancelKey != (event.Hash{}) {
		i["cancelKeyHash"] = binary(cancelKey[:])
	}
	maps.Copy(i, detailsKey(e.Token))
	return i
}

// isTombstone reports whether a details item is missing or the tombstone of an erased event.
func isTombstone(details item) bool { return details["title"] == nil }

// tombstone returns the item that stays of a withdrawn RSVP or an erased event.
func tombstone(k key, expiresAt types.AttributeValue) item {
	i := item{"expiresAt": expiresAt}
	maps.Copy(i, k)
	return i
}

func rsvpItem(token event.Token, r event.RSVP, expiresAt time.Time) item {
	i := item{
		"name":      text(r.Name),
		"createdAt": moment(r.CreatedAt),
		"expiresAt": ttl(expiresAt),
	}
	maps.Copy(i, rsvpKey(token, r.ID))
	return i
}

// eventFrom reads a details item.
func eventFrom(token event.Token, details item) (event.Event, error) {
	var r reader
	e := event.Event{
		Token:              token,
		Title:              r.text(details, "title"),
		Description:        optionalText(details, "description"),
		DateTime:           r.text(details, "dateTime"),
		EndDateTime:        optionalText(details, "endDateTime"),
		Timezone:           r.text(details, "timezone"),
		Location:           optionalText(details, "location"),
		Host:               optionalText(details, "host"),
		Language:           optionalText(details, "language"),
		Cancelled:          r.boolean(details, "cancelled"),
		CancellationReason: optionalText(details, "cancellationReason"),
		MovedTo:            r.optionalToken(details, "movedTo"),
		CreatedAt:          r.moment(details, "createdAt"),
		ExpiresAt:          r.moment(details, "admitsUntil"),
	}
	return e, r.err
}

// rsvpFrom reads an RSVP.
func rsvpFrom(i item) (event.RSVP, error) {
	var r reader
	id, err := idFromSort(r.text(i, sortKey))
	rsvp := event.RSVP{ID: id, Name: r.text(i, "name"), CreatedAt: r.moment(i, "createdAt")}
	return rsvp, cmp.Or(r.err, err)
}

// organizedBy reports whether a details item has this organizer.
func organizedBy(details item, organizer event.Hash) bool {
	stored := hashOf(details, "organizerTokenHash")
	return stored != event.Hash{} && organizer.Equal(stored)
}

// cancelKeyOf returns the key with which an event was cancelled, or the zero Hash.
func cancelKeyOf(details item) event.Hash { return hashOf(details, "cancelKeyHash") }

// hashOf returns the zero Hash if the attribute is missing.
func hashOf(i item, name string) (h event.Hash) {
	if stored, ok := i[name].(*types.AttributeValueMemberB); ok && len(stored.Value) == len(h) {
		return event.Hash(stored.Value)
	}
	return h
}

// A reader reads required attributes. err is the first missing or invalid attribute: such an item
// is corrupt.
type reader struct{ err error }

func (r *reader) text(i item, name string) string {
	return required[types.AttributeValueMemberS](r, i, name).Value
}

func (r *reader) boolean(i item, name string) bool {
	return required[types.AttributeValueMemberBOOL](r, i, name).Value
}

func (r *reader) number(i item, name string) int {
	n, err := strconv.Atoi(required[types.AttributeValueMemberN](r, i, name).Value)
	if err != nil {
		r.invalid(name)
	}
	return n
}

func (r *reader) moment(i item, name string) time.Time {
	all, ok := new(big.Int).SetString(required[types.AttributeValueMemberN](r, i, name).Value, 10)
	if !ok {
		r.invalid(name)
		return time.Time{}
	}
	seconds, nanoseconds := all.DivMod(all, nanoPerSecond, new(big.Int))
	return time.Unix(seconds.Int64(), nanoseconds.Int64()).UTC()
}

func (r *reader) invalid(name string) {
	if r.err == nil {
		r.err = fmt.Errorf("item without a valid %s", name)
	}
}

func required[T any, Value interface {
	*T
	types.AttributeValue
}](r *reader, i item, name string) Value {
	v, ok := i[name].(Value)
	if !ok {
		r.invalid(name)
		v = new(T)
	}
	return v
}

func optionalText(i item, name string) *string {
	if v, ok := i[name].(*types.AttributeValueMemberS); ok {
		return &v.Value
	}
	return nil
}

func (r *reader) optionalToken(i item, name string) *event.Token {
	value := optionalText(i, name)
	if value == nil {
		return nil
	}
	token, ok := event.ParseToken(*value)
	if !ok {
		r.invalid(name)
	}
	return &token
}

func setText(i item, name string, value *string) {
	if value != nil {
		i[name] = text(*value)
	}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func binary(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} }

func boolean(b bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: b} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

var nanoPerSecond = big.NewInt(int64(time.Second))

// moment returns the nanoseconds since 1970. They overflow an int64 in 2262, and an event may be as late
// as in 9999.
func moment(t time.Time) types.AttributeValue {
	all := big.NewInt(t.Unix())
	all.Mul(all, nanoPerSecond).Add(all, big.NewInt(int64(t.Nanosecond())))
	return &types.AttributeValueMemberN{Value: all.String()}
}

// ttl rounds up, so TTL never fires early.
func ttl(t time.Time) types.AttributeValue { return number(seconds(t)) }

// seconds returns the seconds since 1970, rounded up.
func seconds(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}
