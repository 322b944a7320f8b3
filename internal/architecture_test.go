// Package internal_test checks imports between the module's packages, and references in pages
// and comments.
package internal_test

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport lists which packages of this module the packages of a folder may import, tests aside. The
// programs in infra may import all. The transport and the stores never import each other, not even in tests.
var mayImport = []struct {
	folder  string // pattern for path.Match
	imports []string
}{
	{"internal/environment", nil},
	{"internal/event", nil},
	{"internal/middleware", nil},
	{"internal/portable", []string{"internal/event"}},
	{"internal/event/storetest", []string{"internal/event"}},

	{"internal/httpapi", []string{"internal/event", "internal/middleware"}},
	{"internal/httpapi/apitest", []string{"internal/event", "internal/httpapi"}},
	{"internal/dynamo", []string{"internal/environment", "internal/event"}},
	{"internal/bolt", []string{"internal/event"}},

	{"internal/site/src", nil},
	{"internal/site/locale", []string{"internal/event", "internal/site/src"}},
	{"internal/site", []string{"internal/event", "internal/middleware", "internal/site/locale", "internal/site/src"}},
	{"internal/site/card", []string{"internal/event", "internal/site", "internal/site/locale"}},
	{"internal/site/eventpage", []string{"internal/event", "internal/site", "internal/site/locale"}},
	{"internal/site/bundle", []string{"internal/site", "internal/site/eventpage", "internal/site/locale", "internal/site/src"}},
	{"internal/site/pagetest", []string{"internal/httpapi/apitest", "internal/site", "internal/site/eventpage"}},

	{"internal/testtools", nil},
	{"internal/dynamo/dynamotest", nil},
	{"internal/dynamo/explore", []string{"internal/dynamo", "internal/event", "internal/event/storetest"}},
	{"internal/dynamo/faulttest", nil},
	{"internal/gateway/lambdatest", []string{"internal/dynamo"}},
	{"internal/benchmark/baseline/*", nil},

	{"internal/gateway", []string{"internal/environment", "internal/middleware"}},
	{"internal/boot", []string{"internal/dynamo", "internal/environment", "internal/event", "internal/gateway", "internal/httpapi", "internal/middleware"}},
	{"functions/*", []string{"internal/boot", "internal/environment", "internal/event", "internal/gateway", "internal/httpapi", "internal/site", "internal/site/card", "internal/site/eventpage"}},
}

func TestDependencyDirection(t *testing.T) {
	for _, i := range imports(t) {
		target, ours := strings.CutPrefix(i.target, module)
		adapters := []string{"internal/httpapi", "internal/dynamo", "internal/bolt"}
		across := i.folder() != target && slices.Contains(adapters, i.folder()) && slices.Contains(adapters, target)
		if !ours || i.test() && !across || within(i.folder(), "infra") {
			continue
		}
		known, allowed := false, false
		for _, rule := range mayImport {
			if match, err := path.Match(rule.folder, i.folder()); err != nil {
				t.Fatal(err)
			} else if match {
				known, allowed = true, slices.Contains(rule.imports, target)
			}
		}
		switch {
		case !known:
			t.Errorf("%s: mayImport does not list this package", i.file)
		case !allowed:
			t.Errorf("%s imports %s, against the direction of dependencies", i.file, target)
		}
	}
}

func TestDomainImportsStandardLibraryAndUUID(t *testing.T) {
	for _, i := range imports(t) {
		first, _, _ := strings.Cut(i.target, "/")
		standard := !strings.Contains(first, ".") && !strings.HasPrefix(i.target, module)
		if i.folder() == "internal/event" && !i.test() && !standard && i.target != "github.com/google/uuid" {
			t.Errorf("%s imports %s", i.file, i.target)
		}
	}
}

// TestTechnologiesHaveOneImporter: each of these libraries is imported by one folder, apart from test helpers
// and from the baselines of the benchmarks.
func TestTechnologiesHaveOneImporter(t *testing.T) {
	for technology, folders := range map[string][]string{
		"github.com/aws/aws-sdk-go-v2/service/dynamodb": {"internal/dynamo", "internal/benchmark/baseline"},
		"github.com/awslabs/aws-lambda-go-api-proxy":    {"internal/gateway"},
		"go.etcd.io/bbolt": {"internal/bolt", "internal/benchmark/baseline"},

		"github.com/evanw/esbuild": {"internal/site/bundle"},

		// Its encoder has a dictionary, which no function needs: CloudFront compresses.
		"github.com/andybalholm/brotli": {"infra/turnout"},

		// html/template makes a function 3.6 MB larger.
		"html/template": {"internal/site/eventpage"},

		// The SDK's config module would make each cold start a quarter slower.
		"github.com/aws/aws-sdk-go-v2/config": nil,
	} {
		for _, i := range imports(t) {
			imports := func(folder string) bool { return within(i.folder(), folder) }
			if within(i.target, technology) && !slices.ContainsFunc(folders, imports) {
				t.Errorf("%s imports %s", i.file, i.target)
			}
		}
	}
}

const module = "turnout/"

// An importSpec is one import in one file. The file's path begins at the module's root.
type importSpec struct{ file, target string }

func (i importSpec) folder() string { return path.Dir(i.file) }

func (i importSpec) test() bool { return strings.HasSuffix(i.file, "_test.go") }

// within reports whether name is folder or lies below it.
func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// imports reads the files itself instead of asking the go command, so that go test tracks them
// and does not reuse a cached result when an import changes.
func imports(t *testing.T) (found []importSpec) {
	t.Helper()
	for _, file := range files(t) {
		if path.Ext(file) != ".go" {
			continue
		}
		for _, spec := range parse(t, file).Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, importSpec{file, target})
		}
	}
	if len(found) == 0 {
		t.Fatal("no imports found")
	}
	return found
}
