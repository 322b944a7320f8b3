package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	"turnout/internal/site/eventpage"
)

// transport is an http.RoundTripper in place of DynamoDB.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// respond returns a transport that responds with that status and body to all requests.
func respond(status int, body string) transport {
	return func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(status)
		_, _ = w.WriteString(body)
		return w.Result(), nil
	}
}

// fail returns a transport that fails all requests.
func fail(err error) transport {
	return func(*http.Request) (*http.Response, error) { return nil, err }
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
	// DynamoDB's responses contain names and tokens, too.
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
		{"no connection", fail(&net.OpError{Op: "dial", Err: errors.New("connection refused")}), 503, "unavailable"},
		{"no address", fail(&net.DNSError{Err: "no such host", IsNotFound: true}), 503, "unavailable"},
	} {
		service := event.NewService(dynamo.Open(dynamo.Config{
			Table: "table", Region: "local", AccessKeyID: "local", SecretAccessKey: "local", Transport: fault.transport,
		}))
		var printed bytes.Buffer
		log := slog.New(slog.NewJSONHandler(&printed, nil))
		api, pages := httpapi.New(service, log, httpapi.Endpoints()...), eventpage.NewHandler(service, log)
		for _, request := range [][3]string{
			{"POST", "/api/events", `{"title":"` + name + `","dateTime":"2099-05-01T12:00:00Z","timezone":"UTC"}`},
			{"GET", "/api/events/" + token},
			{"PATCH", "/api/events/" + token + "?organizerToken=" + organizer, `{"cancelled":true,"cancellationReason":"` + name + `"}`},
			{"GET", "/api/events/" + token + "/attendees?organizerToken=" + organizer},
			{"POST", "/api/events/" + token + "/rsvps", `{"name":"` + name + `"}`},
			{"DELETE", "/api/events/" + token + "/rsvps/" + rsvp},
			{"GET", site.EventPages + token},
		} {
			// Retries go on until the deadline, which is close where there are retries.
			limit := time.Minute
			if fault.status == http.StatusServiceUnavailable {
				limit = 20 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			r := httptest.NewRequestWithContext(ctx, request[0], request[1], strings.NewReader(request[2]))
			r.Header.Set("Idempotency-Key", key)
			handler, isPage := api, strings.HasPrefix(request[1], site.EventPages)
			if isPage {
				handler = pages
			}
			printed.Reset()
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)

			var line struct {
				Status int
				Error  string
			}
			if err := json.Unmarshal(printed.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			failed := w.Code == fault.status && line.Status == w.Code && strings.Contains(line.Error, fault.cause)
			if !failed && (fault.name != "an item without attributes" || w.Code >= 500) {
				t.Errorf("%s: %s answered %d, logged %s", fault.name, request[0], w.Code, &printed)
			}
			for _, secret := range secrets {
				if strings.Contains(strings.ToLower(printed.String()), strings.ToLower(secret)) {
					t.Errorf("%s: the log has %q: %s", fault.name, secret, &printed)
				}
				if failed && !isPage && strings.Contains(w.Body.String(), secret) {
					t.Errorf("%s: the answer has %q: %s", fault.name, secret, w.Body)
				}
			}
		}
	}
}
