package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
)

// pipes is a listener whose connections are pipes, for bubbles of synctest.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

func request(conn net.Conn, path string) {
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: turnout\r\n\r\n", path)
}

// TestStopWithIdleConnections: the server keeps idle connections for longer than a proxy
// does, and does not wait for them when it stops. It prints that it waits for a request in flight, and answers it.
func TestStopWithIdleConnections(t *testing.T) {
	for _, c := range []struct {
		name  string
		slow  bool
		lasts time.Duration
		says  string
	}{
		{"idle", false, 0, "Stopping.\n"},
		{"request in flight", true, 3 * time.Second, "Stopping. Requests in flight, which have 10s to finish: 1. Ctrl-C stops at once.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener := pipes{make(chan net.Conn), make(chan struct{})}
				server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/slow" {
						time.Sleep(3 * time.Second)
					}
					fmt.Fprint(w, "answer")
				}), slog.New(slog.DiscardHandler))
				ctx, stop := context.WithCancel(t.Context())
				var out bytes.Buffer
				served := make(chan error, 1)
				go func() { served <- serve(ctx, server, listener, &out) }()

				used := listener.dial()
				for range 2 {
					request(used, "/")
					if _, err := used.Read(make([]byte, 1024)); err != nil {
						t.Error(err)
					}
					time.Sleep(2 * time.Minute) // as Caddy does
				}
				unused, slow := listener.dial(), listener.dial()
				defer unused.Close()
				answer := make(chan string, 1)
				if c.slow {
					request(slow, "/slow")
					go func() {
						b := make([]byte, 1024)
						n, _ := slow.Read(b)
						answer <- string(b[:n])
					}()
				}
				synctest.Wait()
				begin := time.Now()
				stop()
				if err := <-served; err != nil {
					t.Error(err)
				}
				const polling = time.Second // of Shutdown
				if took := time.Since(begin); took < c.lasts || took > c.lasts+polling {
					t.Errorf("stopping took %v, want %v", took, c.lasts)
				}
				if out.String() != c.says {
					t.Errorf("it says %q, want %q", out.String(), c.says)
				}
				if c.slow && !strings.Contains(<-answer, "answer") {
					t.Error("the request in flight was not answered")
				}
				_, _ = used.Close(), slow.Close()
			})
		})
	}
}

// TestStalledBody: a body that stalls is answered before the request's own deadline, and ends the connection. A malformed
// one is the client's fault, and so is one that is too large, of which the server does not read the end.
func TestStalledBody(t *testing.T) {
	for body, want := range map[string]string{
		"Content-Length: 20\r\n\r\n{":                                 "503 Service Unavailable",
		"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n":               "503 Service Unavailable",
		"Transfer-Encoding: chunked\r\n\r\nx\r\n":                     "400 Bad Request",
		"Content-Length: 90000\r\n\r\n" + strings.Repeat(" ", 70_000): "413 Request Entity Too Large",
	} {
		synctest.Test(t, func(t *testing.T) {
			listener := pipes{make(chan net.Conn), make(chan struct{})}
			log := slog.New(slog.DiscardHandler)
			server := newServer(httpapi.New(event.NewService(new(storetest.Memory)), log, httpapi.Endpoints()...), log)
			go func() { _ = server.Serve(listener) }()
			client := listener.dial()
			go func() { _, _ = io.WriteString(client, "POST /api/events HTTP/1.1\r\nHost: turnout\r\n"+body) }()
			begin := time.Now()
			answer, err := http.ReadResponse(bufio.NewReader(client), nil)
			must(t, err)
			if took := time.Since(begin); answer.Status != want || !answer.Close || took > 7*time.Second {
				t.Errorf("%.40q: %s after %v, closed %v", body, answer.Status, took, answer.Close)
			}
			_, _ = client.Close(), server.Close()
		})
	}
}
