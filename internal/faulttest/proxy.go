// Package faulttest is a proxy between the SDK and DynamoDB Local on which tests
// let go wrong what can go wrong on the way to DynamoDB, and inside it.
package faulttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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

// An Answer is what the SDK hears of a call.
type Answer struct {
	Status int
	Body   []byte

	header http.Header
	end    ending
}

type ending int

const (
	whole ending = iota
	reset
	half
	silence
)

// Send carries a call on towards DynamoDB.
type Send func(Call) Answer

// A Fault stands in the way of every call: it may send it on, or not, and answer
// what it likes.
type Fault func(Call, Send) Answer

// A way leads to DynamoDB, through a Fault.
type way struct {
	dynamodb string
	client   *http.Client
	fault    atomic.Pointer[Fault]

	mu    sync.Mutex
	calls map[string]int
}

func (y *way) open(dynamodb string) {
	const connections = 64 // as many as DynamoDB Local can make use of
	y.dynamodb = dynamodb
	y.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}
	y.calls = map[string]int{}
	y.Inject(Nothing)
}

// Inject replaces the fault, for the calls that begin from now on.
func (y *way) Inject(f Fault) { y.fault.Store(&f) }

// Calls returns how many calls of an operation have arrived.
func (y *way) Calls(operation string) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.calls[operation]
}

// pass takes a call to its answer.
func (y *way) pass(r *http.Request, send Send) (Answer, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Answer{}, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	y.mu.Lock()
	y.calls[operation]++
	y.mu.Unlock()
	return (*y.fault.Load())(Call{operation, body, r.Context(), r.Header}, send), nil
}

// A Proxy is a way to DynamoDB over the network.
type Proxy struct {
	way
	server *httptest.Server
}

// NewProxy returns a proxy for the DynamoDB at that endpoint, without a fault yet.
func NewProxy(dynamodb string) *Proxy {
	p := &Proxy{}
	p.open(dynamodb)
	p.server = httptest.NewServer(p)
	return p
}

// Endpoint is where the SDK finds the proxy.
func (p *Proxy) Endpoint() string { return p.server.URL }

// Close refuses connections from now on.
func (p *Proxy) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
	p.client.CloseIdleConnections()
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := p.pass(r, p.send)
	if err != nil {
		return
	}
	switch answer.end {
	case silence:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case reset:
		hangUp(w, nil)
	case half:
		hangUp(w, answer.Body)
	}
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
}

// send is the last Send: to DynamoDB itself. A call whose sender has gone away
// is carried out all the same.
func (y *way) send(c Call) Answer {
	request, err := http.NewRequestWithContext(context.WithoutCancel(c.ctx), http.MethodPost, y.dynamodb, bytes.NewReader(c.Body))
	if err != nil {
		return Answer{end: reset}
	}
	request.Header = c.header.Clone()
	response, err := y.client.Do(request)
	if err != nil {
		return Answer{end: reset}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{end: reset}
	}
	return Answer{Status: response.StatusCode, Body: body, header: response.Header}
}

// hangUp resets the connection, after the head and the first half of an answer
// if there is one. It does not return.
func hangUp(w http.ResponseWriter, body []byte) {
	connection, writer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if body != nil {
		_, _ = writer.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n")
		_, _ = writer.Write(body[:len(body)/2])
		_ = writer.Flush()
	} else if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // an RST instead of a FIN
	}
	_ = connection.Close()
	panic(http.ErrAbortHandler)
}

// writes returns the items that a call writes, each as its place in the database,
// and whether the call is a transaction.
func (c Call) writes() (items []string, transaction bool) {
	type write struct {
		TableName string
		Key, Item map[string]any
	}
	var call struct {
		write
		TransactItems []map[string]write
	}
	if err := json.Unmarshal(c.Body, &call); err != nil {
		panic(errors.Join(errors.New("not a call of the SDK"), err))
	}
	place := func(w write) string {
		key := w.Key
		if key == nil {
			key = map[string]any{"pk": w.Item["pk"], "sk": w.Item["sk"]}
		}
		text, _ := json.Marshal(key) // in the order of the names
		return w.TableName + string(text)
	}
	switch c.Operation {
	case "TransactWriteItems":
		for _, each := range call.TransactItems {
			for _, w := range each {
				items = append(items, place(w))
			}
		}
		return items, true
	case "PutItem", "UpdateItem", "DeleteItem":
		return []string{place(call.write)}, false
	}
	return nil, false
}
