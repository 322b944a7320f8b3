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

// SecurityHeaders are sent with every file of the site. This is the one place
// that defines them: the local server sends them, and tests compare the
// deployment with them.
//
// The policy allows the site's own files, the one script in the page (src/early.js), and
// nothing else. No script of the site turns text into markup. The one trusted type is the address
// of the service worker, see src/lib/offline.ts.
var SecurityHeaders = []Header{
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
	{"Referrer-Policy", "no-referrer"},
	{"Strict-Transport-Security", "max-age=31536000"},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
}

// hashOf returns a hash as a Content-Security-Policy has it.
func hashOf(source string) string {
	sum := sha256.Sum256([]byte(source))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// EventPages is the prefix of the pages of events.
const EventPages = "/e/"

// IsEventPage reports whether a path is the page of an event, or below it.
func IsEventPage(path string) bool {
	token, below := strings.CutPrefix(path, EventPages)
	return below && token != ""
}

// EventHeaders are added to the pages of events, and replace security headers of the same name. Search engines
// must not index events. The policy allows the page's styles, so CloudFront keeps that of the page's release.
var EventHeaders = sync.OnceValue(func() []Header {
	policy := SecurityHeaders[0].Value + "; style-src 'self' 'sha256-" + hashOf(Styles()) + "'"
	return []Header{{"Content-Security-Policy", policy}, {"X-Robots-Tag", "noindex"}}
})

// The request headers that the pages of events depend on. CloudFront sets them
// (EventPageRequest in template.yaml), and so does the local server: a visitor's own values
// are replaced. Both are part of the cache's key, and no other header reaches the pages.
const (
	// OriginHeader is the origin of the site as the visitor addresses it, such as
	// https://turnout.example.org.
	OriginHeader = "X-Site-Origin"
	// LanguageHeader is the result of locale.Language for the visitor's Accept-Language; it is
	// missing without one, and from CloudFront below a page, where no answer has a language.
	LanguageHeader = "X-Site-Language"
)

// SetVisitor sets both for a visitor who addresses the site by an origin.
func SetVisitor(h http.Header, origin string) {
	h.Set(OriginHeader, origin)
	h.Set(LanguageHeader, locale.Language(h.Get("Accept-Language")))
}

func setHeaders(w http.ResponseWriter, headers []Header) {
	for _, header := range headers {
		w.Header().Set(header.Name, header.Value)
	}
}
