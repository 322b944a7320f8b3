package faulttest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Nothing goes wrong.
func Nothing(c Call, send Send) Answer { return send(c) }

// LostAnswer carries the call out and resets the connection.
func LostAnswer(c Call, send Send) Answer {
	send(c)
	return Answer{end: reset}
}

// HalfAnswer carries the call out and breaks off in the middle of the answer.
func HalfAnswer(c Call, send Send) Answer {
	a := send(c)
	a.end = half
	return a
}

// Reset resets the connection. The call is not carried out.
func Reset(Call, Send) Answer { return Answer{end: reset} }

// Silence never answers. The call is not carried out.
func Silence(Call, Send) Answer { return Answer{end: silence} }

// LateSilence carries the call out and never answers.
func LateSilence(c Call, send Send) Answer {
	send(c)
	return Answer{end: silence}
}

// The errors of DynamoDB that say nothing about the call. It is not carried out.
var (
	Throttled    = refuse(400, "ThrottlingException")
	OverCapacity = refuse(400, "ProvisionedThroughputExceededException")
	ServerError  = refuse(500, "InternalServerError")
	Overloaded   = refuse(503, "ServiceUnavailable")
)

// InProgress is what DynamoDB answers to a transaction that comes again while it
// is still at work on it. Other calls pass.
func InProgress(c Call, send Send) Answer {
	if c.Operation != "TransactWriteItems" {
		return send(c)
	}
	return refuse(400, "TransactionInProgressException")(c, send)
}

func refuse(status int, code string) Fault {
	return func(Call, Send) Answer { return refusal(status, code, nil) }
}

func refusal(status int, code string, reasons []reason) Answer {
	body, err := json.Marshal(struct {
		Type                string `json:"__type"`
		Message             string
		CancellationReasons []reason `json:",omitempty"`
	}{"com.amazonaws.dynamodb.v20120810#" + code, "injected", reasons})
	if err != nil {
		panic(err)
	}
	return Answer{Status: status, Body: body}
}

type reason struct{ Code, Message string }

// Only lets a fault meet the calls of one operation.
func Only(operation string, f Fault) Fault {
	return func(c Call, send Send) Answer {
		if c.Operation != operation {
			return send(c)
		}
		return f(c, send)
	}
}

// Once lets a fault meet each transaction the first time it is sent.
func Once(f Fault) Fault {
	var met sync.Map
	return Only("TransactWriteItems", func(c Call, send Send) Answer {
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
	return func(c Call, send Send) Answer {
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
	return func(c Call, send Send) Answer {
		mu.Lock()
		f := Nothing
		if source.Float64() < share {
			f = fs[source.IntN(len(fs))]
		}
		mu.Unlock()
		return f(c, send)
	}
}

// Then puts one fault behind the other.
func Then(outer, inner Fault) Fault {
	return func(c Call, send Send) Answer {
		return outer(c, func(c Call) Answer { return inner(c, send) })
	}
}

// Contention is DynamoDB's own, which DynamoDB Local lacks: a transaction holds
// its items for that long, and meanwhile any other write of one of them is
// refused.
func Contention(length time.Duration) Fault {
	var mu sync.Mutex
	held := map[string]bool{}
	return func(c Call, send Send) Answer {
		items, transaction := c.writes()
		mu.Lock()
		reasons := make([]reason, len(items))
		for i, item := range items {
			reasons[i].Code = "None"
			if held[item] {
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
			held[item] = true
		}
		mu.Unlock()
		end := time.After(length)
		answer := send(c)
		<-end
		mu.Lock()
		for _, item := range items {
			delete(held, item)
		}
		mu.Unlock()
		return answer
	}
}

// Rewrite changes the body of every call.
func Rewrite(change func(operation string, body map[string]any)) Fault {
	return func(c Call, send Send) Answer {
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
	return func(c Call, send Send) Answer {
		time.Sleep(d)
		return send(c)
	}
}
