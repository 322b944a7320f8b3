package gateway_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/uuid"

	"turnout/internal/bolt"
	"turnout/internal/event"
	"turnout/internal/gateway"
	"turnout/internal/httpapi"
)

func request(method, path, query, body string) events.APIGatewayV2HTTPRequest {
	r := events.APIGatewayV2HTTPRequest{RawPath: path, RawQueryString: query, Body: body}
	r.RequestContext.HTTP.Method = method
	r.RequestContext.HTTP.Path = path
	r.RequestContext.DomainName = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
	return r
}

// TestRequestIsComplete: it has method, decoded path, query, body and request id.
func TestRequestIsComplete(t *testing.T) {
	id := uuid.NewString()
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: id})
	for name, change := range map[string]func(*events.APIGatewayV2HTTPRequest){
		"plain":          func(*events.APIGatewayV2HTTPRequest) {},
		"no raw path":    func(r *events.APIGatewayV2HTTPRequest) { r.RawPath = "" },
		"no domain name": func(r *events.APIGatewayV2HTTPRequest) { r.RequestContext.DomainName = "" },
		"base64": func(r *events.APIGatewayV2HTTPRequest) {
			r.Body, r.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte(r.Body)), true
		},
	} {
		t.Run(name, func(t *testing.T) {
			handler := gateway.Adapt(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Method != "PATCH" || r.URL.Path != "/a%b?c/d#e ü" || len(r.URL.Query()["x"]) != 2 || string(body) != "body" {
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

// answer returns what a function answers that writes body, and headers if there are
// any, to a client with that Accept-Encoding, or without one for "none".
func answer(t *testing.T, body, accepted string, headers ...string) events.APIGatewayV2HTTPResponse {
	t.Helper()
	handler := gateway.Adapt(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		_, _ = io.WriteString(w, body)
	}))
	r := request("GET", "/", "", "")
	if accepted != "none" {
		r.Headers = map[string]string{"accept-encoding": accepted}
	}
	answer, err := handler(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// wantBody wants the body, gzipped or plain.
func wantBody(t *testing.T, a events.APIGatewayV2HTTPResponse, body string, gzipped bool) {
	t.Helper()
	got := []byte(a.Body)
	if gzipped {
		compressed, err := base64.StdEncoding.DecodeString(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := gzip.NewReader(bytes.NewReader(compressed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err = io.ReadAll(plain); err != nil {
			t.Fatal(err)
		}
	}
	if string(got) != body || a.IsBase64Encoded != gzipped || (a.Headers["Content-Encoding"] == "gzip") != gzipped {
		t.Errorf("another body: %d bytes, base64 %v, %v", len(got), a.IsBase64Encoded, a.Headers)
	}
}

// TestCompression: with gzip if the client accepts it, where that is smaller.
func TestCompression(t *testing.T) {
	long := strings.Repeat("x", 1400)
	random := make([]byte, 3000)
	for i := range random {
		random[i] = byte('!' + rand.N(90))
	}
	for _, test := range []struct {
		name, body, accepted string
		gzipped, vary        bool
	}{
		{"accepted", long, "br, GZip", true, true},
		{"with a weight", long, "gzip; q=0.5, br", true, true},
		{"nothing said", long, "none", false, true},
		{"refused", long, "gzip;q=0.0, *", false, true},
		{"no number", long, "gzip;q=", false, true},
		{"another coding", long, "gzipped, br", false, true},
		{"too small", long[1:], "gzip", false, false},
		{"would grow", string(random), "gzip", false, true},
		{"binary", strings.Repeat("\xff\x00", 2000), "gzip", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := answer(t, test.body, test.accepted)
			if (a.Headers["Vary"] != "") != test.vary {
				t.Errorf("Vary is %q", a.Headers["Vary"])
			}
			if test.name != "binary" {
				wantBody(t, a, test.body, test.gzipped)
			} else if a.Headers["Content-Encoding"] != "" {
				t.Error("a binary body is compressed")
			}
		})
	}
}

// TestCloudFrontCompressesWhatItCaches: with brotli, too. So it leaves here plain.
func TestCloudFrontCompressesWhatItCaches(t *testing.T) {
	body := strings.Repeat("x", 2000)
	for rule, gzipped := range map[string]bool{"public, max-age=60, stale-if-error=600": false, "no-store": true, "": true} {
		wantBody(t, answer(t, body, "gzip, br", "Cache-Control", rule), body, gzipped)
	}
}

// TestVaryIsExtended where the handler has sent one.
func TestVaryIsExtended(t *testing.T) {
	a := answer(t, strings.Repeat("x", 2000), "none", "Vary", "Accept-Language")
	if a.Headers["Vary"] != "Accept-Language, Accept-Encoding" {
		t.Error(a.Headers)
	}
}

// TestUnroutableRequestsCarryTheOriginSecret: they are refused like all others
// without it, and pass with it.
func TestUnroutableRequestsCarryTheOriginSecret(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	function := gateway.Adapt(httpapi.RequireOriginSecret([]string{"a"}, log, httpapi.NotFound(log)))
	for secret, want := range map[string]int{"a": http.StatusNotFound, "b": http.StatusForbidden} {
		r := request("BAD METHOD", "/api", "", "")
		r.Headers = map[string]string{"x-origin-secret": secret}
		if answer, err := function(t.Context(), r); err != nil || answer.StatusCode != want {
			t.Errorf("with %q: %d, %v", secret, answer.StatusCode, err)
		}
	}
}

// FuzzEvent: no event makes the adapter fail, which would be a 5xx, or print to the
// log, which could contain a token.
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

// capture returns the output of f to the standard logger and to standard output, which
// the adapter uses.
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
