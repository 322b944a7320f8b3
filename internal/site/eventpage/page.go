// Package eventpage has the page of home and of each event, and the files that belong to an event:
// its preview, its entry for calendars and its QR code.
package eventpage

import (
	_ "embed"
	"encoding/json"
	"sync"

	"turnout/internal/site"
	"turnout/internal/site/locale"
)

//go:embed page.html
var source string

// pageTemplate is the page of the site and of each event.
var pageTemplate = sync.OnceValue(func() template {
	t, err := parse(source)
	if err != nil {
		panic(err) // cannot happen: every test reads the page
	}
	return t
})

// frame returns what every page has: the names under which its files are served, and the mark.
var frame = sync.OnceValue(func() values {
	names, locales := site.Names(), map[string]string{}
	for _, tag := range locale.Languages() {
		locales[tag] = names["/locales/"+tag+".json"]
	}
	list, err := json.Marshal(locales)
	if err != nil {
		panic(err) // cannot happen: these are strings
	}
	return values{
		"early": site.Early, "script": names[site.Script], "home": names[site.Home], "style": names[site.Style], "font": names["/fonts/onest-latin.woff2"], "locales": string(list),
		"mark": groups(5, ""),
	}
})

// Page returns the page for every path but those of events, whose language the script
// chooses.
var Page = sync.OnceValue(func() string {
	var languages []values
	for _, tag := range locale.Languages() {
		l := locale.Of(tag)
		languages = append(languages, values{
			"lang": l.Lang(), "dir": l.Direction(),
			"noscript": l.Text("page.noscript"), "late": l.Text("page.late"), "reload": l.Text("page.reload"),
		})
	}
	l := locale.Of(locale.Default)
	return pageTemplate().render(l, frame(), bars(site.SiteColour), values{
		"language": l.Lang(), "direction": l.Direction(), "title": "Turnout", "description": l.Text("site.description"), "languages": languages,
		"tags": []values{
			{"property": "og:site_name", "content": "Turnout"},
			{"property": "og:type", "content": "website"},
			{"property": "og:locale", "content": l.OpenGraph()},
			{"property": "og:title", "content": l.Text("site.title")},
			{"property": "og:description", "content": l.Text("site.description")},
		},
		"cards": []values{{"name": "twitter:card", "content": "summary"}},
	})
})

func bars(c site.Colour) values {
	day, night := c.Bars()
	return values{"bars": day, "barsAtNight": night}
}
