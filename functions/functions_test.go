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
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"turnout/infra/validate/templatetest"
	"turnout/internal/gateway/lambdatest"
	"turnout/internal/httpapi"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/robustness"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/card"
	"turnout/internal/site/previewtest"
)

// TestFunctions: behind API Gateway the functions satisfy the HTTP contract, log no
// secret, and need exactly the actions that their roles allow.
func TestFunctions(t *testing.T) {
	config := robustness.NewTable(t)
	observed := newObserver(t, config.Endpoint)
	functions := newLambda(t, build(t), func(function string) []string {
		seen := config
		seen.Endpoint = observed.endpoint(function)
		return append(lambdatest.Environment(seen), "ORIGIN_SECRETS="+strings.Join(originSecrets, ","))
	})
	gateway := httptest.NewServer(apiGateway{functions, originSecrets[0]})
	t.Cleanup(gateway.Close)

	secrets := apitest.Run(t, gateway.URL)
	previewtest.Run(t, gateway.URL, siteOrigin)
	checkOriginSecret(t, functions)
	smoke(t, apiGateway{functions, originSecrets[0]})

	if found := secrets.In(functions.stdout.String()); len(found) > 0 {
		t.Errorf("the log holds %q", found)
	}
	for _, secret := range originSecrets {
		if strings.Contains(functions.stdout.String(), secret) {
			t.Error("the log holds an origin secret")
		}
	}
	for _, function := range functions.names() {
		used, allowed := observed.actions(function), templatetest.TableActions(t, "../template.yaml", function)
		if !slices.Equal(used, allowed) {
			t.Errorf("%s uses %q, its role allows %q", function, used, allowed)
		}
	}
}

// smoke runs the check that make deploy ends with on the functions and the files of
// the site.
func smoke(t *testing.T, api http.Handler) {
	t.Helper()
	files, err := bundle.Files()
	if err != nil {
		t.Fatal(err)
	}
	pages := site.NewHandler(files)
	cloudFront := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api") || strings.HasPrefix(r.URL.Path, site.EventPages) {
			api.ServeHTTP(w, r)
		} else {
			pages.ServeHTTP(w, r)
		}
	}))
	defer cloudFront.Close()
	if out, err := exec.Command("go", "run", "../infra/smoke", cloudFront.URL).CombinedOutput(); err != nil {
		t.Errorf("make smoke: %v\n%s", err, out)
	}
}

// Two, as during a rotation.
var originSecrets = []string{"first-" + uuid.NewString(), "second-" + uuid.NewString()}

// checkOriginSecret: each function accepts requests with one of the two secrets, and
// refuses others with a problem whose instance is in the log.
func checkOriginSecret(t *testing.T, functions *lambda) {
	t.Run("origin secret", func(t *testing.T) {
		call := func(method, path, secret string) *http.Response {
			recorder := httptest.NewRecorder()
			apiGateway{functions, secret}.ServeHTTP(recorder, httptest.NewRequest(method, path, nil))
			return recorder.Result()
		}
		token := uuid.NewString()
		paths := map[string][2]string{"not-found": {"GET", "/api/x"}, site.PageName: {"GET", "/e/" + token}, card.Name: {"GET", "/e/" + token + "/card.png"}}
		for _, e := range httpapi.Endpoints() {
			paths[e.Name] = [2]string{e.Method, strings.NewReplacer("{eventToken}", token, "{rsvpToken}", token).Replace(e.Path)}
		}
		for name, p := range paths {
			for _, secret := range originSecrets {
				if response := call(p[0], p[1], secret); response.StatusCode == http.StatusForbidden {
					t.Errorf("%s refuses a secret", name)
				}
			}
			for _, secret := range []string{"", "x", strings.Join(originSecrets, ","), originSecrets[0] + ","} {
				response := call(p[0], p[1], secret)
				var problem struct{ Instance string }
				if err := json.NewDecoder(response.Body).Decode(&problem); err != nil || response.StatusCode != http.StatusForbidden {
					t.Errorf("%s answers %d to %q, %v", name, response.StatusCode, secret, err)
				}
				id := strings.TrimPrefix(problem.Instance, "urn:uuid:")
				if !functions.logged(`"requestId":"` + id + `","endpoint":"refused","status":403}`) {
					t.Errorf("%s: no log line for %q", name, problem.Instance)
				}
			}
		}
	})
}

// TestEnvironmentIsReadOnce: a function with several missing variables names all of
// them and exits.
func TestEnvironmentIsReadOnce(t *testing.T) {
	process := exec.Command(filepath.Join(build(t), "create-rsvp"))
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
	const sdk, lambdaSDK, zones = "github.com/aws/aws-sdk-go-v2", "github.com/aws/aws-lambda-go", "time/tzdata"
	programs, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range append(programs, "../infra/local/main.go") {
		program = filepath.Dir(program)
		forbidden := []string{sdk + "/config"}
		if program == "../infra/local" {
			forbidden = append(forbidden, lambdaSDK, "github.com/awslabs")
		} else {
			forbidden = append(forbidden, "go.etcd.io/bbolt", "github.com/evanw/esbuild")
			if program == "not-found" {
				forbidden = append(forbidden, sdk)
			}
			if program != "event-page" && program != "event-card" {
				forbidden = append(forbidden, zones)
			}
		}
		out, err := exec.Command("go", "list", "-deps", "-tags", "lambda.norpc", "./"+program).Output()
		if err != nil {
			t.Fatal(err)
		}
		for linked := range strings.Lines(string(out)) {
			linked = strings.TrimSpace(linked)
			for _, path := range forbidden {
				if linked == path || strings.HasPrefix(linked, path+"/") {
					t.Errorf("%s links %s", program, linked)
				}
			}
		}
	}
}

func (l *lambda) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.instances))
}

// observer is a proxy in front of DynamoDB that records the IAM actions of the calls.
type observer struct {
	server *httptest.Server
	mu     sync.Mutex
	seen   map[string]map[string]bool
}

func newObserver(t *testing.T, dynamodb string) *observer {
	target, err := url.Parse(dynamodb)
	if err != nil {
		t.Fatal(err)
	}
	o := &observer{seen: map[string]map[string]bool{}}
	pass := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.URL.Path = "/"
	}}
	o.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		o.note(strings.Trim(r.URL.Path, "/"), r.Header.Get("X-Amz-Target"), body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(o.server.Close)
	return o
}

// endpoint is the endpoint of DynamoDB for a function; its path identifies the function.
func (o *observer) endpoint(function string) string { return o.server.URL + "/" + function }

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
