package eventpage

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"turnout/internal/site/locale"
)

// A template is a page with slots:
//
//	{{name}}                 a value
//	{{text site.foot}}       a text in the language of the reader
//	{{#name}} … {{/name}}    for each values of a list, for values, and for any other
//	                         value that is neither empty nor false
//	{{^name}} … {{/name}}    otherwise
//
// Values and texts are escaped for where they stand: as text, in a quoted attribute, as
// an address, or in a script that holds data. A slot that stands elsewhere is refused.
// Lines are joined without the white space around them.
//
// It is a part of what html/template does. That makes the linker keep every exported
// method, and the function 40 % larger.
type template []part

// values has what fills the slots: strings, booleans, values, and lists of values.
type values map[string]any

// A part is static text, a slot (escape), or a section (inner).
type part struct {
	static string
	name   string
	escape func(string) string
	key    bool // the name is that of a text
	inner  template
	unless bool
}

// parse returns a template, or an error that names what is wrong with it.
func parse(source string) (template, error) {
	var b strings.Builder
	for line := range strings.Lines(source) {
		b.WriteString(strings.TrimSpace(line))
	}
	source = b.String()
	mark := regexp.MustCompile(`\{\{(text |[#^/])?([\w.]+)\}\}`)
	type section struct {
		part
		begin position
	}
	open := []section{{}}
	at, from := position{}, 0
	add := func(p part) {
		last := &open[len(open)-1]
		last.inner = append(last.inner, p)
	}
	for _, m := range append(mark.FindAllStringSubmatchIndex(source, -1), []int{len(source), len(source), -1, -1, 0, 0}) {
		static := source[from:m[0]]
		add(part{static: static})
		at, from = at.after(static), m[1]
		kind, name := "", source[m[4]:m[5]]
		if m[2] >= 0 {
			kind = source[m[2]:m[3]]
		}
		switch last := open[len(open)-1]; {
		case m[0] == len(source):
		case kind == "#" || kind == "^":
			open = append(open, section{part{name: name, unless: kind == "^"}, at})
		case kind == "/" && (last.name != name || last.begin != at):
			return nil, fmt.Errorf("{{/%s}} does not end a section that begins in such a place", name)
		case kind == "/":
			open = open[:len(open)-1]
			add(last.part)
		default:
			escape := at.escape()
			if escape == nil {
				return nil, fmt.Errorf("{{%s}} is neither text nor in a quoted attribute", name)
			}
			add(part{name: name, key: kind != "", escape: escape})
		}
	}
	if len(open) > 1 {
		return nil, fmt.Errorf("{{#%s}} has no end", open[len(open)-1].name)
	}
	return open[0].inner, nil
}

// render returns the page in a language. Slots get the last value of their name, within
// sections the innermost.
func (t template) render(l *locale.Locale, scopes ...values) string {
	var b strings.Builder
	t.write(&b, l, scopes)
	return b.String()
}

func (t template) write(b *strings.Builder, l *locale.Locale, scopes []values) {
	for _, p := range t {
		switch {
		case p.key:
			b.WriteString(p.escape(l.Text(p.name)))
		case p.escape != nil:
			value, _ := lookup(scopes, p.name).(string)
			b.WriteString(p.escape(value))
		case p.name != "":
			for _, inner := range p.scopes(lookup(scopes, p.name)) {
				p.inner.write(b, l, append(scopes[:len(scopes):len(scopes)], inner))
			}
		default:
			b.WriteString(p.static)
		}
	}
}

// scopes returns the values of each repetition of a section.
func (p part) scopes(value any) (all []values) {
	switch value := value.(type) {
	case []values:
		all = value
	case values:
		all = []values{value}
	case string:
		if value != "" {
			all = []values{nil}
		}
	case bool:
		if value {
			all = []values{nil}
		}
	}
	if !p.unless {
		return all
	}
	if len(all) == 0 {
		return []values{nil}
	}
	return nil
}

func lookup(scopes []values, name string) any {
	for i := len(scopes) - 1; i >= 0; i-- {
		if value, ok := scopes[i][name]; ok {
			return value
		}
	}
	return nil
}

// A position is where the next character of a page stands.
type position struct {
	in        context
	tag       string
	attribute string // with a value in quotes
}

type context int

const (
	inText context = iota
	inTag
	inValue
	inRaw // text that is not markup
)

// after returns the position behind static text.
func (p position) after(static string) position {
	for i, r := range static {
		switch {
		case r == '<' && (p.in == inText || p.in == inRaw && strings.HasPrefix(static[i:], "</")):
			tag, _, _ := strings.Cut(static[i+1:], ">")
			tag, _, _ = strings.Cut(tag, " ")
			p = position{in: inTag, tag: tag}
		case r == '"' && p.in == inTag:
			before := static[:i]
			p.in, p.attribute = inValue, strings.TrimSuffix(before[strings.LastIndexByte(before, ' ')+1:], "=")
		case r == '"' && p.in == inValue:
			p.in, p.attribute = inTag, ""
		case r == '>' && p.in == inTag && (p.tag == "script" || p.tag == "style"):
			p.in = inRaw
		case r == '>' && p.in == inTag:
			p = position{}
		}
	}
	return p
}

// escape returns what makes a value harmless here, or nil where nothing does.
func (p position) escape() func(string) string {
	switch {
	case p.in == inText:
		return html.EscapeString
	case p.in == inValue && (p.attribute == "href" || p.attribute == "src"):
		return func(address string) string { return html.EscapeString(harmless(address)) }
	case p.in == inValue && p.attribute != "style" && !strings.HasPrefix(p.attribute, "on"):
		return html.EscapeString
	case p.in == inRaw && p.tag == "script":
		return strings.NewReplacer("<", `\u003c`).Replace // JSON has < in strings only
	}
	return nil
}

// harmless returns an address if it leads to a page, of this site or another. It replaces any
// other, such as javascript:, by an empty one, which leads to the page that it is on.
func harmless(address string) string {
	for _, prefix := range []string{"https://", "http://"} {
		if len(address) > len(prefix) && strings.EqualFold(address[:len(prefix)], prefix) {
			return address
		}
	}
	if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && !strings.HasPrefix(address, `/\`) {
		return address
	}
	return ""
}
