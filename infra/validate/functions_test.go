// Package validate tests template.yaml: that it fits the code, and in Python that it
// can be deployed.
package validate

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
	"turnout/internal/httpapi"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
)

// TestFunctionsHaveTheirRoutes: folders, endpoints and functions of the template are the same, each
// function has the routes of its endpoint, and each endpoint is described.
func TestFunctionsHaveTheirRoutes(t *testing.T) {
	routes := map[string][]string{
		"not-found":    {"ANY /api", "ANY /api/{proxy+}"},
		eventpage.Name: {"ANY /e/{proxy+}"},
		card.Name:      {"GET " + card.Path},
	}
	var described struct{ Paths map[string]map[string]any }
	templatetest.Read(t, "../openapi.yaml", &described)
	for _, e := range httpapi.Endpoints() {
		routes[e.Name] = []string{e.Method + " " + e.Path}
		if described.Paths[strings.TrimPrefix(e.Path, "/api")][strings.ToLower(e.Method)] == nil {
			t.Errorf("openapi.yaml does not describe %s", e.Name)
		}
	}
	mains, err := filepath.Glob("../../functions/*/main.go")
	if err != nil || len(mains) != len(routes) {
		t.Errorf("%d folders, %d endpoints, %v", len(mains), len(routes), err)
	}
	folders := map[string]bool{}
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		folders[templatetest.LogicalID(name)+"Function"] = true
		if routes[name] == nil {
			t.Errorf("folder %s has no endpoint", name)
		}
	}
	var tpl struct {
		Resources map[string]struct {
			Type       string
			Metadata   struct{ BuildMethod string }
			Properties struct {
				Events map[string]struct {
					Type       string
					Properties struct{ ApiId, Method, Path string }
				}
			}
		}
	}
	templatetest.Read(t, templateFile, &tpl)
	for name, want := range routes {
		id := templatetest.LogicalID(name)
		function, ok := tpl.Resources[id+"Function"]
		if !ok {
			t.Errorf("%s has no function in the template", name)
			continue
		}
		if function.Metadata.BuildMethod != "makefile" {
			t.Errorf("%s: build method %q", name, function.Metadata.BuildMethod)
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
		if r.Type == "AWS::Serverless::Function" && !folders[id] {
			t.Errorf("%s has no folder", id)
		}
	}
}
