package locale

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"

	"turnout/internal/site/src"
)

// Default is the language for visitors whose browsers accept none of Languages.
const Default = "en"

// Languages returns the tags of the site's languages.
var Languages = sync.OnceValue(func() (tags []string) {
	names, _ := fs.Glob(src.Files, "locales/*.json") // the pattern is valid
	for _, name := range names {
		tags = append(tags, strings.TrimSuffix(path.Base(name), ".json"))
	}
	return tags
})

// regions maps the tags of regional languages, in lower case, to the tags of their formats.
var regions = sync.OnceValue(func() map[string]string {
	tags := map[string]string{}
	for tag, f := range formats() {
		for _, region := range f.Regions {
			tags[region] = tag
		}
	}
	return tags
})

// Language returns the language that an Accept-Language header prefers: one of Languages, or a variant of such a
// language. Language returns English if the site has none of the header's languages, and "" if the header names no
// language. If several languages have the same weight, the first language counts.
func Language(accepted string) string {
	best, highest := "", 0.0
	for part := range strings.SplitSeq(strings.ToLower(accepted), ",") {
		tag, parameters, _ := strings.Cut(strings.Trim(part, " \t"), ";")
		parameter, _, _ := strings.Cut(parameters, ";")
		tag = strings.Trim(tag, " \t")
		if tag == "" || tag == "*" {
			continue
		}
		if best == "" {
			best = Default
		}
		weight := 1.0
		if q, weighted := strings.CutPrefix(strings.Trim(parameter, " \t"), "q="); weighted {
			weight, _ = strconv.ParseFloat(q, 64) // ParseFloat returns 0 for an invalid number
		}
		if !(weight > highest) { // refuses NaN, too
			continue
		}
		if format := formatOf(tag); format != "" {
			best, highest = format, weight
		}
	}
	return best
}

// formatOf returns the tag of the format of a language tag in lower case. It returns "" if the site does not speak the
// language.
func formatOf(tag string) string {
	if format, ok := regions()[tag]; ok {
		return format
	}
	language, _, regional := strings.Cut(tag, "-")
	if language == "en" && regional { // outside the USA, English dates are British
		return "en-GB"
	}
	if _, ok := formats()[language]; ok {
		return language
	}
	return ""
}
