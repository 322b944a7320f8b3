package dynamo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// secure serves a table over TLS, after it has left the first so many connections
// without a handshake. It returns the configuration of a store that trusts it.
func secure(t *testing.T, hanging int32) (c Config, connections *atomic.Int32) {
	t.Helper()
	c = newTable(t)
	target, err := url.Parse(c.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	listener := &hangingListener{Listener: server.Listener, hanging: hanging}
	server.Listener = listener
	server.StartTLS()
	t.Cleanup(server.Close)
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	transport := newHTTPClient().GetTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: trusted}
	t.Cleanup(transport.CloseIdleConnections)
	c.Endpoint, c.Transport = server.URL, transport
	return c, &listener.accepted
}

// hangingListener never answers its first connections.
type hangingListener struct {
	net.Listener
	hanging  int32
	accepted atomic.Int32
}

func (l *hangingListener) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil || l.accepted.Add(1) > l.hanging {
			return connection, err
		}
	}
}

// TestHangingHandshake: a TLS handshake that hangs leaves time for others.
func TestHangingHandshake(t *testing.T) {
	t.Parallel()
	c, connections := secure(t, 4)
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	defer cancel()
	if err := Open(c).Ready(ctx); err != nil || connections.Load() < 5 {
		t.Errorf("%v after %d connections", err, connections.Load())
	}
}

// TestConnect: a function that has connected while it started makes its first
// call on that connection.
func TestConnect(t *testing.T) {
	t.Parallel()
	var before, after int32
	for range 3 { // Connect gives up after a second, which a busy machine may need
		c, connections := secure(t, 0)
		s := Open(c)
		s.Connect(t.Context())
		before = connections.Load()
		if err := s.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after = connections.Load(); before == 1 && after == 1 {
			return
		}
	}
	t.Errorf("%d connections before the first call, %d after it", before, after)
}

// TestConnectEnds: a function starts although DynamoDB does not answer. The first
// call reports that.
func TestConnectEnds(t *testing.T) {
	t.Parallel()
	c, _ := secure(t, 1000)
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	defer cancel()
	Open(c).Connect(ctx)
	if ctx.Err() != nil {
		t.Error("it waited as long as it could")
	}
}

// TestConnectNeedsTLS: without TLS no connection is opened.
func TestConnectNeedsTLS(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("called") }))
	defer server.Close()
	Open(Config{Region: "local", Endpoint: server.URL}).Connect(t.Context())
}
