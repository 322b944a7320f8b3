package browser

import (
	"net/url"
	"strings"
	"testing"
)

func TestSharePanelAfterAnnouncing(t *testing.T) {
	v := newVisitor(t, manner{Width: 360, Height: 640})
	title := "Supper & “soup” on the roof with everybody who has ever been on it, and their friends; 100 %"
	// Chromium shares on phones only.
	v.Prepare(`navigator.share = async ({ title, text, url }) => { window.shared = [title, text, url].join('|'); }`)
	v.Open("/?new")
	fill(v)
	v.Write("What are you planning?", strings.Replace(title, " on ", " \n on\r\n", 1)) // a title is one line
	v.Click("Announce it")
	v.Sees("Now spread the word")
	public := v.Value("Link to share")
	v.Until("the code", `document.querySelector('.share .code').naturalWidth > 0`)
	const links = `[...document.querySelectorAll('.share a')].map((link) => link.href)`
	is(v, links+`.map((link) => link.split('?')[0])`, []string{"https://wa.me/", "https://t.me/share/url", "mailto:"})
	for _, address := range eval[[]string](v, links) {
		link, err := url.Parse(address)
		v.Must(err)
		said := strings.Join([]string{link.Query().Get("subject"), link.Query().Get("text"), link.Query().Get("body"), link.Query().Get("url")}, "\n")
		says(t, said, "You’re invited", title, "Saturday", "(Central European Time)", public)
		if strings.Contains(address, "organizer") || strings.Contains(address, "+") {
			t.Errorf("%s tells the secret, or has signs that mail programs show", address)
		}
	}
	v.Click("Share")
	const facts = "Saturday, 12 December 2099 at 19:30 (Central European Time)\nWeserstraße 12, top floor, Berlin"
	v.Until("what is shared", `window.shared === %s`, title+"|You’re invited\n"+title+"\n"+facts+"|"+public)
	is(v, `document.querySelector('link[rel=canonical]').href`, public) // for the browser's own button
	v.Click("Your private link")
	private := v.Value("Private organizer link")
	_, file := v.Download("Download both links")
	says(t, file, title, public+"\n", private+"\n", "can’t recover it")
	// The private link grants the organizer's rights: it is never beside a way to share.
	v.Check("the private link is not in the panel of the public one", `!(
		document.querySelector('.share, #share').textContent.includes(%[1]s)
		|| document.querySelector('.private .share, .share .private, .share [value=%[1]s]'))`, private)
	is(v, `performance.getEntriesByType('resource').map(({ name }) => name)
		.filter((name) => !name.match(/^(blob|data):/) && new URL(name).origin !== location.origin)`, []string{})
}

// TestLinksHaveTheSitesOrigin: the one that the server has put into the page, else the page's own.
func TestLinksHaveTheSitesOrigin(t *testing.T) {
	v := newVisitor(t, manner{})
	openSources(v)
	is(v, `import('/lib/urls.js').then(({ eventURL }) => eventURL('x').replace(location.origin, 'own'))`, "own/e/x")
	is(v, `import('/lib/urls.js').then(({ eventURL }) => {
		const meta = document.createElement('meta');
		meta.setAttribute('property', 'og:url');
		meta.content = 'https://turnout.example.org/e/y';
		document.head.append(meta);
		return eventURL('x');
	})`, "https://turnout.example.org/e/x")
}
