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

	"turnout/internal/site/locale"
	"turnout/internal/site/src"
)

// Entry points of the bundles. Import paths of scripts have no extension.
const (
	Script   = "/app"
	Guests   = "/pages/event"    // the code of guests' pages; the script imports it
	Home     = "/pages/home"     // the code of home; the script imports it
	Organize = "/pages/organize" // the code of organizers' pages; the script imports it

	Style         = "/app.css"
	EventStyle    = "/pages/event.css"
	HomeStyle     = "/pages/home.css"
	OrganizeStyle = "/pages/organize.css"
)

// Pages are the kinds of pages. Each kind has a bundle of code, and a file of texts in each language.
var Pages = []string{Guests, Home, Organize}

// Texts returns the source path of the texts that a page needs in a language: /locales/de-home.json.
func Texts(language, page string) string {
	return fmt.Sprintf("/locales/%s-%s.json", language, path.Base(page))
}

// Sheets are the stylesheets in the order of the cascade.
var Sheets = []string{Style, EventStyle, HomeStyle, OrganizeStyle}

// Inline are the stylesheets that every event page has inline.
var Inline = []string{Style, EventStyle}

// Early is the inline script of every page's head, without comments and indentation. A regular expression would
// lengthen the start of a function by a tenth of a millisecond.
var Early = func() string {
	var short strings.Builder
	for line := range strings.Lines(string(src.Read("early.js"))) {
		if line = strings.TrimLeft(line, " "); line != "\n" && !strings.HasPrefix(line, "//") {
			short.WriteString(line)
		}
	}
	return short.String()
}()

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

// release is a hash of everything that the bundles and the texts depend on. All of them have the same hash, because
// they refer to each other, and because every page of a first visit names it.
var release = sync.OnceValue(func() hash.Hash {
	all := sha256.New()
	addTo(all, "bundle.go", bundler)
	for _, name := range src.Names() {
		addTo(all, name, src.Read(name))
	}
	return all
})

// Names maps the source paths of bundles, texts and fonts to the paths below [Assets] under which servers send the
// files.
var Names = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, script := range append([]string{Script}, Pages...) {
		names[script] = named(script+".js", release())
	}
	for _, sheet := range Sheets {
		names[sheet] = named(sheet, release())
	}
	for _, language := range locale.Languages() {
		for _, page := range Pages {
			names[Texts(language, page)] = named(Texts(language, page), release())
		}
	}
	for _, name := range src.Names() {
		if path.Ext(name) == ".woff2" {
			font := sha256.New()
			addTo(font, name, src.Read(name))
			names["/"+name] = named(name, font)
		}
	}
	return names
})

// Pattern is the path of a bundle or a file of texts, without its extension and with * in place of its name.
var Pattern = sync.OnceValue(func() string { return named("*", release()) })

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
