package site

import (
	"path"
	"strings"
)

// Header is one response header.
type Header struct{ Name, Value string }

// SecurityHeaders are sent with every file of the site. This is the one place
// that writes them down: the local server sends them from here, and tests
// compare the deployment with them.
//
// The policy allows what the site itself holds and nothing else. No script of
// the site turns text into markup, so none has to be trusted with it.
var SecurityHeaders = []Header{
	{"Content-Security-Policy", strings.Join([]string{
		"default-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	{"Referrer-Policy", "no-referrer"},
	{"Strict-Transport-Security", "max-age=31536000"},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
}

// EventPages is the prefix of the pages of events; EventHeaders are sent with
// them besides: a link is for those who were given it, not for search engines.
const EventPages = "/e/"

var EventHeaders = []Header{{"X-Robots-Tag", "noindex"}}

// File tells how a file of the site is served.
type File struct{ ContentType, CacheControl string }

// Names carry no hashes, so nothing may be kept for long: the page asks every
// time, and what it loads is at most a minute older than the page.
const (
	pageCache  = "no-cache"
	assetCache = "public, max-age=60, must-revalidate"
)

var ContentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".webmanifest": "application/manifest+json",
}

// FileAt returns how the file with this name is served; ok is false for a kind
// of file that the site does not hold.
func FileAt(name string) (file File, ok bool) {
	file = File{ContentTypes[path.Ext(name)], assetCache}
	if path.Ext(name) == ".html" {
		file.CacheControl = pageCache
	}
	return file, file.ContentType != ""
}
