package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

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
	body     any    // nil for a response without a body
	sent     func() // called once the response has been sent, unless nil
}

// encoded is a body in JSON.
type encoded []byte

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
		if success.sent != nil {
			defer success.sent()
		}
		write(w, success, "application/json")
		return success.status, nil
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
	write(w, reply{status: p.Status, body: p}, "application/problem+json")
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

// write encodes the body before it sends the status, so that an encoding error can still become a 500.
func write(w http.ResponseWriter, content reply, media string) {
	body, isEncoded := content.body.(encoded)
	if content.body != nil && !isEncoded {
		const usual = 512 // bytes; allocating them at once saves copies
		b := bytes.NewBuffer(make([]byte, 0, usual))
		encoder := json.NewEncoder(b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(content.body); err != nil {
			panic(err) // the bodies are plain structs of this package, which can be encoded
		}
		body = b.Bytes()
	}
	if content.location != "" {
		w.Header().Set("Location", content.location)
	}
	w.Header().Set("Cache-Control", "no-store")
	if content.body == nil {
		w.WriteHeader(content.status)
		return
	}
	w.Header().Set("Content-Type", media)
	w.WriteHeader(content.status)
	_, _ = w.Write(body) // the client may have disconnected
}
