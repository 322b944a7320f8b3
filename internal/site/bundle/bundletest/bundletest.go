// Package bundletest compiles single modules of the site for tests.
package bundletest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// Compile bundles modules. Their names are as in imports, such as model/time, or patterns, such as lib/*. The bundles
// have the names of the modules with the extension of JavaScript: model/time.js. With a variable, a bundle is a script
// that sets the variable to the module's exports. Without a variable, a bundle is an ES module, and further modules
// have the code that several bundles import.
func Compile(t testing.TB, variable string, modules ...string) map[string][]byte {
	t.Helper()
	sources, err := filepath.Abs("../src") // the folders of the tests are beside it
	if err != nil {
		t.Fatal(err)
	}
	entries := make([]string, len(modules))
	for i, module := range modules {
		entries[i] = "./" + module
	}
	format := api.FormatIIFE
	if variable == "" {
		format = api.FormatESModule
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: sources, EntryPoints: entries, Outbase: ".", Outdir: ".", Format: format, GlobalName: variable,
		Bundle: true, Splitting: variable == "", Target: api.ES2022, Charset: api.CharsetUTF8,
	})
	if messages := append(result.Errors, result.Warnings...); len(messages) > 0 {
		t.Fatal(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{}), ""))
	}
	bundles := map[string][]byte{}
	for _, output := range result.OutputFiles {
		name, err := filepath.Rel(sources, output.Path)
		if err != nil {
			t.Fatal(err)
		}
		bundles[filepath.ToSlash(name)] = output.Contents
	}
	return bundles
}
