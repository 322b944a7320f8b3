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
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/lambdatest"
	"turnout/internal/robustness"
)

func (f *figures) start(program string, env []string) *lambdatest.Instance {
	f.t.Helper()
	i, err := lambdatest.Start(filepath.Join(f.bin, program), env, io.Discard)
	if err != nil {
		f.t.Fatal(err)
	}
	<-i.Polled()
	return i
}

// invoke returns how long it took. Whatever the answer, its status is a success.
func (f *figures) invoke(i *lambdatest.Instance, event []byte) time.Duration {
	f.t.Helper()
	begin := time.Now()
	payload, err := i.Invoke(event)
	took := time.Since(begin)
	var answer struct{ StatusCode int }
	if err == nil {
		err = json.Unmarshal(payload, &answer)
	}
	if err != nil || answer.StatusCode >= 300 {
		f.t.Fatalf("%v, answer %s", err, payload)
	}
	return took
}

func environment(table dynamo.Config) []string {
	return []string{
		"TABLE_NAME=" + table.Table,
		"AWS_REGION=" + table.Region,
		"AWS_ACCESS_KEY_ID=" + table.AccessKeyID,
		"AWS_SECRET_ACCESS_KEY=" + table.SecretAccessKey,
		"AWS_ENDPOINT_URL_DYNAMODB=" + table.Endpoint,
	}
}

func (f *figures) sizes() {
	size := func(program string) float64 {
		info, err := os.Stat(filepath.Join(f.bin, program))
		if err != nil {
			f.t.Fatal(err)
		}
		return float64(info.Size()) / 1e6
	}
	f.ratio("size: bare SDK call", size("sdk"), size("empty"), "MB", "empty function", "")
	for _, function := range functions() {
		f.ratio("size: "+function, size(function), size("empty"), "MB", "empty function", "at most 1.3 x")
	}
}

func (f *figures) starts() {
	const turns = 21
	env := environment(dynamo.Config{Table: "turnout", Region: "eu-central-1", AccessKeyID: "a", SecretAccessKey: "b", Endpoint: "http://127.0.0.1:9"})
	env = append(env, "OPERATION=health")
	programs := append([]string{"empty", "sdk"}, functions()...)
	times := map[string][]time.Duration{}
	for range turns {
		for _, program := range programs {
			begin := time.Now()
			i := f.start(program, env)
			times[program] = append(times[program], time.Since(begin))
			i.Stop()
		}
	}
	f.ratio("start to first poll: bare SDK call", median(times["sdk"]), median(times["empty"]), "ms", "empty function", "")
	for _, function := range functions() {
		f.ratio("start to first poll: "+function, median(times[function]), median(times["empty"]), "ms", "empty function", "at most 1.25 x")
	}
}

// firstInvocations measures the first call of a new process, over TLS, with a
// certificate that it finds at the end of the system's own.
func (f *figures) firstInvocations() {
	const turns = 21
	table := robustness.NewTable(f.t)
	store := dynamo.Open(table)
	p := robustness.Serve(f.t, store).NewEvent()
	target, err := url.Parse(table.Endpoint)
	if err != nil {
		f.t.Fatal(err)
	}
	secure := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	secure.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
	secure.StartTLS()
	defer secure.Close()
	table.Endpoint = secure.URL
	env := append(environment(table), "EVENT=EVENT#"+p.Token, "OPERATION=get-event", f.trust(secure))
	get := request("GET", "/api/events/"+p.Token, "", "")
	times, totals := map[string][]time.Duration{}, map[string][]time.Duration{}
	for range turns {
		for _, program := range []string{"sdk", "get-event"} {
			begin := time.Now()
			i := f.start(program, env)
			times[program] = append(times[program], f.invoke(i, get))
			totals[program] = append(totals[program], time.Since(begin))
			i.Stop()
		}
	}
	f.ratio("start and first invocation over TLS: get-event", median(totals["get-event"]), median(totals["sdk"]), "ms", "bare SDK call", "")
	f.ratio("first invocation over TLS: get-event", median(times["get-event"]), median(times["sdk"]), "ms", "bare SDK call", "at most 1.1 x")
}

// trust returns the variable that makes a program believe in the server, too.
func (f *figures) trust(server *httptest.Server) string {
	f.t.Helper()
	var bundle []byte
	for _, place := range []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"} {
		if content, err := os.ReadFile(place); err == nil {
			bundle = content
			break
		}
	}
	bundle = append(bundle, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})...)
	path := filepath.Join(f.t.TempDir(), "bundle.pem")
	if err := os.WriteFile(path, bundle, 0o600); err != nil {
		f.t.Fatal(err)
	}
	return "SSL_CERT_FILE=" + path
}

// warmInvocations measures each function against one that makes its calls to
// DynamoDB and nothing else.
func (f *figures) warmInvocations() {
	const warmUp, turns = 30, 200
	table := robustness.NewTable(f.t)
	a := robustness.Serve(f.t, dynamo.Open(table))
	read := a.NewEvent()
	var cancellable []apitest.Event
	var rsvps []string
	for n := range warmUp + turns {
		if n < 10 {
			a.CreateRSVP(read, fmt.Sprint("guest ", n))
		}
		p := a.NewEvent()
		cancellable = append(cancellable, p)
		rsvps = append(rsvps, a.CreateRSVP(p, "A guest").RSVPToken)
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
		f.warmInvocation(table, read, function, next, warmUp, turns)
	}
	// Last, for cancelled events take no RSVPs.
	f.warmInvocation(table, read, "cancel-event", func(n int) []byte {
		return request("PATCH", path(cancellable[n]), "organizerToken="+cancellable[n].Organizer, `{"cancelled":true}`)
	}, warmUp, turns)
}

func (f *figures) warmInvocation(table dynamo.Config, read apitest.Event, function string, next func(int) []byte, warmUp, turns int) {
	env := append(environment(table), "EVENT=EVENT#"+read.Token, "OPERATION="+function)
	real, floor := f.start(function, env), f.start("sdk", env)
	defer real.Stop()
	defer floor.Stop()
	var realTimes, floorTimes []time.Duration
	for n := range warmUp + turns {
		payload := next(n)
		realTimes = append(realTimes, f.invoke(real, payload))
		floorTimes = append(floorTimes, f.invoke(floor, payload))
	}
	f.ratio("warm invocation: "+function, median(realTimes[warmUp:]), median(floorTimes[warmUp:]), "ms", "bare SDK calls", "at most 1.1 x")
}
