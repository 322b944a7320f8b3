package dynamo

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

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

// hashFromKey reads the hash from the sort key of an RSVP.
func hashFromKey(sort string) (h event.Hash) {
	_, _ = hex.Decode(h[:], []byte(strings.TrimPrefix(sort, rsvpPrefix)))
	return h
}

func keyOf(e event.Token, sort string) key {
	return key{partitionKey: text(partition(e)), sortKey: text(sort)}
}

func partition(e event.Token) string { return "EVENT#" + e.String() }

func gateSort(gate int) string { return gatePrefix + strconv.Itoa(gate) }

// gateOf returns the gate, of so many, through which an RSVP enters and leaves.
func gateOf(rsvp event.Hash, gates int) int { return int(rsvp[0]) % gates }
