package explore

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A table is a DynamoDB table as a value: a call returns another table and leaves the
// old table as it is, so a search can keep many tables.
type table struct {
	rows     []*row     // the rows in the order of their keys
	executed []*request // the transactions whose client request tokens are known
}

// A row is an item with its key and its hash. A row never changes.
type row struct {
	pk, sk  string
	item    item
	hash    uint64
	expires int64
}

// An answer is the result of a call. Equal answers have equal hashes.
type answer struct {
	out  any
	err  error
	hash uint64
}

func compareKeys(a *row, pk, sk string) int {
	return cmp.Or(strings.Compare(a.pk, pk), strings.Compare(a.sk, sk))
}

func (t table) find(pk, sk string) (at int, found bool) {
	return slices.BinarySearchFunc(t.rows, sk, func(r *row, sk string) int { return compareKeys(r, pk, sk) })
}

// noRow stands for a missing item.
var noRow = &row{}

func (t table) row(pk, sk string) *row {
	for _, r := range t.rows { // a table has few rows
		if r.sk == sk && r.pk == pk {
			return r
		}
	}
	return noRow
}

// with returns the table with another item, or without an item, at a key.
func (t table) with(pk, sk string, next *row) table {
	at, found := t.find(pk, sk)
	rows := make([]*row, 0, len(t.rows)+1)
	rows = append(rows, t.rows[:at]...)
	if next != nil {
		rows = append(rows, next)
	}
	if found {
		at++
	}
	t.rows = append(rows, t.rows[at:]...)
	return t
}

func keyOf(i item) (pk, sk string) { return stringOf(i["pk"]), stringOf(i["sk"]) }

func newKey(pk, sk string) item {
	return item{"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberS{Value: sk}}
}

func newRow(i item) *row {
	pk, sk := keyOf(i)
	return &row{pk, sk, i, hashOf(i), int64(number(i["expiresAt"]))}
}

// A request is a call of the SDK, with the items that it writes.
type request struct {
	input  any
	writes []write
	token  string   // the client request token of a transaction
	stale  bool     // whether a read may miss the last writes
	ranged []string // the keys in the range of a Query
}

// A write is the write of one item.
type write struct {
	kind              string // the name of the write's type in the SDK
	put, where        item   // the item of a put, or the key of another write
	update, condition *string
	names             map[string]string
	values            item
	returnsIfFailed   types.ReturnValuesOnConditionCheckFailure
}

// newWrite reads the fields common to the SDK's write types.
func newWrite(from any) (w write) {
	fields := reflect.ValueOf(from).Elem()
	w.kind = fields.Type().Name()
	for name, to := range map[string]any{
		"Item": &w.put, "Key": &w.where, "UpdateExpression": &w.update, "ConditionExpression": &w.condition,
		"ExpressionAttributeNames": &w.names, "ExpressionAttributeValues": &w.values,
		"ReturnValuesOnConditionCheckFailure": &w.returnsIfFailed,
	} {
		if field := fields.FieldByName(name); field.IsValid() {
			reflect.ValueOf(to).Elem().Set(field)
		}
	}
	return w
}

func newRequest(input any) *request {
	r := &request{input: input}
	add := func(from any) { r.writes = append(r.writes, newWrite(from)) }
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		r.stale = !aws.ToBool(in.ConsistentRead)
	case *dynamodb.QueryInput:
		r.stale = !aws.ToBool(in.ConsistentRead)
		for _, sk := range keys {
			e := environment{newKey(partition, sk), in.ExpressionAttributeNames, in.ExpressionAttributeValues}
			if holds(in.KeyConditionExpression, e) {
				r.ranged = append(r.ranged, sk)
			}
		}
	case *dynamodb.PutItemInput, *dynamodb.UpdateItemInput, *dynamodb.DeleteItemInput:
		add(in)
	case *dynamodb.BatchWriteItemInput:
		for _, requests := range in.RequestItems {
			for _, each := range requests {
				if each.PutRequest != nil {
					add(each.PutRequest)
				} else {
					add(each.DeleteRequest)
				}
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		r.token = aws.ToString(in.ClientRequestToken)
		for _, each := range in.TransactItems {
			if each.Put != nil {
				add(each.Put)
			} else {
				add(each.Update)
			}
		}
	default:
		panic(fmt.Sprintf("%T is not known to the table", input))
	}
	return r
}

func (w write) key() (pk, sk string) {
	if w.put != nil {
		return keyOf(w.put)
	}
	return keyOf(w.where)
}

// apply returns the table after a write, or false if the condition of the write fails. Then old
// is the item that the write returns.
func (t table) apply(w write) (next table, old *row, ok bool) {
	pk, sk := w.key()
	was := t.row(pk, sk)
	e := environment{was.item, w.names, w.values}
	if !holds(w.condition, e) {
		if w.returnsIfFailed != types.ReturnValuesOnConditionCheckFailureAllOld {
			was = noRow
		}
		return t, was, false
	}
	switch {
	case w.put != nil:
		t = t.with(pk, sk, newRow(w.put))
	case w.update != nil:
		if was == noRow {
			e.item = w.where
		}
		t = t.with(pk, sk, newRow(changed(*w.update, e)))
	case was != noRow: // the write is a delete
		t = t.with(pk, sk, nil)
	}
	return t, noRow, true
}

// do carries out a call of the SDK.
func (t table) do(r *request) (table, answer) {
	switch in := r.input.(type) {
	case *dynamodb.GetItemInput:
		found := t.row(keyOf(in.Key))
		return t, answer{out: &dynamodb.GetItemOutput{Item: found.item}, hash: mix(1, found.hash)}
	case *dynamodb.QueryInput:
		return t, t.query(in)
	case *dynamodb.BatchWriteItemInput:
		for _, w := range r.writes {
			t, _, _ = t.apply(w)
		}
		out := &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{}}
		return t, answer{out: out, hash: 2}
	case *dynamodb.TransactWriteItemsInput:
		return t.transact(r)
	}
	next, old, ok := t.apply(r.writes[0])
	if !ok {
		return t, answer{err: &types.ConditionalCheckFailedException{Item: old.item}, hash: mix(3, old.hash)}
	}
	a := answer{out: &dynamodb.PutItemOutput{}, hash: 4}
	switch r.input.(type) {
	case *dynamodb.UpdateItemInput:
		a.out = &dynamodb.UpdateItemOutput{}
	case *dynamodb.DeleteItemInput:
		a.out = &dynamodb.DeleteItemOutput{}
	}
	return next, a
}

// transact carries out a transaction as a whole. If the table knows the token of the transaction, nothing
// changes.
func (t table) transact(r *request) (table, answer) {
	done := answer{out: &dynamodb.TransactWriteItemsOutput{}, hash: 5}
	for _, e := range t.executed {
		if e.token == r.token {
			if e != r && !reflect.DeepEqual(e.writes, r.writes) {
				return t, answer{err: &types.IdempotentParameterMismatchException{}, hash: 6}
			}
			return t, done
		}
	}
	next, failed := t, false
	reasons, hash := make([]types.CancellationReason, len(r.writes)), uint64(7)
	for i, w := range r.writes {
		changed, old, ok := next.apply(w)
		next, reasons[i].Code = changed, aws.String("None")
		if !ok {
			failed = true
			reasons[i] = types.CancellationReason{Code: aws.String("ConditionalCheckFailed"), Item: old.item}
			hash = mix(mix(hash, uint64(i)), old.hash)
		}
	}
	if failed {
		return t, answer{err: &types.TransactionCanceledException{CancellationReasons: reasons}, hash: hash}
	}
	if r.token != "" {
		next.executed = append(slices.Clip(t.executed), r)
	}
	return next, done
}

// query returns a page of the items of a partition. Pages do not end at 1 MB.
func (t table) query(in *dynamodb.QueryInput) answer {
	out, hash := &dynamodb.QueryOutput{Items: []item{}}, uint64(8)
	read := 0
	startPK, startSK := keyOf(in.ExclusiveStartKey)
	from, _ := t.find(startPK, startSK)
	for _, r := range t.rows[from:] {
		e := environment{r.item, in.ExpressionAttributeNames, in.ExpressionAttributeValues}
		earlier := in.ExclusiveStartKey != nil && compareKeys(r, startPK, startSK) <= 0
		if earlier || !holds(in.KeyConditionExpression, e) {
			continue
		}
		read++
		if holds(in.FilterExpression, e) {
			out.Items = append(out.Items, projected(in.ProjectionExpression, e))
			hash = mix(hash, r.hash)
		}
		if in.Limit != nil && read == int(*in.Limit) {
			out.LastEvaluatedKey = item{"pk": r.item["pk"], "sk": r.item["sk"]}
			break
		}
	}
	out.Count, out.ScannedCount = int32(len(out.Items)), int32(read)
	return answer{out: out, hash: hash}
}

var seed = maphash.MakeSeed()

// mix combines hashes; their order matters.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return x ^ x>>32
}

func hashString(s string) uint64 { return maphash.String(seed, s) }

func hashOf(i item) (hash uint64) {
	for name, value := range i {
		hash += mix(hashString(name), maphash.Comparable(seed, content(value)))
	}
	return hash
}
