// Package faulttest injects faults between a store and DynamoDB Local: those of the
// network and those of DynamoDB, for any time. Proxy is for stores that reach DynamoDB
// over the network, Transport for stores in a bubble of testing/synctest.
package faulttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// A Call is one request of the SDK.
type Call struct {
	Operation string // such as TransactWriteItems
	Body      []byte

	ctx    context.Context
	header http.Header
}

// A Response is what the SDK gets for a call.
type Response struct {
	Status int
	Body   []byte

	header http.Header
	ending ending
}

// An ending is how a response ends.
type ending int

const (
	complete   ending = iota
	reset             // the connection is reset before the response
	truncated         // the connection is closed in the middle of the response
	hanging           // there is no response and the connection stays open
	unresolved        // the name has no address; of a Transport only
)

// Send forwards a call towards DynamoDB.
type Send func(Call) Response

// A Fault intercepts every call. It may forward the call, change it, or respond by
// itself.
type Fault func(Call, Send) Response

// A forwarder passes calls through a Fault to DynamoDB.
type forwarder struct {
	dynamodb string
	client   *http.Client
	fault    atomic.Pointer[Fault]

	mu    sync.Mutex
	calls map[string]int
}

func (f *forwarder) open(dynamodb string) {
	const connections = 64 // DynamoDB Local uses no more
	f.dynamodb = dynamodb
	f.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}
	f.calls = map[string]int{}
	f.Inject(NoFault)
}

// Inject replaces the fault for calls that begin later.
func (f *forwarder) Inject(fault Fault) { f.fault.Store(&fault) }

// Calls returns how many calls of an operation have arrived.
func (f *forwarder) Calls(operation string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[operation]
}

// handle passes a request through the fault.
func (f *forwarder) handle(r *http.Request, send Send) (Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Response{}, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	f.mu.Lock()
	f.calls[operation]++
	f.mu.Unlock()
	return (*f.fault.Load())(Call{operation, body, r.Context(), r.Header}, send), nil
}

// send is the last Send: to DynamoDB itself. A call is executed even if its sender has
// closed the connection.
func (f *forwarder) send(c Call) Response {
	request, err := http.NewRequestWithContext(context.WithoutCancel(c.ctx), http.MethodPost, f.dynamodb, bytes.NewReader(c.Body))
	if err != nil {
		return Response{ending: reset}
	}
	request.Header = c.header.Clone()
	response, err := f.client.Do(request)
	if err != nil {
		return Response{ending: reset}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return Response{ending: reset}
	}
	return Response{Status: response.StatusCode, Body: body, header: response.Header}
}

// written is one item that a call writes.
type written struct {
	table string
	key   map[string]any
}

func (w written) String() string {
	text, _ := json.Marshal(w.key) // in the order of the names
	return w.table + string(text)
}

// writes returns the items that a call writes, and whether it is a transaction.
func (c Call) writes() (items []written, transaction bool) {
	type write struct {
		TableName string
		Key, Item map[string]any
	}
	var call struct {
		write
		TransactItems []map[string]write
	}
	if err := json.Unmarshal(c.Body, &call); err != nil {
		panic(fmt.Errorf("not a call of the SDK: %w", err))
	}
	item := func(w write) written {
		if w.Key != nil {
			return written{w.TableName, w.Key}
		}
		return written{w.TableName, map[string]any{"pk": w.Item["pk"], "sk": w.Item["sk"]}}
	}
	switch c.Operation {
	case "TransactWriteItems":
		for _, each := range call.TransactItems {
			for _, w := range each {
				items = append(items, item(w))
			}
		}
		return items, true
	case "PutItem", "UpdateItem", "DeleteItem":
		return []written{item(call.write)}, false
	}
	return nil, false
}
