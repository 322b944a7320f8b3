package dynamo

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// This file is for operators (infra/turnout); the service does not use it.

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
		if page.LastEvaluatedKey == nil {
			return nil
		}
		scan.ExclusiveStartKey = page.LastEvaluatedKey
	}
}

// Record implements portable.Store.
func (s *Store) Record(ctx context.Context, token event.Token) (r event.Record, err error) {
	err = s.eachPage(ctx, s.eventQuery(token, perQuery), func(items []item) error {
		for _, i := range items {
			if err := readInto(&r, token, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && r.Token != token { // there is no item, or only items that TTL has left
		err = event.ErrEventNotFound
	}
	slices.SortFunc(r.RSVPs, func(a, b event.RSVP) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return r, err
}

// readInto adds an item to a record.
func readInto(r *event.Record, token event.Token, i item) (err error) {
	sort := sortOf(i)
	switch {
	case sort == detailsSort && isTombstone(i):
		var n reader
		r.Token, r.Erased = token, true
		r.ExpiresAt = event.ErasedUntil(time.Unix(int64(n.number(i, "expiresAt")), 0).UTC())
		return n.err
	case sort == detailsSort:
		r.Event, err = eventFrom(token, i)
		r.Organizer, r.CancelKey = hashOf(i, "organizerTokenHash"), cancelKeyOf(i)
	case strings.HasPrefix(sort, rsvpPrefix):
		var rsvp event.RSVP
		if i["name"] != nil {
			rsvp, err = rsvpFrom(i)
		} else {
			rsvp.ID, err = idFromSort(sort)
		}
		r.RSVPs = append(r.RSVPs, rsvp)
	}
	return err
}

// AddRecord implements portable.Store. The event appears with its details, which AddRecord writes last. It
// replaces the items that an interrupted import has left.
func (s *Store) AddRecord(ctx context.Context, r event.Record) error {
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
	for _, i := range append(rsvpItems(r), s.gateItems(r)...) {
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: i}})
		delete(left, sortOf(i))
	}
	for _, k := range left {
		writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: k}})
	}
	for batch := range slices.Chunk(writes, batchSize) {
		if err := s.writeBatch(ctx, batch); err != nil {
			return err
		}
	}
	details := tombstone(detailsKey(r.Token), ttl(r.ExpiresAt))
	if !r.Erased {
		details = detailsItem(r.Event, r.Organizer, r.CancelKey)
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

// rsvpItems returns an item for each RSVP of an event, withdrawn ones included.
func rsvpItems(r event.Record) (items []item) {
	for _, rsvp := range r.RSVPs {
		if rsvp.Name == "" {
			items = append(items, tombstone(rsvpKey(r.Token, rsvp.ID), ttl(r.ExpiresAt)))
		} else {
			items = append(items, rsvpItem(r.Token, rsvp, r.ExpiresAt))
		}
	}
	return items
}

// gateItems returns the gates that count the RSVPs of an event.
func (s *Store) gateItems(r event.Record) (items []item) {
	gates := make([]struct{ admitted, tombstones int64 }, s.gates)
	for _, rsvp := range r.RSVPs {
		gate := &gates[gateOf(rsvp.ID, s.gates)]
		if rsvp.Name == "" {
			gate.tombstones++
		} else {
			gate.admitted++
		}
	}
	for n, gate := range gates {
		if gate.admitted+gate.tombstones == 0 {
			continue
		}
		i := item{
			"closed":      boolean(r.Cancelled),
			"admitted":    number(gate.admitted),
			"tombstones":  number(gate.tombstones),
			"admitsUntil": moment(r.ExpiresAt),
			"expiresAt":   ttl(r.ExpiresAt),
		}
		maps.Copy(i, gateKey(r.Token, n))
		items = append(items, i)
	}
	return items
}
