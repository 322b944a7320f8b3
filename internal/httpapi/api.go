package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"turnout/internal/event"
	"turnout/internal/middleware"
)

// New serves endpoints. Every other request gets a 404 or 405 with a problem document. New logs one line per request,
// without tokens, names and query strings (promise P5).
func New(s *event.Service, log *slog.Logger, endpoints ...Endpoint) http.Handler {
	return &api{s, log, endpoints}
}

// NotFound responds to every request with the problem 404, or 405 if the path exists. It is the function behind API
// Gateway's catch-all route.
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

// reply is an endpoint's successful response.
type reply struct {
	status   int
	location string // URL of the created resource
	next     string // URL of the next page
	body     any    // nil for a response without a body
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e, err := a.endpointFor(w, r)
	serve := func(w http.ResponseWriter, r *http.Request) (int, error) {
		if err != nil {
			return 0, err
		}
		success, err := e.serve(a.service, r)
		if err != nil {
			return 0, err
		}
		return success.status, write(w, success, "application/json")
	}
	middleware.Handle(a.log, e.Name, middleware.Handler{Answer: serve, Fail: fail}, w, r)
}

// fail responds with the problem of err.
func fail(w http.ResponseWriter, r *http.Request, err error) int {
	p := problemOf(err, middleware.RequestID(r.Context()))
	if p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	if errors.Is(err, errEncoded) {
		w.Header().Set("Accept-Encoding", "identity") // RFC 9110, section 15.5.16
	}
	_ = write(w, reply{status: p.Status, body: p}, "application/problem+json") // a problem is not long
	return p.Status
}

// endpointFor finds the endpoint of a request. It sets the header Allow if only the method is
// wrong (RFC 9110, section 15.5.6).
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
	notFound := Endpoint{Name: "not-found"}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return notFound, errNotFound
	}
	slices.Sort(allowed)
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return notFound, errMethodNotAllowed
}

// A client may read a response slowly, so the total length of the long responses that are being sent is bounded.
const (
	longResponse = 64 << 10 // bytes from which a response is long
	mostSending  = 32 << 20 // bytes
)

// sending is the total length in bytes of the long responses that are being sent.
var sending atomic.Int64

var errSlowClients = fmt.Errorf("%w: clients read long responses too slowly", event.ErrUnavailable)

// write encodes the body before it sends the status, so that an encoding error can still become a 500. It returns
// errSlowClients, and writes nothing, if the total length of long responses would exceed its bound.
func write(w http.ResponseWriter, content reply, media string) error {
	const usual = 512 // bytes; allocating them at once saves copies
	var body bytes.Buffer
	if content.body != nil {
		body.Grow(usual)
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(content.body); err != nil {
			panic(err) // the bodies are plain structs of this package, which can be encoded
		}
	}
	if size := int64(body.Len()); size > longResponse {
		defer sending.Add(-size)
		if sending.Add(size) > mostSending {
			return errSlowClients
		}
	}
	if content.body != nil {
		w.Header().Set("Content-Type", media)
	}
	if content.location != "" {
		w.Header().Set("Location", content.location)
	}
	if content.next != "" {
		w.Header().Set("Link", "<"+content.next+`>; rel="next"`)
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(content.status)
	if content.body != nil {
		_, _ = w.Write(body.Bytes()) // the client may have disconnected
	}
	return nil
}
