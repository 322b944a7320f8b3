package dynamo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
	"turnout/internal/portable"
)

// This file is for operators (infra/admin); the service does not use it.

var _ portable.Store = (*Store)(nil)

// EachToken implements portable.Store, in no order.
func (s *Store) EachToken(ctx context.Context, do func(event.Token) error) error {
	scan := &dynamodb.ScanInput{
		TableName:                 s.table,
		ConsistentRead:            aws.Bool(true),
		Limit:                     aws.Int32(perQuery),
		ProjectionExpression:      aws.String("pk"),
		FilterExpression:          aws.String("sk = :details"),
		ExpressionAttributeValues: item{":details": text(detailsSort)},
	}
	for {
		page, err := call(ctx, s, s.client.Scan, scan)
		if err != nil {
			return err
		}
		for _, i := range page.Items {
			var r reader
			token, ok := event.ParseToken(strings.TrimPrefix(r.text(i, partitionKey), partitionPrefix))
			if !ok {
				return errors.New("an item has a partition key that is not an event's")
			}
			if err := do(token); err != nil {
				return err
			}
		}
		if scan.ExclusiveStartKey = page.LastEvaluatedKey; scan.ExclusiveStartKey == nil {
			return nil
		}
	}
}

// Record implements portable.Store.
func (s *Store) Record(ctx context.Context, token event.Token) (r portable.Record, err error) {
	err = s.eachPage(ctx, s.eventQuery(token, perQuery), func(items []item) error {
		for _, i := range items {
			known, err := readInto(&r, token, i)
			if err != nil {
				return err
			}
			for name := range i {
				if known[name] == nil {
					return fmt.Errorf("an item has an attribute %q, which this version of the program does not know", name)
				}
			}
		}
		return nil
	})
	if err == nil && r.Token != token { // nothing, or what TTL has left
		err = event.ErrEventNotFound
	}
	slices.SortFunc(r.RSVPs, func(a, b event.RSVP) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	return r, err
}

// readInto reads an item into a record, and returns it with the attributes that this package writes.
func readInto(r *portable.Record, token event.Token, i item) (known item, err error) {
	switch sort := sortOf(i); {
	case sort == detailsSort && isTombstone(i):
		var n reader
		r.Token, r.Erased, r.ExpiresAt = token, true, time.Unix(int64(n.number(i, "expiresAt")), 0).UTC()
		return tombstone(detailsKey(token), i["expiresAt"]), n.err
	case sort == detailsSort:
		delete(i, "cancelling") // nothing is under way
		r.Event, err = eventFrom(token, i)
		r.Organizer, r.CancelKey = hashOf(i, "organizerTokenHash"), cancelKeyOf(i)
		return portableDetails(*r), err
	case strings.HasPrefix(sort, gatePrefix):
		return gateItem(*r, 0, 0, 0), nil
	case strings.HasPrefix(sort, rsvpPrefix):
		rsvp := event.RSVP{}
		if i["name"] != nil {
			rsvp, err = rsvpFrom(i)
		} else {
			rsvp.Hash, err = hashFromSort(sort)
		}
		r.RSVPs = append(r.RSVPs, rsvp)
		return portableRSVP(*r, rsvp), err
	}
	return nil, errors.New("an item has a sort key that this version of the program does not know")
}

// AddRecord implements portable.Store. The event appears with its details, which come last. What an
// interrupted import has left is replaced.
func (s *Store) AddRecord(ctx context.Context, r portable.Record) error {
	left := make(map[string]key)
	query := s.eventQuery(r.Token, perQuery)
	query.ProjectionExpression = aws.String("pk, sk")
	err := s.eachPage(ctx, query, func(items []item) error {
		for _, i := range items {
			left[sortOf(i)] = i
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case left[detailsSort] != nil:
		return event.ErrTokenTaken
	}
	var writes []types.WriteRequest
	put := func(i item) {
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: i}})
		delete(left, sortOf(i))
	}
	details := tombstone(detailsKey(r.Token), ttl(r.ExpiresAt))
	if !r.Erased {
		details = portableDetails(r)
		admitted, tombstones := make([]int64, s.gates), make([]int64, s.gates)
		for _, rsvp := range r.RSVPs {
			put(portableRSVP(r, rsvp))
			if rsvp.Name == "" {
				tombstones[gateOf(rsvp.Hash, s.gates)]++
			} else {
				admitted[gateOf(rsvp.Hash, s.gates)]++
			}
		}
		for gate := range s.gates {
			if admitted[gate]+tombstones[gate] > 0 {
				put(gateItem(r, gate, admitted[gate], tombstones[gate]))
			}
		}
	}
	for _, k := range left {
		writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: k}})
	}
	for batch := range slices.Chunk(writes, batchSize) {
		if err := s.writeBatch(ctx, batch); err != nil {
			return err
		}
	}
	_, err = call(ctx, s, s.client.PutItem, &dynamodb.PutItemInput{
		TableName:           s.table,
		Item:                details,
		ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	if _, exists := errors.AsType[*types.ConditionalCheckFailedException](err); exists {
		return event.ErrTokenTaken
	}
	return err
}

func portableDetails(r portable.Record) item {
	i := detailsItem(r.Event, r.Organizer)
	if r.CancelKey != (event.Hash{}) {
		i["cancelKeyHash"] = binary(r.CancelKey[:])
	}
	return i
}

func portableRSVP(r portable.Record, rsvp event.RSVP) item {
	if rsvp.Name == "" {
		return tombstone(rsvpKey(r.Token, rsvp.Hash), ttl(r.ExpiresAt))
	}
	return rsvpItem(r.Token, rsvp, r.ExpiresAt)
}

// gateItem is a gate with its counts.
func gateItem(r portable.Record, gate int, admitted, tombstones int64) item {
	i := item{
		"closed":      boolean(r.Cancelled),
		"admitted":    number(admitted),
		"tombstones":  number(tombstones),
		"admitsUntil": moment(r.ExpiresAt),
		"expiresAt":   ttl(r.ExpiresAt),
	}
	maps.Copy(i, gateKey(r.Token, gate))
	return i
}
