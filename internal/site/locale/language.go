package locale

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"turnout/internal/event"
	"turnout/internal/site/static"
)

// Default is the language for visitors who read none of Languages.
const Default = "en"

// Languages returns the tags of the site's languages.
var Languages = sync.OnceValue(func() (tags []string) {
	names, _ := fs.Glob(static.Files, "locales/*.json") // the pattern is a valid one
	for _, name := range names {
		tags = append(tags, strings.TrimSuffix(path.Base(name), ".json"))
	}
	return tags
})

// regions maps the regional languages whose dates or numbers differ from those of the
// language to the variants that have their formats.
var regions = map[string]string{
	"ar-dz": "ar-DZ", "ar-ma": "ar-MA", "ar-tn": "ar-DZ",
	"en-au": "en-AU", "en-ca": "en-CA", "en-gb": "en-GB", "en-ie": "en-GB", "en-in": "en-IN",
	"en-nz": "en-NZ", "en-za": "en-GB",
	"es-419": "es-MX", "es-mx": "es-MX", "es-us": "es-MX",
	"es-ar": "es-AR", "es-bo": "es-AR", "es-cl": "es-AR", "es-co": "es-AR", "es-cr": "es-AR", "es-cu": "es-AR",
	"es-do": "es-AR", "es-ec": "es-AR", "es-gt": "es-AR", "es-hn": "es-AR", "es-ni": "es-AR", "es-pa": "es-AR",
	"es-pe": "es-AR", "es-ph": "es-AR", "es-pr": "es-AR", "es-py": "es-AR", "es-sv": "es-AR", "es-uy": "es-AR", "es-ve": "es-AR",
	"fr-ca": "fr-CA", "fr-ch": "fr-CH",
}

// american has the regions of America where English is spoken; elsewhere it is that of Britain.
var american = strings.Fields("us ag ai as aw bb bm bs bz dm gd gu gy jm kn ky lc mp ms pr tc tt um vc vg vi 019 021 029 419")

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
		if q = strings.TrimRight(q, "0."); q <= weight {
			continue
		}
		if variant, ok := regions[tag]; ok {
			best, weight = variant, q
		} else if region, ok := strings.CutPrefix(tag, "en-"); ok && !slices.Contains(american, region) {
			best, weight = "en-GB", q
		} else if tag, _, _ = strings.Cut(tag, "-"); slices.Contains(Languages(), tag) {
			best, weight = tag, q
		}
	}
	return best
}

// For returns the locale of a visitor of an event's page, in the language that [Language]
// returned for them. A messenger that fetches a preview sends no language: it gets the language
// of the country of the event's time zone.
func For(language string, e event.Event) *Locale {
	if language == "" {
		language = languageOfZone(e.Timezone)
	}
	return Of(language)
}
