// Package environment reads the variables that configure the programs of Turnout, and reports
// all that are missing or invalid together:
//
//	TABLE_NAME                 the table; required by programs that use one
//	AWS_REGION                 its region; Lambda sets it, like the next three
//	AWS_ACCESS_KEY_ID          and AWS_SECRET_ACCESS_KEY: required with a table
//	AWS_SESSION_TOKEN          part of credentials that expire
//	AWS_ENDPOINT_URL_DYNAMODB  another endpoint than the region's own
//	ORIGIN_SECRETS             accepted values of the header that CloudFront adds, separated by commas;
//	                           required by the functions, none for no such header
//	ABOUT_URL                  address of the imprint, for the pages of the site
//	PORT, LISTEN, SITE_URL     and DATA_DIR: for the program turnout
package environment

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Variables are the environment of a program. Its methods never fail: read all
// variables first, then call Err.
type Variables struct {
	getenv         func(string) string
	missing, wrong []string
}

// New returns the variables that getenv finds.
func New(getenv func(string) string) *Variables { return &Variables{getenv: getenv} }

// Err reports every variable that was missing or wrong, or returns nil.
func (v *Variables) Err() error {
	problems := v.wrong
	if len(v.missing) > 0 {
		problems = append([]string{"missing in the environment: " + strings.Join(v.missing, ", ")}, problems...)
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "; "))
}

// refuse adds a problem to the error that Err returns.
func (v *Variables) refuse(problem string) { v.wrong = append(v.wrong, problem) }

// Required returns a variable that must be set.
func (v *Variables) Required(name string) string {
	value := v.getenv(name)
	if value == "" {
		v.missing = append(v.missing, name)
	}
	return value
}

// Optional returns a variable, or the argument otherwise if it is not set.
func (v *Variables) Optional(name, otherwise string) string {
	return cmp.Or(v.getenv(name), otherwise)
}

// URL returns a variable that, if set, must be an absolute HTTP URL such as the example. A
// trailing slash is removed.
func (v *Variables) URL(name, example string) string {
	value := v.getenv(name)
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || !isPlain(u) {
		v.refuse(fmt.Sprintf("%s must be a URL such as %s, not %q", name, example, value))
		return ""
	}
	return strings.TrimSuffix(value, "/")
}

// isPlain reports whether a URL is an absolute HTTP URL and has host, port and path only.
func isPlain(u *url.URL) bool {
	isHTTP := u.Scheme == "http" || u.Scheme == "https"
	return isHTTP && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// Origin returns a variable that, if set, must be an HTTP URL without a path, as browsers write
// it: in lower case, without the scheme's default port. A host that browsers send in another
// form would match no request.
func (v *Variables) Origin(name string) string {
	value := v.getenv(name)
	if value == "" {
		return ""
	}
	// A host is a name, or an IP address in brackets.
	form := regexp.MustCompile(`^(https?)://(?:([0-9a-z.-]+)|\[([0-9a-f:.]+)\])(:[0-9]+)?$`)
	rule, scheme, host, port := "", "", "", ""
	if parts := form.FindStringSubmatch(strings.TrimSuffix(strings.ToLower(value), "/")); parts != nil {
		scheme, host, port = parts[1], parts[2], parts[4]
		if ip, err := netip.ParseAddr(parts[3]); err == nil {
			host = "[" + ip.String() + "]"
		}
	}
	switch {
	case strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxASCII }):
		rule = "must be in ASCII (xn--…)"
	case host == "":
		rule = "must be a scheme and a host, such as https://turnout.example.org"
	case len(host) > 253: // as in RFC 1035, without the dot at the end
		rule = "must have a host of at most 253 characters"
	case strings.HasSuffix(host, "."):
		rule = "must not end in a dot"
	case port != "" && !isPort(port[1:]):
		rule = "must have a port from 1 to 65535"
	}
	if rule != "" {
		v.refuse(fmt.Sprintf("%s %s: %q", name, rule, value))
		return ""
	}
	if port == map[string]string{"http": ":80", "https": ":443"}[scheme] {
		port = ""
	}
	return scheme + "://" + host + port
}

// LinkForm is the form of a variable that Link accepts. template.yaml has the same form, in the syntax that Go, Python
// and CloudFormation share.
const LinkForm = `https?://` + linkHost + linkPort + `([/?#]` + linkText + `)?|` +
	`mailto:([^\x00-#%(),/:-<>-@\x5b-\x5d\x7f]|%[0-9A-Fa-f]{2})+@` + linkHost + `(\?` + linkText + `)?`

// The parts of LinkForm. The name of a host may be in any script. It has no empty part.
const (
	linkHost  = linkLabel + `(\.` + linkLabel + `)*\.?`
	linkLabel = `[^\x00-,./:-@\x5b-\x5e\x60\x7b-\x7f]+`
	linkPort  = `(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?`
	linkText  = `([^\x00-\x20%\x7f]|%[0-9A-Fa-f]{2})*`
)

// Link returns a variable that, if set, must be an address for people: of a page, or mailto and an email address.
func (v *Variables) Link(name string) string {
	value := v.getenv(name)
	if value != "" && !regexp.MustCompile("^("+LinkForm+")$").MatchString(value) {
		const form = "%s must be a URL such as https://example.org/imprint, or mailto: and an email address, not %q"
		v.refuse(fmt.Sprintf(form, name, value))
		return ""
	}
	return value
}

// isPort reports whether digits are a port to which clients can connect, as browsers write it.
func isPort(number string) bool {
	port, err := strconv.ParseUint(number, 10, 16)
	return err == nil && port > 0 && number[0] != '0'
}

// Port returns a variable that must be the number of a port, or the argument otherwise if it is not set.
func (v *Variables) Port(name, otherwise string) string {
	value := v.Optional(name, otherwise)
	if _, err := strconv.ParseUint(value, 10, 16); err != nil {
		v.refuse(fmt.Sprintf("%s must be a number from 0 to 65535, not %q", name, value))
		return otherwise
	}
	return value
}

// Address returns a variable that must be an IP address, or the argument otherwise if it is not set.
func (v *Variables) Address(name, otherwise string) string {
	value := v.Optional(name, otherwise)
	if _, err := netip.ParseAddr(value); err != nil {
		v.refuse(fmt.Sprintf("%s must be an IP address such as 0.0.0.0, not %q", name, value))
		return otherwise
	}
	return value
}

// Secrets returns the comma-separated values of a variable that must be set. The word none means that there
// are no values. The error does not contain the values.
func (v *Variables) Secrets(name string) []string {
	value := v.Required(name)
	if value == "none" {
		return nil
	}
	secrets := strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
	if value != "" && len(secrets) == 0 || slices.Contains(secrets, "none") {
		v.refuse(name + " must hold secrets, separated by commas, or be the word none")
	}
	return secrets
}
