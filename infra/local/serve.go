package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// newServer limits the time and memory that a client may take, and keeps idle connections for
// longer than a proxy does (Caddy for 2 minutes): one that closes as the proxy sends a request
// is a 502.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:        handler,
		ReadTimeout:    5 * time.Second, // ends a body that stalls before the deadline of its request
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    3 * time.Minute,
		MaxHeaderBytes: 16 << 10, // API Gateway takes 10 KB
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelError),

		DisableGeneralOptionsHandler: true, // it answers OPTIONS * to every Host
	}
}

// grace bounds requests in flight once the server stops.
const grace = 10 * time.Second

// serve serves until ctx ends, then finishes the requests in flight.
func serve(ctx context.Context, server *http.Server, listener net.Listener, out io.Writer) error {
	// Shutdown closes idle connections, but waits seconds for those that a browser has opened
	// in advance and not used.
	var unused sync.Map
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if state == http.StateNew {
			unused.Store(conn, nil)
		} else {
			unused.Delete(conn)
		}
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	fmt.Fprintf(out, "Stopping. Requests in flight have %v to finish; Ctrl-C stops at once.\n", grace)
	for conn := range unused.Range {
		_ = conn.(net.Conn).Close()
	}
	finish, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if server.Shutdown(finish) != nil {
		return fmt.Errorf("stopped with requests that did not end in %v", grace)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
