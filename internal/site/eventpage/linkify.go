package eventpage

import (
	"html/template"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Without "www." an address needs a path, and a top-level domain: a country's, or one of those that people share.
const domains = `com|org|net|edu|gov|info|app|dev|live|town|team|video|chat|events|party|club|online|site|page|link|` +
	`social|space`

// The patterns match the addresses that src/lib/linkify.tsx matches. JavaScript counts more characters as white space
// than RE2. There is no flag i, because with this flag ſ would match s.
var patterns = sync.OnceValue(func() (p struct {
	run, scheme, www, bare, mail, digits, telephone, date, account *regexp.Regexp
}) {
	p.run = regexp.MustCompile(`[^\s\v\pZ\x{feff}<>"\x{2066}-\x{2069}\x{202a}-\x{202e}` +
		`\x{3000}-\x{30ff}\x{3400}-\x{4dbf}\x{4e00}-\x{9fff}\x{ff00}-\x{ffef}]+`)
	p.scheme = regexp.MustCompile(`\b[hH][tT][tT][pP][sS]?://`)
	p.www = regexp.MustCompile(`^[wW]{3}\.[^./?#@:]+\.[^./?#@:]`)
	p.bare = regexp.MustCompile(`^(?:[A-Za-z\d-]+\.)+(?:[a-z]{2}|` + domains + `)(?::\d+)?/`)
	p.mail = regexp.MustCompile(`^[\w.+-]+@(?:[A-Za-z\d-]+\.)+[A-Za-z]{2,}$`)
	p.digits = regexp.MustCompile(`^[(+]*\d[\d ()/.\x{a0}\x{2010}-\x{2013}-]{5,22}\d`)
	p.telephone = regexp.MustCompile(`^\(?\+(?:\D*\d){7,15}$|^\(?0(?:[^\d.]*\d){8,11}$|^\(?\d{3}\)?[ -]?\d{3}-\d{4}$`)
	p.date = regexp.MustCompile(`^\d{1,2}[-/]\d{1,2}[-/]\d`)
	p.account = regexp.MustCompile(`@[^\s\v\pZ\x{feff}]`)
	return p
})

// A span is a link in a text, or the text before, between or after links. page.html draws a link from left to right, as
// src/lib/linkify.tsx does.
type span struct {
	Text string
	URL  template.URL // "" for text
}

// linkify splits a text at its addresses and telephone numbers, as src/lib/linkify.tsx does. The first span and the
// last span are text, which may be empty. An empty text has no spans.
func linkify(text string) (spans []span) {
	if text == "" {
		return nil
	}
	last := 0
	for _, run := range patterns().run.FindAllStringIndex(text, -1) {
		if run[0] < last {
			continue
		}
		at, link := run[0], numberAt(text[run[0]:])
		if link == "" {
			at, link = addressIn(text[run[0]:run[1]])
			at += run[0]
		}
		if link != "" {
			spans = append(spans, span{text[last:at], ""}, span{link, hrefOf(link)})
			last = at + len(link)
		}
	}
	return append(spans, span{text[last:], ""})
}

// addressIn returns the address of the web or of a mailbox in a run, and its place, or "".
func addressIn(run string) (at int, address string) {
	p := patterns()
	begin := p.scheme.FindStringIndex(run)
	if begin != nil {
		at = begin[0]
	} else {
		at = len(run) - len(strings.TrimLeft(run, "'([{„‚“‘«»*_"))
	}
	address = trimAddress(run[at:])
	if begin != nil || p.www.MatchString(address) || p.bare.MatchString(address) {
		if beginsWithHost(string(hrefOf(address))) {
			return at, address
		}
	} else if p.mail.MatchString(address) {
		return at, address
	}
	return 0, ""
}

// numberAt returns the telephone number at the beginning of a text, or "". A number is international, national with a
// leading 0, or written as in North America. A date is none.
func numberAt(text string) string {
	p := patterns()
	number := p.digits.FindString(text)
	next, _ := utf8.DecodeRuneInString(text[len(number):])
	isWhole := !unicode.In(next, unicode.L, unicode.N) && !strings.ContainsRune(":@/", next)
	if isWhole && p.telephone.MatchString(number) && !p.date.MatchString(number) {
		return number
	}
	return ""
}

// hrefOf returns the URL of an address or a telephone number.
func hrefOf(text string) template.URL {
	p := patterns()
	switch begin := p.scheme.FindStringIndex(text); {
	case begin != nil && begin[0] == 0:
		return template.URL(text)
	case p.mail.MatchString(text):
		return template.URL("mailto:" + text)
	case !p.telephone.MatchString(text):
		return template.URL("https://" + text)
	}
	number := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, strings.Replace(text, "(0)", "", 1))
	if strings.Contains(text, "+") {
		number = "+" + number
	}
	return template.URL("tel:" + number)
}

// isOnMap reports whether a place can be looked up on a map: it has no address to open, and no name of an account.
func isOnMap(place string) bool {
	return len(linkify(place)) == 1 && !patterns().account.MatchString(place)
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

// trimAddress removes the punctuation at the end of a sentence from an address.
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
