package internal_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// promisesPage has the promises that comments cite.
const promisesPage = "internal/docs/promises.md"

// TestPromises: promises are numbered without a gap, and every cited promise exists. Each promise has a row
// with its tests, and these tests exist.
func TestPromises(t *testing.T) {
	page, declared := prose(t, promisesPage), functions(t)
	held := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^- (P\d+) (.+)$`).FindAllStringSubmatch(page, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			held[row[1]] = true
			if !declared[name[1]] {
				t.Errorf("%s: %s names %s, which does not exist", promisesPage, row[1], name[1])
			}
		}
	}
	promises := map[string]bool{}
	for i, defined := range regexp.MustCompile(`(?m)^- \*\*(P\d+)\*\* `).FindAllStringSubmatch(page, -1) {
		if want := fmt.Sprintf("P%d", i+1); defined[1] != want {
			t.Fatalf("%s: %s stands where %s is next", promisesPage, defined[1], want)
		}
		if !held[defined[1]] {
			t.Errorf("%s names no test of %s", promisesPage, defined[1])
		}
		promises[defined[1]] = true
	}
	if len(promises) == 0 {
		t.Fatalf("%s has no promises", promisesPage)
	}
	citation := regexp.MustCompile(`\bpromises?\s+P\d+(?:(?:,| and| to)\s+P\d+)*`)
	for _, file := range files(t) {
		text := prose(t, file)
		cited := citation.FindAllString(text, -1)
		if path.Dir(file) == path.Dir(promisesPage) {
			cited = []string{text}
		}
		for _, number := range regexp.MustCompile(`\bP\d+\b`).FindAllString(strings.Join(cited, " "), -1) {
			if !promises[number] {
				t.Errorf("%s cites promise %s, which %s does not have", file, number, promisesPage)
			}
		}
	}
}

// TestLinks: every relative link of a page leads to a file and, after #, to one of its headings.
func TestLinks(t *testing.T) {
	for _, link := range mentions(t, regexp.MustCompile(`\]\(([^)\s]+)\)`), ".md") {
		name, fragment, _ := strings.Cut(link.name, "#")
		page := link.file
		if name != "" {
			page = path.Join(path.Dir(link.file), name)
		}
		if strings.Contains(name, ":") {
			continue
		}
		if !exists(page) {
			t.Errorf("%s links to %s, which does not exist", link.file, link.name)
		} else if fragment != "" && !slices.Contains(anchors(prose(t, page)), fragment) {
			t.Errorf("%s links to %s, but that page has no such heading", link.file, link.name)
		}
	}
}

// A mention is a name in a file.
type mention struct{ file, name string }

// mentions finds the first group of a pattern in the prose of files of these kinds, and fails if nothing matches. Web
// addresses do not count.
func mentions(t *testing.T, pattern *regexp.Regexp, kinds ...string) (found []mention) {
	t.Helper()
	for _, file := range files(t) {
		if !slices.Contains(kinds, path.Ext(file)) || file == "infra/THIRD_PARTY" { // a text by other people
			continue
		}
		text := address.ReplaceAllString(prose(t, file), " ")
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			found = append(found, mention{file, match[1]})
		}
	}
	if len(found) == 0 {
		t.Errorf("nothing is like %s", pattern)
	}
	return found
}

// anchors returns the anchors that GitHub gives a page's headings.
func anchors(page string) (found []string) {
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		found = append(found, strings.ReplaceAll(plain, " ", "-"))
	}
	return found
}

// address matches URLs and <br>, which would otherwise look like paths.
var address = regexp.MustCompile(`https?://\S+|<br>`)

// TestNames: the paths, files and make targets that pages and comments name exist.
func TestNames(t *testing.T) {
	sources, makefile := map[string]bool{}, prose(t, "Makefile")
	for _, file := range files(t) {
		sources[path.Base(file)] = true
	}
	for _, names := range []struct {
		pattern string
		kinds   []string // extensions of the files that are searched
		exists  func(name string) bool
	}{
		// These are paths from the top of the repository. They may contain *, … and <placeholders>.
		{`(?:^|[^\w/.-])((?:functions|internal|infra|\.github|\.ci)/(?:[\w./*-]|<[\w -]+>)+)`, textFiles,
			func(name string) bool { return exists(strings.TrimRight(name, "./-")) }},
		{`(?:^|[^\w/.<>*-])([\w-]+\.(?:go|js|css|py|md|yaml|toml))\b`, []string{".go", ".md"},
			func(name string) bool { return sources[name] }},
		{"(?m)(?:`|^)make ([a-z][a-z-]*)", []string{".md"},
			func(name string) bool { return strings.Contains(makefile, "\n"+name+": ") }},
	} {
		for _, named := range mentions(t, regexp.MustCompile(names.pattern), names.kinds...) {
			if !names.exists(named.name) {
				t.Errorf("%s names %s, which does not exist", named.file, named.name)
			}
		}
	}
}

// functions returns the names of all functions, as package.Function.
func functions(t *testing.T) map[string]bool {
	t.Helper()
	declared := map[string]bool{}
	for _, file := range files(t) {
		if path.Ext(file) != ".go" {
			continue
		}
		for _, declaration := range parse(t, file).Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok {
				declared[path.Base(path.Dir(file))+"."+f.Name.Name] = true
			}
		}
	}
	return declared
}

// exists reports whether a path from the top of the repository exists. A placeholder stands for any name. A capitalized
// name after a package, as in internal/event.Service, is an identifier of that package.
func exists(name string) bool {
	pattern := regexp.MustCompile(`<[^>]+>`).ReplaceAllString(name, "*")
	for _, p := range []string{pattern, regexp.MustCompile(`\.[A-Z]\w*$`).ReplaceAllString(pattern, "")} {
		if found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(p))); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// prose returns the comments of a Go file, and the whole text of any other file.
func prose(t *testing.T, file string) string {
	t.Helper()
	if path.Ext(file) != ".go" {
		content, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	var text strings.Builder
	for _, comment := range parse(t, file).Comments {
		text.WriteString(comment.Text())
	}
	return text.String()
}

var parsed = map[string]*ast.File{}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	if parsed[file] != nil {
		return parsed[file]
	}
	name := filepath.Join("..", filepath.FromSlash(file))
	source, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	parsed[file] = source
	return source
}

// files returns the repository's text files, by their paths from its top.
func files(t *testing.T) (found []string) {
	t.Helper()
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "." && name != ".ci" && name != ".github"
		switch {
		case entry.IsDir() && (hidden || entry.Name() == "node_modules" || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.Type().IsRegular() && !hidden && slices.Contains(textFiles, path.Ext(name)):
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var textFiles = []string{
	"", ".go", ".md", ".js", ".ts", ".tsx", ".css", ".html", ".yaml", ".yml", ".toml", ".py", ".json",
}
