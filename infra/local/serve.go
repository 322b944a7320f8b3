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
	open := connections{states: make(map[net.Conn]http.ConnState)}
	server.ConnState = open.track
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	if requests := open.stop(); requests > 0 {
		fmt.Fprintf(out, "Stopping. Requests in flight, which have %v to finish: %d. Ctrl-C stops at once.\n", grace, requests)
	} else {
		fmt.Fprintln(out, "Stopping.")
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

// connections are a server's. Shutdown closes idle ones, but waits seconds for those opened in
// advance by a browser and never used.
type connections struct {
	mu     sync.Mutex
	states map[net.Conn]http.ConnState
}

// track is a server's ConnState hook.
func (c *connections) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(c.states, conn)
	} else {
		c.states[conn] = state
	}
}

// stop closes the connections that have had no request, and returns how many have one in
// flight.
func (c *connections) stop() (requests int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn, state := range c.states {
		switch state {
		case http.StateNew:
			_ = conn.Close()
		case http.StateActive:
			requests++
		}
	}
	return requests
}
