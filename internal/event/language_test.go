package event

import (
	"strings"
	"testing"
)

// TestIsLanguage has the examples of RFC 5646, appendix A, and tags that are not well-formed.
func TestIsLanguage(t *testing.T) {
	longest := strings.Repeat("a", 8) + strings.Repeat("-b1234567", 3)
	for _, tag := range strings.Fields("de fr ja i-enochian zh-Hant sr-Cyrl zh-cmn-Hans-CN cmn-Hans-CN yue-HK " +
		"sr-Latn-RS sl-rozaj sl-rozaj-biske sl-nedis de-CH-1901 sl-IT-nedis hy-Latn-IT-arevela de-DE en-US es-419 " +
		"de-CH-x-phonebk az-Arab-x-AZE-derbend x-whatever qaa-Qaaa-QM-x-southern de-Qaaa sr-Latn-QM sr-Qaaa-RS " +
		"en-US-u-islamcal zh-CN-a-myext-x-private en-a-myext-b-another DE-at pt-br x-a " + longest) {
		if !IsLanguage(tag) {
			t.Errorf("%s is refused", tag)
		}
	}
	for _, tag := range append(
		strings.Fields("a x 12 a-DE de-419-DE de_AT de- -de de--AT de-a de-1 de-x de-AT. d\u00e9 \u017fr \u212aa-KA "+
			"i-unknown abcdefghi de-abcdefghi de-AT\u0000 "+longest+"-"),
		"", " ", "de ", "de AT", "de\n", "de, en", "de-AT\n", "de"+strings.Repeat("-x1234567", 4),
	) {
		if IsLanguage(tag) {
			t.Errorf("%q is accepted", tag)
		}
	}
}
