package request

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// answered is the result of one request: the status and the log line.
type answered struct {
	status int
	line   struct {
		Level, Msg, RequestID, Endpoint, Error string
		Status                                 int
	}
	text string // of the line
}

// handle answers one request; fail makes a status of an error of answer.
func handle(t *testing.T, r *http.Request, answer func(http.ResponseWriter, *http.Request) (int, error)) (a answered) {
	t.Helper()
	var log bytes.Buffer
	w := httptest.NewRecorder()
	Handle(slog.New(slog.NewJSONHandler(&log, nil)), "an-endpoint", Handler{answer, fail}, w, r)
	a.status, a.text = w.Code, log.String()
	if err := json.Unmarshal(log.Bytes(), &a.line); err != nil || strings.Count(a.text, "\n") != 1 {
		t.Fatalf("log %s, %v", &log, err)
	}
	if a.line.Msg != "request" || a.line.Endpoint != "an-endpoint" {
		t.Errorf("log %s", &log)
	}
	return a
}

func fail(w http.ResponseWriter, _ *http.Request, err error) int {
	status := http.StatusServiceUnavailable
	switch {
	case errors.Is(err, io.EOF):
		status = http.StatusBadRequest
	case errors.Is(err, io.ErrShortWrite):
		status = http.StatusInternalServerError
	}
	w.WriteHeader(status)
	return status
}

func get() *http.Request { return httptest.NewRequest(http.MethodGet, "/path?query", nil) }

// TestErrorsAreLoggedFrom500: other errors may quote the client. A deadline that has
// passed makes no difference.
func TestErrorsAreLoggedFrom500(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		level  string
		logged string
	}{
		{nil, 418, "INFO", ""},
		{io.EOF, 400, "INFO", ""},
		{io.ErrShortWrite, 500, "ERROR", io.ErrShortWrite.Error()},
		{io.ErrNoProgress, 503, "ERROR", io.ErrNoProgress.Error()},
		{context.DeadlineExceeded, 503, "ERROR", context.DeadlineExceeded.Error()}, // the client has not hung up
	} {
		past, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer cancel()
		a := handle(t, get().WithContext(past), func(w http.ResponseWriter, _ *http.Request) (int, error) {
			if test.err == nil {
				w.WriteHeader(http.StatusTeapot)
			}
			return http.StatusTeapot, test.err
		})
		if a.status != test.status || a.line.Status != test.status || a.line.Level != test.level || a.line.Error != test.logged {
			t.Errorf("%v: %d, log %s", test.err, a.status, a.text)
		}
	}
}

// TestPanicIsAnError: also after its client has closed the connection.
func TestPanicIsAnError(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), gone} {
		a := handle(t, get().WithContext(ctx), func(http.ResponseWriter, *http.Request) (int, error) { panic("a defect") })
		if a.status != 503 || a.line.Level != "ERROR" || !strings.Contains(a.line.Error, "panic: a defect\n") || !strings.Contains(a.line.Error, "request_test.go") {
			t.Errorf("%d, log %s", a.status, a.text)
		}
	}
}

// TestID: the request has the id of its log line, a new one if none was given.
func TestID(t *testing.T) {
	var id string
	answer := func(_ http.ResponseWriter, r *http.Request) (int, error) {
		id = ID(r.Context())
		return http.StatusOK, nil
	}
	a := handle(t, get(), answer)
	if parsed, err := uuid.Parse(id); err != nil || parsed.Version() != 4 || a.line.RequestID != id {
		t.Errorf("id %q, log %s", id, a.text)
	}
	a = handle(t, get().WithContext(WithID(t.Context(), "given")), answer)
	if id != "given" || a.line.RequestID != "given" {
		t.Errorf("id %q, log %s", id, a.text)
	}
	if id := ID(t.Context()); id != "" {
		t.Errorf("without a request: %q", id)
	}
}

// TestTimeout: the deadline of a request is before that of the Lambda function.
func TestTimeout(t *testing.T) {
	template, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ofFunctions := regexp.MustCompile(`\n    Timeout: (\d+)\n`).FindSubmatch(template)
	if ofFunctions == nil {
		t.Fatal("the template has no Timeout")
	}
	if seconds, _ := strconv.Atoi(string(ofFunctions[1])); timeout >= time.Duration(seconds)*time.Second {
		t.Errorf("a request may take %v, a function %d s", timeout, seconds)
	}
	begin := time.Now()
	handle(t, get(), func(_ http.ResponseWriter, r *http.Request) (int, error) {
		deadline, ok := r.Context().Deadline()
		if !ok || deadline.Before(begin.Add(timeout)) || deadline.After(time.Now().Add(timeout)) {
			t.Errorf("the request ends %v", deadline)
		}
		return http.StatusOK, nil
	})
	handle(t, get(), func(_ http.ResponseWriter, r *http.Request) (int, error) {
		t.Cleanup(func() {
			if r.Context().Err() == nil {
				t.Error("the context of a request outlives it")
			}
		})
		return http.StatusOK, nil
	})
}

// TestClientHangsUp: a request that fails because its client has closed the connection
// is not logged as an error.
func TestClientHangsUp(t *testing.T) {
	lines, log := io.Pipe()
	defer log.Close()
	begun := make(chan struct{})
	answer := func(_ http.ResponseWriter, r *http.Request) (int, error) {
		close(begun)
		<-r.Context().Done()
		return 0, r.Context().Err()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Handle(slog.New(slog.NewJSONHandler(log, nil)), "an-endpoint", Handler{answer, fail}, w, r)
	}))
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: turnout\r\n\r\n")
	<-begun
	_ = connection.Close()
	line, err := bufio.NewReader(lines).ReadString('\n')
	if err != nil || !strings.Contains(line, `"level":"INFO"`) || !strings.Contains(line, `"status":499}`) {
		t.Errorf("log %s, %v", line, err)
	}
}

// TestAnsweredBeforeTheHangUp: the log line has the status of the answer.
func TestAnsweredBeforeTheHangUp(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	a := handle(t, get().WithContext(gone), func(w http.ResponseWriter, r *http.Request) (int, error) {
		w.WriteHeader(http.StatusCreated)
		cancel()
		return http.StatusCreated, nil
	})
	if a.line.Status != http.StatusCreated {
		t.Errorf("log %s", a.text)
	}
}
