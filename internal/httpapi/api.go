package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"turnout/internal/event"
)

// requestTimeout is how long a request may take: less than a Lambda function's
// own timeout in template.yaml, so that the client hears 503 from us.
const requestTimeout = 8 * time.Second

// New serves endpoints, and the problem 404 or 405 for all else. One line per
// request goes to log: never a token, a name or a query string.
func New(s *event.Service, log *slog.Logger, endpoints ...Endpoint) http.Handler {
	return &api{s, log, endpoints}
}

// NotFound answers every request with the problem 404, or 405 where the path
// exists: it stands where no endpoint does.
func NotFound(log *slog.Logger) http.Handler {
	refused := Endpoints()
	for i := range refused {
		refused[i].serve = nil
	}
	return &api{nil, log, refused}
}

type api struct {
	service   *event.Service
	log       *slog.Logger
	endpoints []Endpoint
}

// reply is what an endpoint answers when all went well.
type reply struct {
	status   int
	location string
	body     any // nil for none
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	Observe(a.log, r, func(r *http.Request, id string) (string, int, error) {
		e, err := a.endpointFor(w, r)
		var answer reply
		if err == nil {
			answer, err = a.call(e, r)
		}
		media := "application/json"
		if err != nil {
			p := problemOf(err, id)
			answer = reply{status: p.Status, body: p}
			media = "application/problem+json"
		}
		if answer.status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		write(w, answer, media)
		return e.Name, answer.status, err
	})
}

// Refuse answers every request with the problem 403: it has not come through the
// front door of the deployment.
func Refuse(log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Observe(log, r, func(_ *http.Request, id string) (string, int, error) {
			p := problemOf(errNotThroughFrontDoor, id)
			write(w, reply{status: p.Status, body: p}, "application/problem+json")
			return "refused", p.Status, errNotThroughFrontDoor
		})
	})
}

// Observe carries out one request: serve answers it, with a deadline and under
// the id that its log line will have, and tells that line which endpoint it was,
// the status, and what went wrong.
func Observe(log *slog.Logger, r *http.Request, serve func(r *http.Request, id string) (endpoint string, status int, err error)) {
	id := RequestID(r.Context())
	if id == "" {
		id = uuid.NewString()
	}
	ctx, cancel := context.WithTimeout(WithRequestID(r.Context(), id), requestTimeout)
	defer cancel()
	endpoint, status, err := serve(r.WithContext(ctx), id)
	record(log, id, endpoint, status, err)
}

// endpointFor finds the endpoint of a request. It sets the header Allow where
// only the method is wrong (RFC 9110, section 15.5.6).
func (a *api) endpointFor(w http.ResponseWriter, r *http.Request) (Endpoint, error) {
	var allowed []string
	for _, e := range a.endpoints {
		if !e.matches(r) {
			continue
		}
		if e.Method == r.Method && e.serve != nil {
			return e, nil
		}
		allowed = append(allowed, e.Method)
	}
	nowhere := Endpoint{Name: "not-found"}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return nowhere, errNotFound
	}
	slices.Sort(allowed)
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return nowhere, errMethodNotAllowed
}

// call runs an endpoint. A panic is a defect like any other unknown error.
func (a *api) call(e Endpoint, r *http.Request) (answer reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return e.serve(a.service, r)
}

// write encodes before it sends anything: what cannot be encoded must not begin
// as a success.
func write(w http.ResponseWriter, answer reply, media string) {
	var body bytes.Buffer
	if answer.body != nil {
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(answer.body); err != nil {
			panic(err) // the bodies are plain structs of this package
		}
		w.Header().Set("Content-Type", media)
	}
	if answer.location != "" {
		w.Header().Set("Location", answer.location)
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(answer.status)
	if answer.body != nil {
		_, _ = w.Write(body.Bytes()) // the client may have gone
	}
}

// record writes the log line of a request. The error is told only where the
// service is to blame: those of a client may quote it.
func record(log *slog.Logger, id, endpoint string, status int, err error) {
	level, fields := slog.LevelInfo, []slog.Attr{
		slog.String("requestId", id),
		slog.String("endpoint", endpoint),
		slog.Int("status", status),
	}
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
		fields = append(fields, slog.String("error", err.Error()))
	}
	log.LogAttrs(context.Background(), level, "request", fields...)
}

type requestIDKey struct{}

// WithRequestID gives the request that ctx belongs to an id, a UUID, for its log
// line and the instance of its problem.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the request that ctx belongs to, or nothing.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
