package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"turnout/internal/event"
)

// This file is for operators (infra/admin); the service does not use it.

const (
	// segments is how many readers share a table, and so how many events are
	// worked on at once.
	segments = 8

	// writers is how many batches of one event are under way at once. A reader
	// waits for them, so a page for each segment is all that is held.
	writers = 8

	batchSize = 25 // DynamoDB takes no more in one call

	pageLimit = 1000 // items that a call reads

	// No guest waits for these calls, so a call and all its retries may take longer
	// than a request.
	patientAttemptLimit = 30 * time.Second
	patience            = 2 * time.Minute
)

// A Restore says what to copy into the store's table.
type Restore struct {
	From          string       // the table to copy from, in the same account and region; nothing writes to it meanwhile
	Event         *event.Token // nil for all
	WithoutGuests bool         // copies events without their RSVPs
	Now           time.Time    // what has expired by then is not copied
}

// Restored counts what a Restore did with the events that it found, and the
// RSVPs that it copied with them.
type Restored struct{ Events, Present, Expired, Erased, Guests int64 }

// Restore copies events that the table does not hold. One that it holds stays as
// it is, because guests may have come and gone since; so does one that was erased, unless
// it is requested by its token. The details of an event are written last, and without
// them it does not exist: no reader sees a part of an event. Until then its token is
// reserved, so that no client makes it again with what is copied. A Restore that failed
// leaves parts of events and their reservations, which the next one replaces. An event
// that is asked for and not found is ErrEventNotFound.
func (s *Store) Restore(ctx context.Context, r Restore) (Restored, error) {
	var done Restored
	source := s.at(r.From)
	if r.Event != nil {
		details, err := source.item(ctx, detailsKey(*r.Event))
		if err == nil && isTombstone(details) {
			err = event.ErrEventNotFound
		}
		if err == nil {
			err = s.restoreEvent(ctx, source, details, r, &done)
		}
		return done, err
	}
	err := source.eachDetails(ctx, func(ctx context.Context, details item) error {
		return s.restoreEvent(ctx, source, details, r, &done)
	})
	return done, err
}

func (s *Store) restoreEvent(ctx context.Context, source *Store, details item, r Restore, done *Restored) error {
	switch {
	case isReservation(details):
		return nil
	case isTombstone(details):
		atomic.AddInt64(&done.Erased, 1)
		_, err := s.putDetails(ctx, details, "attribute_not_exists(pk)", nil)
		return err
	}
	e, err := eventOf(details)
	if err != nil {
		return err
	}
	if r.Now.After(e.ExpiresAt) {
		atomic.AddInt64(&done.Expired, 1)
		return nil
	}
	present, err := s.item(ctx, detailsKey(e.Token))
	switch {
	case err != nil:
		return err
	case !isTombstone(present):
		atomic.AddInt64(&done.Present, 1)
		return nil
	case isErased(present) && r.Event == nil:
		atomic.AddInt64(&done.Erased, 1)
		return nil
	}
	condition := "attribute_not_exists(pk) OR attribute_exists(reservedFor)"
	if r.Event != nil {
		condition = "attribute_not_exists(title)"
	}
	restore := text(uuid.NewString())
	reservation := item{"reservedFor": restore, "expiresAt": ttl(e.ExpiresAt)}
	maps.Copy(reservation, detailsKey(e.Token))
	reserved, err := s.putDetails(ctx, reservation, condition, nil)
	if err == nil && !reserved {
		atomic.AddInt64(&done.Present, 1)
	}
	if err != nil || !reserved {
		return err
	}
	if _, err := s.deleteItems(ctx, e.Token, rsvpPrefix, gatePrefix); err != nil {
		return err
	}
	counts := make([]gateCounts, s.gates)
	if !r.WithoutGuests {
		if counts, err = source.countRSVPs(ctx, e.Token); err != nil {
			return err
		}
	}
	// The gates come before the RSVPs: a guest may withdraw as soon as the RSVP is there.
	var gates []types.WriteRequest
	guests := int64(0)
	for n, counted := range counts {
		if e.Cancelled || counted != (gateCounts{}) {
			gates = append(gates, types.WriteRequest{PutRequest: &types.PutRequest{Item: gateItem(e, n, counted, r.Now)}})
		}
		guests += counted.admitted
	}
	if err := s.writeBatches(ctx, gates); err != nil {
		return err
	}
	if !r.WithoutGuests {
		if err := s.copyRSVPs(ctx, source, e.Token); err != nil {
			return err
		}
	}
	restored, err := s.putDetails(ctx, details, "reservedFor = :restore", item{":restore": restore})
	if err == nil && !restored {
		if present, err = s.item(ctx, detailsKey(e.Token)); err == nil && isErased(present) { // meanwhile
			atomic.AddInt64(&done.Erased, 1)
			_, err = s.deleteItems(ctx, e.Token, rsvpPrefix)
			return err
		}
		restored = reflect.DeepEqual(present, details) // by an attempt whose response was lost
	}
	switch {
	case err != nil:
		return err
	case restored:
		atomic.AddInt64(&done.Events, 1)
		atomic.AddInt64(&done.Guests, guests)
	default:
		atomic.AddInt64(&done.Present, 1)
	}
	return nil
}

// countRSVPs returns what the gates of an event have to count: those of a table that was
// restored to a moment may differ.
func (s *Store) countRSVPs(ctx context.Context, token event.Token) ([]gateCounts, error) {
	counts := make([]gateCounts, s.gates)
	err := s.eachPage(ctx, token, rsvpPrefix, aws.String("sk, createdAt"), func(_ context.Context, items []item) error {
		for _, i := range items {
			hash, err := hashFromSort(sortOf(i))
			if err != nil {
				return err
			}
			if counted := &counts[gateOf(hash, s.gates)]; i["createdAt"] != nil {
				counted.admitted++
			} else {
				counted.tombstones++
			}
		}
		return nil
	})
	return counts, err
}

// copyRSVPs copies the RSVPs of an event from another table, tombstones included.
func (s *Store) copyRSVPs(ctx context.Context, source *Store, token event.Token) error {
	return source.eachPage(ctx, token, rsvpPrefix, nil, func(ctx context.Context, items []item) error {
		puts := make([]types.WriteRequest, 0, len(items))
		for _, i := range items {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: i}})
		}
		return s.writeBatches(ctx, puts)
	})
}

// putDetails stores a details item, and reports whether its condition held.
func (s *Store) putDetails(ctx context.Context, details item, condition string, values item) (bool, error) {
	_, err := patiently(ctx, s, s.client.PutItem, &dynamodb.PutItemInput{
		TableName:           s.table,
		Item:                details,
		ConditionExpression: &condition, ExpressionAttributeValues: values,
	})
	if _, failed := errors.AsType[*types.ConditionalCheckFailedException](err); failed {
		return false, nil
	}
	return err == nil, err
}

// EmptyEvents calls found with each event that was created before one moment,
// expires after another, and has so many RSVPs at most. Abuse leaves such events, which
// TTL would not remove for years. It is called from one goroutine at a time.
func (s *Store) EmptyEvents(ctx context.Context, createdBefore, expiringAfter time.Time, guests int, found func(event.Event) error) error {
	turn := make(chan struct{}, 1)
	return s.eachDetails(ctx, func(ctx context.Context, details item) error {
		if isTombstone(details) {
			return nil
		}
		e, err := eventOf(details)
		if err != nil || !e.CreatedAt.Before(createdBefore) || !e.ExpiresAt.After(expiringAfter) {
			return err
		}
		timed, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		e, err = s.EventByToken(timed, e.Token)
		if errors.Is(err, event.ErrEventNotFound) {
			return nil
		}
		if err != nil || e.AttendeeCount > guests {
			return err
		}
		turn <- struct{}{}
		defer func() { <-turn }()
		return found(e)
	})
}

// EraseEvent deletes an event and its RSVPs for good. In one transaction, as a cancel, it
// closes the gates and leaves a tombstone of the details, which keeps the token taken;
// then it deletes the RSVPs. It does the same with what a failed Restore or TTL has left,
// for an AddEvent or AddRSVP may be under way. Called again it deletes what an earlier call
// left. It returns how many items it deleted, the details included, or ErrEventNotFound.
func (s *Store) EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error) {
	details, err := s.item(ctx, detailsKey(token))
	if err != nil {
		return 0, err
	}
	erased := 0
	if !isErased(details) {
		if details == nil {
			if any, err := s.holdsAny(ctx, token); err != nil || !any {
				return 0, cmp.Or(err, event.ErrEventNotFound)
			}
		}
		timed, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := s.commitClosing(timed, token, s.erasure(token, details, now)); err != nil {
			return 0, err
		}
		erased++
	}
	deleted, err := s.deleteItems(ctx, token, rsvpPrefix)
	if erased += deleted; err == nil && erased == 0 {
		err = event.ErrEventNotFound
	}
	return erased, err
}

// holdsAny reports whether the table holds any item of an event.
func (s *Store) holdsAny(ctx context.Context, token event.Token) (bool, error) {
	found, err := patiently(ctx, s, s.client.Query, &dynamodb.QueryInput{
		TableName:                 s.table,
		ConsistentRead:            aws.Bool(true),
		KeyConditionExpression:    aws.String("pk = :pk"),
		ExpressionAttributeValues: item{":pk": text(partition(token))},
		Limit:                     aws.Int32(1),
	})
	return err == nil && len(found.Items) > 0, err
}

// erasure makes the details a tombstone that lasts a year at least, and closes the gates
// for as long as an AddRSVP that has read the details may be under way.
func (s *Store) erasure(token event.Token, details item, now time.Time) *transaction {
	var r reader
	expires := max(int64(r.number(details, "expiresAt")), seconds(now.AddDate(1, 0, 0)))
	put := func(i item) write {
		return write{TransactWriteItem: types.TransactWriteItem{Put: &types.Put{TableName: s.table, Item: i}}}
	}
	tombstone := item{"expiresAt": number(expires)}
	maps.Copy(tombstone, detailsKey(token))
	erasure := s.transaction(put(tombstone))
	for n := range s.gates {
		gate := gateItem(event.Event{Token: token, Cancelled: true, ExpiresAt: now}, n, gateCounts{}, now)
		gate["erased"] = boolean(true)
		erasure.writes = append(erasure.writes, put(gate))
	}
	return erasure
}

// deleteItems deletes the items of an event whose sort keys have one of the prefixes, and
// returns their number.
func (s *Store) deleteItems(ctx context.Context, token event.Token, prefixes ...string) (deleted int, err error) {
	for _, prefix := range prefixes {
		err = errors.Join(err, s.eachPage(ctx, token, prefix, aws.String("pk, sk"), func(ctx context.Context, items []item) error {
			deletes := make([]types.WriteRequest, 0, len(items))
			for _, i := range items {
				deletes = append(deletes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{
					Key: key{partitionKey: i[partitionKey], sortKey: i[sortKey]},
				}})
			}
			deleted += len(deletes)
			return s.writeBatches(ctx, deletes)
		}))
	}
	return deleted, err
}

// RSVPsNamed returns the RSVPs of an event with exactly that name. Of a hash only
// what the key holds is there, which is enough for RemoveRSVP.
func (s *Store) RSVPsNamed(ctx context.Context, token event.Token, name string) (found []event.RSVP, err error) {
	err = s.eachPage(ctx, token, rsvpPrefix, nil, func(_ context.Context, items []item) error {
		for _, i := range items {
			if textOf(i, "name") != name {
				continue
			}
			r, err := rsvpFrom(i)
			if err != nil {
				return err
			}
			found = append(found, r)
		}
		return nil
	})
	return found, err
}

// at is the store over another table of the same account and region.
func (s *Store) at(table string) *Store {
	other := *s
	other.table = &table
	return &other
}

// patiently makes a call of DynamoDB, with retries.
func patiently[In, Out any](ctx context.Context, s *Store, operation func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In) (out *Out, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = s.retry(ctx, func() error {
		out, err = attemptWithin(ctx, s, patientAttemptLimit, operation, in)
		return err
	})
	return out, err
}

// item returns an item as it is now, or nil where there is none.
func (s *Store) item(ctx context.Context, k key) (item, error) {
	got, err := patiently(ctx, s, s.client.GetItem, s.getItem(k))
	if err != nil || len(got.Item) == 0 {
		return nil, err
	}
	return got.Item, nil
}

// eachDetails calls do with the details of each event of the table, from several
// goroutines.
func (s *Store) eachDetails(ctx context.Context, do func(ctx context.Context, details item) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for segment := range segments {
		group.Go(func() error {
			scan := &dynamodb.ScanInput{
				TableName:                 s.table,
				ConsistentRead:            aws.Bool(true),
				Segment:                   aws.Int32(int32(segment)),
				TotalSegments:             aws.Int32(segments),
				Limit:                     aws.Int32(pageLimit),
				FilterExpression:          aws.String("sk = :details"),
				ExpressionAttributeValues: item{":details": text(detailsSort)},
			}
			for {
				page, err := patiently(ctx, s, s.client.Scan, scan)
				if err != nil {
					return err
				}
				for _, details := range page.Items {
					if err := do(ctx, details); err != nil {
						return err
					}
				}
				if scan.ExclusiveStartKey = page.LastEvaluatedKey; scan.ExclusiveStartKey == nil {
					return nil
				}
			}
		})
	}
	return group.Wait()
}

// eachPage calls do with the items of one event whose sort keys have a prefix, page by
// page. They have all attributes, or those of a projection.
func (s *Store) eachPage(ctx context.Context, token event.Token, prefix string, projection *string, do func(ctx context.Context, items []item) error) error {
	query := &dynamodb.QueryInput{
		TableName:                 s.table,
		ConsistentRead:            aws.Bool(true),
		KeyConditionExpression:    aws.String("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: item{":pk": text(partition(token)), ":prefix": text(prefix)},
		ProjectionExpression:      projection,
		Limit:                     aws.Int32(pageLimit),
	}
	for {
		page, err := patiently(ctx, s, s.client.Query, query)
		if err != nil {
			return err
		}
		if err := do(ctx, page.Items); err != nil {
			return err
		}
		if query.ExclusiveStartKey = page.LastEvaluatedKey; query.ExclusiveStartKey == nil {
			return nil
		}
	}
}

// writeBatches carries out writes, in no order, and returns when all are done.
func (s *Store) writeBatches(ctx context.Context, writes []types.WriteRequest) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for len(writes) > 0 {
		n := min(batchSize, len(writes))
		batch := writes[:n]
		writes = writes[n:]
		group.Go(func() error { return s.writeBatch(ctx, batch) })
	}
	return group.Wait()
}

// writeBatch repeats the writes that DynamoDB has left undone because it throttles them.
func (s *Store) writeBatch(ctx context.Context, batch []types.WriteRequest) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	left := map[string][]types.WriteRequest{*s.table: batch}
	return s.retry(ctx, func() error {
		out, err := attemptWithin(ctx, s, patientAttemptLimit, s.client.BatchWriteItem, &dynamodb.BatchWriteItemInput{RequestItems: left})
		if err != nil {
			return err
		}
		if left = out.UnprocessedItems; len(left) > 0 {
			return errThrottled
		}
		return nil
	})
}

func sortOf(i item) string { return textOf(i, sortKey) }

func textOf(i item, name string) string {
	value, _ := i[name].(*types.AttributeValueMemberS)
	if value == nil {
		return ""
	}
	return value.Value
}

// eventOf returns the event of a details item.
func eventOf(details item) (event.Event, error) {
	partition := textOf(details, partitionKey)
	token, ok := event.ParseToken(strings.TrimPrefix(partition, "EVENT#"))
	if !ok {
		return event.Event{}, fmt.Errorf("no token in the key %q", partition)
	}
	return eventFrom(token, details)
}
