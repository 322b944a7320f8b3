package faulttest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// A Transport is an http.RoundTripper that passes the calls of a store through a Fault
// to DynamoDB. In a bubble of testing/synctest, calls of DynamoDB Local take no time,
// however busy the machine is: time passes only in faults and waits.
type Transport struct {
	dynamodb string
	client   *http.Client
	workers  chan worker
	fault    atomic.Pointer[Fault]

	mu    sync.Mutex
	calls []Call
}

// A worker calls DynamoDB Local outside of the bubble. Meanwhile time stops inside,
// because its channels were made outside.
type worker struct {
	calls     chan Call
	responses chan Response
}

// NewTransport returns a transport to the DynamoDB at that endpoint, without a fault.
// It must be called outside of the bubble.
func NewTransport(dynamodb string) *Transport {
	const workers = 8
	t := &Transport{
		dynamodb: dynamodb,
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}},
		workers:  make(chan worker, workers),
	}
	t.Inject(NoFault)
	for range workers {
		w := worker{make(chan Call), make(chan Response)}
		go func() {
			for call := range w.calls {
				w.responses <- t.execute(call)
			}
		}()
		t.workers <- w
	}
	return t
}

// Close ends the workers.
func (t *Transport) Close() {
	for range cap(t.workers) {
		close((<-t.workers).calls)
	}
	t.client.CloseIdleConnections()
}

// Inject replaces the fault for calls that begin later, and forgets the calls so far.
func (t *Transport) Inject(f Fault) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = nil
	t.fault.Store(&f)
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
	call := Call{operation, sent, r.Context(), r.Header}
	t.mu.Lock()
	t.calls = append(t.calls, call)
	t.mu.Unlock()
	response := (*t.fault.Load())(call, t.send)
	var body io.Reader = bytes.NewReader(response.Body)
	switch response.ending {
	case hanging:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case reset:
		return nil, syscall.ECONNRESET
	case unresolved:
		return nil, &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}
	case truncated:
		body = io.MultiReader(bytes.NewReader(response.Body[:len(response.Body)/2]), cutOff{})
	}
	return &http.Response{
		StatusCode: response.Status,
		Header:     response.header.Clone(),
		Body:       io.NopCloser(body),
		Request:    r,
	}, nil
}

// cutOff is a response whose connection is closed halfway.
type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// send is the last Send: a worker executes the call.
func (t *Transport) send(c Call) Response {
	w := <-t.workers
	defer func() { t.workers <- w }()
	w.calls <- c
	return <-w.responses
}

// execute calls DynamoDB, even if the sender of the call has given up.
func (t *Transport) execute(c Call) Response {
	request, err := http.NewRequestWithContext(context.WithoutCancel(c.ctx), http.MethodPost, t.dynamodb, bytes.NewReader(c.Body))
	if err != nil {
		return Response{ending: reset}
	}
	request.Header = c.header.Clone()
	response, err := t.client.Do(request)
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
