package browser

import (
	"fmt"
	"strings"
)

// Axe returns what axe-core has against the page as it is: by all rules, or by
// one. What it cannot decide counts too.
func (v *visitor) Axe(rule string) []string {
	v.Helper()
	if !eval[bool](v, `'axe' in window`) {
		eval[struct{}](v, chrome.axe+"; ({})")
	}
	report := eval[struct {
		Passes   int
		Problems []struct {
			ID, Help string
			Nodes    []string
		}
	}](v, `axe.run(document, {
		rules: { 'target-size': { enabled: true } },
		...(%s && { runOnly: [%s] }),
	}).then(({ passes, violations, incomplete }) => ({
		passes: passes.length,
		problems: [...violations, ...incomplete].map(({ id, help, nodes }) =>
			({ id, help, nodes: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })),
	}))`, rule, rule)
	if report.Passes == 0 {
		v.Error("axe checked nothing")
	}
	var problems []string
	for _, problem := range report.Problems {
		problems = append(problems, fmt.Sprintf("%s: %s\n%s", problem.ID, problem.Help, strings.Join(problem.Nodes, "\n")))
	}
	return problems
}
