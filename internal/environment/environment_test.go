package environment

import (
	"strings"
	"testing"
)

func variables(set map[string]string) *Variables {
	return New(func(name string) string { return set[name] })
}

// TestProblemsAreReportedTogether: one error names all problems, and contains no value of a secret.
func TestProblemsAreReportedTogether(t *testing.T) {
	v := variables(map[string]string{"PORT": "http", "URL": "turnout", "SECRETS": "none,,"})
	v.Required("TABLE")
	v.Port("PORT", "3000")
	v.URL("URL", "http://127.0.0.1:8000")
	v.Secrets("SECRETS")
	v.Secrets("MISSING")
	v.Required("REGION")
	const want = `missing in the environment: TABLE, MISSING, REGION; ` +
		`PORT must be a number from 0 to 65535, not "http"; ` +
		`URL must be a URL such as http://127.0.0.1:8000, not "turnout"; ` +
		`SECRETS must hold secrets, separated by commas, or be the word none`
	if err := v.Err(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// wrong is the result of a value that is reported.
const wrong = "reported as wrong"

func TestValues(t *testing.T) {
	for kind, test := range map[string]struct {
		read func(v *Variables, name string) string
		want map[string]string
	}{
		"required": {(*Variables).Required, map[string]string{"t": "t", "": wrong}},
		"optional": {func(v *Variables, name string) string { return v.Optional(name, "other") }, map[string]string{"t": "t", "": "other"}},
		"port": {func(v *Variables, name string) string { return v.Port(name, "3000") }, map[string]string{
			"": "3000", "0": "0", "65535": "65535",
			"-1": wrong, "65536": wrong, "80 ": wrong, "http": wrong, "0x50": wrong,
		}},
		"URL": {func(v *Variables, name string) string { return v.URL(name, "http://host") }, map[string]string{
			"":                        "",
			"http://127.0.0.1:8000":   "http://127.0.0.1:8000",
			"https://host/some/path/": "https://host/some/path",

			"host": wrong, "//host": wrong, "ftp://host": wrong, "https://": wrong, "https:///path": wrong,
			"https://user@host": wrong, "https://host?query": wrong, "https://host#fragment": wrong,
			"https://ho st": wrong,
		}},
		"origin": {(*Variables).Origin, map[string]string{
			"":                              "",
			"https://Turnout.example.org/":  "https://turnout.example.org",
			"http://127.0.0.1:8080":         "http://127.0.0.1:8080",
			"https://host:443":              "https://host",
			"http://host:80/":               "http://host",
			"https://xn--bcher-kva.example": "https://xn--bcher-kva.example",

			"https://bücher.example": wrong, "https://b%C3%BCcher.example": wrong, "turnout.example.org": wrong,
			"https://turnout.example.org/events": wrong, "https://turnout.example.org//": wrong,
			"https://turnout.example.org?": wrong, "https://turnout.example.org.": wrong,
			"https://turnout.example.org.:8443": wrong,

			"http://[2001:DB8::1]:8080": "http://[2001:db8::1]:8080", "https://192.0.2.1": "https://192.0.2.1",
			"https://host:65535": "https://host:65535", "http://host:443": "http://host:443",
			`https://x".org`: wrong, "https://x.org:99999": wrong, "https://x.org:0": wrong, "https://x.org:": wrong,
			"https://x.org:0443": wrong, "https://[2001:0db8::1]": "https://[2001:db8::1]", "https://[host]": wrong, "https://[::1::]": wrong, "https://[192.0.2.1": wrong, "https://x_y.org": wrong,
			"https://" + strings.Repeat("a.", 126) + "b:1": "https://" + strings.Repeat("a.", 126) + "b:1",
			"https://" + strings.Repeat("a.", 126) + "bc":  wrong,

			"https://user@x.org": wrong, "ftp://x.org": wrong, "https://": wrong, "https://x.org#top": wrong,
		}},
		"link": {(*Variables).Link, map[string]string{
			"": "", "https://example.org/Imprint?a=b#c": "https://example.org/Imprint?a=b#c",
			"http://bücher.example": "http://bücher.example", "mailto:me@example.org": "mailto:me@example.org",
			"example.org/imprint": wrong, "/imprint": wrong, "https://": wrong, "https:///imprint": wrong,
			"javascript:alert(1)": wrong, "mailto:me": wrong, "https://a b": wrong, "https://a\nhttps://b": wrong,

			"https://example.org:8443/%C3%BC?q=%20": "https://example.org:8443/%C3%BC?q=%20", "https://x_y.org.": "https://x_y.org.",
			"https://192.0.2.1:65535": "https://192.0.2.1:65535", "https://x.org?": "https://x.org?",
			"mailto:me+it@x.org?subject=a%20b": "mailto:me+it@x.org?subject=a%20b",
			"https://x.org/%zz":                wrong, "https://x.org/%2": wrong, "https://x.org#%": wrong, "https://x.org:port": wrong,
			"https://x.org:0": wrong, "https://x.org:65536": wrong, "https://x.org:": wrong, "https://:443": wrong,
			"https://x..org": wrong, "https://.x.org": wrong, "https://x{y}.org": wrong, "https://[::1": wrong,
			"https://user@x.org": wrong, "https://x.org\x7f": wrong, "https://?x": wrong, "https://x.org\\y": wrong,
			"mailto:me@x..org": wrong, "mailto:me@": wrong, "mailto:a,b@x.org": wrong, "mailto:me@x.org?subject=%z": wrong,
		}},
		"address": {func(v *Variables, name string) string { return v.Address(name, "127.0.0.1") }, map[string]string{
			"": "127.0.0.1", "0.0.0.0": "0.0.0.0", "::": "::", "localhost": wrong, "0.0.0.0:80": wrong, "all": wrong,
		}},
		"secrets": {func(v *Variables, name string) string {
			return strings.Join(v.Secrets(name), " ")
		}, map[string]string{
			"a": "a", "a,": "a", ",b": "b", "a,,b": "a b", "none": "", ",": wrong,
		}},
	} {
		for value, want := range test.want {
			v := variables(map[string]string{"NAME": value})
			if got := test.read(v, "NAME"); (v.Err() != nil) != (want == wrong) || want != wrong && got != want {
				t.Errorf("%s %q: %q, %v", kind, value, got, v.Err())
			}
		}
	}
}
