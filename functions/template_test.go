package functions_test

import (
	"slices"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
)

// A resource is a part of template.yaml: a function with its routes, or a role with its policies.
type resource struct {
	Type       string
	Properties struct {
		Role   string
		Events map[string]struct {
			Type       string
			Properties struct{ ApiId, Method, Path string }
		}
		Policies []struct {
			PolicyDocument struct{ Statement []struct{ Action []string } }
		}
	}
}

func resources(t *testing.T) map[string]resource {
	t.Helper()
	var template struct{ Resources map[string]resource }
	templatetest.Read(t, "../template.yaml", &template)
	return template.Resources
}

// logicalID returns a function's logical ID in the template: CreateEventFunction for create-event.
func logicalID(folder string) string {
	var id strings.Builder
	for word := range strings.SplitSeq(folder, "-") {
		id.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return id.String() + "Function"
}

// A route is one of the API's routes with the logical ID of its function.
type route struct{ function, method, path string }

// routes returns the routes of the template.
func routes(t *testing.T) (list []route) {
	t.Helper()
	for id, r := range resources(t) {
		for _, e := range r.Properties.Events {
			if e.Type != "HttpApi" || e.Properties.ApiId != "Api" {
				t.Errorf("%s: event of the type %s at the API %q", id, e.Type, e.Properties.ApiId)
			}
			list = append(list, route{id, e.Properties.Method, e.Properties.Path})
		}
	}
	return list
}

// tableActions returns the IAM actions of DynamoDB that the role of a function allows, sorted. deployer_test.py checks
// that the role allows them for the stack's table only.
func tableActions(t *testing.T, folder string) (actions []string) {
	t.Helper()
	all := resources(t)
	role := strings.TrimSuffix(all[logicalID(folder)].Properties.Role, ".Arn")
	for _, policy := range all[role].Properties.Policies {
		for _, statement := range policy.PolicyDocument.Statement {
			for _, action := range statement.Action {
				if strings.HasPrefix(action, "dynamodb:") {
					actions = append(actions, action)
				}
			}
		}
	}
	slices.Sort(actions)
	return actions
}
