package dynamo

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamotest"
)

// TestConnect: a function that has connected while it started makes its first
// call on that connection.
func TestConnect(t *testing.T) {
	t.Parallel()
	config := Config{
		Endpoint:        dynamotest.Endpoint(t),
		Table:           "connect-" + uuid.NewString(),
		Region:          "local",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	if err := Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(config.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var connections atomic.Int32
	secure := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	secure.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	secure.StartTLS()
	defer secure.Close()
	config.Endpoint, config.Transport = secure.URL, secure.Client().Transport
	store := Open(config)
	store.Connect(t.Context())
	if connections.Load() != 1 {
		t.Errorf("%d connections before the first call", connections.Load())
	}
	if err := store.Ready(t.Context()); err != nil || connections.Load() != 1 {
		t.Errorf("%d connections after the first call, error %v", connections.Load(), err)
	}
}

// TestConnectEnds: a function starts although DynamoDB does not answer. What
// cannot be reached is the first call's to report.
func TestConnectEnds(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ctx, done := context.WithTimeout(t.Context(), 10*time.Second)
	defer done()
	Open(Config{Region: "local", Endpoint: "https://" + silent.Addr().String()}).Connect(ctx)
	if ctx.Err() != nil {
		t.Error("it waited as long as it could")
	}
}
