package request

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
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

// TestTimeout: a request has a deadline, before Lambda ends the function, and its context ends with it.
func TestTimeout(t *testing.T) {
	template, err := os.ReadFile("../../template.yaml")
	limits := regexp.MustCompile(`(?m)^ +Timeout: (\d+)$`).FindAllSubmatch(template, -1)
	for _, limit := range limits {
		if seconds, _ := strconv.Atoi(string(limit[1])); time.Duration(seconds)*time.Second <= timeout {
			t.Errorf("a function ends after %d s", seconds)
		}
	}
	if err != nil || len(limits) == 0 {
		t.Errorf("no function has a timeout: %v", err)
	}
	begin := time.Now()
	var ctx context.Context
	handle(t, get(), func(_ http.ResponseWriter, r *http.Request) (int, error) {
		ctx = r.Context()
		return http.StatusOK, ctx.Err()
	})
	deadline, ok := ctx.Deadline()
	if !ok || deadline.Before(begin.Add(timeout)) || deadline.After(time.Now().Add(timeout)) {
		t.Errorf("the request ends %v", deadline)
	}
	if ctx.Err() == nil {
		t.Error("the context of a request outlives it")
	}
}

// TestClientHangsUp: a request that fails because its client has closed the connection is not
// logged as an error. One that was answered before has the status of the answer.
func TestClientHangsUp(t *testing.T) {
	for _, answered := range []bool{false, true} {
		ctx, hangUp := context.WithCancel(t.Context())
		a := handle(t, get().WithContext(ctx), func(w http.ResponseWriter, r *http.Request) (int, error) {
			hangUp()
			if answered {
				w.WriteHeader(http.StatusCreated)
				return http.StatusCreated, nil
			}
			return 0, r.Context().Err()
		})
		want := map[bool]int{true: http.StatusCreated, false: 499}[answered]
		if a.line.Status != want || a.line.Level != "INFO" || a.line.Error != "" {
			t.Errorf("log %s", a.text)
		}
	}
}
