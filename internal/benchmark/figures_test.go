package benchmark

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"turnout/internal/httpapi"
)

var wantFigures = flag.Bool("figures", false, "measure, and print the table of make bench")

// TestBenchmark prints one table. Every ratio is of medians that were measured side
// by side, in turns, so that a busy machine slows both sides alike.
func TestBenchmark(t *testing.T) {
	if !*wantFigures {
		t.Skip("make bench measures")
	}
	f := &figures{t: t, bin: build(t)}
	f.sizes()
	f.starts()
	f.firstInvocations()
	f.warmInvocations()
	f.allocations()
	f.capacity()
	f.localServer()
	f.crowds()
	f.print()
}

type figures struct {
	t    *testing.T
	bin  string
	rows [][5]string
}

func (f *figures) add(name, figure, unit, comparedWith, aim string) {
	f.rows = append(f.rows, [5]string{name, figure, unit, comparedWith, aim})
}

// ratio adds a figure that is a multiple of another.
func (f *figures) ratio(name string, figure, floor float64, unit, floorName, aim string) {
	f.add(name, fmt.Sprintf("%.4g", figure), unit, fmt.Sprintf("%.2f x %s (%.4g)", figure/floor, floorName, floor), aim)
}

func (f *figures) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nname\tfigure\tunit\tcompared with\taim")
	for _, row := range f.rows {
		fmt.Fprintln(w, strings.Join(row[:], "\t"))
	}
	_ = w.Flush()
	fmt.Print(notes)
}

// notes say why an aim is out of reach.
const notes = `
size, start: the SDK's DynamoDB client alone is 1.3 x the empty function in size and
1.35 x in start, most of it the tables and regular expressions of its own packages
service/dynamodb/internal/endpoints and service/dynamodb/schemas (2 ms of init in
GODEBUG=inittrace=1 on a busy machine). A function is to be compared with the row
"bare SDK call"; create-event also holds the time zone database (0.45 MB).
local server, reads: a request logs a line, reads the event in a transaction and
encodes it: 7 µs, next to some 20 µs of net/http that both sides spend.
200 guests at once: the last guest's wait counts, and with it the chance of who
meets whom at a gate; the median guest waits a sixth of the time at one gate.
`

// build compiles the functions and what they are compared with, for this machine
// but otherwise as the Makefile does for Lambda.
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
func functions() []string {
	var names []string
	for _, e := range httpapi.Endpoints() {
		names = append(names, e.Name)
	}
	return append(names, "not-found")
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
