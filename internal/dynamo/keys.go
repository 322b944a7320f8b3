package dynamo

import (
	"encoding/hex"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// gateCount is the number of gates of an event. A gate admits one guest at a
// time, because DynamoDB rejects the second of two overlapping transactions on
// an item; more gates make a transaction that closes them all, and a read that
// sums them up, dearer.
const gateCount = 8

const (
	partitionKey = "pk"
	sortKey      = "sk"

	detailsSort = "DETAILS"
	gatePrefix  = "GATE#"
	rsvpPrefix  = "RSVP#"
)

type key map[string]types.AttributeValue

func detailsKey(e event.Token) key { return keyOf(e, detailsSort) }

func gateKey(e event.Token, gate int) key { return keyOf(e, gateSort(gate)) }

func rsvpKey(e event.Token, rsvp event.Hash) key {
	return keyOf(e, rsvpPrefix+hex.EncodeToString(rsvp[:]))
}

func keyOf(e event.Token, sort string) key {
	return key{partitionKey: text(partition(e)), sortKey: text(sort)}
}

func partition(e event.Token) string { return "EVENT#" + e.String() }

func gateSort(gate int) string { return gatePrefix + strconv.Itoa(gate) }

// gateOf returns the gate through which an RSVP enters and leaves.
func gateOf(rsvp event.Hash) int { return int(rsvp[0]) % gateCount }
