package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"html"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// The sources, and the program that bundles them.
//
//go:embed all:static bundle/bundle.go
var embedded embed.FS

// Source holds the site's sources: plain modules, stylesheets, texts, pictures.
// A path of the site names a file here without its leading slash.
var Source = func() fs.FS {
	static, err := fs.Sub(embedded, "static")
	if err != nil {
		panic(err) // no such error: the name is valid
	}
	return static
}()

// The paths of the bundles, as sources name them. Script is the module that is the
// entry point; no file has the path of Style.
const (
	Script = "/app.js"
	Style  = "/app.css"
)

// Names maps the paths by which sources refer to the bundles, the texts and the fonts
// to the paths under [Assets] at which these are served.
var Names = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	scripts, styles := newDigest(), newDigest()
	bundler, err := embedded.ReadFile("bundle/bundle.go")
	must(err)
	scripts.add("bundle.go", bundler)
	styles.add("bundle.go", bundler)
	must(fs.WalkDir(Source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(Source, name)
		must(err)
		switch path.Ext(name) {
		case ".js":
			scripts.add(name, content)
		case ".css":
			styles.add(name, content)
		case ".woff2": // named in the stylesheets
			styles.add(name, content)
			fallthrough
		case ".json":
			hash := newDigest()
			hash.add(name, content)
			names["/"+name] = hash.name(name)
		}
		return nil
	}))
	styles.add("index.html", []byte(strings.Join(Stylesheets(), "\n")))
	names[Script], names[Style] = scripts.name(Script), styles.name(Style)
	return names
})

// Stylesheets returns the paths of the stylesheets in the order of the cascade.
func Stylesheets() (paths []string) {
	for _, link := range stylesheet.FindAllStringSubmatch(index(), -1) {
		paths = append(paths, link[1])
	}
	return paths
}

var (
	stylesheet = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">\n`)
	address    = regexp.MustCompile(`(href|src)="(/[^"]+)"`)
)

// Page returns the site's one page, with the names under which its files are served.
var Page = sync.OnceValue(func() string {
	names := Names()
	link := `<link rel="stylesheet" href="` + Style + "\">\n"
	page := stylesheet.ReplaceAllStringFunc(index(), func(string) (first string) {
		first, link = link, "" // instead of all
		return first
	})
	page = address.ReplaceAllStringFunc(page, func(attribute string) string {
		part := address.FindStringSubmatch(attribute)
		if name, ok := names[part[2]]; ok {
			return part[1] + `="` + name + `"`
		}
		return attribute
	})
	locales := map[string]string{}
	for source, name := range names {
		if tag, ok := localeTag(source); ok {
			locales[tag] = name
		}
	}
	list, err := json.Marshal(locales)
	must(err)
	return strings.Replace(page, "<html ", `<html data-locales="`+html.EscapeString(string(list))+`" `, 1)
})

// localeTag returns the language whose texts are at a path of the sources.
func localeTag(source string) (tag string, ok bool) {
	name, ok := strings.CutPrefix(source, "/locales/")
	return strings.TrimSuffix(name, ".json"), ok
}

func index() string {
	content, err := fs.ReadFile(Source, strings.TrimPrefix(Index, "/"))
	must(err)
	return string(content)
}

// must panics for errors that only a defect of this program causes: every test finds it.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// A digest is a hash of the names and contents of files.
type digest struct{ sum []byte }

func newDigest() *digest { return &digest{} }

func (d *digest) add(name string, content []byte) {
	part := sha256.Sum256(content)
	whole := sha256.New()
	whole.Write(d.sum)
	whole.Write([]byte(name))
	whole.Write(part[:])
	d.sum = whole.Sum(nil)
}

// name returns the path below Assets of what a source with this name becomes:
// /assets/de-0123456789abcdef.json of /locales/de.json.
func (d *digest) name(source string) string {
	extension := path.Ext(source)
	return Assets + strings.TrimSuffix(path.Base(source), extension) + "-" + hex.EncodeToString(d.sum[:8]) + extension
}
