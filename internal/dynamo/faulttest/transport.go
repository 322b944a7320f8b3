// Package faulttest injects faults of the network and of DynamoDB between a store and DynamoDB
// Local.
package faulttest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A Call is one request of the SDK.
type Call struct {
	Operation string // name of the operation, such as TransactWriteItems
	Body      []byte

	request *http.Request
}

// Send forwards a call towards DynamoDB.
type Send func(Call) (*http.Response, error)

// A Fault intercepts every call. It may forward the call, change it, or respond by itself.
type Fault func(Call, Send) (*http.Response, error)

// A Transport is an http.RoundTripper that passes the calls of a store through a Fault
// to DynamoDB. In a bubble of testing/synctest, calls of DynamoDB Local take no time,
// however busy the machine is: time passes only in faults and waits.
type Transport struct {
	dynamodb string
	mu       sync.Mutex
	fault    Fault
	calls    []Call
}

// NewTransport returns a transport to the DynamoDB at an endpoint, without a fault.
func NewTransport(dynamodb string) *Transport { return &Transport{dynamodb: dynamodb, fault: NoFault} }

// Inject replaces the fault for calls that begin later, and forgets the calls so far.
func (t *Transport) Inject(f Fault) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls, t.fault = nil, f
}

// Calls returns the calls of some operations, or all, that have arrived since Inject.
func (t *Transport) Calls(operations ...string) []Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(t.calls), func(c Call) bool {
		return len(operations) > 0 && !slices.Contains(operations, c.Operation)
	})
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	if err == nil {
		err = r.Context().Err()
	}
	if err != nil {
		return nil, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	call := Call{operation, sent, r}
	t.mu.Lock()
	t.calls = append(t.calls, call)
	fault := t.fault
	t.mu.Unlock()
	return fault(call, t.send)
}

// client keeps no idle connections. It would read from an idle connection for ever, and in a bubble of synctest no time
// passes during a read.
var client = http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// send calls DynamoDB, even if the sender of the call has given up.
func (t *Transport) send(c Call) (*http.Response, error) {
	ctx := context.WithoutCancel(c.request.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.dynamodb, bytes.NewReader(c.Body))
	if err != nil {
		return nil, err
	}
	request.Header = c.request.Header.Clone()
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, err
}
