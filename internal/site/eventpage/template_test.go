package eventpage

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"turnout/internal/site/locale"
)

func TestTemplate(t *testing.T) {
	filled := values{
		"yes": true, "no": false, "text": "a", "empty": "", "one": values{"text": "b"},
		"many": []values{{"n": "1"}, {"n": "2", "text": "c"}}, "none": []values{}, "nowhere": "https://",
	}
	for source, want := range map[string]string{
		"<p>\n  {{text}}\n</p>":                                                        "<p>a</p>",
		"{{missing}}{{yes}}|{{text event.about}}":                                      "|About",
		"{{#yes}}y{{/yes}}{{#no}}n{{/no}}{{^no}}N{{/no}}{{^yes}}Y{{/yes}}":             "yN",
		"{{#text}}{{text}}{{/text}}{{#empty}}x{{/empty}}{{^missing}}m{{/missing}}":     "am",
		"{{#one}}{{text}}{{#many}}{{n}}{{text}}{{/many}}{{/one}}{{#none}}x{{/none}}":   "b1b2c",
		`<a class="x {{#yes}}y{{/yes}}" href="{{text}}">{{^none}}none{{/none}}</a>`:    `<a class="x y" href="">none</a>`,
		`<a href="{{nowhere}}">{{nowhere}}</a>`:                                        `<a href="">https://</a>`,
		`<script type="application/json">{{text}}</script><script src="/x"></script>a`: `<script type="application/json">a</script><script src="/x"></script>a`,
	} {
		parsed, err := parse(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		} else if got := parsed.render(locale.Of("en"), filled); got != want {
			t.Errorf("%s is %s, want %s", source, got, want)
		}
	}
	for _, source := range []string{
		"{{#a}}", "{{/a}}", "{{#a}}{{#b}}{{/a}}{{/b}}", `{{#a}}<p>{{/a}}<b {{#a}}>{{/a}}`, "<p {{a}}>", "<{{a}}>", "<p class={{a}}>",
		"<p class='{{a}}'>", `<p style="{{a}}">`, `<p onclick="{{a}}">`, "<style>{{a}}</style>", "<!-- {{a}} -->",
	} {
		if _, err := parse(source); err == nil {
			t.Errorf("%s is taken", source)
		}
	}
}

// FuzzTemplate: whatever a value holds, the page has the same elements, and the value
// where its slot is.
func FuzzTemplate(f *testing.F) {
	parsed, err := parse(`<p title="{{value}}">{{value}}</p><a href="{{value}}"></a><script type="application/json">"{{value}}"</script>`)
	if err != nil {
		f.Fatal(err)
	}
	for _, value := range []string{
		`</p><script>alert(1)</script>`, `" onclick="alert(1)`, `javascript:alert(1)`, "\tJava\nScript:x", `</script><!--`, `//evil`, `/\evil`,
		"https://a.example/?b=c&copy=d", "/e/x", "HTTP://x", "&lt;&#34;", "\x00\r",
	} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		value = strings.ReplaceAll(string([]rune(value)), "\x00", "") // which a reader replaces
		page := parsed.render(nil, values{"value": value})
		tokens := html.NewTokenizer(strings.NewReader(page))
		var names []string
		for tokens.Next() != html.ErrorToken {
			token := tokens.Token()
			names = append(names, strings.Repeat("/", map[bool]int{true: 1}[token.Type == html.EndTagToken])+token.Data)
			switch read := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value); {
			case token.Type == html.TextToken:
				names = names[:len(names)-1]
				if raw := `"` + strings.ReplaceAll(value, "<", `\u003c`) + `"`; token.Data != read && token.Data != strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(raw) {
					t.Errorf("%q is the text %q", value, token.Data)
				}
			case token.Data == "p" && token.Type == html.StartTagToken && (len(token.Attr) != 1 || token.Attr[0].Val != read):
				t.Errorf("%q has the attributes %q", value, token.Attr)
			case token.Data == "a" && token.Type == html.StartTagToken:
				if len(token.Attr) != 1 || token.Attr[0].Val != "" && !strings.HasPrefix(strings.ToLower(value), "http") && (value[0] != '/' || strings.HasPrefix(value, "//")) {
					t.Errorf("%q leads to %q", value, token.Attr)
				}
			}
		}
		if got := strings.Join(names, " "); got != "p /p a /a script /script" {
			t.Errorf("%q makes the elements %s", value, got)
		}
	})
}
