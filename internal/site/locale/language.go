package locale

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"turnout/internal/site/src"
)

// Default is the language for visitors who read none of Languages.
const Default = "en"

// Languages returns the tags of the site's languages.
var Languages = sync.OnceValue(func() (tags []string) {
	names, _ := fs.Glob(src.Files, "locales/*.json") // the pattern is a valid one
	for _, name := range names {
		tags = append(tags, strings.TrimSuffix(path.Base(name), ".json"))
	}
	return tags
})

// regions maps regional languages, in lower case, to the formats that they have.
var regions = sync.OnceValue(func() map[string]string {
	tags := map[string]string{}
	for tag, f := range formats() {
		for _, region := range f.Regions {
			tags[region] = tag
		}
	}
	return tags
})

// Language returns the language of the site that an Accept-Language prefers, one of
// Languages or a variant of one: English if the site has none of those in the header, and ""
// if the header names none. Of equal weights the first counts.
func Language(accepted string) string {
	best, weight := "", ""
	for part := range strings.SplitSeq(strings.ToLower(accepted), ",") {
		tag, parameter, _ := strings.Cut(strings.Trim(part, " \t"), ";")
		tag = strings.Trim(tag, " \t")
		if tag == "" || tag == "*" {
			continue
		}
		if best == "" {
			best = Default
		}
		// Weights have one digit before the point, so they sort as text.
		q, weighted := strings.CutPrefix(strings.Trim(parameter, " \t"), "q=")
		if !weighted {
			q = "1"
		}
		q = strings.TrimRight(q, "0.")
		if q <= weight {
			continue
		}
		if format, ok := regions()[tag]; ok {
			best, weight = format, q
		} else if strings.HasPrefix(tag, "en-") { // outside America
			best, weight = "en-GB", q
		} else if tag, _, _ = strings.Cut(tag, "-"); slices.Contains(Languages(), tag) {
			best, weight = tag, q
		}
	}
	return best
}
