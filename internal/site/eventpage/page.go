// Package eventpage has the page of home and of each event, and the files that belong to an event:
// its preview, its entry for calendars and its QR code.
package eventpage

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"regexp"
	"sync"

	"turnout/internal/site"
	"turnout/internal/site/locale"
)

//go:embed page.html
var source string

// The lines are joined without the white space around them: the script makes no nodes of it.
var pageTemplate = sync.OnceValue(func() *template.Template {
	joined := regexp.MustCompile(`\n\s*`).ReplaceAllString(source, "")
	return template.Must(template.New("page").Parse(joined))
})

// A page is the data of page.html.
type page struct {
	*locale.Locale
	frame
	Day, Night           string           // colours of the browser's bars
	Heading, Description string           // of the preview
	About                string           // of site.Config
	Address, Picture     string           // if the origin is known: messengers need absolute ones; home has no picture
	Languages            []*locale.Locale // of the texts without a script; none for an event
	Colour               string           // of the page of an event
	Event                *eventData
}

func (p page) render() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, p)
	return b.Bytes(), err
}

// A frame is the same on every page. It has the names under which files are served, the names of the languages, and the
// mark.
type frame struct {
	Early                              template.JS
	Styles                             template.CSS
	Script, Home, Style, Font, Locales string
	Menu                               string // of languages, by their own names
	Mark                               [][]stroke
}

var frameOf = sync.OnceValue(func() frame {
	names, locales, menu := site.Names(), map[string]string{}, map[string]string{}
	for _, tag := range locale.Languages() {
		locales[tag] = names["/locales/"+tag+".json"]
		menu[tag] = locale.Of(tag).Text("server.languageName")
	}
	list := func(byTag map[string]string) string {
		content, err := json.Marshal(byTag)
		if err != nil {
			panic(err) // cannot happen: these are strings
		}
		return string(content)
	}
	return frame{
		Early:   template.JS(site.Early),
		Styles:  template.CSS(site.Styles()),
		Script:  names[site.Script],
		Home:    names[site.Home],
		Style:   names[site.Style],
		Font:    names["/fonts/onest-latin.woff2"],
		Locales: list(locales),
		Menu:    list(menu),
		Mark:    groups(0, site.GroupSize, site.GroupSize),
	}
})

// Page returns the page for every path except the paths of events. The script chooses its language.
func Page(c site.Config) string {
	l := locale.Of(locale.Default)
	p := page{Locale: l, frame: frameOf(), Heading: l.Text("site.title"), Description: l.Text("server.description")}
	p.About = c.About
	if c.Origin != "" {
		p.Address = c.Origin + "/"
	}
	p.Day, p.Night = site.SiteColour.Bars()
	for _, tag := range locale.Languages() {
		p.Languages = append(p.Languages, locale.Of(tag))
	}
	content, err := p.render()
	if err != nil {
		panic(err) // cannot happen: every test has this page
	}
	return string(content)
}
