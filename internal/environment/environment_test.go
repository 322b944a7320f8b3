package environment

import (
	"slices"
	"testing"
)

func variables(set map[string]string) *Variables {
	return New(func(name string) string { return set[name] })
}

func TestVariablesAreRead(t *testing.T) {
	v := variables(map[string]string{"TABLE": "t", "PORT": "8080", "URL": "https://turnout.example.org", "SECRETS": "a,b"})
	for what, got := range map[string]string{
		"t":                           v.Required("TABLE"),
		"8080":                        v.Port("PORT", "3000"),
		"https://turnout.example.org": v.URL("URL"),
		"other":                       v.Optional("MISSING", "other"),
		"3000":                        v.Port("MISSING", "3000"),
		"":                            v.URL("MISSING"),
	} {
		if got != what {
			t.Errorf("%q, want %q", got, what)
		}
	}
	if got := v.Optional("TABLE", "other"); got != "t" {
		t.Errorf("%q, want t", got)
	}
	if got := v.Secrets("SECRETS"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("secrets %q", got)
	}
	if err := v.Err(); err != nil {
		t.Error(err)
	}
}

// TestProblemsAreReportedTogether: without the values of secrets.
func TestProblemsAreReportedTogether(t *testing.T) {
	v := variables(map[string]string{"PORT": "http", "URL": "turnout", "SECRETS": "none,,"})
	v.Required("TABLE")
	v.Port("PORT", "3000")
	v.URL("URL")
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

func TestWrongValues(t *testing.T) {
	for _, value := range []string{"0", "65535"} {
		if v := variables(map[string]string{"PORT": value}); v.Port("PORT", "1") != value || v.Err() != nil {
			t.Errorf("port %s: %v", value, v.Err())
		}
	}
	for _, value := range []string{"-1", "65536", "80 ", "http", "0x50"} {
		if v := variables(map[string]string{"PORT": value}); v.Port("PORT", "1") == value || v.Err() == nil {
			t.Errorf("port %q is accepted", value)
		}
	}
	for value, want := range map[string]string{
		"http://127.0.0.1:8000":   "http://127.0.0.1:8000",
		"http://127.0.0.1:8000/":  "http://127.0.0.1:8000",
		"https://host/some/path/": "https://host/some/path",
	} {
		if v := variables(map[string]string{"URL": value}); v.URL("URL") != want || v.Err() != nil {
			t.Errorf("URL %s: %v", value, v.Err())
		}
	}
	for _, value := range []string{"host", "//host", "ftp://host", "https://", "https:///path", "https://user@host", "https://host?query", "https://host#fragment", "https://ho st"} {
		if v := variables(map[string]string{"URL": value}); v.URL("URL") != "" || v.Err() == nil {
			t.Errorf("URL %q is accepted", value)
		}
	}
	for value, want := range map[string]string{
		"https://Turnout.example.org/": "https://turnout.example.org", "http://127.0.0.1:8080": "http://127.0.0.1:8080", "": "",
		"https://host:443": "https://host", "http://host:80/": "http://host",
		"https://turnout.example.org/events": "", "https://turnout.example.org//": "", "https://turnout.example.org?": "", "turnout.example.org": "",
		"https://bücher.example": "", "https://b%C3%BCcher.example": "", "https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
		"https://turnout.example.org.": "", "https://turnout.example.org.:8443": "",
	} {
		v := variables(map[string]string{"SITE": value})
		if got := v.Origin("SITE"); got != want || (v.Err() == nil) != (want != "" || value == "") {
			t.Errorf("origin %q: %q, %v", value, got, v.Err())
		}
	}
	for value, accepted := range map[string]bool{"0.0.0.0": true, "::": true, "127.0.0.2": true, "localhost": false, "0.0.0.0:80": false, "all": false} {
		v := variables(map[string]string{"LISTEN": value})
		if got := v.Address("LISTEN", "127.0.0.1"); (got == value) != accepted || (v.Err() == nil) != accepted {
			t.Errorf("address %q: %q, %v", value, got, v.Err())
		}
	}
	for value, want := range map[string][]string{"a": {"a"}, "a,": {"a"}, ",b": {"b"}, "a,,b": {"a", "b"}, "none": nil} {
		if v := variables(map[string]string{"SECRETS": value}); !slices.Equal(v.Secrets("SECRETS"), want) || v.Err() != nil {
			t.Errorf("secrets %q: %v", value, v.Err())
		}
	}
}
