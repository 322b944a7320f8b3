package eventpage

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// As in src/lib/linkify.tsx, which calls more characters white space than RE2 does.
// Without the flag i, with which ſ would match s.
var webAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[hH][tT][tT][pP][sS]?://[^\s\v\pZ\x{feff}<>"\x{2066}-\x{2069}\x{202a}-\x{202e}` +
		`\x{3000}-\x{30ff}\x{3400}-\x{4dbf}\x{4e00}-\x{9fff}\x{ff00}-\x{ffef}]+`)
})

// As in src/lib/linkify.tsx, page.html gives each link dir="ltr".

// A span is a part of a text: an address to link to, or the text around it.
type span struct {
	Text string
	Link bool
}

// linkify splits a text at its addresses, as lib/linkify.tsx does. The first span and
// the last are text, which may be empty. An empty text has none.
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

// beginsWithHost reports whether a host follows the scheme, and no user name or address in brackets. With a user name,
// the first host that one reads is not the one that is opened.
func beginsWithHost(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host := rest
	if end := strings.IndexAny(rest, "/?#@[]"); end >= 0 {
		host = rest[:end]
	}
	behind := rest[len(host):]
	return host != "" && (behind == "" || !strings.Contains("@[]", behind[:1]))
}

// trimAddress trims trailing sentence punctuation.
func trimAddress(address string) string {
	for {
		r, size := utf8.DecodeLastRuneInString(address)
		unopened := r == ')' && strings.Count(address, ")") > strings.Count(address, "(")
		if !unopened && !strings.ContainsRune(".,;:!?'*_]}»”’،؛؟۔…", r) {
			return address
		}
		address = address[:len(address)-size]
	}
}
