package dynamo

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
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
	p := &page{after: after, maxBytes: maxBytes, until: latest}
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
	rsvps, more := event.Page(p.rsvps, after, maxBytes)
	return rsvps, more, nil
}

// readRange reads the RSVPs of a key range into a page. The filter keeps
// DynamoDB from sending RSVPs that cannot be on the page.
func (s *Store) readRange(ctx context.Context, token event.Token, r keyRange, p *page) error {
	query := s.rsvpQuery(token, r, perQuery)
	query.FilterExpression = aws.String("createdAt BETWEEN :from AND :until")
	query.ProjectionExpression = aws.String("sk, #name, createdAt")
	query.ExpressionAttributeNames = map[string]string{"#name": "name"} // a reserved word
	query.ExpressionAttributeValues[":from"] = moment(p.after.CreatedAt)
	query.ExpressionAttributeValues[":until"] = latest
	return s.eachPage(ctx, query, func(items []item) (err error) {
		query.ExpressionAttributeValues[":until"], err = p.add(items)
		return err
	})
}

// latest comes after every moment.
var latest types.AttributeValue = &types.AttributeValueMemberN{Value: "9e125"}

// A page collects the RSVPs of a page among all that come after a position, in any order.
type page struct {
	after    event.Position
	maxBytes int

	mu    sync.Mutex
	rsvps []event.RSVP
	kept  int                  // of rsvps, when the others were last dropped
	until types.AttributeValue // the latest createdAt on the page
}

// add adds RSVPs, and returns until.
func (p *page) add(items []item) (until types.AttributeValue, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range items {
		r, err := rsvpFrom(i)
		if err != nil {
			return nil, err
		}
		p.rsvps = append(p.rsvps, r)
	}
	if len(p.rsvps) > 2*p.kept {
		kept, more := event.Page(p.rsvps, p.after, p.maxBytes)
		if more {
			kept = kept[:len(kept)+1] // the next one shows that there are more
			p.until = moment(kept[len(kept)-1].CreatedAt)
		}
		p.rsvps, p.kept = kept, len(kept)
	}
	return p.until, nil
}
