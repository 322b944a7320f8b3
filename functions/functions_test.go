// Package functions_test builds the binaries of the functions and runs them behind
// emulations of Lambda and API Gateway.
package functions_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
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

	"github.com/google/uuid"

	"turnout/infra/validate/templatetest"
	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/gateway/lambdatest"
	"turnout/internal/httpapi"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
	"turnout/internal/site/previewtest"
)

// TestFunctions: behind API Gateway the functions satisfy the HTTP contract, log no
// secret, and need exactly the actions that their roles allow.
func TestFunctions(t *testing.T) {
	config := dynamo.Config{
		Endpoint: dynamotest.Endpoint(t), Table: "functions-" + uuid.NewString(),
		Region: "local", AccessKeyID: "local", SecretAccessKey: "local",
	}
	if err := dynamo.Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	observed := newObserver(t, config.Endpoint)
	bin := build(t)
	environmentIsReadOnce(t, bin)
	functions := newLambda(t, bin, func(function string) []string {
		seen := config
		seen.Endpoint = observed.endpoint + "/" + function
		return append(lambdatest.Environment(seen), "ORIGIN_SECRETS="+strings.Join(originSecrets, ","))
	})
	gateway := httptest.NewServer(apiGateway{functions, originSecrets[0]})
	t.Cleanup(gateway.Close)

	secrets := apitest.Run(t, gateway.URL)
	previewtest.Run(t, gateway.URL, siteOrigin)
	refused := checkOriginSecret(t, functions)

	log := functions.stop()
	if found := secrets.In(log); len(found) > 0 {
		t.Errorf("the log holds %q", found)
	}
	if slices.ContainsFunc(originSecrets, func(secret string) bool { return strings.Contains(log, secret) }) {
		t.Error("the log holds an origin secret")
	}
	if n := strings.Count(log, `"endpoint":"refused","status":403}`); n != refused {
		t.Errorf("%d of %d refused requests are logged", n, refused)
	}
	for _, function := range slices.Collect(maps.Keys(functions.instances)) {
		used, allowed := observed.actions(function), templatetest.TableActions(t, "../template.yaml", function)
		if !slices.Equal(used, allowed) {
			t.Errorf("%s uses %q, its role allows %q", function, used, allowed)
		}
	}
}

// Two, as during a rotation.
var originSecrets = []string{"first-" + uuid.NewString(), "second-" + uuid.NewString()}

// checkOriginSecret: each function accepts requests with one of the two secrets and
// refuses others. It returns how many were refused.
func checkOriginSecret(t *testing.T, functions *lambda) (refused int) {
	token := uuid.NewString()
	paths := map[string]string{
		"not-found": "GET /api/x", eventpage.Name: "GET /e/" + token, card.Name: "GET /e/" + token + "/card.png",
	}
	for _, e := range httpapi.Endpoints() {
		paths[e.Name] = e.Method + " " + strings.NewReplacer("{eventToken}", token, "{rsvpToken}", token).Replace(e.Path)
	}
	for name, methodAndPath := range paths {
		method, path, _ := strings.Cut(methodAndPath, " ")
		for _, secret := range append([]string{"", strings.Join(originSecrets, ",")}, originSecrets...) {
			w := httptest.NewRecorder()
			apiGateway{functions, secret}.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			accepted := w.Code != http.StatusForbidden
			if accepted != slices.Contains(originSecrets, secret) {
				t.Errorf("%s answers %d to %q", name, w.Code, secret)
			}
			if !accepted {
				refused++
			}
		}
	}
	return refused
}

// environmentIsReadOnce: a function with several missing variables names all of them
// and exits.
func environmentIsReadOnce(t *testing.T, bin string) {
	process := exec.Command(filepath.Join(bin, "create-rsvp"))
	process.Env = []string{"AWS_REGION=eu-central-1"}
	out, err := process.Output()
	if _, failed := err.(*exec.ExitError); !failed {
		t.Errorf("ended with %v", err)
	}
	if want := "missing in the environment: TABLE_NAME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ORIGIN_SECRETS\""; !strings.Contains(string(out), want) {
		t.Errorf("printed %s", out)
	}
}

// TestProgramsLinkOnlyWhatTheyNeed keeps functions small and quick to start.
func TestProgramsLinkOnlyWhatTheyNeed(t *testing.T) {
	const each = `{{.ImportPath}} {{join .Deps " "}}`
	out, err := exec.Command("go", "list", "-tags", "lambda.norpc", "-f", each, "./...", "../infra/local").Output()
	if err != nil {
		t.Fatal(err)
	}
	for program, forbidden := range map[string]string{
		"":                    "github.com/aws/aws-sdk-go-v2/config",
		"infra/local":         "github.com/aws/aws-lambda-go github.com/awslabs/aws-lambda-go-api-proxy",
		"functions/":          "go.etcd.io/bbolt github.com/evanw/esbuild",
		"functions/not-found": "github.com/aws/aws-sdk-go-v2",
		`functions/[^e]`:      "time/tzdata", // the pages of events show dates in their zone
	} {
		seen := false
		for line := range strings.Lines(string(out)) {
			linked := strings.Fields(line)
			if !regexp.MustCompile("^turnout/" + program).MatchString(linked[0]) {
				continue
			}
			seen = true
			for path := range strings.FieldsSeq(forbidden) {
				if slices.ContainsFunc(linked, func(l string) bool { return l == path || strings.HasPrefix(l, path+"/") }) {
					t.Errorf("%s links %s", linked[0], path)
				}
			}
		}
		if !seen {
			t.Errorf("no program %s", program)
		}
	}
}

// observer is a proxy in front of DynamoDB that records the IAM actions of the calls. The
// path of a call is the name of the function that makes it.
type observer struct {
	endpoint string
	mu       sync.Mutex
	seen     map[string]map[string]bool
}

func newObserver(t *testing.T, dynamodb string) *observer {
	target, err := url.Parse(dynamodb)
	if err != nil {
		t.Fatal(err)
	}
	o := &observer{seen: map[string]map[string]bool{}}
	server := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		body, err := io.ReadAll(r.In.Body)
		if err != nil {
			t.Error(err)
		}
		o.note(strings.Trim(r.In.URL.Path, "/"), r.In.Header.Get("X-Amz-Target"), body)
		r.SetURL(target)
		r.Out.URL.Path, r.Out.Body = "/", io.NopCloser(bytes.NewReader(body))
	}})
	t.Cleanup(server.Close)
	o.endpoint = server.URL
	return o
}

// note records the IAM actions of a call; those of a transaction are those of its writes.
func (o *observer) note(function, target string, body []byte) {
	_, operation, _ := strings.Cut(target, ".")
	operations := []string{operation}
	if operation == "TransactWriteItems" {
		var transaction struct{ TransactItems []map[string]any }
		_ = json.Unmarshal(body, &transaction)
		operations = nil
		for _, write := range transaction.TransactItems {
			for kind := range write {
				operations = append(operations, kind+"Item")
			}
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen[function] == nil {
		o.seen[function] = map[string]bool{}
	}
	for _, operation := range operations {
		o.seen[function]["dynamodb:"+operation] = true
	}
}

func (o *observer) actions(function string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.seen[function]))
}
