package eventpage

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// webAddress matches the URLs that src/lib/linkify.tsx matches. JavaScript counts more characters as white space than
// RE2. There is no flag i, because with this flag ſ would match s.
var webAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[hH][tT][tT][pP][sS]?://[^\s\v\pZ\x{feff}<>"\x{2066}-\x{2069}\x{202a}-\x{202e}` +
		`\x{3000}-\x{30ff}\x{3400}-\x{4dbf}\x{4e00}-\x{9fff}\x{ff00}-\x{ffef}]+`)
})

// A span is a URL in a text, or the text before, between or after URLs. page.html draws a URL from left to right, as
// src/lib/linkify.tsx does.
type span struct {
	Text string
	Link bool
}

// linkify splits a text at its URLs, as src/lib/linkify.tsx does. The first span and the last span are text, which may
// be empty. An empty text has no spans.
func linkify(text string) (spans []span) {
	if text == "" {
		return nil
	}
	last := 0
	for _, match := range webAddress().FindAllStringIndex(text, -1) {
		address := trimAddress(text[match[0]:match[1]])
		if !beginsWithHost(address) {
			continue
		}
		spans = append(spans, span{text[last:match[0]], false}, span{address, true})
		last = match[0] + len(address)
	}
	return append(spans, span{text[last:], false})
}

// beginsWithHost reports whether a host follows the scheme. It refuses a URL with a user name or with an address in
// brackets: with a user name, people would read another host than the host that the URL opens.
func beginsWithHost(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host := rest
	if end := strings.IndexAny(rest, "/?#@[]"); end >= 0 {
		host = rest[:end]
	}
	behind := rest[len(host):]
	return host != "" && (behind == "" || !strings.Contains("@[]", behind[:1]))
}

// trimAddress removes the punctuation at the end of a sentence from a URL.
func trimAddress(address string) string {
	unopened := strings.Count(address, ")") - strings.Count(address, "(")
	for {
		r, size := utf8.DecodeLastRuneInString(address)
		switch {
		case r == ')' && unopened > 0:
			unopened--
		case !strings.ContainsRune(".,;:!?'*_]}»”’،؛؟۔…", r):
			return address
		}
		address = address[:len(address)-size]
	}
}
