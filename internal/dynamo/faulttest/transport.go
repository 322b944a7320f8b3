package faulttest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"syscall"
)

// A Transport is an http.RoundTripper for a store in a bubble of testing/synctest.
// Calls of DynamoDB Local take no time there, however busy the machine is: time passes
// only in faults and waits.
type Transport struct {
	forwarder
	workers chan worker
}

// A worker calls DynamoDB Local outside of the bubble. Meanwhile time stops inside,
// because its channels were made outside.
type worker struct {
	calls     chan Call
	responses chan Response
}

// NewTransport must be called outside of the bubble.
func NewTransport(dynamodb string) *Transport {
	const workers = 8
	t := &Transport{workers: make(chan worker, workers)}
	t.open(dynamodb)
	for range workers {
		w := worker{make(chan Call), make(chan Response)}
		go func() {
			for call := range w.calls {
				w.responses <- t.send(call)
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

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.handle(r, func(c Call) Response {
		w := <-t.workers
		defer func() { t.workers <- w }()
		w.calls <- c
		return <-w.responses
	})
	if err != nil {
		return nil, err
	}
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
