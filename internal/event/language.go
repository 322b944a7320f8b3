package event

import (
	"regexp"
	"sync"
)

// maxLanguage is the longest language tag, in characters, for which programs must have room (RFC 5646, section 4.4.1).
const maxLanguage = 35

// languageForm is the syntax of language tags (RFC 5646, section 2.1). The irregular tags are as they are registered.
var languageForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(` +
		`([A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})` + // language
		`(-[A-Za-z]{4})?` + // script
		`(-([A-Za-z]{2}|[0-9]{3}))?` + // region
		`(-([0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*` + // variants
		`(-[0-9A-WYZa-wyz](-[0-9A-Za-z]{2,8})+)*` + // extensions
		`(-[Xx](-[0-9A-Za-z]{1,8})+)?` + // private use
		`|[Xx](-[0-9A-Za-z]{1,8})+` +
		`|en-GB-oed|i-(ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(BE-(FR|NL)|CH-DE)` +
		`)$`)
})

// IsLanguage reports whether tag is a well-formed language tag, of any language.
func IsLanguage(tag string) bool { return len(tag) <= maxLanguage && languageForm().MatchString(tag) }
