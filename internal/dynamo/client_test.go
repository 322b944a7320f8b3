package dynamo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network without sockets, so that time stands still in a bubble of
// synctest while it is used. Nothing answers its first connections.
type pipes struct {
	hanging int32
	dialled atomic.Int32
	served  chan net.Conn
	closed  context.Context
	close   context.CancelFunc
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	if p.dialled.Add(1) > p.hanging {
		p.served <- far
	}
	return near, nil
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case connection := <-p.served:
		return connection, nil
	case <-p.closed.Done():
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.close(); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443} }

// secured runs body in a bubble of synctest, with a store that reaches a DynamoDB
// without items over TLS. The first so many connections hang in their handshake.
func secured(t *testing.T, hanging int32, body func(t *testing.T, s *Store, network *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{hanging: hanging, served: make(chan net.Conn)}
		network.closed, network.close = context.WithCancel(t.Context())
		server := &httptest.Server{Listener: network, Config: &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/x-amz-json-1.0")
				_, _ = io.WriteString(w, "{}")
			}),
		}}
		server.StartTLS()
		defer server.Close()
		trusted := x509.NewCertPool()
		trusted.AddCert(server.Certificate())
		transport := newHTTPClient().GetTransport()
		defer transport.CloseIdleConnections()
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted}
		transport.DialContext = network.dial
		body(t, Open(Config{Region: "local", Endpoint: server.URL, Transport: transport}), network)
	})
}

// TestHangingHandshake: a TLS handshake that hangs leaves time for others.
func TestHangingHandshake(t *testing.T) {
	secured(t, 4, func(t *testing.T, s *Store, network *pipes) {
		ctx, cancel := context.WithTimeout(t.Context(), budget)
		defer cancel()
		if err := s.Ready(ctx); err != nil || network.dialled.Load() != 5 {
			t.Errorf("%v after %d connections", err, network.dialled.Load())
		}
	})
}

// TestConnect: a function that has connected while it started makes its first
// call on that connection.
func TestConnect(t *testing.T) {
	secured(t, 0, func(t *testing.T, s *Store, network *pipes) {
		s.Connect(t.Context())
		if network.dialled.Load() != 1 {
			t.Errorf("%d connections before the first call", network.dialled.Load())
		}
		if err := s.Ready(t.Context()); err != nil || network.dialled.Load() != 1 {
			t.Errorf("%v, %d connections after the first call", err, network.dialled.Load())
		}
	})
}

// TestConnectEnds: a function starts although DynamoDB does not answer. The first
// call reports that.
func TestConnectEnds(t *testing.T) {
	secured(t, 1000, func(t *testing.T, s *Store, network *pipes) {
		begin := time.Now()
		s.Connect(t.Context())
		if took := time.Since(begin); took > time.Second || network.dialled.Load() != 1 { // of simulated time
			t.Errorf("it waited for %v, with %d connections", took, network.dialled.Load())
		}
	})
}

// TestConnectNeedsTLS: without TLS no connection is opened.
func TestConnectNeedsTLS(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("called") }))
	defer server.Close()
	Open(Config{Region: "local", Endpoint: server.URL}).Connect(t.Context())
}
