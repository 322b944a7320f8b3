package middleware

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
	text string // the text of the log line
}

// handle handles one request. answer is the handler's Answer; fail turns its error into a status.
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

// TestErrorsAreLoggedFrom500: the log has the error of a 5xx alone, because other errors may quote the
// client. A deadline that has passed makes no difference. A request that fails because its client has closed
// the connection is not logged as an error, but a panic is.
func TestErrorsAreLoggedFrom500(t *testing.T) {
	past, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	const isPanic = `^panic: a defect\n(?s:.*)middleware_test\.go`
	for _, test := range []struct {
		ctx            context.Context
		err            error // the error that Answer returns; without an error the status is 418
		status, logged int
		level          string
		text           string // a pattern for the error in the log
	}{
		{past, nil, 418, 418, "INFO", `^$`},
		{past, io.EOF, 400, 400, "INFO", `^$`},
		{past, io.ErrShortWrite, 500, 500, "ERROR", `^short write$`},
		{past, io.ErrNoProgress, 503, 503, "ERROR", io.ErrNoProgress.Error()},
		{past, context.DeadlineExceeded, 503, 503, "ERROR", `deadline exceeded$`}, // the client has not hung up
		{past, errPanic, 503, 503, "ERROR", isPanic},
		{gone, errPanic, 503, 503, "ERROR", isPanic},
		{gone, context.Canceled, 503, 499, "INFO", `^$`},
		{gone, nil, 418, 418, "INFO", `^$`},
	} {
		a := handle(t, get().WithContext(test.ctx), func(w http.ResponseWriter, _ *http.Request) (int, error) {
			switch test.err {
			case nil:
				w.WriteHeader(http.StatusTeapot)
			case errPanic:
				panic("a defect")
			}
			return http.StatusTeapot, test.err
		})
		logged := a.line.Status == test.logged && a.line.Level == test.level
		if a.status != test.status || !logged || !regexp.MustCompile(test.text).MatchString(a.line.Error) {
			t.Errorf("%v: %d, log %s", test.err, a.status, a.text)
		}
	}
}

// TestID: a request and its log line have the same id. If the context has no id, the id is new.
func TestID(t *testing.T) {
	var id string
	answer := func(_ http.ResponseWriter, r *http.Request) (int, error) {
		id = RequestID(r.Context())
		return http.StatusOK, nil
	}
	a := handle(t, get(), answer)
	if parsed, err := uuid.Parse(id); err != nil || parsed.Version() != 4 || a.line.RequestID != id {
		t.Errorf("id %q, log %s", id, a.text)
	}
	a = handle(t, get().WithContext(WithRequestID(t.Context(), "given")), answer)
	if id != "given" || a.line.RequestID != "given" {
		t.Errorf("id %q, log %s", id, a.text)
	}
	if id := RequestID(t.Context()); id != "" {
		t.Errorf("without a request: %q", id)
	}
}

// TestTimeout: a request's context has a deadline, which comes before Lambda ends the function.
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
