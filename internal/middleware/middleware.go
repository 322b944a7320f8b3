// Package middleware wraps every request with an id, a deadline, recovery from panics
// and a log line. It also chooses the content coding of a response.
package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
)

// timeout bounds a request. It is shorter than the timeout of the Lambda functions in
// template.yaml, so that the client gets a 503 problem.
const timeout = 8 * time.Second

// statusClientClosed is logged if the client closed the connection before the response, or if the request's
// body stopped before its end.
const statusClientClosed = 499

// ErrBodyStopped means that the body of a request stopped before its end.
var ErrBodyStopped = errors.New("request body stopped before its end")

// A Handler responds to the requests of one endpoint.
type Handler struct {
	// Answer writes the response to a request, and returns the status. It must have written nothing when it returns an
	// error or panics.
	Answer func(w http.ResponseWriter, r *http.Request) (status int, err error)

	// Fail writes the response to a request on which Answer failed, and returns the status.
	Fail func(w http.ResponseWriter, r *http.Request, err error) (status int)
}

// Handle responds to a request within timeout, and gives the request an id (see RequestID). It logs one line: the
// id, the endpoint's name, the status, and from status 500 on the error. Other errors may quote the client,
// so they are not logged (promise P5).
func Handle(log *slog.Logger, endpoint string, a Handler, w http.ResponseWriter, r *http.Request) {
	id := RequestID(r.Context())
	if id == "" {
		id = uuid.NewString()
	}
	ctx, cancel := context.WithTimeout(WithRequestID(r.Context(), id), timeout)
	defer cancel()
	within := r.WithContext(ctx)
	status, err := a.answer(w, within)
	if err != nil {
		status = a.Fail(w, within, err)
	}
	level, fields := slog.LevelInfo, []slog.Attr{
		slog.String("requestId", id),
		slog.String("endpoint", endpoint),
		slog.Int("status", status),
	}
	hungUp := err != nil && r.Context().Err() == context.Canceled && !errors.Is(err, errPanic)
	if hungUp || errors.Is(err, ErrBodyStopped) {
		fields[2] = slog.Int("status", statusClientClosed)
	} else if err != nil && status >= http.StatusInternalServerError {
		level = slog.LevelError
		fields = append(fields, slog.String("error", err.Error()))
	}
	// Call the handler directly: slog.Logger captures the caller of every line.
	if handler := log.Handler(); handler.Enabled(ctx, level) {
		line := slog.NewRecord(time.Now(), level, "request", 0)
		line.AddAttrs(fields...)
		_ = handler.Handle(ctx, line) // package log ignores this error, too
	}
}

var errPanic = errors.New("panic")

// answer calls the handler's Answer, and returns a panic as an error.
func (a Handler) answer(w http.ResponseWriter, r *http.Request) (status int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())
		}
	}()
	return a.Answer(w, r)
}

type idKey struct{}

// WithRequestID returns a context with a request id, a UUID for the log line and the instance of a
// problem.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, idKey{}, id)
}

// RequestID returns the request id of ctx, or the empty string.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

type fitsKey struct{}

// WithLimit returns a context for a request whose response is limited. fits reports whether a body fits into the
// response.
func WithLimit(ctx context.Context, fits func(body []byte) bool) context.Context {
	return context.WithValue(ctx, fitsKey{}, fits)
}

// Fits reports whether a body fits into the response to a request.
func Fits(ctx context.Context, body []byte) bool {
	fits, limited := ctx.Value(fitsKey{}).(func([]byte) bool)
	return !limited || fits(body)
}
