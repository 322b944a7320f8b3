package benchmark

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

var measure = flag.Bool("measure", false, "measure, and print the table of make bench")

// TestBenchmark prints one table. Every ratio is of medians that were measured side
// by side, in turns, so that a busy machine slows both sides alike.
func TestBenchmark(t *testing.T) {
	if !*measure {
		t.Skip("make bench measures")
	}
	r, bin := &report{t: t}, build(t)
	defer r.print()
	t.Run("sizes", func(*testing.T) { sizes(r, bin) })
	t.Run("starts", func(t *testing.T) { starts(t, r, bin) })
	t.Run("first invocations", func(t *testing.T) { firstInvocations(t, r, bin) })
	t.Run("warm invocations", func(t *testing.T) { warmInvocations(t, r, bin) })
	t.Run("local server", func(t *testing.T) { localServer(t, r, bin) })
	t.Run("contention", func(t *testing.T) { contention(t, r) })
	t.Run("listing", func(t *testing.T) { listing(t, r) })
}

// build compiles the functions and their baselines for this machine, otherwise as the
// Makefile does for Lambda.
func build(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	command := exec.Command("go", "build", "-tags", "lambda.norpc", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w",
		"-o", folder+string(os.PathSeparator), "./baseline/...", "../../functions/...", "../../infra/local")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return folder
}

// functions returns the names of all functions.
func functions(t *testing.T) (names []string) {
	t.Helper()
	mains, err := filepath.Glob("../../functions/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal("no functions", err)
	}
	for _, main := range mains {
		names = append(names, filepath.Base(filepath.Dir(main)))
	}
	return names
}

// median returns the middle one, in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2]) / float64(time.Millisecond)
}

// request is an event of API Gateway.
func request(method, path, query, body string) []byte {
	event := events.APIGatewayV2HTTPRequest{
		Version:        "2.0",
		RouteKey:       "$default",
		RawPath:        path,
		RawQueryString: query,
		Headers: map[string]string{
			"host": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com", "accept": "*/*", "user-agent": "Mozilla/5.0",
			"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https",
		},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default",
			HTTP:  events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: method, Path: path, Protocol: "HTTP/1.1", SourceIP: "203.0.113.7"},
		},
		Body: body,
	}
	if body != "" {
		event.Headers["content-type"] = "application/json"
	}
	text, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	return text
}
