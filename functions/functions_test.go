// Package functions_test builds the binaries of the functions and runs them behind
// emulations of Lambda and API Gateway.
package functions_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/gateway/lambdatest"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/site/pagetest"
)

// TestFunctions: behind API Gateway, the functions satisfy the HTTP contract, refuse requests without the origin's
// secret, and log no secret. They need exactly the actions that their roles allow.
func TestFunctions(t *testing.T) {
	config := dynamo.Config{
		Endpoint: dynamotest.Endpoint(t), Table: "functions-" + uuid.NewString(),
		Region: "local", AccessKeyID: "local", SecretAccessKey: "local",
	}
	if err := dynamo.Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	observed, calls := observe(t, config.Endpoint)
	bin := build(t)
	environmentIsReadOnce(t, bin)
	connectsWhileItStarts(t, bin, config)
	secret := uuid.NewString() // the origin secret
	functions := newLambda(t, bin, func(function string) []string {
		seen := config
		seen.Endpoint = observed + "/" + function
		return append(lambdatest.Environment(seen), "ORIGIN_SECRETS=former,"+secret)
	})
	gateway := httptest.NewServer(newAPIGateway(t, functions, secret))
	t.Cleanup(gateway.Close)

	secrets := apitest.Run(t, gateway.URL)
	pagetest.Run(t, gateway.URL, siteOrigin)
	for function := range functions.instances {
		request := payloadV2(httptest.NewRequest(http.MethodGet, "/", nil), "", nil)
		if answer, err := functions.invoke(function, request); !bytes.Contains(answer, []byte(`"statusCode":403`)) {
			t.Errorf("%s answers %s, %v without the origin's secret", function, answer, err)
		}
	}

	log := functions.stop()
	if found := secrets.In(log); len(found) > 0 || strings.Contains(log, secret) {
		t.Errorf("the log holds %q, or the origin's secret", found)
	}
	for function := range functions.instances {
		var used []string
		for call := range calls.Range {
			if action, ok := strings.CutPrefix(call.(string), function+" "); ok {
				used = append(used, action)
			}
		}
		slices.Sort(used)
		if allowed := tableActions(t, function); !slices.Equal(used, allowed) {
			t.Errorf("%s uses %q, its role allows %q", function, used, allowed)
		}
	}
}

// environmentIsReadOnce checks that a function with several missing variables names all of them and exits.
func environmentIsReadOnce(t *testing.T, bin string) {
	process := exec.Command(filepath.Join(bin, "create-rsvp"))
	process.Env = []string{"AWS_REGION=eu-central-1"}
	out, err := process.Output()
	if _, failed := err.(*exec.ExitError); !failed {
		t.Errorf("ended with %v", err)
	}
	const missing = "missing in the environment: TABLE_NAME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ORIGIN_SECRETS\""
	if !strings.Contains(string(out), missing) {
		t.Errorf("printed %s", out)
	}
}

// connectsWhileItStarts checks that the first request finds a connection to DynamoDB.
func connectsWhileItStarts(t *testing.T, bin string, config dynamo.Config) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	config.Endpoint = "https://" + listener.Addr().String()
	i, err := lambdatest.Start(filepath.Join(bin, "get-event"), lambdatest.Environment(config), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	ends := listener.SetDeadline(time.Now().Add(time.Minute)) // the deadline ends the test if nobody connects
	_, err = listener.Accept()
	if err := errors.Join(ends, err); err != nil {
		t.Error(err)
	}
}

// TestProgramsLinkOnlyWhatTheyNeed keeps functions small and quick to start.
func TestProgramsLinkOnlyWhatTheyNeed(t *testing.T) {
	const each = `{{.ImportPath}} {{join .Deps " "}}`
	out, err := exec.Command("go", "list", "-tags", "lambda.norpc", "-f", each, "./...", "../infra/turnout").Output()
	if err != nil {
		t.Fatal(err)
	}
	for program, forbidden := range map[string]string{
		"":                    "github.com/aws/aws-sdk-go-v2/config",
		"infra/turnout":       "github.com/aws/aws-lambda-go github.com/awslabs/aws-lambda-go-api-proxy",
		"functions/":          "go.etcd.io/bbolt github.com/evanw/esbuild",
		"functions/not-found": "github.com/aws/aws-sdk-go-v2",
		`functions/[^e]`:      "time/tzdata", // event pages show dates in the event's zone
	} {
		seen := false
		for line := range strings.Lines(string(out)) {
			linked := strings.Fields(line)
			if !regexp.MustCompile("^turnout/" + program).MatchString(linked[0]) {
				continue
			}
			seen = true
			for path := range strings.FieldsSeq(forbidden) {
				within := func(l string) bool { return l == path || strings.HasPrefix(l, path+"/") }
				if slices.ContainsFunc(linked, within) {
					t.Errorf("%s links %s", linked[0], path)
				}
			}
		}
		if !seen {
			t.Errorf("no program %s", program)
		}
	}
}

// observe starts a proxy in front of DynamoDB. The proxy records the IAM actions of each call. The path of a call is
// the name of the calling function, and comes first in the record. A transaction needs the actions of its writes.
func observe(t *testing.T, dynamodb string) (endpoint string, seen *sync.Map) {
	target, err := url.Parse(dynamodb)
	if err != nil {
		t.Fatal(err)
	}
	seen = &sync.Map{}
	server := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		body, err := io.ReadAll(r.In.Body)
		if err != nil {
			t.Error(err)
		}
		_, operation, _ := strings.Cut(r.In.Header.Get("X-Amz-Target"), ".")
		var transaction struct{ TransactItems []map[string]any }
		_ = json.Unmarshal(body, &transaction) // a call that is no transaction has no such items
		operations := []string{operation}
		if operation == "TransactWriteItems" {
			operations = nil
		}
		for _, write := range transaction.TransactItems {
			for kind := range write {
				operations = append(operations, kind+"Item")
			}
		}
		for _, operation := range operations {
			seen.Store(strings.Trim(r.In.URL.Path, "/")+" dynamodb:"+operation, nil)
		}
		r.SetURL(target)
		r.Out.URL.Path, r.Out.Body = "/", io.NopCloser(bytes.NewReader(body))
	}})
	t.Cleanup(server.Close)
	return server.URL, seen
}
