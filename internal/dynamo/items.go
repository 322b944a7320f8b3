package dynamo

import (
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// An item as DynamoDB has it. What each kind of item holds:
//
//	details  title, description?, dateTime, timezone, location?, organizerTokenHash,
//	         cancelled, cancellationReason?, cancelling?, createdAt,
//	         expiresAt, expiresNanoseconds
//	gate     closed, admitted, expiresAt
//	RSVP     name, createdAt, expiresAt
//
// createdAt and cancelling are nanoseconds, expiresAt is seconds since 1970,
// expiresNanoseconds what is to be added to it:
// expiresAt is the attribute of the table's TTL, the same on all items of an event.
type item = map[string]types.AttributeValue

func detailsItem(e event.Event, organizer event.Hash) item {
	i := item{
		"title":              text(e.Title),
		"dateTime":           text(e.DateTime),
		"timezone":           text(e.Timezone),
		"organizerTokenHash": binary(organizer[:]),
		"cancelled":          boolean(false),
		"createdAt":          number(e.CreatedAt.UnixNano()),
		"expiresAt":          number(ttl(e.ExpiresAt)),
		"expiresNanoseconds": number(int64(e.ExpiresAt.Sub(time.Unix(ttl(e.ExpiresAt), 0)))),
	}
	setText(i, "description", e.Description)
	setText(i, "location", e.Location)
	maps.Copy(i, detailsKey(e.Token))
	return i
}

func gateItem(e event.Event, gate int) item {
	i := item{
		"closed":    boolean(false),
		"admitted":  number(0),
		"expiresAt": number(ttl(e.ExpiresAt)),
	}
	maps.Copy(i, gateKey(e.Token, gate))
	return i
}

func rsvpItem(token event.Token, r event.RSVP, expiresAt time.Time) item {
	i := item{
		"name":      text(r.Name),
		"createdAt": number(r.CreatedAt.UnixNano()),
		"expiresAt": number(ttl(expiresAt)),
	}
	maps.Copy(i, rsvpKey(token, r.Hash))
	return i
}

// ttl is a moment for the table's TTL: whole seconds since 1970, rounded up.
func ttl(at time.Time) int64 {
	if at.Nanosecond() > 0 {
		return at.Unix() + 1
	}
	return at.Unix()
}

// eventFrom reads a details item.
func eventFrom(token event.Token, details item) (event.Event, error) {
	var r reader
	e := event.Event{
		Token:              token,
		Title:              r.text(details, "title"),
		Description:        optionalText(details, "description"),
		DateTime:           r.text(details, "dateTime"),
		Timezone:           r.text(details, "timezone"),
		Location:           optionalText(details, "location"),
		Cancelled:          r.boolean(details, "cancelled"),
		CancellationReason: optionalText(details, "cancellationReason"),
		CreatedAt:          time.Unix(0, r.number(details, "createdAt")).UTC(),
		ExpiresAt:          time.Unix(r.number(details, "expiresAt"), r.number(details, "expiresNanoseconds")).UTC(),
	}
	return e, r.err
}

// organizedBy reports whether a details item is that of this organizer's event.
func organizedBy(details item, organizer event.Hash) bool {
	stored, _ := details["organizerTokenHash"].(*types.AttributeValueMemberB)
	return stored != nil && len(stored.Value) == len(organizer) && organizer.Equal(event.Hash(stored.Value))
}

// reader reads attributes that every item of its kind has. An item without one
// was not written by this package: the first of them is kept as err.
type reader struct{ err error }

func (r *reader) text(i item, name string) string {
	return required[types.AttributeValueMemberS](r, i, name).Value
}

func (r *reader) boolean(i item, name string) bool {
	return required[types.AttributeValueMemberBOOL](r, i, name).Value
}

func (r *reader) number(i item, name string) int64 {
	n, err := strconv.ParseInt(required[types.AttributeValueMemberN](r, i, name).Value, 10, 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", name, err)
	}
	return n
}

func required[T any, Value interface {
	*T
	types.AttributeValue
}](r *reader, i item, name string) Value {
	v, ok := i[name].(Value)
	if !ok {
		v = new(T)
		if r.err == nil {
			r.err = fmt.Errorf("item without a valid %s", name)
		}
	}
	return v
}

func optionalText(i item, name string) *string {
	if v, ok := i[name].(*types.AttributeValueMemberS); ok {
		return &v.Value
	}
	return nil
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
