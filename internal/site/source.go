package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// The sources, the page, and the program that bundles them.
//
//go:embed all:static page.html bundle/bundle.go
var embedded embed.FS

// Source holds the site's sources: plain modules, stylesheets, texts, pictures.
// A path of the site names a file here without its leading slash.
var Source = func() fs.FS {
	static, err := fs.Sub(embedded, "static")
	if err != nil {
		panic(err) // cannot happen: the name is valid
	}
	return static
}()

// The paths of the bundles, which are those of the sources that import all others.
const (
	Script   = "/app.js"
	Home     = "/pages/home.js"     // the code of home, which the script loads
	Organize = "/pages/organize.js" // the code of organizers' pages, likewise
	Style    = "/app.css"
)

// early is the script in the head of each page, without comments and indentation.
var early = func() string {
	content, err := fs.ReadFile(Source, "early.js")
	must(err)
	var lines []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "//") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}()

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
	names[Script], names[Home], names[Organize] = scripts.name(Script), scripts.name(Home), scripts.name(Organize)
	names[Style] = styles.name(Style)
	return names
})

// Worker is the path of the service worker. It cannot have a hash: browsers look here for a newer one.
const Worker = "/worker.js"

// pageTemplate is the page of the site and of each event.
var pageTemplate = sync.OnceValue(func() template {
	content, err := embedded.ReadFile("page.html")
	must(err)
	t, err := parse(string(content))
	must(err)
	return t
})

// frame returns what every page has: the names under which its files are served, and the mark.
var frame = sync.OnceValue(func() values {
	names, locales := Names(), map[string]string{}
	for source, name := range names {
		if tag, ok := localeTag(source); ok {
			locales[tag] = name
		}
	}
	list, err := json.Marshal(locales)
	must(err)
	return values{
		"early": early, "script": names[Script], "home": names[Home], "style": names[Style], "font": names["/fonts/onest-latin.woff2"], "locales": string(list),
		"mark": groups(5, ""),
	}
})

// Page returns the page for every path but those of events, whose language the script
// chooses.
var Page = sync.OnceValue(func() string {
	var languages []values
	for _, tag := range Languages() {
		l := LocaleOf(tag)
		languages = append(languages, values{
			"lang": l.Lang(), "dir": l.Direction(),
			"noscript": l.Text("page.noscript"), "late": l.Text("page.late"), "reload": l.Text("page.reload"),
		})
	}
	l := LocaleOf(defaultLanguage)
	return pageTemplate().render(l, frame(), siteColour.bars(), values{
		"language": l.Lang(), "direction": l.Direction(), "title": "Turnout", "description": l.Text("site.description"), "languages": languages,
		"tags": []values{
			{"property": "og:site_name", "content": "Turnout"},
			{"property": "og:type", "content": "website"},
			{"property": "og:locale", "content": l.openGraph()},
			{"property": "og:title", "content": l.Text("site.title")},
			{"property": "og:description", "content": l.Text("site.description")},
		},
		"cards": []values{{"name": "twitter:card", "content": "summary"}},
	})
})

// localeTag returns the language whose texts are at a path of the sources.
func localeTag(source string) (tag string, ok bool) {
	name, ok := strings.CutPrefix(source, "/locales/")
	return strings.TrimSuffix(name, ".json"), ok
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
