// Package bundle makes the files that the site serves from the site's sources. The package is separate because the
// bundler is too large for a Lambda function.
package bundle

import (
	"cmp"
	"crypto/sha256"
	"embed"
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
	bundles, err := build(src.Files, scripts(), styles())
	if err != nil {
		return nil, err
	}
	if rest := string(bundles[unserved]); rest != fmt.Sprintf("import\"./%s\";\n", path.Base(names[site.Script])) {
		return nil, fmt.Errorf("%s and %s share code that %s does not have: %q",
			site.Home, site.Organize, site.Script, rest)
	}
	var assets, others []site.File
	for _, source := range append([]string{site.Script, site.Home, site.Organize}, site.Sheets...) {
		assets = append(assets, site.NewFile(names[source], bundles[path.Base(names[source])]))
	}
	for _, name := range src.Names() {
		extension := path.Ext(name)
		if src.IsModule(name) || extension == ".css" {
			continue // bundles contain these modules
		}
		if site.ContentTypes[extension] == "" {
			return nil, fmt.Errorf("internal/site/files.go does not say how %s is served", name)
		}
		content := src.Read(name)
		if extension == ".json" {
			content, err = texts(content)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if hashed, ok := names["/"+name]; ok {
			assets = append(assets, site.NewFile(hashed, content))
		} else {
			others = append(others, site.NewFile("/"+name, content))
		}
	}
	worker, err := build(embedded, worker(assets))
	if err != nil {
		return nil, err
	}
	others = append(others, site.NewFile(site.Worker, worker[path.Base(site.Worker)]))
	return append(assets, others...), nil
})

// unserved is the name of the bundle that esbuild makes for the entry point of the script. The bundle has only an
// import of the script, and no page loads the bundle; see scripts.
const unserved = "unserved.js"

// scripts makes three bundles: the script of every page, the code of home, and the code of organizers' pages. Other
// pages do not load the last two. esbuild moves code that several entry points share into a chunk. Home and organize
// import the whole script, so the chunk is the script itself. No shared code is in a further file, which each visitor
// would have to load.
func scripts() api.BuildOptions {
	return api.BuildOptions{
		Splitting: true,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: site.Script, OutputPath: bare(unserved)},
			{InputPath: site.Home, OutputPath: bare(site.Names()[site.Home])},
			{InputPath: site.Organize, OutputPath: bare(site.Names()[site.Organize])},
		},
		ChunkNames: bare(site.Names()[site.Script]),
	}
}

func styles() (o api.BuildOptions) {
	for _, sheet := range site.Sheets {
		entry := api.EntryPoint{InputPath: sheet, OutputPath: bare(site.Names()[sheet])}
		o.EntryPointsAdvanced = append(o.EntryPointsAdvanced, entry)
	}
	return o
}

//go:embed worker.*s
var embedded embed.FS

// worker bundles the service worker with the digests of the release's assets compiled in.
func worker(assets []site.File) api.BuildOptions {
	digests, needed := map[string]string{}, []string(nil)
	for _, file := range assets {
		digests[file.Path] = Digest(file.Content)
		kind := path.Ext(file.Path)
		onEveryPage := strings.Contains(eventpage.Page(site.Config{}), file.Path) && kind != ".json"
		if kind == ".js" || onEveryPage {
			needed = append(needed, file.Path)
		}
	}
	release, err := json.Marshal(map[string]any{"needed": needed, "digests": digests})
	if err != nil {
		panic(err) // cannot happen, because strings can be encoded
	}
	return api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "/" + bare(site.Worker), OutputPath: bare(site.Worker)}},
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

// build bundles sources, and returns all bundles by their names.
func build(source fs.FS, all ...api.BuildOptions) (map[string][]byte, error) {
	bundles := map[string][]byte{}
	for _, o := range all {
		o.Bundle = true
		o.Format = cmp.Or(o.Format, api.FormatESModule)
		o.Charset = api.CharsetUTF8
		o.Target, o.Engines = api.ES2022, baseline
		o.JSXFactory, o.JSXFragment = "h", "null"
		o.MinifyWhitespace, o.MinifyIdentifiers, o.MinifySyntax = true, true, true
		o.LegalComments = api.LegalCommentsNone
		o.Plugins = []api.Plugin{{Name: "site", Setup: func(b api.PluginBuild) { from(source, b) }}}
		o.Outdir = "." // esbuild needs a folder, but writes nothing
		result := api.Build(o)
		if messages := append(result.Errors, result.Warnings...); len(messages) > 0 {
			return nil, errors.New(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{}), ""))
		}
		for _, output := range result.OutputFiles {
			bundles[filepath.Base(output.Path)] = output.Contents
		}
	}
	return bundles, nil
}

// from resolves imports to the sources of the site. It leaves URLs in stylesheets unchanged, because the browser loads
// them.
func from(source fs.FS, build api.PluginBuild) {
	const sources = "site"
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
		text := string(content)
		switch strings.TrimSuffix(args.Path, path.Ext(args.Path)) {
		case site.Home, site.Organize:
			if src.IsModule(args.Path) {
				text = "import '" + site.Script + "'; " + text
			}
		}
		text = literal.ReplaceAllStringFunc(text, func(literal string) string {
			if index, ok := slices.BinarySearch(keys(), strings.Trim(literal, "'")); ok {
				return strconv.Itoa(index)
			}
			return literal
		})
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderDefault}, err
	})
}

// literal matches string literals that may be the key of a text. Keys have a dot, so no other literal equals a key.
var literal = regexp.MustCompile(`'\w+\.\w+'`)

// keys returns the keys of the texts that scripts show. A browser gets the texts in this order, and the scripts have
// the indexes of the texts. With keys instead, a first visit would load 2 KB more.
var keys = sync.OnceValue(func() []string {
	var english map[string]json.RawMessage
	if err := json.Unmarshal(src.Read("locales/en.json"), &english); err != nil {
		panic(err) // the file is invalid, and every test would fail
	}
	maps.DeleteFunc(english, func(key string, _ json.RawMessage) bool { return strings.HasPrefix(key, "server.") })
	return slices.Sorted(maps.Keys(english))
})

// texts returns the texts of a language in the order of the keys.
func texts(language []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(language, &all); err != nil {
		return nil, err
	}
	var ordered []json.RawMessage
	for _, key := range keys() {
		ordered = append(ordered, all[key])
	}
	return json.Marshal(ordered)
}
