package gateway_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/uuid"

	"turnout/internal/bolt"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/gateway"
	"turnout/internal/httpapi"
	"turnout/internal/middleware"
)

func request(method, path, query, body string) events.APIGatewayV2HTTPRequest {
	r := events.APIGatewayV2HTTPRequest{RawPath: path, RawQueryString: query, Body: body}
	r.RequestContext.HTTP.Method = method
	r.RequestContext.HTTP.Path = path
	r.RequestContext.DomainName = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
	return r
}

// TestRequestIsComplete: a request has method, decoded path, query, body and request id.
func TestRequestIsComplete(t *testing.T) {
	id := uuid.NewString()
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: id})
	for name, change := range map[string]func(*events.APIGatewayV2HTTPRequest){
		"plain":       func(*events.APIGatewayV2HTTPRequest) {},
		"no raw path": func(r *events.APIGatewayV2HTTPRequest) { r.RawPath = "" },
		"base64": func(r *events.APIGatewayV2HTTPRequest) {
			r.Body, r.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte(r.Body)), true
		},
	} {
		t.Run(name, func(t *testing.T) {
			handler := gateway.Adapt(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got := []string{r.Method, r.URL.Path, fmt.Sprint(len(r.URL.Query()["x"])), string(body)}
				if !slices.Equal(got, []string{"PATCH", "/a%b?c/d#e ü", "2", "body"}) {
					t.Errorf("%s %s %s %s", r.Method, r.URL.Path, r.URL.RawQuery, body)
				}
				w.WriteHeader(http.StatusNoContent)
			}))
			r := request("PATCH", "/a%b?c/d#e ü", "x=1&x=%26", "body")
			change(&r)
			answer, err := handler(ctx, r)
			if err != nil || answer.StatusCode != http.StatusNoContent {
				t.Errorf("%d, %v", answer.StatusCode, err)
			}
		})
	}
	answer, err := gateway.Adapt(httpapi.NotFound(slog.New(slog.DiscardHandler)))(ctx, request("GET", "/", "", ""))
	var problem struct{ Instance string }
	if err == nil {
		err = json.Unmarshal([]byte(answer.Body), &problem)
	}
	if err != nil || problem.Instance != "urn:uuid:"+id {
		t.Errorf("instance %q, %v", problem.Instance, err)
	}
}

// TestCompression: text is compressed with gzip if the client accepts gzip and the text becomes smaller. CloudFront
// compresses cacheable responses itself, also with brotli.
func TestCompression(t *testing.T) {
	long := strings.Repeat("x", 1400)
	random := make([]byte, 3000)
	for i := range random {
		random[i] = byte('!' + rand.N(90))
	}
	const encoding = "Accept-Encoding"
	for _, test := range []struct {
		name, body, accepted string
		header               [2]string // a header of the response
		gzipped              bool
		vary                 string
	}{
		{name: "accepted", body: long, accepted: "br, GZip", gzipped: true, vary: encoding},
		{name: "nothing said", body: long, vary: encoding},
		{name: "refused", body: long, accepted: "gzip;q=0.0, *", vary: encoding},
		{name: "too small", body: long[1:], accepted: "gzip"},
		{name: "would grow", body: string(random), accepted: "gzip", vary: encoding},
		{name: "cached", body: long, accepted: "gzip", header: [2]string{"Cache-Control", "public, max-age=60, stale-if-error=600"}},
		{name: "not cached", body: long, accepted: "gzip", header: [2]string{"Cache-Control", "no-store"}, gzipped: true, vary: encoding},
		{name: "varies anyway", body: long, header: [2]string{"Vary", "Accept-Language"}, vary: "Accept-Language, Accept-Encoding"},
		{name: "binary", body: strings.Repeat("\xff\x00", 2000), accepted: "gzip"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := request("GET", "/", "", "")
			r.Headers = map[string]string{"accept-encoding": test.accepted}
			a, err := gateway.Adapt(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if test.header[0] != "" {
					w.Header().Set(test.header[0], test.header[1])
				}
				w.Header().Set("Content-Length", strconv.Itoa(len(test.body)))
				_, _ = io.WriteString(w, test.body)
			}))(t.Context(), r)
			body := []byte(a.Body)
			if a.IsBase64Encoded && err == nil {
				body, err = base64.StdEncoding.DecodeString(a.Body)
			}
			if test.gzipped && err == nil {
				var plain *gzip.Reader
				if plain, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
					body, err = io.ReadAll(plain)
				}
			}
			if err != nil || string(body) != test.body {
				t.Errorf("another body: %d bytes, %v", len(body), err)
			}
			if length := a.Headers["Content-Length"]; (length == "") != test.gzipped {
				t.Errorf("the length is %q, of a body that is compressed: %t", length, test.gzipped)
			}
			gzipped := a.Headers["Content-Encoding"] == "gzip"
			if gzipped != test.gzipped || a.Headers["Vary"] != test.vary {
				t.Errorf("the headers are %v", a.Headers)
			}
		})
	}
}

// TestLongestResponses: Lambda passes on the longest bodies that fit, and no longer body is sent. Lambda would respond
// to a longer one with a 5xx of its own.
func TestLongestResponses(t *testing.T) {
	const (
		most = 6_291_556   // bytes of a response that Lambda passes on
		room = most - 1100 // without status and headers
	)
	digits := make([]byte, 9_100_000) // gzip halves them, and base64 adds a third
	for i := range digits {
		digits[i] = "0123456789abcdef"[rand.N(16)]
	}
	for _, test := range []struct {
		name, accepted, text string
		fits, tooLong        int // bytes
	}{
		{"as it is", "", strings.Repeat("x", most), room, most},
		{"for a client without gzip", "br", string(digits), room, most},
		{"with gzip", "gzip", string(digits), 8_900_000, 9_100_000},
		{"with escapes of two bytes", "", strings.Repeat(`"`, most), room / 2, most / 2},
		{"with escapes of six bytes", "", strings.Repeat("\x01", most), room / 6, most / 6},
		{"with characters that only HTML escapes", "", strings.Repeat("<", most), room, most},
	} {
		for size, fits := range map[int]bool{test.fits: true, test.tooLong: false} {
			body := test.text[:size]
			r := request("GET", "/", "", "")
			r.Headers = map[string]string{"accept-encoding": test.accepted}
			answer, err := gateway.Adapt(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !middleware.Fits(r.Context(), []byte(body)) {
					w.WriteHeader(http.StatusNotAcceptable)
					return
				}
				_, _ = io.WriteString(w, body)
			}))(t.Context(), r)
			var sent bytes.Buffer
			encoder := json.NewEncoder(&sent)
			encoder.SetEscapeHTML(false) // as Lambda's encoder
			if err == nil {
				err = encoder.Encode(answer)
			}
			if err != nil || (answer.StatusCode == http.StatusOK) != fits || sent.Len() > most {
				t.Errorf("%s, %d bytes: status %d, %d bytes are sent, %v",
					test.name, len(body), answer.StatusCode, sent.Len(), err)
			}
		}
	}
}

// TestListThatIsTooLong: a list that does not fit into a response gets a problem, which the log has, too. If the list
// fits with gzip, it depends on the client.
func TestListThatIsTooLong(t *testing.T) {
	store, token, organizer := new(storetest.Memory), event.NewToken(), event.NewToken()
	guest := event.RSVP{Name: strings.Repeat("x", 7_000_000)}
	err := errors.Join(
		store.CreateEvent(t.Context(), event.Event{Token: token}, organizer.Hash()),
		store.CreateRSVP(t.Context(), token, guest))
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	api := gateway.Adapt(httpapi.New(event.NewService(store), log, httpapi.ListAttendees))
	list := request("GET", "/api/events/"+token.String()+"/attendees", "organizerToken="+organizer.String(), "")
	answer, err := api(t.Context(), list)
	isProblem := strings.Contains(answer.Body, `"urn:turnout:problem:list-too-long"`) &&
		strings.Contains(answer.Body, "turnout -table … export") && answer.StatusCode == http.StatusNotAcceptable
	if err != nil || !isProblem || !strings.Contains(logged.String(), "status=406") {
		t.Errorf("%d %.500s, %v, logged %s", answer.StatusCode, answer.Body, err, &logged)
	}
	list.Headers = map[string]string{"accept-encoding": "gzip"}
	if answer, err := api(t.Context(), list); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("with gzip: %d, %v", answer.StatusCode, err)
	}
}

// TestUnroutableRequestsCarryTheOriginSecret: an unroutable request passes with the secret, and is refused without the
// secret like any request. A body that is not base64 does not count as an empty body.
func TestUnroutableRequestsCarryTheOriginSecret(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	function := gateway.Adapt(httpapi.RequireOriginSecret([]string{"a"}, log, httpapi.NotFound(log)))
	for secret, want := range map[string]int{"a": http.StatusNotFound, "b": http.StatusForbidden} {
		undecodable := request("POST", "/api/health", "", "not base64")
		undecodable.IsBase64Encoded = true
		for _, r := range []events.APIGatewayV2HTTPRequest{request("BAD METHOD", "/api", "", ""), undecodable} {
			r.Headers = map[string]string{"x-origin-secret": secret}
			if answer, err := function(t.Context(), r); err != nil || answer.StatusCode != want {
				t.Errorf("with %q: %d, %v", secret, answer.StatusCode, err)
			}
		}
	}
}

// FuzzEvent: no event makes the adapter fail, because that would be a 5xx, or print to the log, because the line could
// contain a token.
func FuzzEvent(f *testing.F) {
	f.Add("GET", "/api/events/%25", "organizerToken=%zz", "", false)
	f.Add("POST", "/api/events/a?b/rsvps", "", `{"name":"Ada"}`, false)
	f.Add("PATCH", "//evil.example/..", "a=\x7f", "e30=", true)
	f.Add("BAD METHOD", "\x00", "#", "not base64", true)
	f.Add("POST", "/api/events", "", "!!!", true)
	f.Add("", "", "", "", false)
	store, err := bolt.Open(filepath.Join(f.TempDir(), "turnout.db"))
	if err != nil {
		f.Fatal(err)
	}
	defer store.Close()
	api := gateway.Adapt(httpapi.New(event.NewService(store), slog.New(slog.DiscardHandler), httpapi.Endpoints()...))
	f.Fuzz(func(t *testing.T, method, path, query, body string, encoded bool) {
		printed := capture(t, func() {
			r := request(method, path, query, body)
			r.IsBase64Encoded = encoded
			answer, err := api(t.Context(), r)
			if err != nil || answer.StatusCode < 200 || answer.StatusCode > 499 {
				t.Errorf("%d, %v", answer.StatusCode, err)
			}
		})
		if printed != "" {
			t.Errorf("printed %q", printed)
		}
	})
}

// capture returns what f writes to the standard logger and to standard output. The adapter writes to both.
func capture(t *testing.T, f func()) string {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(was *os.File) { os.Stdout = was }(os.Stdout)
	os.Stdout = write
	f()
	_ = write.Close()
	printed, err := io.ReadAll(read)
	_ = read.Close()
	if err != nil {
		t.Fatal(err)
	}
	return logged.String() + string(printed)
}
