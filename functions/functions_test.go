// Package functions_test builds the real programs of the functions and drives
// them as Lambda and API Gateway do.
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

	"turnout/infra/dynamodb-local/dynamotest"
	"turnout/internal/dynamo"
	"turnout/internal/httpapi/apitest"
)

// TestFunctions: behind API Gateway the functions keep the HTTP contract, log no
// secret, and use the table exactly as their roles allow.
func TestFunctions(t *testing.T) {
	config := dynamo.Config{
		Endpoint:        dynamotest.Endpoint(t),
		Table:           "functions-" + uuid.NewString(),
		Region:          "eu-central-1",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	if err := dynamo.Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	observed := newObserver(t, config.Endpoint)
	functions := newLambda(t, build(t), func(function string) []string {
		return []string{
			"TABLE_NAME=" + config.Table,
			"AWS_REGION=" + config.Region,
			"AWS_ACCESS_KEY_ID=" + config.AccessKeyID,
			"AWS_SECRET_ACCESS_KEY=" + config.SecretAccessKey,
			"AWS_ENDPOINT_URL_DYNAMODB=" + observed.endpoint(function),
		}
	})
	gateway := httptest.NewServer(apiGateway{functions})
	t.Cleanup(gateway.Close)

	secrets := apitest.Run(t, gateway.URL)

	if found := secrets.In(functions.stdout.String()); len(found) > 0 {
		t.Errorf("the log holds %q", found)
	}
	template := readTemplate(t)
	for _, function := range functions.names() {
		used, allowed := observed.actions(function), template.tableActions(t, function)
		if !slices.Equal(used, allowed) {
			t.Errorf("%s uses %q, its role allows %q", function, used, allowed)
		}
	}
}

// TestEnvironmentIsReadOnce: a function that misses several variables names all
// of them and ends.
func TestEnvironmentIsReadOnce(t *testing.T) {
	process := exec.Command(filepath.Join(build(t), "create-rsvp"))
	process.Env = []string{"AWS_REGION=eu-central-1"}
	out, err := process.Output()
	if _, failed := err.(*exec.ExitError); !failed {
		t.Errorf("ended with %v", err)
	}
	if want := "missing in the environment: TABLE_NAME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY\""; !strings.Contains(string(out), want) {
		t.Errorf("printed %s", out)
	}
}

// TestFunctionsLinkOnlyWhatTheyNeed keeps them small and quick to start.
func TestFunctionsLinkOnlyWhatTheyNeed(t *testing.T) {
	for function, forbidden := range map[string][]string{
		"create-event": nil, "get-event": {"time/tzdata"}, "cancel-event": {"time/tzdata"}, "list-attendees": {"time/tzdata"},
		"create-rsvp": {"time/tzdata"}, "cancel-rsvp": {"time/tzdata"}, "health": {"time/tzdata"},
		"not-found": {"time/tzdata", "github.com/aws/aws-sdk-go-v2"},
	} {
		out, err := exec.Command("go", "list", "-deps", "-tags", "lambda.norpc", "./"+function).Output()
		if err != nil {
			t.Fatal(err)
		}
		forbidden = append(forbidden, "github.com/aws/aws-sdk-go-v2/config", "go.etcd.io/bbolt", "turnout/infra")
		for linked := range strings.Lines(string(out)) {
			for _, path := range forbidden {
				if linked = strings.TrimSpace(linked); linked == path || strings.HasPrefix(linked, path+"/") {
					t.Errorf("%s links %s", function, linked)
				}
			}
		}
	}
}

func (l *lambda) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.started))
}

// observer passes calls on to DynamoDB and notes the IAM actions that they need.
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

// endpoint is where a function finds DynamoDB: by its path the observer knows it.
func (o *observer) endpoint(function string) string { return o.server.URL + "/" + function }

// note translates a call into IAM's terms, where a transaction is the writes in it.
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
