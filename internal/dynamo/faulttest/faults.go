package faulttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing/iotest"
	"time"
)

// NoFault forwards every call.
func NoFault(c Call, send Send) (*http.Response, error) { return send(c) }

// TruncatedResponse executes the call and closes the connection in the middle of the response.
func TruncatedResponse(c Call, send Send) (*http.Response, error) {
	r, err := send(c)
	if err == nil {
		whole, _ := io.ReadAll(r.Body) // the body is in memory
		half := bytes.NewReader(whole[:len(whole)/2])
		r.Body = io.NopCloser(io.MultiReader(half, iotest.ErrReader(io.ErrUnexpectedEOF)))
	}
	return r, err
}

// HangingRequest never responds. The call is not executed.
func HangingRequest(c Call, _ Send) (*http.Response, error) {
	<-c.request.Context().Done()
	return nil, c.request.Context().Err()
}

// Reset resets the connection. The call is not executed.
func Reset(Call, Send) (*http.Response, error) { return nil, syscall.ECONNRESET }

// These faults happen after the call was executed.
var (
	DroppedResponse = CarriedOut(Reset)
	HangingResponse = CarriedOut(HangingRequest)
)

// Unresolved is a failure of the name service. The call is not executed.
func Unresolved(Call, Send) (*http.Response, error) {
	return nil, &net.DNSError{Err: "no such host", Name: "dynamodb", IsNotFound: true}
}

// These are errors of DynamoDB that do not depend on the call. The call is not executed.
var (
	Throttled    = refuse(400, "ThrottlingException")
	OverCapacity = refuse(400, "ProvisionedThroughputExceededException")
	ServerError  = refuse(500, "InternalServerError")
	Overloaded   = refuse(503, "ServiceUnavailable")
	Denied       = refuse(400, "AccessDeniedException")
	WrongKey     = refuse(400, "InvalidSignatureException")
)

// SignatureExpired is DynamoDB's response to a request that was signed minutes ago, by the clock of
// its client.
var SignatureExpired = Respond(400, `{"__type":"com.amazon.coral.service#InvalidSignatureException",`+
	`"message":"Signature expired: 20261128T115000Z is now earlier than 20261128T115500Z (20261128T120000Z - 5 min.)"}`)

// InProgress is DynamoDB's response to a repeated transaction whose first call is still
// being executed.
var InProgress = Only("TransactWriteItems", refuse(400, "TransactionInProgressException"))

// refuse returns a fault that responds with an error of DynamoDB. The error of a transaction has a reason for
// each write.
func refuse(status int, code string, reasons ...string) Fault {
	const form = `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"injected","CancellationReasons":[%s]}`
	return Respond(status, fmt.Sprintf(form, code, strings.Join(reasons, ",")))
}

// Respond returns a fault that responds with this status and body. The call is not executed.
func Respond(status int, body string) Fault {
	return func(Call, Send) (*http.Response, error) {
		content := io.NopCloser(strings.NewReader(body))
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: content}, nil
	}
}

// Only applies a fault to the calls of one operation.
func Only(operation string, f Fault) Fault {
	return func(c Call, send Send) (*http.Response, error) {
		if c.Operation != operation {
			return send(c)
		}
		return f(c, send)
	}
}

// First applies a fault to the first calls.
func First(n int64, f Fault) Fault {
	var calls atomic.Int64
	return func(c Call, send Send) (*http.Response, error) {
		if calls.Add(1) > n {
			return send(c)
		}
		return f(c, send)
	}
}

// Then applies the inner fault to the calls that the outer one forwards.
func Then(outer, inner Fault) Fault {
	return func(c Call, send Send) (*http.Response, error) {
		return outer(c, func(c Call) (*http.Response, error) { return inner(c, send) })
	}
}

// During applies a fault to the first call, and to the calls within this time after it.
func During(length time.Duration, f Fault) Fault {
	var once sync.Once
	var begin time.Time
	return func(c Call, send Send) (*http.Response, error) {
		once.Do(func() { begin = time.Now() })
		if time.Since(begin) >= length {
			return send(c)
		}
		return f(c, send)
	}
}

// CarriedOut executes the call before the fault responds.
func CarriedOut(f Fault) Fault {
	return func(c Call, send Send) (*http.Response, error) {
		_, _ = send(c)
		return f(c, send)
	}
}

// Conflicting rejects writes as if another transaction always held their items.
func Conflicting(c Call, send Send) (*http.Response, error) {
	switch c.Operation {
	case "TransactWriteItems":
		var call struct{ TransactItems []any }
		_ = json.Unmarshal(c.Body, &call) // the SDK has written valid JSON
		reasons := slices.Repeat([]string{`{"Code":"TransactionConflict"}`}, len(call.TransactItems))
		return refuse(400, "TransactionCanceledException", reasons...)(c, send)
	case "PutItem", "UpdateItem", "DeleteItem":
		return refuse(400, "TransactionConflictException")(c, send)
	}
	return send(c)
}
