package functions_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"turnout/internal/httpapi"
	"turnout/internal/site"
	"turnout/internal/site/card"
	"turnout/internal/templatetest"
)

// template is the part of template.yaml that these tests read.
type template struct {
	Resources map[string]resource
}

type resource struct {
	Type       string
	Metadata   struct{ BuildMethod string }
	Properties struct {
		Role   string
		Events map[string]struct {
			Type       string
			Properties struct{ ApiId, Method, Path string }
		}
		Policies []struct {
			PolicyDocument struct {
				Statement []struct {
					Action   []string
					Resource any
				}
			}
		}
		KeySchema               []struct{ AttributeName, KeyType string }
		TimeToLiveSpecification struct{ AttributeName string }
	}
}

func readTemplate(t *testing.T) (tpl template) {
	t.Helper()
	templatetest.Read(t, "../template.yaml", &tpl)
	return tpl
}

// logicalID returns the name in template.yaml: CreateEvent for create-event.
func logicalID(function string) string {
	var id strings.Builder
	for word := range strings.SplitSeq(function, "-") {
		id.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return id.String()
}

// tableActions returns the actions on the table that a function may use, sorted.
func (tpl template) tableActions(t *testing.T, function string) []string {
	t.Helper()
	var actions []string
	for _, policy := range tpl.Resources[logicalID(function)+"Role"].Properties.Policies {
		for _, statement := range policy.PolicyDocument.Statement {
			for _, action := range statement.Action {
				if !strings.HasPrefix(action, "dynamodb:") {
					continue
				}
				if statement.Resource != "Table.Arn" {
					t.Errorf("%s may %s on %v", function, action, statement.Resource)
				}
				actions = append(actions, action)
			}
		}
	}
	slices.Sort(actions)
	return actions
}

// TestTemplate: folders, endpoints and functions of the template are the same,
// and each function has the routes of its endpoint.
func TestTemplate(t *testing.T) {
	routes := map[string][]string{"not-found": {"ANY /api", "ANY /api/{proxy+}"}, site.PageName: {"ANY /e/{proxy+}"}, card.Name: {"GET " + card.Path}}
	for _, e := range httpapi.Endpoints() {
		routes[e.Name] = []string{e.Method + " " + e.Path}
	}
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) != len(routes) {
		t.Errorf("%d folders, %d endpoints, %v", len(mains), len(routes), err)
	}
	for _, main := range mains {
		if name := filepath.Dir(main); routes[name] == nil {
			t.Errorf("folder %s has no endpoint", name)
		}
	}
	tpl := readTemplate(t)
	for name, want := range routes {
		function, ok := tpl.Resources[logicalID(name)+"Function"]
		if !ok {
			t.Errorf("%s has no function in the template", name)
			continue
		}
		if function.Metadata.BuildMethod != "makefile" || function.Properties.Role != logicalID(name)+"Role.Arn" {
			t.Errorf("%s: build method %q, role %q", name, function.Metadata.BuildMethod, function.Properties.Role)
		}
		var got []string
		for _, e := range function.Properties.Events {
			if e.Type != "HttpApi" || e.Properties.ApiId != "Api" {
				t.Errorf("%s: event of the type %s at the API %q", name, e.Type, e.Properties.ApiId)
			}
			got = append(got, e.Properties.Method+" "+e.Properties.Path)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: routes %q, want %q", name, got, want)
		}
	}
	for id, r := range tpl.Resources {
		if r.Type == "AWS::Serverless::Function" && !slices.ContainsFunc(mains, func(main string) bool {
			return logicalID(filepath.Dir(main))+"Function" == id
		}) {
			t.Errorf("%s has no folder", id)
		}
	}
}

// TestTableOfTheTemplate: the table has the keys and the TTL attribute of package dynamo.
func TestTableOfTheTemplate(t *testing.T) {
	table := readTemplate(t).Resources["Table"].Properties
	var keys []string
	for _, k := range table.KeySchema {
		keys = append(keys, k.AttributeName+" "+k.KeyType)
	}
	if !slices.Equal(keys, []string{"pk HASH", "sk RANGE"}) {
		t.Errorf("keys %q", keys)
	}
	if table.TimeToLiveSpecification.AttributeName != "expiresAt" {
		t.Errorf("TTL on %q", table.TimeToLiveSpecification.AttributeName)
	}
}
