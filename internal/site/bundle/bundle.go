// Package bundle makes the files that the site serves from the site's sources. The package is separate because the
// bundler is too large for a Lambda function.
package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"turnout/internal/site"
	"turnout/internal/site/eventpage"
	"turnout/internal/site/locale"
	"turnout/internal/site/src"
)

// bundler is the version of esbuild. The hash in the names of the bundles includes this file, and therefore this
// version. A test compares the version with go.mod.
const bundler = "v0.28.2"

// Files returns every file of the site in the order of the upload to a bucket. Files with a hash in their names come
// first, and the page comes last, because the page names the other files.
func Files(c site.Config) ([]site.File, error) {
	files, err := beside()
	return append(slices.Clip(files), site.NewFile(site.Index, []byte(eventpage.Page(c)))), err
}

// beside returns all files except the page.
var beside = sync.OnceValues(func() ([]site.File, error) {
	names := site.Names()
	modules, err := modulesOf(src.Files)
	if err != nil {
		return nil, err
	}
	bundles, err := build(src.Files, shared(modules), scripts(), styles())
	if err != nil {
		return nil, err
	}
	withoutAliases(bundles)
	var assets, others []site.File
	add := func(source string, content []byte) { assets = append(assets, site.NewFile(names[source], content)) }
	for _, source := range slices.Concat([]string{site.Script}, site.Pages, site.Sheets) {
		add(source, bundles[path.Base(names[source])])
	}
	named := map[string]map[string]bool{}
	for _, page := range site.Pages {
		named[page] = keysIn(slices.Concat(modules[site.Script], modules[page]))
	}
	for _, language := range locale.Languages() {
		for _, page := range site.Pages {
			content, err := texts(src.Read("locales/"+language+".json"), named[page])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", language, err)
			}
			add(site.Texts(language, page), content)
		}
	}
	for _, name := range src.Names() {
		extension := path.Ext(name)
		if src.IsModule(name) || extension == ".css" || extension == ".json" {
			continue // bundles contain these modules, and each page has its texts
		}
		if site.ContentTypes[extension] == "" {
			return nil, fmt.Errorf("internal/site/files.go does not say how %s is served", name)
		}
		if _, ok := names["/"+name]; ok {
			add("/"+name, src.Read(name))
		} else {
			others = append(others, site.NewFile("/"+name, src.Read(name)))
		}
	}
	worker, err := build(src.Files, nil, worker(assets))
	if err != nil {
		return nil, err
	}
	others = append(others, site.NewFile(site.Worker, worker[path.Base(site.Worker)]))
	return append(assets, others...), nil
})

// unserved is the name of the bundle that esbuild makes for the entry point of the script. The bundle has only an
// import of the script, and no page loads the bundle; see scripts.
const unserved = "unserved.js"

// scripts makes a bundle of the script, and one of each page, which the script loads. esbuild moves code that several
// entry points share into a chunk for each combination of these entry points. Each further file would compress worse,
// so shared makes each page import the script, and the script import what pages share. Then the only chunk is the
// script itself.
func scripts() api.BuildOptions {
	o := api.BuildOptions{Splitting: true, ChunkNames: bare(site.Names()[site.Script])}
	for _, source := range append([]string{site.Script}, site.Pages...) {
		name := cmp.Or(map[string]string{site.Script: unserved}[source], site.Names()[source])
		o.EntryPointsAdvanced = append(o.EntryPointsAdvanced, api.EntryPoint{InputPath: source, OutputPath: bare(name)})
	}
	return o
}

// shared returns the modules that the script and each page import besides those that their sources import; see
// scripts.
func shared(modules map[string][]string) map[string][]string {
	more, pages := map[string][]string{}, map[string]int{}
	for _, page := range site.Pages {
		more[page] = []string{site.Script}
		for _, module := range modules[page] {
			pages[module]++
		}
	}
	for _, module := range slices.Sorted(maps.Keys(pages)) {
		if pages[module] > 1 {
			more[site.Script] = append(more[site.Script], module)
		}
	}
	return more
}

// modulesOf returns the paths of the modules that the script imports, and those that each page imports.
func modulesOf(source fs.FS) (map[string][]string, error) {
	apart := api.Plugin{Name: "pages apart", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `.`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Kind == api.ResolveJSDynamicImport {
				return api.OnResolveResult{Path: args.Path, External: true}, nil
			}
			return api.OnResolveResult{}, nil
		})
	}}
	o := api.BuildOptions{EntryPoints: append([]string{site.Script}, site.Pages...), Metafile: true}
	result, err := compile(source, nil, o, apart)
	if err != nil {
		return nil, err
	}
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			Inputs     map[string]any
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, err
	}
	modules := map[string][]string{}
	for _, output := range meta.Outputs {
		var list []string
		for input := range output.Inputs {
			list = append(list, strings.TrimPrefix(input, sources+":"))
		}
		modules[importPath(strings.TrimPrefix(output.EntryPoint, sources+":"))] = list
	}
	return modules, nil
}

// importPath returns a path without its extension.
func importPath(module string) string { return strings.TrimSuffix(module, path.Ext(module)) }

// exports and imports are the clauses of a bundle that name what the script exports. A variable is one of these names.
var (
	exports  = regexp.MustCompile(`\bexport\{[^}]*\};\n$`)
	imports  = regexp.MustCompile(`^import\{[^}]*\}`)
	variable = regexp.MustCompile(`([\w$]+)(?: as ([\w$]+))?([,}])`)
)

// withoutAliases changes bundles so that the script exports variables by their own names. esbuild gives each variable
// a second name for its export. A first visit would load 0.4 KB more.
func withoutAliases(bundles map[string][]byte) {
	change := func(source string, clause *regexp.Regexp, by func(name, alias string) string) {
		bundle := path.Base(site.Names()[source])
		bundles[bundle] = clause.ReplaceAllFunc(bundles[bundle], func(found []byte) []byte {
			return variable.ReplaceAllFunc(found, func(one []byte) []byte {
				parts := variable.FindSubmatch(one)
				return []byte(by(string(parts[1]), cmp.Or(string(parts[2]), string(parts[1]))) + string(parts[3]))
			})
		})
	}
	own := map[string]string{}
	change(site.Script, exports, func(name, alias string) string {
		own[alias] = name
		return name
	})
	for _, page := range site.Pages {
		change(page, imports, func(alias, here string) string { return own[alias] + " as " + here })
	}
}

func styles() (o api.BuildOptions) {
	for _, sheet := range site.Sheets {
		entry := api.EntryPoint{InputPath: sheet, OutputPath: bare(site.Names()[sheet])}
		o.EntryPointsAdvanced = append(o.EntryPointsAdvanced, entry)
	}
	return o
}

// worker bundles the service worker with the digests of the release's assets compiled in.
func worker(assets []site.File) api.BuildOptions {
	page, digests, needed := eventpage.Page(site.Config{}), map[string]string{}, []string(nil)
	for _, file := range assets {
		digests[file.Path] = Digest(file.Content)
		if strings.Contains(page, file.Path) || path.Ext(file.Path) == ".js" {
			needed = append(needed, file.Path)
		}
	}
	release, err := json.Marshal(map[string]any{"needed": needed, "digests": digests})
	if err != nil {
		panic(err) // cannot happen, because strings can be encoded
	}
	return api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "/worker/worker", OutputPath: bare(site.Worker)}},
		Format:              api.FormatIIFE, // a module cannot be a worker in every browser
		Define:              map[string]string{"self.release": string(release)},
	}
}

// Digest returns the digest of a file in the form that a request's member integrity needs.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// bare returns the name of a file without its folder and extension.
func bare(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// baseline has the oldest browsers in which guests and organizers can do everything. These browsers are of spring 2022.
// esbuild refuses syntax that it cannot lower for these browsers.
var baseline = []api.Engine{
	{Name: api.EngineChrome, Version: "100"},
	{Name: api.EngineFirefox, Version: "100"},
	{Name: api.EngineSafari, Version: "15.4"},
}

// build bundles sources, and returns all bundles by their names. Modules also import those that more has for them.
func build(source fs.FS, more map[string][]string, all ...api.BuildOptions) (map[string][]byte, error) {
	bundles := map[string][]byte{}
	for _, o := range all {
		result, err := compile(source, more, o)
		if err != nil {
			return nil, err
		}
		for _, output := range result.OutputFiles {
			bundles[filepath.Base(output.Path)] = output.Contents
		}
	}
	return bundles, nil
}

func compile(
	source fs.FS, more map[string][]string, o api.BuildOptions, plugins ...api.Plugin,
) (api.BuildResult, error) {
	o.Bundle = true
	o.Format = cmp.Or(o.Format, api.FormatESModule)
	o.Charset = api.CharsetUTF8
	o.Target, o.Engines = api.ES2022, baseline
	o.JSXFactory, o.JSXFragment = "h", "null"
	o.MinifyWhitespace, o.MinifyIdentifiers, o.MinifySyntax = true, true, true
	o.LegalComments = api.LegalCommentsNone
	site := api.Plugin{Name: "site", Setup: func(b api.PluginBuild) { from(source, more, b) }}
	o.Plugins = append(plugins, site)
	o.Outdir = "." // esbuild needs a folder, but writes nothing
	result := api.Build(o)
	if messages := append(result.Errors, result.Warnings...); len(messages) > 0 {
		return result, errors.New(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{}), ""))
	}
	return result, nil
}

// sources is the namespace of the site's sources.
const sources = "site"

// from resolves imports to the sources of the site. It leaves URLs in stylesheets unchanged, because the browser loads
// them.
func from(source fs.FS, more map[string][]string, build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `.`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		target := args.Path
		if strings.HasPrefix(target, ".") {
			target = path.Join(path.Dir(args.Importer), target)
		}
		if args.Kind == api.ResolveCSSURLToken {
			name, ok := site.Names()[target]
			if !ok {
				return api.OnResolveResult{}, fmt.Errorf("%s is not a file of the site", target)
			}
			return api.OnResolveResult{Path: name, External: true}, nil
		}
		if found, _ := fs.Glob(source, target[1:]+".[jt]s*"); len(found) == 1 { // imports have no extensions
			target = "/" + found[0]
		}
		return api.OnResolveResult{Path: target, Namespace: sources}, nil
	})
	load := api.OnLoadOptions{Filter: `.`, Namespace: sources}
	build.OnLoad(load, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		content, err := fs.ReadFile(source, strings.TrimPrefix(args.Path, "/"))
		text := literal.ReplaceAllStringFunc(string(content), func(literal string) string {
			if index, ok := slices.BinarySearch(keys(), strings.Trim(literal, "'")); ok {
				return strconv.Itoa(index)
			}
			return literal
		})
		if src.IsModule(args.Path) {
			for _, module := range more[importPath(args.Path)] {
				text = "import '" + module + "'; " + text
			}
		}
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderDefault}, err
	})
}

// literal matches string literals that may be the key of a text. Keys have a dot, so no other literal equals a key.
var literal = regexp.MustCompile(`'\w+\.\w+'`)

// keys returns the keys of the texts that scripts show. A browser gets the texts in this order, and the scripts have
// the indexes of the texts. With keys instead, a first visit would load a kilobyte more.
var keys = sync.OnceValue(func() []string {
	var english map[string]json.RawMessage
	if err := json.Unmarshal(src.Read("locales/en.json"), &english); err != nil {
		panic(err) // the file is invalid, and every test would fail
	}
	maps.DeleteFunc(english, func(key string, _ json.RawMessage) bool { return strings.HasPrefix(key, "server.") })
	return slices.Sorted(maps.Keys(english))
})

// keysIn returns the keys that modules name.
func keysIn(modules []string) map[string]bool {
	named := map[string]bool{}
	for _, module := range modules {
		for _, name := range literal.FindAllString(string(src.Read(module[1:])), -1) {
			named[strings.Trim(name, "'")] = true
		}
	}
	return named
}

// texts returns the named texts of a language in the order of the keys, with "" in place of the others.
func texts(language []byte, named map[string]bool) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(language, &all); err != nil {
		return nil, err
	}
	var ordered []json.RawMessage
	for _, key := range keys() {
		text := json.RawMessage(`""`)
		if named[key] {
			text = all[key]
		}
		ordered = append(ordered, text)
	}
	return json.Marshal(ordered)
}
