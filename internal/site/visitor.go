package site

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// The request headers that the pages of events depend on.
// CloudFront sets them (EventPageRequest in template.yaml), and so does the
// local server: what a visitor sends under these names is replaced. Both are
// part of the cache's key, and no other header reaches the pages.
const (
	// OriginHeader is the origin of the site as the visitor addresses it, such as
	// https://turnout.example.org.
	OriginHeader = "X-Site-Origin"
	// LanguageHeader is what Language returns of the visitor's Accept-Language.
	LanguageHeader = "X-Site-Language"
)

const defaultLanguage = "en"

// Languages returns the tags of the languages that the site has texts in.
var Languages = sync.OnceValue(func() (tags []string) {
	names, err := fs.Glob(Source, "locales/*.json")
	must(err)
	for _, name := range names {
		tag, _ := localeTag("/" + name)
		tags = append(tags, tag)
	}
	return tags
})

// british is English with British dates. The script formats dates by the visitor's
// variant of English; if the page arrived with longer, American ones, what is below
// them would move.
const british = "en-GB"

// likeBritish are the variants of English with the same dates.
var likeBritish = []string{"en-au", "en-gb", "en-ie", "en-in", "en-nz", "en-za"}

// Language returns the first of the site's languages that an Accept-Language
// names, one of Languages or en-GB. Weights are not read: browsers write what is
// wanted most first.
func Language(accepted string) string {
	for part := range strings.SplitSeq(accepted, ",") {
		tag, _, _ := strings.Cut(part, ";")
		tag = strings.ToLower(strings.Trim(tag, " \t"))
		if slices.Contains(likeBritish, tag) {
			return british
		}
		tag, _, _ = strings.Cut(tag, "-")
		if slices.Contains(Languages(), tag) {
			return tag
		}
	}
	return defaultLanguage
}
