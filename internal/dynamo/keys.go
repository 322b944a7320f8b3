package dynamo

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

const (
	partitionKey = "pk"
	sortKey      = "sk"

	partitionPrefix = "EVENT#"

	detailsSort = "DETAILS"
	gatePrefix  = "GATE#"
	rsvpPrefix  = "RSVP#"
)

type key map[string]types.AttributeValue

func detailsKey(e event.Token) key { return keyOf(e, detailsSort) }

func gateKey(e event.Token, gate int) key { return keyOf(e, gatePrefix+strconv.Itoa(gate)) }

func rsvpKey(e event.Token, rsvp event.RSVPID) key { return keyOf(e, rsvpSort(rsvp)) }

func keyOf(e event.Token, sort string) key {
	return key{partitionKey: text(partition(e)), sortKey: text(sort)}
}

func partition(e event.Token) string { return partitionPrefix + e.String() }

// rsvpSort encodes the id in base64url: 22 characters make an RSVP smaller than 32 in hexadecimal.
func rsvpSort(rsvp event.RSVPID) string {
	return rsvpPrefix + base64.RawURLEncoding.EncodeToString(rsvp[:])
}

// idFromSort returns the id in the sort key of an RSVP.
func idFromSort(sort string) (id event.RSVPID, err error) {
	spelled := strings.TrimPrefix(sort, rsvpPrefix)
	if base64.RawURLEncoding.DecodedLen(len(spelled)) != len(id) {
		return id, fmt.Errorf("sort key of an RSVP with an id of %d characters", len(spelled))
	}
	_, err = base64.RawURLEncoding.Decode(id[:], []byte(spelled))
	return id, err
}

// gateOf returns the number of the gate that counts an RSVP.
func gateOf(rsvp event.RSVPID, gates int) int { return int(rsvp[0]) % gates }

// digits are the digits of base64url in byte order, which is the order of keys.
const digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

// A keyRange is a range of sort keys, both ends included.
type keyRange struct{ first, last string }

// rsvpRanges divides the keys of an event's RSVPs into n ranges of the same size.
// n is a power of two of at most 64.
func rsvpRanges(n int) []keyRange {
	ranges := make([]keyRange, n)
	width := len(digits) / n
	for i := range ranges {
		first, last := digits[i*width], digits[(i+1)*width-1]
		ranges[i] = keyRange{rsvpPrefix + string(first), rsvpPrefix + string(last) + "~"} // ~ comes after all digits
	}
	return ranges
}
