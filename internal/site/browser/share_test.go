package browser

import (
	"net/url"
	"strings"
	"testing"
)

func TestSharePanelAfterAnnouncing(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{Width: 360, Height: 640})
	title := "Supper & “soup” on the roof with everybody who has ever been on it, and their friends; 100 %"
	v.Open("/?new")
	fill(v)
	v.Write("What are you planning?", strings.Replace(title, " on ", " \n on\r\n", 1)) // a title is one line
	v.Click("Announce it")
	v.Sees("Now spread the word")
	public := v.Value("Link to share")
	v.Until("the code", `document.querySelector('.share .code').naturalWidth > 0`)
	links := eval[[]string](v, `[...document.querySelectorAll('.share a')].map((link) => link.href)`)
	if len(links) != 3 {
		t.Fatalf("the links are %q", links)
	}
	for i, want := range []string{"https://wa.me/", "https://t.me/share/url", "mailto:"} {
		if !strings.HasPrefix(links[i], want+"?") {
			t.Errorf("a link goes to %s, want %s", links[i], want)
		}
		link, err := url.Parse(links[i])
		v.Must(err)
		said := strings.Join([]string{link.Query().Get("subject"), link.Query().Get("text"), link.Query().Get("body"), link.Query().Get("url")}, "\n")
		for _, part := range []string{"You’re invited", title, "Saturday", "(Central European Time)", public} {
			if !strings.Contains(said, part) {
				t.Errorf("%s does not say %q", links[i], part)
			}
		}
		if strings.Contains(links[i], "organizer") || strings.Contains(links[i], "+") {
			t.Errorf("%s tells the secret, or has signs that mail programs show", links[i])
		}
	}
	v.Click("Your private link")
	private := v.Value("Private organizer link")
	_, file := v.Download("Download both links")
	for _, part := range []string{title, public + "\n", private + "\n", "can’t recover it"} {
		if !strings.Contains(file, part) {
			t.Errorf("the file of links lacks %q:\n%s", part, file)
		}
	}
	// The private link grants the organizer's rights: it is never beside a way to share.
	v.Check("the private link is not in the panel of the public one", `!(
		document.querySelector('.share, #share').textContent.includes(%[1]s)
		|| document.querySelector('.private .share, .share .private, .share [value=%[1]s]'))`, private)
	is(v, `performance.getEntriesByType('resource').map(({ name }) => name)
		.filter((name) => !name.match(/^(blob|data):/) && new URL(name).origin !== location.origin)`, []string{})
}
