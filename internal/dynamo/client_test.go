package dynamo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network without sockets, because sockets would keep the simulated time of synctest from advancing.
type pipes struct {
	dialled atomic.Int32
	silent  atomic.Int32 // the number of first connections that deliver nothing
	served  chan net.Conn
	closed  context.Context
	close   context.CancelFunc
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	p.served <- far
	return connection{near, p, p.dialled.Add(1)}, nil
}

type connection struct {
	net.Conn
	network *pipes
	number  int32
}

func (c connection) Write(b []byte) (int, error) {
	if c.number <= c.network.silent.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
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

// secured runs body in a bubble of synctest, with a store that connects over TLS to a DynamoDB without items.
func secured(t *testing.T, body func(t *testing.T, s *Store, network *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{served: make(chan net.Conn)}
		network.closed, network.close = context.WithCancel(t.Context())
		server := &httptest.Server{Listener: network, Config: &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(3 * time.Millisecond)
				w.Header().Set("Content-Type", "application/x-amz-json-1.0")
				_, _ = io.WriteString(w, "{}")
			}),
		}}
		server.StartTLS()
		defer server.Close()
		trusted := x509.NewCertPool()
		trusted.AddCert(server.Certificate())
		transport := newTransport()
		defer transport.CloseIdleConnections()
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted}
		transport.DialContext = network.dial
		body(t, Open(Config{Region: "local", Endpoint: server.URL, Transport: transport}), network)
	})
}

// TestHangingHandshake: a request with a hanging TLS handshake has time left for further handshakes.
func TestHangingHandshake(t *testing.T) {
	secured(t, func(t *testing.T, s *Store, network *pipes) {
		network.silent.Store(4)
		ctx, cancel := context.WithTimeout(t.Context(), budget)
		defer cancel()
		if err := s.Health(ctx); err != nil || network.dialled.Load() != 5 {
			t.Errorf("%v after %d connections", err, network.dialled.Load())
		}
	})
}

// TestSilentConnections: if the network silently drops the open connections, one attempt reaches its time limit, and
// none of these connections is used again.
func TestSilentConnections(t *testing.T) {
	secured(t, func(t *testing.T, s *Store, network *pipes) {
		var all sync.WaitGroup
		for range maxRanges { // a long list opens this number of connections
			all.Go(func() {
				if err := s.Health(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		synctest.Wait()
		network.silent.Store(network.dialled.Load())
		if network.dialled.Load() < maxRanges/2 {
			t.Errorf("only %d connections are open", network.dialled.Load())
		}
		ctx, cancel := context.WithTimeout(t.Context(), budget)
		defer cancel()
		if err := s.Health(ctx); err != nil || network.dialled.Load() != network.silent.Load()+1 {
			t.Errorf("%v, %d new connections", err, network.dialled.Load()-network.silent.Load())
		}
	})
}

// TestConnect: a Lambda function connects during its start, and makes its first call on this connection. The function
// starts even if DynamoDB does not respond, and then the first call reports the failure.
func TestConnect(t *testing.T) {
	for _, silent := range []int32{0, 1000} {
		secured(t, func(t *testing.T, s *Store, network *pipes) {
			network.silent.Store(silent)
			begin := time.Now()
			s.Connect(t.Context())
			if took := time.Since(begin); took > time.Second || network.dialled.Load() != 1 { // the time is simulated
				t.Errorf("it waited for %v, with %d connections", took, network.dialled.Load())
			}
			if silent > 0 {
				return
			}
			if err := s.Health(t.Context()); err != nil || network.dialled.Load() != 1 {
				t.Errorf("%v, %d connections after the first call", err, network.dialled.Load())
			}
		})
	}
}
