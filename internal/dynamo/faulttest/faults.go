package faulttest

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// NoFault forwards every call.
func NoFault(c Call, send Send) Response { return send(c) }

// TruncatedResponse executes the call and closes the connection in the middle of the
// response.
func TruncatedResponse(c Call, send Send) Response {
	r := send(c)
	r.ending = truncated
	return r
}

// HangingRequest never responds. The call is not executed.
func HangingRequest(Call, Send) Response { return Response{ending: hanging} }

// Reset resets the connection. The call is not executed.
func Reset(Call, Send) Response { return Response{ending: reset} }

// The same after the call was executed.
var (
	DroppedResponse = CarriedOut(Reset)
	HangingResponse = CarriedOut(HangingRequest)
)

// Unresolved is a failure of the name service. The call is not executed.
func Unresolved(Call, Send) Response { return Response{ending: unresolved} }

// Errors of DynamoDB that do not depend on the call. It is not executed.
var (
	Throttled    = refuse(400, "ThrottlingException")
	OverCapacity = refuse(400, "ProvisionedThroughputExceededException")
	ServerError  = refuse(500, "InternalServerError")
	Overloaded   = refuse(503, "ServiceUnavailable")
	Denied       = refuse(400, "AccessDeniedException")
)

// InProgress is DynamoDB's response to a repeated transaction whose first call is still
// being executed. Other calls are forwarded.
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

type reason struct{ Code string }

// Only applies a fault to the calls of one operation.
func Only(operation string, f Fault) Fault {
	return func(c Call, send Send) Response {
		if c.Operation != operation {
			return send(c)
		}
		return f(c, send)
	}
}

// First applies a fault to the first calls.
func First(n int64, f Fault) Fault {
	var calls atomic.Int64
	return func(c Call, send Send) Response {
		if calls.Add(1) > n {
			return send(c)
		}
		return f(c, send)
	}
}

// Then applies the inner fault to the calls that the outer one forwards.
func Then(outer, inner Fault) Fault {
	return func(c Call, send Send) Response {
		return outer(c, func(c Call) Response { return inner(c, send) })
	}
}

// Contention emulates the conflicts of DynamoDB, which DynamoDB Local lacks: a
// transaction holds its items for that time, and any other write of one of them is
// rejected meanwhile.
func Contention(length time.Duration) Fault {
	var mu sync.Mutex
	held := map[string]bool{}
	return func(c Call, send Send) Response {
		items, transaction := c.writes()
		mu.Lock()
		switch refused := slices.ContainsFunc(items, func(w written) bool { return held[w.String()] }); {
		case refused:
			mu.Unlock()
			return Conflicting(c, send)
		case !transaction:
			mu.Unlock()
			return send(c)
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

// Delay forwards the call after that time.
func Delay(d time.Duration) Fault {
	return func(c Call, send Send) Response {
		time.Sleep(d)
		return send(c)
	}
}

// During applies a fault to the calls of that period, which begins with the first.
func During(length time.Duration, f Fault) Fault {
	var once sync.Once
	var begin time.Time
	return func(c Call, send Send) Response {
		once.Do(func() { begin = time.Now() })
		if time.Since(begin) >= length {
			return send(c)
		}
		return f(c, send)
	}
}

// CarriedOut executes the call before the fault responds.
func CarriedOut(f Fault) Fault {
	return func(c Call, send Send) Response {
		send(c)
		return f(c, send)
	}
}

// Conflicting rejects writes as if another transaction always held their items.
func Conflicting(c Call, send Send) Response {
	items, transaction := c.writes()
	switch {
	case len(items) == 0:
		return send(c)
	case !transaction:
		return refusal(400, "TransactionConflictException", nil)
	}
	return cancelled(len(items), "TransactionConflict")
}

// cancelled is the answer to a transaction of so many writes that all fail alike.
func cancelled(writes int, code string) Response {
	return refusal(400, "TransactionCanceledException", slices.Repeat([]reason{{Code: code}}, writes))
}

// Capacity is that of one partition, which DynamoDB Local lacks: so many write
// units a second, of which unused ones last for a second. A transaction uses two
// for each item, also where it is cancelled. What exceeds the capacity is throttled.
func Capacity(unitsPerSecond float64) Fault {
	var mu sync.Mutex
	var last time.Time
	units := unitsPerSecond
	return func(c Call, send Send) Response {
		items, transaction := c.writes()
		if len(items) == 0 {
			return send(c)
		}
		used := float64(len(items))
		if transaction {
			used *= 2
		}
		mu.Lock()
		now := time.Now()
		if !last.IsZero() {
			units = min(unitsPerSecond, units+unitsPerSecond*now.Sub(last).Seconds())
		}
		last = now
		enough := units >= used
		if enough {
			units -= used
		}
		mu.Unlock()
		switch {
		case enough:
			return send(c)
		case !transaction:
			return Throttled(c, send)
		}
		return cancelled(len(items), "ThrottlingError")
	}
}
