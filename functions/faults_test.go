package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/event"
	"turnout/internal/httpapi"
	"turnout/internal/site"
)

// transport is an http.RoundTripper in the place of DynamoDB.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// respond returns a transport that responds with that status and body to all requests.
func respond(status int, body string) transport {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode:    status,
			Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
			Body:          io.NopCloser(strings.NewReader(body)),
			ContentLength: int64(len(body)),
			Request:       r,
		}, nil
	}
}

func exception(name, message string) string {
	return fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":%q}`, name, message)
}

// TestFaultsAreLoggedWithoutSecrets: the log line of a fault of DynamoDB has its cause
// and no token, name or query; the answer has none of them.
func TestFaultsAreLoggedWithoutSecrets(t *testing.T) {
	const name = "Ada Lovelace, Countess"
	token, organizer, rsvp, key := uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString()
	secrets := []string{name, token, organizer, rsvp, key, "organizerToken", "/api/"}
	requests := map[string]*http.Request{}
	request := func(e httpapi.Endpoint, query, body string) {
		path := strings.NewReplacer("{eventToken}", token, "{rsvpToken}", rsvp).Replace(e.Path)
		r := httptest.NewRequest(e.Method, path+query, strings.NewReader(body))
		r.Header.Set("Idempotency-Key", key)
		requests[e.Name] = r
	}
	request(httpapi.CreateEvent, "", `{"title":"`+name+`","dateTime":"2099-05-01T12:00:00Z","timezone":"UTC"}`)
	request(httpapi.GetEvent, "", "")
	request(httpapi.CancelEvent, "?organizerToken="+organizer, `{"cancelled":true,"cancellationReason":"`+name+`"}`)
	request(httpapi.ListAttendees, "?organizerToken="+organizer, "")
	request(httpapi.CreateRSVP, "", `{"name":"`+name+`"}`)
	request(httpapi.CancelRSVP, "", "")
	requests[site.PageName] = httptest.NewRequest(http.MethodGet, site.EventPages+token, nil)

	// Names and tokens are in what DynamoDB responds, too.
	item := `{"pk":{"S":"EVENT#` + token + `"},"sk":{"S":"DETAILS"},"name":{"S":"` + name + `"},"title":{"S":"` + name + `"}}`
	for _, fault := range []struct {
		name      string
		transport transport
		status    int
		cause     string
	}{
		{"a refusal", respond(400, exception("ValidationException", "The provided key element does not match the schema")), 500, "does not match the schema"},
		{"no JSON", respond(200, "<html>"+name), 500, "deserialization failed"},
		{"an item without attributes", respond(200, `{"Item":`+item+`,"Items":[`+item+`],"Count":1}`), 500, "without a valid"},
		{"an item that is cut off", respond(200, `{"Item":`+item[:len(item)-10]), 500, "deserialization failed"},
		{"an outage", respond(500, exception("InternalServerError", "Internal server error")), 503, "unavailable"},
		{"no connection", func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
		}, 503, "unavailable"},
		{"no address", func(*http.Request) (*http.Response, error) {
			return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
		}, 503, "unavailable"},
	} {
		for endpoint, r := range requests {
			t.Run(fault.name+"/"+endpoint, func(t *testing.T) {
				// Retries go on until the deadline, which is close where there are retries.
				ctx := t.Context()
				if fault.status == http.StatusServiceUnavailable {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 20*time.Millisecond)
					defer cancel()
				}
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Fatal(err)
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				defer func() { r.Body = io.NopCloser(bytes.NewReader(body)) }()

				service := event.NewService(dynamo.Open(dynamo.Config{
					Table: "table", Region: "local", AccessKeyID: "local", SecretAccessKey: "local", Transport: fault.transport,
				}))
				var printed bytes.Buffer
				log := slog.New(slog.NewJSONHandler(&printed, nil))
				handler := httpapi.New(service, log, httpapi.Endpoints()...)
				if endpoint == site.PageName {
					handler = site.NewEventPages(service, log)
				}
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r.WithContext(ctx))

				var line struct {
					Status int
					Error  string
				}
				if err := json.Unmarshal(printed.Bytes(), &line); err != nil {
					t.Fatal(err)
				}
				if w.Code < 500 && fault.name != "an item without attributes" {
					t.Fatalf("answered %d, logged %s", w.Code, &printed)
				}
				if w.Code >= 500 && (w.Code != fault.status || line.Status != w.Code || !strings.Contains(line.Error, fault.cause)) {
					t.Errorf("answered %d, logged %s", w.Code, &printed)
				}
				for _, secret := range secrets {
					if strings.Contains(strings.ToLower(printed.String()), strings.ToLower(secret)) {
						t.Errorf("the log has %q: %s", secret, &printed)
					}
					if w.Code >= 500 && endpoint != site.PageName && strings.Contains(w.Body.String(), secret) {
						t.Errorf("the answer has %q: %s", secret, w.Body)
					}
				}
			})
		}
	}
}
