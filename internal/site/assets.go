// Package site has the names, types, headers and handlers of the site's files, and the colours and tally marks of an
// event. internal/docs/design.md says how the files get their names.
//
// The Lambda function that serves event pages must not link the bundler, but needs the names of the bundler's files.
// These alternatives were rejected: reading index.html from the bucket (needs an S3 client and a round trip at each
// cold start, and the page would change with the bucket); a generated file (any two changes of the site would
// conflict); names set at link time (a plain go build would make a page without its script); an import map (it is an
// inline script, which the Content-Security-Policy forbids).
package site

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"hash"
	"path"
	"regexp"
	"strings"
	"sync"

	"turnout/internal/site/src"
)

// Entry points of the bundles. Import paths of scripts have no extension.
const (
	Script   = "/app"
	Home     = "/pages/home"     // the code of home; the script imports it
	Organize = "/pages/organize" // the code of organizers' pages; the script imports it

	Style         = "/app.css"
	EventStyle    = "/pages/event.css"
	HomeStyle     = "/pages/home.css"
	OrganizeStyle = "/pages/organize.css"
)

// Sheets are the stylesheets in the order of the cascade.
var Sheets = []string{Style, EventStyle, HomeStyle, OrganizeStyle}

// Inline are the stylesheets that every event page has inline.
var Inline = []string{Style, EventStyle}

// Early is the inline script of every page's head, minified.
var Early = regexp.MustCompile(`(?m)^\s*//.*\n|^\s+`).ReplaceAllString(string(src.Read("early.js")), "")

// Styles returns the stylesheets of Inline, minified.
var Styles = sync.OnceValue(func() string {
	var sheets string
	for _, name := range Inline {
		imports := regexp.MustCompile(`@import "(.*)";`)
		sheets += imports.ReplaceAllStringFunc(string(src.Read(name[1:])), func(rule string) string {
			imported := imports.FindStringSubmatch(rule)[1]
			return string(src.Read(path.Join(path.Dir(name), imported)[1:]))
		})
	}
	for _, shorter := range []struct{ pattern, by string }{
		{`(?s)/\*.*?\*/`, ""}, // comments
		{`\n\s*`, ""},         // line ends and indentation
		{`\s*([{};,])\s*`, "$1"},
		{`: `, ":"},
		{`;}`, "}"},
	} {
		sheets = regexp.MustCompile(shorter.pattern).ReplaceAllString(sheets, shorter.by)
	}
	fonts := regexp.MustCompile(`/fonts/[^"]*`)
	return fonts.ReplaceAllStringFunc(sheets, func(font string) string { return Names()[font] })
})

//go:embed bundle/bundle.go
var bundler []byte

// Names maps the source paths of bundles, texts and fonts to the paths below [Assets] under which servers send the
// files.
var Names = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	scripts, styles := sha256.New(), sha256.New()
	addTo(scripts, "bundle.go", bundler)
	addTo(styles, "bundle.go", bundler)
	for _, name := range src.Names() {
		content := src.Read(name)
		if src.IsModule(name) || name == "locales/en.json" { // bundles have the indexes of its keys
			addTo(scripts, name, content)
		}
		switch path.Ext(name) {
		case ".css":
			addTo(styles, name, content)
		case ".woff2": // the stylesheets name the fonts
			addTo(styles, name, content)
			fallthrough
		case ".json":
			file := sha256.New()
			addTo(file, name, content)
			names["/"+name] = named(name, file)
		}
	}
	for _, script := range []string{Script, Home, Organize} {
		names[script] = named(script+".js", scripts)
	}
	for _, sheet := range Sheets {
		names[sheet] = named(sheet, styles)
	}
	return names
})

// Worker is the path of the service worker. The path has no hash, because browsers look for a newer worker at the same
// path.
const Worker = "/worker.js"

// addTo adds the name and the content of a file to a hash of sources.
func addTo(sources hash.Hash, name string, content []byte) {
	fmt.Fprintf(sources, "%s %x\n", name, sha256.Sum256(content))
}

// named returns the path below Assets of a file with this name and a hash of its sources:
// /assets/de-0123456789abcdef.json for /locales/de.json.
func named(name string, sources hash.Hash) string {
	extension := path.Ext(name)
	base := strings.TrimSuffix(path.Base(name), extension)
	return fmt.Sprintf("%s%s-%x%s", Assets, base, sources.Sum(nil)[:8], extension)
}
