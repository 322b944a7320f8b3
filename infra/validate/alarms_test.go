package validate

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
)

// TestFiltersCountLogLines: the metric filters read fields that the access log, Lambda's reports and
// httpapi.RequireOriginSecret write. Health checks do not count as requests. Of the lines of a failed call,
// only Lambda's report counts, for the alarm and in the runbook.
func TestFiltersCountLogLines(t *testing.T) {
	var tpl struct {
		Resources map[string]struct {
			Properties struct {
				FilterPattern     string
				AccessLogSettings struct{ Format string }
			}
		}
	}
	templatetest.Read(t, templateFile, &tpl)
	const request, failed = `$.route != "GET /api/health"`, `type = "platform.report" && $.record.status != "success"`
	for filter, want := range map[string]string{
		"RequestFilter":       request,
		"ServerErrorFilter":   `$.status = "5*" && ` + request,
		"ThrottledFilter":     `$.status = "429" && ` + request,
		"FunctionErrorFilter": "$." + failed,
		"RefusalFilter":       `$.endpoint = "refused"`, // as the log lines of package httpapi have it
	} {
		if got := tpl.Resources[filter].Properties.FilterPattern; got != "{ "+want+" }" {
			t.Errorf("%s counts %s, want { %s }", filter, got, want)
		}
	}
	format := tpl.Resources["Api"].Properties.AccessLogSettings.Format
	if !regexp.MustCompile(`"route":"\$context.routeKey".*"status":"\$context.status"`).MatchString(format) {
		t.Errorf("the access log has no route and status: %s", format)
	}
	runbook, err := os.ReadFile("../RUNBOOK.md")
	if insights := strings.NewReplacer("&&", "and", "$.", "").Replace(failed); err != nil || !strings.Contains(string(runbook), "filter "+insights) {
		t.Errorf("the runbook does not filter %s, %v", insights, err)
	}
}
