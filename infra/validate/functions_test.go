// Package validate tests that template.yaml fits the code. Its tests in Python check that the template can be deployed.
package validate

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
	"turnout/internal/environment"
	"turnout/internal/httpapi"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
)

// TestFunctionsHaveTheirRoutes: each endpoint has a folder, a function in the template with its route, and a
// description in openapi.yaml. There are no other folders and functions.
func TestFunctionsHaveTheirRoutes(t *testing.T) {
	routes := map[string][]string{
		"not-found":    {"ANY /api", "ANY /api/{proxy+}"},
		eventpage.Name: {"ANY /e/{proxy+}"},
		card.Name:      {"ANY " + card.Path},
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
			Type     string
			Metadata struct{ BuildMethod string }
		}
	}
	templatetest.Read(t, templateFile, &tpl)
	found := map[string][]string{}
	for _, r := range templatetest.Routes(t, templateFile) {
		found[r.LogicalID] = append(found[r.LogicalID], r.Method+" "+r.Path)
	}
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
		got := found[id+"Function"]
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

// TestFunctionsHaveTheirVariables: if the template does not set a variable that a function reads, the function uses the
// default in every stack. If a function does not read a variable that the template sets, the variable has no effect.
func TestFunctionsHaveTheirVariables(t *testing.T) {
	const lambda = "AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN" // Lambda sets these variables
	type variables struct {
		Environment struct{ Variables map[string]string }
	}
	var template struct {
		Globals    struct{ Function variables }
		Resources  map[string]struct{ Properties variables }
		Parameters map[string]struct{ AllowedPattern string }
	}
	templatetest.Read(t, templateFile, &template)
	read := regexp.MustCompile(`\benv\.\w+\("(\w+)"`)
	mains, err := filepath.Glob("../../functions/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal(mains, err)
	}
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		want := map[string]bool{}
		for _, file := range []string{main, "../../internal/boot/boot.go", "../../internal/dynamo/environment.go"} {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range read.FindAllStringSubmatch(string(source), -1) {
				want[match[1]] = !strings.Contains(lambda, match[1])
			}
			if !strings.Contains(string(source), "turnout/internal/boot\"") && file == main {
				break // this function has no table
			}
		}
		set := template.Resources[templatetest.LogicalID(name)+"Function"].Properties.Environment.Variables
		for variable, own := range want {
			if own && !has(set, variable) && !has(template.Globals.Function.Environment.Variables, variable) {
				t.Errorf("template.yaml does not set %s, which %s reads", variable, name)
			}
		}
		for variable := range set {
			if !want[variable] {
				t.Errorf("template.yaml sets %s, which %s does not read", variable, name)
			}
		}
	}
	if form := template.Parameters["AboutUrl"].AllowedPattern; form != environment.LinkForm+"|" {
		t.Errorf("AboutUrl may be %q: with another value than environment.Link takes, event-page would not start", form)
	}
}

// TestSiteHasOneConfiguration: each program that makes pages reads the same settings of the site as the server, so that
// no page lacks a setting. Only the server reads the origin: on AWS, pages have the origin that the visitor uses.
func TestSiteHasOneConfiguration(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{
		"infra/turnout/config.go", "infra/turnout/compose.yaml", "infra/deploy/main.go", "infra/deploy/upload.py",
		"functions/event-page/main.go",
	} {
		content, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(content)
	}
	server := regexp.MustCompile(`site\.Config\{.*`).FindString(texts["infra/turnout/config.go"])
	settings := regexp.MustCompile(`(\w+): +env\.\w+\("(\w+)"\)`).FindAllStringSubmatch(server, -1)
	if len(settings) == 0 {
		t.Fatal("infra/turnout/config.go reads no settings of the site")
	}
	for _, setting := range settings {
		for name, text := range texts {
			isOfServer := strings.HasPrefix(name, "infra/turnout/")
			if (isOfServer || setting[1] != "Origin") && !regexp.MustCompile(`\b`+setting[2]+`\b`).MatchString(text) {
				t.Errorf("%s does not pass on %s", name, setting[2])
			}
		}
	}
}

func has(variables map[string]string, name string) bool {
	_, ok := variables[name]
	return ok
}
