package validate

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
	"turnout/internal/httpapi"
)

// counts reads a metric filter of the template: whether it counts a line of the log.
func counts(t *testing.T, filter string) func(line []byte) bool {
	t.Helper()
	var tpl struct {
		Resources map[string]struct {
			Properties struct{ FilterPattern string }
		}
	}
	templatetest.Read(t, "../../template.yaml", &tpl)
	pattern := tpl.Resources[filter].Properties.FilterPattern
	const condition = `\$\.([\w.]+) (=|!=) "([^"]*)"`
	if !regexp.MustCompile(`^\{ ` + condition + `( && ` + condition + `)* \}$`).MatchString(pattern) {
		t.Fatalf("this test cannot read %q", pattern)
	}
	conditions := regexp.MustCompile(condition).FindAllStringSubmatch(pattern, -1)
	return func(line []byte) bool {
		t.Helper()
		for _, c := range conditions {
			var value any
			if err := json.Unmarshal(line, &value); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			for name := range strings.SplitSeq(c[1], ".") {
				object, _ := value.(map[string]any)
				value = object[name]
			}
			if text, ok := value.(string); !ok || matches(c[3], text) != (c[2] == "=") {
				return false
			}
		}
		return true
	}
}

// matches compares a text with that of a filter, whose asterisk stands for any end.
func matches(pattern, text string) bool {
	if start, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(text, start)
	}
	return text == pattern
}

// TestRequestsAreCounted: the metric filters behind the burn rates read lines of the
// access log, in the format of the template, and leave out health checks.
func TestRequestsAreCounted(t *testing.T) {
	var tpl struct {
		Resources struct {
			Api struct {
				Properties struct{ AccessLogSettings struct{ Format string } }
			}
		}
	}
	templatetest.Read(t, templateFile, &tpl)
	for _, test := range []struct{ route, status, counted string }{
		{"GET /api/events/{eventToken}", "200", "RequestFilter"},
		{"POST /api/events/{eventToken}/rsvps", "503", "RequestFilter ServerErrorFilter"},
		{"ANY /e/{proxy+}", "500", "RequestFilter ServerErrorFilter"},
		{"ANY /e/{proxy+}", "429", "RequestFilter ThrottledFilter"},
		{"GET /api/events/{eventToken}", "404", "RequestFilter"},
		{"GET /api/health", "503", ""},
		{"GET /api/health", "429", ""},
	} {
		values := strings.NewReplacer("$context.routeKey", test.route, "$context.status", test.status)
		line := []byte(values.Replace(tpl.Resources.Api.Properties.AccessLogSettings.Format))
		var counted []string
		for _, filter := range []string{"RequestFilter", "ServerErrorFilter", "ThrottledFilter"} {
			if counts(t, filter)(line) {
				counted = append(counted, filter)
			}
		}
		if got := strings.Join(counted, " "); got != test.counted {
			t.Errorf("%s %s: counted by %q, want %q", test.route, test.status, got, test.counted)
		}
	}
}

// TestFailuresOfFunctionsAreCounted: the metric filter behind FunctionErrorAlarm finds
// Lambda's report of a call that failed, in the form that Lambda documents, and
// no other line. The runbook has the same filter.
func TestFailuresOfFunctionsAreCounted(t *testing.T) {
	counted := counts(t, "FunctionErrorFilter")
	for line, want := range map[string]bool{
		`{"time":"2026-01-01T00:00:00.000Z","type":"platform.report","record":{"requestId":"x","metrics":{"durationMs":10000.0},"status":"timeout"}}`:                           true,
		`{"time":"2026-01-01T00:00:00.000Z","type":"platform.report","record":{"requestId":"x","metrics":{"durationMs":1.0},"status":"error","errorType":"Runtime.ExitError"}}`: true,
		`{"time":"2026-01-01T00:00:00.000Z","type":"platform.report","record":{"requestId":"x","metrics":{"durationMs":1.0},"status":"failure","errorType":"Runtime.Unknown"}}`: true,
		`{"time":"2026-01-01T00:00:00.000Z","type":"platform.report","record":{"requestId":"x","metrics":{"durationMs":1.0},"status":"success"}}`:                               false,
		`{"time":"2026-01-01T00:00:00.000Z","type":"platform.runtimeDone","record":{"requestId":"x","status":"timeout"}}`:                                                       false, // of the same call
		`{"time":"2026-01-01T00:00:00.000Z","type":"platform.start","record":{"requestId":"x"}}`:                                                                                false,
		`{"time":"2026-01-01T00:00:00Z","level":"INFO","msg":"request","endpoint":"get-event","status":503}`:                                                                    false,
	} {
		if counted([]byte(line)) != want {
			t.Errorf("counted %t: %s", !want, line)
		}
	}
	runbook, err := os.ReadFile("../RUNBOOK.md")
	if err != nil || !bytes.Contains(runbook, []byte(`filter type = "platform.report" and record.status != "success"`)) {
		t.Error("the runbook has another filter: ", err)
	}
}

// TestRefusalsAreCounted: the metric filter behind RefusalAlarm finds the log line
// of a request without the origin secret, and no other.
func TestRefusalsAreCounted(t *testing.T) {
	counts := counts(t, "RefusalFilter")
	for secret, counted := range map[string]bool{"": true, "wrong": true, "secret": false} {
		var line bytes.Buffer
		log := slog.New(slog.NewJSONHandler(&line, nil))
		handler := httpapi.RequireOriginSecret([]string{"secret", "other"}, log, httpapi.NotFound(log))
		request := httptest.NewRequest(http.MethodGet, "/api/health", nil)
		request.Header.Set("X-Origin-Secret", secret)
		handler.ServeHTTP(httptest.NewRecorder(), request)
		if counts(line.Bytes()) != counted {
			t.Errorf("secret %q: counted %t, want %t: %s", secret, !counted, counted, &line)
		}
	}
}
