// Package bundle makes the files that are served of the site's sources. It is a
// package of its own because the bundler is too large for a function.
package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"turnout/internal/site"
)

// bundler is the version of esbuild. The hash in the names of the bundles includes
// this file and so the version. A test compares it with go.mod.
const bundler = "v0.28.2"

// Files returns every file of the site, in the order in which a bucket gets
// them: those with a hash, all others, and last the page, which names them.
var Files = sync.OnceValues(func() ([]site.File, error) {
	names := site.Names()
	script, err := build(site.Source, site.Script)
	if err != nil {
		return nil, err
	}
	style, err := build(site.Source, site.Style)
	if err != nil {
		return nil, err
	}
	assets := []site.File{site.NewFile(names[site.Script], script), site.NewFile(names[site.Style], style)}
	var others []site.File
	err = fs.WalkDir(site.Source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		extension := path.Ext(name)
		if extension == ".js" || extension == ".css" {
			return nil // in the bundles
		}
		if site.ContentTypes[extension] == "" {
			return fmt.Errorf("internal/site/files.go does not say how %s is served", name)
		}
		content, err := fs.ReadFile(site.Source, name)
		if err != nil {
			return err
		}
		if hashed, ok := names["/"+name]; ok {
			assets = append(assets, site.NewFile(hashed, content))
		} else {
			others = append(others, site.NewFile("/"+name, content))
		}
		return nil
	})
	page := site.NewFile(site.Index, []byte(site.Page()))
	return append(append(assets, others...), page), err
})

// build bundles the source at a path with all that it imports.
func build(source fs.FS, path string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		Plugins: []api.Plugin{{Name: "site", Setup: func(b api.PluginBuild) { from(source, b) }}}, EntryPoints: []string{path},
	})
	if messages := append(result.Errors, result.Warnings...); len(messages) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{}), ""))
	}
	return result.OutputFiles[0].Contents, nil
}

// from reads imports from the sources of the site, and leaves to the browser what it
// loads by itself.
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
				return api.OnResolveResult{}, fmt.Errorf("no file of the site: %s", target)
			}
			return api.OnResolveResult{Path: name, External: true}, nil
		}
		return api.OnResolveResult{Path: target, Namespace: sources}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.`, Namespace: sources}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		content, err := fs.ReadFile(source, strings.TrimPrefix(args.Path, "/"))
		text, loader := string(content), api.LoaderJS
		if path.Ext(args.Path) == ".css" {
			loader = api.LoaderCSS
		}
		return api.OnLoadResult{Contents: &text, Loader: loader}, err
	})
}
