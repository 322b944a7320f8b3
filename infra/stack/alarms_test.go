package stack

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"turnout/internal/httpapi"
	"turnout/internal/templatetest"
)

// TestRefusalsAreCounted: the metric filter behind RefusalAlarm finds the log line
// of a request without the origin secret, and no other.
func TestRefusalsAreCounted(t *testing.T) {
	var tpl struct {
		Resources struct {
			RefusalFilter struct {
				Properties struct{ FilterPattern string }
			}
		}
	}
	templatetest.Read(t, templateFile, &tpl)
	pattern := tpl.Resources.RefusalFilter.Properties.FilterPattern
	condition := regexp.MustCompile(`^\{ \$\.(\w+) = "(\w+)" \}$`).FindStringSubmatch(pattern)
	if condition == nil {
		t.Fatalf("this test cannot read %q", pattern)
	}
	for secret, counted := range map[string]bool{"": true, "wrong": true, "secret": false} {
		var line bytes.Buffer
		log := slog.New(slog.NewJSONHandler(&line, nil))
		handler := httpapi.RequireOriginSecret([]string{"secret", "other"}, log, httpapi.NotFound(log))
		request := httptest.NewRequest(http.MethodGet, "/api/health", nil)
		request.Header.Set("X-Origin-Secret", secret)
		handler.ServeHTTP(httptest.NewRecorder(), request)
		var members map[string]any
		if err := json.Unmarshal(line.Bytes(), &members); err != nil {
			t.Fatalf("%v: %s", err, &line)
		}
		if matches := members[condition[1]] == condition[2]; matches != counted {
			t.Errorf("secret %q: counted %t, want %t: %s", secret, matches, counted, &line)
		}
	}
}
