package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
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

// TestStopWithIdleConnections: the server keeps idle connections for longer than a proxy does. When it stops, it does
// not wait for idle connections. It waits for a request in flight.
func TestStopWithIdleConnections(t *testing.T) {
	for path, lasts := range map[string]time.Duration{"/": 0, "/slow": 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			listener := pipes{make(chan net.Conn), make(chan struct{})}
			server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/slow" {
					time.Sleep(lasts)
				}
				fmt.Fprint(w, "answer")
			}), slog.New(slog.DiscardHandler))
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- serve(ctx, server, listener, io.Discard) }()

			used := listener.dial()
			for range 2 {
				request(used, "/")
				if _, err := used.Read(make([]byte, 1024)); err != nil {
					t.Error(err)
				}
				time.Sleep(2 * time.Minute) // Caddy keeps an idle connection for this time
			}
			unused, last := listener.dial(), listener.dial()
			answer := make(chan string, 1)
			request(last, path)
			go func() {
				b := make([]byte, 1024)
				n, _ := last.Read(b)
				answer <- string(b[:n])
			}()
			synctest.Wait()
			begin := time.Now()
			stop()
			if err := <-served; err != nil {
				t.Error(err)
			}
			const polling = time.Second // interval at which Shutdown looks for idle connections
			if took := time.Since(begin); took < lasts || took > lasts+polling {
				t.Errorf("%s: stopping took %v, want %v", path, took, lasts)
			}
			if !strings.Contains(<-answer, "answer") {
				t.Errorf("%s was not answered", path)
			}
			_, _, _ = used.Close(), unused.Close(), last.Close()
		})
	}
}

// TestStalledBody: a stalled body gets a response before the request's own deadline, and ends the connection. A
// malformed body is the client's fault. So is a body that is too large, whose end the server does not read.
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

// TestClockAtTheStart: the log says so if the clock is more than a day ahead of or behind the last write, and only
// then.
func TestClockAtTheStart(t *testing.T) {
	c := config{dataDir: t.TempDir()}
	for _, test := range []struct {
		ago  time.Duration
		says string
	}{
		{0, ""},
		{23 * time.Hour, ""},
		{-23 * time.Hour, ""},
		{25 * time.Hour, "the clock is ahead of the last write"},
		{-25 * time.Hour, "the clock is behind the last write"},
		{-100 * 365 * 24 * time.Hour, "days=36499 lastWrite="},
	} {
		data, err := openFile(t.Context(), c)
		must(t, err)
		must(t, data.close())
		if test.ago != 0 {
			must(t, os.Chtimes(c.file(), time.Time{}, time.Now().Add(-test.ago)))
		}
		data, err = openFile(t.Context(), c)
		must(t, err)
		var log strings.Builder
		data.maintain(slog.New(slog.NewTextHandler(&log, nil)))
		must(t, data.close())
		said, silent := log.String(), !strings.Contains(log.String(), "clock")
		if !strings.Contains(said, test.says) || silent != (test.says == "") {
			t.Errorf("%v after the last write: %s", test.ago, said)
		}
	}
}
