package faulttest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

// Errors of DynamoDB that do not depend on the call. The call is not executed.
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

// refuse answers with an error of DynamoDB. That of a transaction has a reason for each write.
func refuse(status int, code string, reasons ...string) Fault {
	body := fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"injected","CancellationReasons":[%s]}`,
		code, strings.Join(reasons, ","))
	return func(Call, Send) Response { return Response{Status: status, Body: []byte(body)} }
}

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
	switch c.Operation {
	case "TransactWriteItems":
		var call struct{ TransactItems []any }
		_ = json.Unmarshal(c.Body, &call) // the SDK's
		reasons := slices.Repeat([]string{`{"Code":"TransactionConflict"}`}, len(call.TransactItems))
		return refuse(400, "TransactionCanceledException", reasons...)(c, send)
	case "PutItem", "UpdateItem", "DeleteItem":
		return refuse(400, "TransactionConflictException")(c, send)
	}
	return send(c)
}
