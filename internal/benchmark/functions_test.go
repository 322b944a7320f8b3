package benchmark

import (
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/gateway/lambdatest"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/robustness"
)

func start(t *testing.T, program string, env []string) *lambdatest.Instance {
	t.Helper()
	i, err := lambdatest.Start(program, env, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	<-i.Polled()
	return i
}

// invoke returns the duration of an invocation, whose status must be a success.
func invoke(t *testing.T, i *lambdatest.Instance, event []byte) time.Duration {
	t.Helper()
	begin := time.Now()
	payload, err := i.Invoke(event)
	took := time.Since(begin)
	var answer struct{ StatusCode int }
	if err == nil {
		err = json.Unmarshal(payload, &answer)
	}
	if err != nil || answer.StatusCode >= 300 {
		t.Fatalf("%v, answer %s", err, payload)
	}
	return took
}

// The bare SDK client, which the functions are compared with, is a program that
// makes their calls to DynamoDB with fixed values and answers fixed bytes.
const bareClient = "bare SDK client"

func sizes(r *report, bin string) {
	size := func(program string) float64 {
		info, err := os.Stat(filepath.Join(bin, program))
		if err != nil {
			r.t.Fatal(err)
		}
		return float64(info.Size()) / 1e6
	}
	for _, function := range functions(r.t) {
		r.ratio("size: "+function, size(function), size("sdk"), "MB", bareClient, atMost(1.06))
	}
}

func starts(t *testing.T, r *report, bin string) {
	const turns = 101
	env := lambdatest.Environment(dynamo.Config{Table: "turnout", Region: "eu-central-1", AccessKeyID: "a", SecretAccessKey: "b", Endpoint: "http://127.0.0.1:9"})
	env = append(env, "OPERATION=health")
	programs := append([]string{"sdk"}, functions(t)...)
	times := map[string][]time.Duration{}
	for range turns {
		slices.Reverse(programs)
		for _, program := range programs {
			begin := time.Now()
			i := start(t, filepath.Join(bin, program), env)
			times[program] = append(times[program], time.Since(begin))
			i.Stop()
		}
	}
	for _, function := range functions(t) {
		r.ratio("start to first poll: "+function, median(times[function]), median(times["sdk"]), "ms", bareClient, atMost(1.05))
	}
}

// firstInvocations measures the first call of a new process, over TLS, with a
// certificate at the end of the system's list.
func firstInvocations(t *testing.T, r *report, bin string) {
	const turns = 21
	table := robustness.NewTable(t)
	store := dynamo.Open(table)
	p := robustness.Serve(t, store).NewEvent()
	target, err := url.Parse(table.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	secure := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	secure.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
	secure.StartTLS()
	defer secure.Close()
	table.Endpoint = secure.URL
	env := append(lambdatest.Environment(table), "EVENT=EVENT#"+p.Token, "OPERATION=get-event", trust(t, secure))
	get := request("GET", "/api/events/"+p.Token, "", "")
	times := map[string][]time.Duration{}
	programs := []string{"sdk", "get-event"}
	for range turns {
		slices.Reverse(programs)
		for _, program := range programs {
			begin := time.Now()
			i := start(t, filepath.Join(bin, program), env)
			invoke(t, i, get)
			times[program] = append(times[program], time.Since(begin))
			i.Stop()
		}
	}
	r.ratio("start and first invocation over TLS: get-event", median(times["get-event"]), median(times["sdk"]), "ms", bareClient, atMost(1.05))
}

// trust returns the variable that makes a program trust the server's certificate.
func trust(t *testing.T, server *httptest.Server) string {
	t.Helper()
	var bundle []byte
	for _, place := range []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"} {
		if content, err := os.ReadFile(place); err == nil {
			bundle = content
			break
		}
	}
	bundle = append(bundle, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})...)
	path := filepath.Join(t.TempDir(), "bundle.pem")
	if err := os.WriteFile(path, bundle, 0o600); err != nil {
		t.Fatal(err)
	}
	return "SSL_CERT_FILE=" + path
}

// warmInvocations measures each function against a program that only makes the same
// calls to DynamoDB.
func warmInvocations(t *testing.T, r *report, bin string) {
	const warmUp, turns = 30, 200
	table := robustness.NewTable(t)
	c := robustness.Serve(t, dynamo.Open(table))
	read := c.NewEvent()
	var cancellable []apitest.Event
	var rsvps []string
	for n := range warmUp + turns {
		if n < 10 {
			c.CreateRSVP(read, fmt.Sprint("guest ", n))
		}
		p := c.NewEvent()
		cancellable = append(cancellable, p)
		rsvps = append(rsvps, c.CreateRSVP(p, "A guest").RSVPToken)
	}
	path := func(p apitest.Event) string { return "/api/events/" + p.Token }
	for function, next := range map[string]func(n int) []byte{
		"health":    func(int) []byte { return request("GET", "/api/health", "", "") },
		"get-event": func(int) []byte { return request("GET", path(read), "", "") },
		"list-attendees": func(int) []byte {
			return request("GET", path(read)+"/attendees", "organizerToken="+read.Organizer, "")
		},
		"create-rsvp": func(n int) []byte {
			return request("POST", path(cancellable[n])+"/rsvps", "", `{"name":"A guest"}`)
		},
		"cancel-rsvp": func(n int) []byte { return request("DELETE", path(cancellable[n])+"/rsvps/"+rsvps[n], "", "") },
		"create-event": func(int) []byte {
			return request("POST", "/api/events", "", `{"title":"Garden party","dateTime":"2099-05-01T19:00:00+02:00","timezone":"Europe/Berlin"}`)
		},
	} {
		warmInvocation(t, r, bin, table, read, function, next, warmUp, turns)
	}
	// Last, because cancelled events take no RSVPs.
	warmInvocation(t, r, bin, table, read, "cancel-event", func(n int) []byte {
		return request("PATCH", path(cancellable[n]), "organizerToken="+cancellable[n].Organizer, `{"cancelled":true}`)
	}, warmUp, turns)
}

func warmInvocation(t *testing.T, r *report, bin string, table dynamo.Config, read apitest.Event, function string, next func(int) []byte, warmUp, turns int) {
	env := append(lambdatest.Environment(table), "EVENT=EVENT#"+read.Token, "OPERATION="+function)
	ours, baseline := start(t, filepath.Join(bin, function), env), start(t, filepath.Join(bin, "sdk"), env)
	defer ours.Stop()
	defer baseline.Stop()
	var times, baselineTimes []time.Duration
	for n := range warmUp + turns {
		payload := next(n)
		// In turns, because the second finds warm caches.
		if n%2 == 0 {
			times = append(times, invoke(t, ours, payload))
		}
		baselineTimes = append(baselineTimes, invoke(t, baseline, payload))
		if n%2 == 1 {
			times = append(times, invoke(t, ours, payload))
		}
	}
	r.ratio("warm invocation: "+function, median(times[warmUp:]), median(baselineTimes[warmUp:]), "ms", bareClient, atMost(1.05))
}
