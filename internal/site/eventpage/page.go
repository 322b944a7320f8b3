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

// Joins the lines without the white space around them, because the script makes no nodes of white space.
var pageTemplate = sync.OnceValue(func() *template.Template {
	joined := regexp.MustCompile(`\n\s*`).ReplaceAllString(source, "")
	return template.Must(template.New("page").Parse(joined))
})

// A page is the data of page.html.
type page struct {
	*locale.Locale
	frame
	site.Config
	Day, Night           string           // colours of the browser's bars
	Heading, Description string           // texts of the preview
	Address, Picture     string           // absolute URLs for messengers, if the origin is known; home has no card
	Languages            []*locale.Locale // languages of the texts for browsers without a script; none on an event page
	Colour               string           // the event's colour
	Event                *eventData
}

func (p page) render() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, p)
	return b.Bytes(), err
}

// A frame has the content that is the same on every page: the paths of files, the names of the languages, and the mark.
type frame struct {
	Early                                       template.JS
	Styles                                      template.CSS
	Style, EventStyle, HomeStyle, OrganizeStyle string
	Script, Font, Files                         string
	Menu                                        string // the menu of languages, each in its own language
	Mark                                        [][]stroke
}

var frameOf = sync.OnceValue(func() frame {
	names, languages := site.Names(), map[string]string{}
	for _, tag := range locale.Languages() {
		languages[tag] = locale.Of(tag).Text("server.languageName")
	}
	menu, err := json.Marshal(languages)
	if err != nil {
		panic(err) // cannot happen, because strings can be encoded
	}
	return frame{
		Early:  template.JS(site.Early),
		Styles: template.CSS(site.Styles()),

		Style:         names[site.Style],
		EventStyle:    names[site.EventStyle],
		HomeStyle:     names[site.HomeStyle],
		OrganizeStyle: names[site.OrganizeStyle],

		Script: names[site.Script],
		Font:   names["/fonts/onest-latin.woff2"],
		Files:  site.Pattern(),
		Menu:   string(menu),
		Mark:   groups(0, site.GroupSize, site.GroupSize),
	}
})

// Page returns the page for every path except the paths of events. The script chooses its language.
func Page(c site.Config) string {
	l := locale.Of(locale.Default)
	p := page{
		Locale: l, frame: frameOf(), Config: c,
		Heading: l.Text("site.title"), Description: l.Text("server.description"),
	}
	if c.Origin != "" {
		p.Address = c.Origin + "/"
	}
	p.Day, p.Night = site.SiteColour.Bars()
	for _, tag := range locale.Languages() {
		p.Languages = append(p.Languages, locale.Of(tag))
	}
	content, err := p.render()
	if err != nil {
		panic(err) // cannot happen, because every test renders this page
	}
	return string(content)
}
