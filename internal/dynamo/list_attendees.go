package dynamo

import (
	"container/heap"
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

const (
	// perQuery bounds the RSVPs of one Query, so that each is short: the next of its range
	// must wait for it.
	perQuery = 1000

	maxRanges = 16
)

// AttendeesByEvent implements event.Store.
//
// Keys are ordered by hash, so each page is selected from all RSVPs. They are read in parallel
// key ranges, more for more items, and only those that fit into the page are kept. The filter
// leaves out tombstones, which have no createdAt.
func (s *Store) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) ([]event.RSVP, bool, error) {
	_, details, stored, err := s.eventWithCount(ctx, token)
	switch {
	case err != nil:
		return nil, false, err
	case !organizedBy(details, organizer):
		return nil, false, event.ErrOrganizerToken
	}
	ranges := 1
	for ranges < maxRanges && ranges*perQuery < stored {
		ranges *= 2
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &page{after: after, maxBytes: maxBytes}
	var others sync.WaitGroup
	var failed sync.Once
	read := func(r keyRange) {
		if e := s.readRange(ctx, token, r, p); e != nil {
			failed.Do(func() { err = e })
			cancel()
		}
	}
	all := rsvpRanges(ranges)
	for _, r := range all[1:] {
		others.Go(func() { read(r) })
	}
	read(all[0])
	others.Wait()
	if err != nil {
		return nil, false, err
	}
	rsvps, more := event.Page(p.kept, after, maxBytes)
	return rsvps, more || p.dropped, nil
}

// readRange reads the RSVPs of a key range into a page. The filter keeps
// DynamoDB from sending RSVPs that cannot be on the page.
func (s *Store) readRange(ctx context.Context, token event.Token, r keyRange, p *page) error {
	var next key
	for {
		from, until := p.bounds()
		out, err := call(ctx, s, s.client.Query, &dynamodb.QueryInput{
			TableName:                s.table,
			ConsistentRead:           aws.Bool(true),
			KeyConditionExpression:   aws.String("pk = :pk AND sk BETWEEN :first AND :last"),
			FilterExpression:         aws.String("createdAt BETWEEN :from AND :until"),
			ProjectionExpression:     aws.String("sk, #name, createdAt"),
			ExpressionAttributeNames: map[string]string{"#name": "name"}, // a reserved word
			ExpressionAttributeValues: item{
				":pk":    text(partition(token)),
				":first": text(r.first),
				":last":  text(r.last),
				":from":  from,
				":until": until,
			},
			Limit:             aws.Int32(perQuery),
			ExclusiveStartKey: next,
		})
		if err != nil {
			return err
		}
		if err := p.add(out.Items); err != nil || out.LastEvaluatedKey == nil {
			return err
		}
		next = out.LastEvaluatedKey
	}
}

// A page keeps the first RSVPs after a position, as many as fit into maxBytes. They are added
// in any order.
type page struct {
	after    event.Position
	maxBytes int

	mu      sync.Mutex
	kept    []event.RSVP // a heap, the last position first
	size    int          // of the names, in bytes
	dropped bool         // an RSVP after all that are kept
}

// bounds are the earliest and latest moment of an RSVP on the page.
func (p *page) bounds() (from, until types.AttributeValue) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dropped {
		return moment(p.after.CreatedAt), latest
	}
	return moment(p.after.CreatedAt), moment(p.kept[0].CreatedAt)
}

// latest comes after every moment.
var latest = &types.AttributeValueMemberN{Value: "9e125"}

func (p *page) add(items []map[string]types.AttributeValue) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range items {
		r, err := rsvpFrom(i)
		if err != nil {
			return err
		}
		if p.after != (event.Position{}) && r.Position().Compare(p.after) <= 0 {
			continue
		}
		heap.Push(p, r)
		p.size += len(r.Name)
		// The last is dropped if those before it fill the page.
		for len(p.kept) > 1 && p.size-len(p.kept[0].Name) > p.maxBytes {
			p.size -= len(heap.Pop(p).(event.RSVP).Name)
			p.dropped = true
		}
	}
	return nil
}

// The methods of heap.Interface.

func (p *page) Len() int { return len(p.kept) }

func (p *page) Less(i, j int) bool { return p.kept[i].Position().Compare(p.kept[j].Position()) > 0 }

func (p *page) Swap(i, j int) { p.kept[i], p.kept[j] = p.kept[j], p.kept[i] }

func (p *page) Push(r any) { p.kept = append(p.kept, r.(event.RSVP)) }

func (p *page) Pop() any {
	last := p.kept[len(p.kept)-1]
	p.kept = p.kept[:len(p.kept)-1]
	return last
}
