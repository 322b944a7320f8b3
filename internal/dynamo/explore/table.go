package explore

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A table is a DynamoDB table as a value: a call returns another one and leaves the
// old one as it is, so a search keeps as many as it likes.
type table struct {
	rows     []*row // in the order of their keys
	executed []execution
}

// A row is an item with its key and its hash. It is never changed.
type row struct {
	pk, sk string
	item   item
	hash   uint64
}

// An execution is a transaction that was carried out, for as long as its client request
// token is known.
type execution struct {
	token string
	input *dynamodb.TransactWriteItemsInput
}

// An answer is what a call returns. Equal answers have equal hashes.
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

// row returns nil where there is no item.
func (t table) row(pk, sk string) *row {
	if at, ok := t.find(pk, sk); ok {
		return t.rows[at]
	}
	return nil
}

// with is the table with another item at a key, or with none.
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

func keyOf(i item) (pk, sk string) { return text(i["pk"]), text(i["sk"]) }

func text(v types.AttributeValue) string {
	s, _ := v.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

func newRow(i item) *row {
	pk, sk := keyOf(i)
	return &row{pk, sk, i, hashOf(i)}
}

// hash is that of an item or of none.
func (r *row) sum() uint64 {
	if r == nil {
		return 0
	}
	return r.hash
}

// A write is one item that is to be written.
type write struct {
	put, where        item // one of them: the item, or its key
	update, condition *string
	names             map[string]string
	values            item
	returnsOld        bool // if the condition fails
}

func writeOf(w types.TransactWriteItem) write {
	const allOld = types.ReturnValuesOnConditionCheckFailureAllOld
	switch {
	case w.Put != nil:
		return write{w.Put.Item, nil, nil, w.Put.ConditionExpression, w.Put.ExpressionAttributeNames,
			w.Put.ExpressionAttributeValues, w.Put.ReturnValuesOnConditionCheckFailure == allOld}
	case w.Update != nil:
		return write{nil, w.Update.Key, w.Update.UpdateExpression, w.Update.ConditionExpression, w.Update.ExpressionAttributeNames,
			w.Update.ExpressionAttributeValues, w.Update.ReturnValuesOnConditionCheckFailure == allOld}
	case w.Delete != nil:
		return write{nil, w.Delete.Key, nil, w.Delete.ConditionExpression, w.Delete.ExpressionAttributeNames,
			w.Delete.ExpressionAttributeValues, w.Delete.ReturnValuesOnConditionCheckFailure == allOld}
	}
	panic("a condition check is not known to the table")
}

func (w write) key() (pk, sk string) {
	if w.put != nil {
		return keyOf(w.put)
	}
	return keyOf(w.where)
}

// apply returns the table after a write, or false if its condition does not hold.
func (t table) apply(w write) (next table, old *row, ok bool) {
	pk, sk := w.key()
	old = t.row(pk, sk)
	e := environment{names: w.names, values: w.values}
	if old != nil {
		e.item = old.item
	}
	if !holds(w.condition, e) {
		return t, old, false
	}
	switch {
	case w.put != nil:
		return t.with(pk, sk, newRow(w.put)), old, true
	case w.update == nil: // a delete
		if old == nil {
			return t, old, true
		}
		return t.with(pk, sk, nil), old, true
	}
	base := maps.Clone(e.item)
	if base == nil {
		base = maps.Clone(w.where)
	}
	return t.with(pk, sk, newRow(changed(*w.update, e, base))), old, true
}

// do carries out a call of the SDK at one moment.
func (t table) do(input any) (table, answer) {
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		found := t.row(keyOf(in.Key))
		out := &dynamodb.GetItemOutput{}
		if found != nil {
			out.Item = found.item
		}
		return t, answer{out: out, hash: mix(1, found.sum())}
	case *dynamodb.QueryInput:
		return t, t.query(in)
	case *dynamodb.PutItemInput:
		w := types.TransactWriteItem{Put: &types.Put{Item: in.Item, ConditionExpression: in.ConditionExpression,
			ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: in.ReturnValuesOnConditionCheckFailure}}
		return t.one(w, in.ReturnValues, func(old item) any { return &dynamodb.PutItemOutput{Attributes: old} })
	case *dynamodb.UpdateItemInput:
		w := types.TransactWriteItem{Update: &types.Update{Key: in.Key, UpdateExpression: in.UpdateExpression, ConditionExpression: in.ConditionExpression,
			ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: in.ReturnValuesOnConditionCheckFailure}}
		return t.one(w, in.ReturnValues, func(old item) any { return &dynamodb.UpdateItemOutput{Attributes: old} })
	case *dynamodb.DeleteItemInput:
		w := types.TransactWriteItem{Delete: &types.Delete{Key: in.Key, ConditionExpression: in.ConditionExpression,
			ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: in.ReturnValuesOnConditionCheckFailure}}
		return t.one(w, in.ReturnValues, func(old item) any { return &dynamodb.DeleteItemOutput{Attributes: old} })
	case *dynamodb.BatchWriteItemInput:
		for _, requests := range in.RequestItems {
			for _, r := range requests {
				if r.PutRequest != nil {
					t, _, _ = t.apply(write{put: r.PutRequest.Item})
				} else {
					t, _, _ = t.apply(write{where: r.DeleteRequest.Key})
				}
			}
		}
		return t, answer{out: &dynamodb.BatchWriteItemOutput{}, hash: 2}
	case *dynamodb.TransactWriteItemsInput:
		return t.transact(in)
	}
	panic(fmt.Sprintf("%T is not known to the table", input))
}

// one carries out a call that writes one item.
func (t table) one(w types.TransactWriteItem, returns types.ReturnValue, output func(old item) any) (table, answer) {
	each := writeOf(w)
	next, old, ok := t.apply(each)
	var stored item
	var hash uint64
	if old != nil && (ok && returns == types.ReturnValueAllOld || !ok && each.returnsOld) {
		stored, hash = old.item, old.hash
	}
	if !ok {
		return t, answer{err: &types.ConditionalCheckFailedException{Item: stored}, hash: mix(3, hash)}
	}
	return next, answer{out: output(stored), hash: mix(4, hash)}
}

// transact carries out a transaction as a whole, or again one with a token that is
// known: that changes nothing.
func (t table) transact(in *dynamodb.TransactWriteItemsInput) (table, answer) {
	done := answer{out: &dynamodb.TransactWriteItemsOutput{}, hash: 5}
	for _, e := range t.executed {
		if e.token == aws.ToString(in.ClientRequestToken) {
			if !sameTransaction(e.input, in) {
				return t, answer{err: &types.IdempotentParameterMismatchException{}, hash: 6}
			}
			return t, done
		}
	}
	next, failed := t, false
	reasons, hash := make([]types.CancellationReason, len(in.TransactItems)), uint64(7)
	for i, item := range in.TransactItems {
		w := writeOf(item)
		changed, old, ok := next.apply(w)
		reasons[i].Code = aws.String("None")
		if ok {
			next = changed
			continue
		}
		failed = true
		reasons[i].Code = aws.String("ConditionalCheckFailed")
		hash = mix(hash, uint64(i))
		if w.returnsOld && old != nil {
			reasons[i].Item = old.item
			hash = mix(hash, old.hash)
		}
	}
	if failed {
		return t, answer{err: &types.TransactionCanceledException{CancellationReasons: reasons}, hash: hash}
	}
	if in.ClientRequestToken != nil {
		next.executed = append(slices.Clip(t.executed), execution{*in.ClientRequestToken, in})
	}
	return next, done
}

// sameTransaction compares what two attempts ask for.
func sameTransaction(a, b *dynamodb.TransactWriteItemsInput) bool {
	return a == b || slices.EqualFunc(a.TransactItems, b.TransactItems, func(x, y types.TransactWriteItem) bool {
		v, w := writeOf(x), writeOf(y)
		return sameItem(v.put, w.put) && sameItem(v.where, w.where) && sameItem(v.values, w.values) && maps.Equal(v.names, w.names) &&
			aws.ToString(v.update) == aws.ToString(w.update) && aws.ToString(v.condition) == aws.ToString(w.condition)
	})
}

// written returns the sort keys of the items that a call writes.
func written(input any) (keys []string) {
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		return []string{text(in.Item["sk"])}
	case *dynamodb.UpdateItemInput:
		return []string{text(in.Key["sk"])}
	case *dynamodb.DeleteItemInput:
		return []string{text(in.Key["sk"])}
	case *dynamodb.TransactWriteItemsInput:
		for _, i := range in.TransactItems {
			_, sk := writeOf(i).key()
			keys = append(keys, sk)
		}
	case *dynamodb.BatchWriteItemInput:
		for _, requests := range in.RequestItems {
			for _, r := range requests {
				keys = append(keys, text(r.DeleteRequest.Key["sk"]))
			}
		}
	}
	return keys
}

// query returns a page of the items of a partition. Pages do not end at 1 MB.
func (t table) query(in *dynamodb.QueryInput) answer {
	out, hash := &dynamodb.QueryOutput{}, uint64(8)
	read := 0
	startPK, startSK := keyOf(in.ExclusiveStartKey)
	from, _ := t.find(startPK, startSK)
	for _, r := range t.rows[from:] {
		e := environment{r.item, in.ExpressionAttributeNames, in.ExpressionAttributeValues}
		if in.ExclusiveStartKey != nil && compareKeys(r, startPK, startSK) <= 0 || !holds(in.KeyConditionExpression, e) {
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

// inRange reports whether a Query would read an item with that key.
func inRange(in *dynamodb.QueryInput, pk, sk string) bool {
	key := item{"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberS{Value: sk}}
	return holds(in.KeyConditionExpression, environment{key, in.ExpressionAttributeNames, in.ExpressionAttributeValues})
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
		var kind, content uint64
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			kind, content = 1, hashString(v.Value)
		case *types.AttributeValueMemberN:
			kind, content = 2, hashString(v.Value)
		case *types.AttributeValueMemberB:
			kind, content = 3, maphash.Bytes(seed, v.Value)
		case *types.AttributeValueMemberBOOL:
			if v.Value {
				content = 1
			}
		}
		hash += mix(hashString(name), mix(kind, content))
	}
	return hash
}
