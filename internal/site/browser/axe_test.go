package browser

import "strings"

// Axe fails the test with what axe-core has against the page as it is: by all rules, or by
// one. What it cannot decide counts too.
func (v *visitor) Axe(rule, when string) {
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
	for _, problem := range report.Problems {
		v.Errorf("%s, %s: %s: %s\n%s", v.Path(), when, problem.ID, problem.Help, strings.Join(problem.Nodes, "\n"))
	}
}
