// Package locale has the site's texts in each language, formats dates and numbers, and
// negotiates the language.
package locale

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"turnout/internal/site/src"
)

// A Locale has the texts and the formats of one language.
type Locale struct {
	*Dates
	texts map[string]any
	rules language.Tag
}

// locales caches each Locale in use by its tag.
var locales sync.Map

// Of returns the locale of a tag that Language has returned. For "" or any other tag it returns the locale of Default.
func Of(tag string) *Locale {
	if _, ok := formats()[tag]; !ok {
		tag = Default
	}
	if l, ok := locales.Load(tag); ok {
		return l.(*Locale)
	}
	var texts map[string]any
	language, _, _ := strings.Cut(tag, "-")
	if err := json.Unmarshal(src.Read("locales/"+language+".json"), &texts); err != nil {
		panic(err) // cannot happen, because tests read the texts of every language
	}
	l, _ := locales.LoadOrStore(tag, newLocale(tag, texts))
	return l.(*Locale)
}

func newLocale(tag string, texts map[string]any) *Locale {
	return &Locale{&Dates{tag, formats()[tag]}, texts, language.Make(tag)}
}

// Language returns the language of the texts, which is one of Languages.
func (l *Locale) Language() string {
	language, _, _ := strings.Cut(l.Tag, "-")
	return language
}

// Lang returns the value of HTML's attribute lang.
func (l *Locale) Lang() string { return cmp.Or(l.format.Lang, l.Language()) }

// Direction returns the language's writing direction as a value of HTML's attribute dir.
func (l *Locale) Direction() string { return cmp.Or(l.format.Direction, "ltr") }

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	bidi        = regexp.MustCompile(`[\x{202a}-\x{202e}\x{2066}-\x{2069}]`)
)

// Text returns the text of a key, with each placeholder replaced by a value. Like the script's t, it puts each value
// into a bidi isolate (FSI … PDI), and groups the digits of numbers. If a text has plural forms, the first number
// chooses the form.
func (l *Locale) Text(key string, values ...any) string {
	text, _ := l.texts[key].(string)
	if forms, ok := l.texts[key].(map[string]any); ok {
		text, ok = forms[l.form(values)].(string)
		if !ok {
			text, _ = forms["other"].(string)
		}
	}
	next := 0
	return placeholder.ReplaceAllStringFunc(text, func(string) string {
		value := values[next]
		next++
		if n, ok := value.(int); ok {
			return l.Number(n)
		}
		return "\u2068" + bidi.ReplaceAllString(fmt.Sprint(value), "") + "\u2069"
	})
}

// form returns the plural form for the first number among the values.
func (l *Locale) form(values []any) string {
	for _, value := range values {
		if n, ok := value.(int); ok {
			return pluralForms[plural.Cardinal.MatchPlural(l.rules, n, 0, 0, 0, 0)]
		}
	}
	return "other"
}

var pluralForms = map[plural.Form]string{
	plural.Zero:  "zero",
	plural.One:   "one",
	plural.Two:   "two",
	plural.Few:   "few",
	plural.Many:  "many",
	plural.Other: "other",
}

// Sentences joins sentences with a space, which Japanese does not have.
func (l *Locale) Sentences(all ...string) string {
	if l.Tag == "ja" {
		return strings.Join(all, "")
	}
	return strings.Join(all, " ")
}

// Plus writes a number with a plus sign.
func (l *Locale) Plus(n int) string {
	if l.Direction() == "rtl" {
		return "\u200e+" + l.Number(n) // the sign stays before the number
	}
	return "+" + l.Number(n)
}

// Number writes a count with the language's separator between groups of three digits.
func (l *Locale) Number(n int) string {
	digits := strconv.Itoa(n)
	if len(digits) < l.format.GroupedFrom {
		return digits
	}
	step := 3
	if l.format.Lakhs {
		step = 2
	}
	for i := len(digits) - 3; i > 0; i -= step {
		digits = digits[:i] + l.format.Group + digits[i:]
	}
	return digits
}
