// Package templatetest reads template.yaml for the tests that compare it with the code.
package templatetest

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Read decodes the template at a path into a struct. A function such as !Sub
// becomes its argument: !Ref X is X. Conditions are taken as true: !If [C, a, b] is a.
func Read(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	var document yaml.Node
	err = errors.Join(err, yaml.Unmarshal(content, &document))
	takeFirst(&document)
	var tree any
	err = errors.Join(err, document.Decode(&tree))
	asJSON, unfit := json.Marshal(tree) // with JSON, the fields of into need no tags
	if err := errors.Join(err, unfit, json.Unmarshal(asJSON, into)); err != nil {
		t.Fatal(err)
	}
}

// LogicalID returns the beginning of a function's logical ID in the template: CreateEvent for create-event.
func LogicalID(function string) string {
	var id strings.Builder
	for word := range strings.SplitSeq(function, "-") {
		id.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return id.String()
}

// A Route is one of the API's routes with the logical ID of its function.
type Route struct{ LogicalID, Method, Path string }

// Routes returns the routes of the template at a path.
func Routes(t *testing.T, path string) (routes []Route) {
	t.Helper()
	var template struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				Events map[string]struct {
					Type       string
					Properties struct{ ApiId, Method, Path string }
				}
			}
		}
	}
	Read(t, path, &template)
	for id, r := range template.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		for _, e := range r.Properties.Events {
			if e.Type != "HttpApi" || e.Properties.ApiId != "Api" {
				t.Errorf("%s: event of the type %s at the API %q", id, e.Type, e.Properties.ApiId)
			}
			routes = append(routes, Route{id, e.Properties.Method, e.Properties.Path})
		}
	}
	return routes
}

// TableActions returns the IAM actions of DynamoDB that the role of a function in the
// template at a path allows, sorted. deployer_test.py checks that the role allows them for the stack's table only.
func TableActions(t *testing.T, path, function string) []string {
	t.Helper()
	var template struct {
		Resources map[string]struct {
			Properties struct {
				Role     string
				Policies []struct {
					PolicyDocument struct{ Statement []struct{ Action []string } }
				}
			}
		}
	}
	Read(t, path, &template)
	role := strings.TrimSuffix(template.Resources[LogicalID(function)+"Function"].Properties.Role, ".Arn")
	var actions []string
	for _, policy := range template.Resources[role].Properties.Policies {
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

// takeFirst replaces each !If by its value for a true condition.
func takeFirst(node *yaml.Node) {
	if node.Tag == "!If" {
		*node = *node.Content[1]
	}
	for _, part := range node.Content {
		takeFirst(part)
	}
}
