package faulttest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// NoFault passes every call on.
func NoFault(c Call, send Send) Response { return send(c) }

// DroppedResponse carries the call out and resets the connection.
func DroppedResponse(c Call, send Send) Response {
	send(c)
	return Response{ending: reset}
}

// TruncatedResponse carries the call out and closes the connection in the middle
// of the response.
func TruncatedResponse(c Call, send Send) Response {
	r := send(c)
	r.ending = truncated
	return r
}

// HangingResponse carries the call out and never responds.
func HangingResponse(c Call, send Send) Response {
	send(c)
	return Response{ending: hanging}
}

// HangingRequest never responds. The call is not carried out.
func HangingRequest(Call, Send) Response { return Response{ending: hanging} }

// Reset resets the connection. The call is not carried out.
func Reset(Call, Send) Response { return Response{ending: reset} }

// The errors of DynamoDB that say nothing about the call. It is not carried out.
var (
	Throttled    = refuse(400, "ThrottlingException")
	OverCapacity = refuse(400, "ProvisionedThroughputExceededException")
	ServerError  = refuse(500, "InternalServerError")
	Overloaded   = refuse(503, "ServiceUnavailable")
)

// InProgress is DynamoDB's response to a transaction that is repeated while the
// first call is still carried out. Other calls pass.
func InProgress(c Call, send Send) Response {
	if c.Operation != "TransactWriteItems" {
		return send(c)
	}
	return refuse(400, "TransactionInProgressException")(c, send)
}

func refuse(status int, code string) Fault {
	return func(Call, Send) Response { return refusal(status, code, nil) }
}

func refusal(status int, code string, reasons []reason) Response {
	body, err := json.Marshal(struct {
		Type                string `json:"__type"`
		Message             string
		CancellationReasons []reason `json:",omitempty"`
	}{"com.amazonaws.dynamodb.v20120810#" + code, "injected", reasons})
	if err != nil {
		panic(err)
	}
	return Response{Status: status, Body: body}
}

type reason struct{ Code, Message string }

// Only lets a fault meet the calls of one operation.
func Only(operation string, f Fault) Fault {
	return func(c Call, send Send) Response {
		if c.Operation != operation {
			return send(c)
		}
		return f(c, send)
	}
}

// Once lets a fault meet each transaction the first time it is sent.
func Once(f Fault) Fault {
	var met sync.Map
	return Only("TransactWriteItems", func(c Call, send Send) Response {
		var transaction struct{ ClientRequestToken string }
		_ = json.Unmarshal(c.Body, &transaction)
		if _, again := met.LoadOrStore(transaction.ClientRequestToken, true); again {
			return send(c)
		}
		return f(c, send)
	})
}

// First lets a fault meet the first n calls.
func First(n int64, f Fault) Fault {
	var calls atomic.Int64
	return func(c Call, send Send) Response {
		if calls.Add(1) > n {
			return send(c)
		}
		return f(c, send)
	}
}

// Sometimes lets one of the faults, drawn by a source with this seed, meet that
// share of the calls.
func Sometimes(seed uint64, share float64, fs ...Fault) Fault {
	var mu sync.Mutex
	source := rand.New(rand.NewPCG(seed, 0))
	return func(c Call, send Send) Response {
		mu.Lock()
		f := NoFault
		if source.Float64() < share {
			f = fs[source.IntN(len(fs))]
		}
		mu.Unlock()
		return f(c, send)
	}
}

// Then puts one fault behind the other.
func Then(outer, inner Fault) Fault {
	return func(c Call, send Send) Response {
		return outer(c, func(c Call) Response { return inner(c, send) })
	}
}

// Contention is DynamoDB's own, which DynamoDB Local lacks: a transaction holds
// its items for that long, and meanwhile any other write of one of them is
// refused.
func Contention(length time.Duration) Fault {
	var mu sync.Mutex
	held := map[string]bool{}
	return func(c Call, send Send) Response {
		items, transaction := c.writes()
		mu.Lock()
		reasons := make([]reason, len(items))
		for i, item := range items {
			reasons[i].Code = "None"
			if held[item.String()] {
				reasons[i] = reason{"TransactionConflict", "Transaction is ongoing for the item"}
			}
		}
		refused := slices.ContainsFunc(reasons, func(r reason) bool { return r.Code != "None" })
		if !transaction || refused {
			mu.Unlock()
			switch {
			case !refused:
				return send(c)
			case transaction:
				return refusal(400, "TransactionCanceledException", reasons)
			}
			return refusal(400, "TransactionConflictException", nil)
		}
		for _, item := range items {
			held[item.String()] = true
		}
		mu.Unlock()
		end := time.After(length)
		response := send(c)
		<-end
		mu.Lock()
		for _, item := range items {
			delete(held, item.String())
		}
		mu.Unlock()
		return response
	}
}

// Rewrite changes the body of every call.
func Rewrite(change func(operation string, body map[string]any)) Fault {
	return func(c Call, send Send) Response {
		var body map[string]any
		if err := json.Unmarshal(c.Body, &body); err != nil {
			panic(err)
		}
		change(c.Operation, body)
		c.Body, _ = json.Marshal(body) // what came from JSON can go back
		return send(c)
	}
}

// Delay takes the call there after a time on the way.
func Delay(d time.Duration) Fault {
	return func(c Call, send Send) Response {
		time.Sleep(d)
		return send(c)
	}
}
