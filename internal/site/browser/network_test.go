package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// watch notes when the title was painted and when the form could be used, in
// milliseconds since the visit began, and how much moved (CLS).
const watch = `
	window.visit = { painted: 0, usable: 0, moved: 0 };
	new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.name === 'first-contentful-paint') visit.painted = e.startTime; })
		.observe({ type: 'paint', buffered: true });
	new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) visit.moved += e.value; })
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

// TestDatesAreThoseOfIntl, in each language of the site.
func TestDatesAreThoseOfIntl(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	for _, moment := range []string{"2099-01-04T00:05:00Z", "2099-02-10T09:30:00Z", "2099-07-21T12:00:00Z", "2099-11-30T23:59:00Z"} {
		event := supper()
		event["dateTime"], event["timezone"] = moment, "UTC"
		e := announce(t, event)
		v.Open(e.public())
		differing := eval[string](v, `Promise.all(['en-GB', ...Object.keys(JSON.parse(document.documentElement.dataset.locales))].map(async (tag) => {
			const page = await (await fetch(location.pathname, { headers: { 'Accept-Language': tag }, cache: 'no-store' })).text();
			const is = page.match(/<time [^>]*>(.*?)</)[1];
			const want = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
				.format(Date.parse(%s));
			return is === want ? '' : tag + ': ' + is + ', want ' + want + '\n';
		})).then((lines) => lines.join(''))`, moment)
		if differing != "" {
			t.Error(differing)
		}
	}
}
