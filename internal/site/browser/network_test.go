package browser

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"turnout/internal/site"
)

// watch notes when the title was painted and when the form could be used, in
// milliseconds since the visit began, and how much moved (CLS).
const watch = `
	window.visit = { painted: 0, usable: 0, moved: 0, what: [] };
	new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.name === 'first-contentful-paint') visit.painted = e.startTime; })
		.observe({ type: 'paint', buffered: true });
	new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) { visit.moved += e.value; visit.what.push(...e.sources.map(({ node, previousRect, currentRect }) => e.value.toFixed(3) + ' ' + (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80) + ' ' + JSON.stringify([previousRect, currentRect]))); } })
		.observe({ type: 'layout-shift', buffered: true });
	new MutationObserver((_, observer) => { if (document.getElementById('name')) { visit.usable = performance.now(); observer.disconnect(); } })
		.observe(document, { childList: true, subtree: true });`

// TestFirstVisitOverASlowNetwork: at 400 kbit/s and 400 ms for each round, the
// title is painted within 2.5 s and the form works within 6 s, without layout
// shifts. The best of three visits counts, so that a busy machine does not matter.
func TestFirstVisitOverASlowNetwork(t *testing.T) {
	e := announce(t, supper(), "Ada", "Ben")
	type visit struct{ Painted, Usable, Moved float64 }
	var best visit
	for range 3 {
		v := newVisitor(t, manner{Width: 390, Height: 844})
		v.Prepare(watch)
		call(v, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Latency: 400, DownloadThroughput: 400_000 / 8, UploadThroughput: 400_000 / 8}},
		})
		v.Open(e.public())
		v.Until("the form", `visit.usable > 0 && visit.painted > 0`)
		v.Idle()
		got := visit{eval[float64](v, `visit.painted`), eval[float64](v, `visit.usable`), eval[float64](v, `visit.moved`)}
		t.Logf("%+v", got)
		if got.Moved >= 0.02 {
			t.Errorf("layout shift %v", got.Moved)
		}
		if got.Painted < 400 {
			t.Fatalf("painted after %.0f ms: the network is not slow", got.Painted)
		}
		if best.Usable == 0 || got.Usable < best.Usable {
			best = got
		}
		if best.Painted <= 2500 && best.Usable <= 6000 {
			return
		}
	}
	t.Errorf("title after %.0f ms, form after %.0f ms", best.Painted, best.Usable)
}

// TestPageIsReadWithoutScript: the details of an event can be read with
// JavaScript switched off, and the script shows the same.
func TestPageIsReadWithoutScript(t *testing.T) {
	t.Parallel()
	over := supper()
	over["dateTime"] = "2020-12-12T19:30:00+01:00"
	off := announce(t, supper(), "Ada")
	cancel(t, off, "Storm")
	for name, e := range map[string]created{"coming": announce(t, supper(), "Ada", "Ben"), "over": announce(t, over), "cancelled": off} {
		for _, language := range []string{"en-US", "de-DE"} {
			t.Run(name+" "+language, func(t *testing.T) {
				const shown = `[...document.querySelectorAll('.kicker, h1, .facts .big, #state, .prose')].map((e) => e.textContent).join('\n')`
				plain := newVisitor(t, manner{Language: language})
				call(plain, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
				do(plain, chromedp.Navigate(base+e.public()))
				without := eval[string](plain, shown)
				scripted := newVisitor(t, manner{Language: language})
				scripted.Open(e.public())
				if with := eval[string](scripted, shown); without != with {
					t.Errorf("without the script\n%s\nwith it\n%s", without, with)
				}
				if !strings.Contains(without, "Rooftop supper\n") || !strings.Contains(without, "Weserstraße 12") || !strings.Contains(without, "no lift!") {
					t.Errorf("it shows %s", without)
				}
			})
		}
	}
}

// TestDatesAreThoseOfTheScript: for each language and region, the date in the page of an
// event is the one that the script shows, with and without the year, and around New Year
// in whatever zone the reader is.
func TestDatesAreThoseOfTheScript(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{Zone: "Europe/Berlin"})
	openSources(v)
	accepted := []string{
		"ar-EG", "ar-MA", "ar-DZ", "de-AT", "de-CH", "en-US", "en-GB", "en-AU", "en-CA", "en-IE", "en-IN", "en-NZ", "en-ZA",
		"es-ES", "es-MX", "es-AR", "es-CO", "fr-FR", "fr-CA", "fr-CH", "it-CH", "nl-BE", "pt-PT", "",
	}
	next := time.Now().Year() + 1
	for _, e := range []fields{
		{"dateTime": "2099-01-04T00:05:00Z", "timezone": "UTC"}, {"dateTime": "2099-02-10T09:30:00Z", "timezone": "UTC"},
		{"dateTime": "2099-07-21T12:00:00Z", "timezone": "UTC"}, {"dateTime": "2099-11-30T23:59:00Z", "timezone": "UTC"},
		{"dateTime": fmt.Sprintf("%d-12-30T15:30:00Z", next-1), "timezone": "UTC"},
		{"dateTime": fmt.Sprintf("%d-01-01T00:30:00+14:00", next), "timezone": "Pacific/Kiritimati"},
		{"dateTime": fmt.Sprintf("%d-12-31T23:30:00-10:00", next-1), "timezone": "Pacific/Honolulu"},
	} {
		e["title"] = "Supper"
		address := base + announce(t, e).public()
		for _, tag := range append(accepted, site.Languages()...) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			v.Must(err)
			request.Header.Set("Accept-Language", tag)
			answer, err := http.DefaultClient.Do(request)
			v.Must(err)
			page, err := io.ReadAll(answer.Body)
			v.Must(err)
			v.Must(answer.Body.Close())
			served := regexp.MustCompile(`(?s)data-tag="(.*?)".*<time [^>]*>(.*?)<`).FindStringSubmatch(string(page))
			if served == nil {
				t.Fatalf("no date in %s", page)
			}
			script := eval[string](v, `(async () => {
				const language = %s.split('-')[0];
				document.documentElement.dataset.tag = %s;
				document.documentElement.dataset.locales = JSON.stringify({ [language]: '/locales/' + language + '.json' });
				await (await import('/lib/i18n.js')).loadLanguage();
				return (await import('/lib/time.js')).whenIn(%s);
			})()`, served[1], served[1], e)
			if html.UnescapeString(served[2]) != script {
				t.Errorf("%q, %s: the page has %q, the script %q", tag, e["dateTime"], served[2], script)
			}
		}
	}
}
