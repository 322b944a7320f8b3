package site

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"

	"turnout/internal/site/locale"
)

// Header is one response header.
type Header struct{ Name, Value string }

// SecurityHeaders are sent with every file of the site, except for the files below Assets, which need assetHeaders
// alone. The headers are defined only here: the turnout program sends them, and tests compare the deployment on AWS
// with them.
//
// The policy allows only the site's own files and the inline script of the page (src/early.js). No script of the site
// turns text into markup. The only trusted type is the URL of the service worker; see src/lib/offline.ts.
var SecurityHeaders = append([]Header{
	{"Content-Security-Policy", strings.Join([]string{
		"default-src 'self'",
		"script-src 'self' 'sha256-" + hashOf(Early) + "'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types worker",
	}, "; ")},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	{"X-Frame-Options", "DENY"},
}, assetHeaders...)

// assetHeaders are the security headers of the files below Assets. The other headers affect pages and workers alone,
// and would add 2 KB to a first visit over HTTP/1.1. CloudFront sends all headers with each file.
var assetHeaders = []Header{
	{"Referrer-Policy", "no-referrer"},
	{"Strict-Transport-Security", "max-age=31536000"},
	{"X-Content-Type-Options", "nosniff"},
}

// hashOf returns the hash of a source in the form that a Content-Security-Policy needs.
func hashOf(source string) string {
	sum := sha256.Sum256([]byte(source))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// EventPages is the path prefix of event pages.
const EventPages = "/e/"

// IsEventPage reports whether a path is an event page, or is below an event page.
func IsEventPage(path string) bool {
	token, below := strings.CutPrefix(path, EventPages)
	return below && token != ""
}

// EventHeaders are added to event pages, and replace security headers of the same name. Search engines must not index
// events. The policy allows the page's inline styles, so CloudFront must keep the policy that the page's release sent.
var EventHeaders = sync.OnceValue(func() []Header {
	policy := SecurityHeaders[0].Value + "; style-src 'self' 'sha256-" + hashOf(Styles()) + "'"
	return []Header{{"Content-Security-Policy", policy}, {"X-Robots-Tag", "noindex"}}
})

// Event pages depend on these request headers. CloudFront (EventPageRequest in template.yaml) and the turnout program
// set both headers, and replace a visitor's own values. CloudFront's cache key includes both headers. No other header
// reaches the event pages.
const (
	// OriginHeader has the origin that the visitor uses for the site, such as https://turnout.example.org.
	OriginHeader = "X-Site-Origin"
	// LanguageHeader has the result of locale.Language for the visitor's Accept-Language. The header is missing if the
	// request has no Accept-Language. CloudFront omits it for files below an event page, which have no language.
	LanguageHeader = "X-Site-Language"
)

// SetVisitor sets OriginHeader and LanguageHeader for a visitor who uses this origin.
func SetVisitor(h http.Header, origin string) {
	h.Set(OriginHeader, origin)
	h.Set(LanguageHeader, locale.Language(h.Get("Accept-Language")))
}

func setHeaders(w http.ResponseWriter, headers []Header) {
	for _, header := range headers {
		w.Header().Set(header.Name, header.Value)
	}
}
