package benchmark

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/testtools"
)

var than = flag.String("than", "", "the address of a server of another commit, to compare its pages on a slow phone")

// The network of a slow phone, with its latency in milliseconds and its throughput in bytes per second. Its processor
// is so many times slower than this machine's.
const (
	latency    = 400
	throughput = 400_000 / 8
	slower     = 4
)

// A moment is what a visitor waits for: an element is displayed, and the page could handle input.
type moment struct {
	name, selector string
	most           float64
}

var waits = []struct {
	page    string
	moments []moment
}{
	{"home", []moment{{"can be typed into", "main textarea", 2}, {"can be sent", "main [type=submit]:enabled", 2}}},
	{"guest", []moment{{"can be typed into", "#name", 1.5}, {"can be sent", "#rsvp [type=submit]:enabled", 2}}},
	{"organizer", []moment{{"can be used", "#dashboard button", 2}}},
}

// phone compares the first visits of a slow phone with visits of a page of the same bytes that needs nothing else: one
// response that ends with a field.
func phone(r *report, bin string) {
	const turns = 10
	chrome := startChromium(r.t)
	ours, _ := startServer(r.t, []string{"PORT=0", "DATA_DIR=" + r.t.TempDir()}, filepath.Join(bin, "turnout"))
	servers := []map[string]string{pagesOf(r.t, "http://"+ours)}
	if *than != "" {
		servers = append(servers, pagesOf(r.t, strings.TrimSuffix(*than, "/")))
	}
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("bytes"))
		fmt.Fprintf(w, "<!doctype html><title>Empty</title><!--%s--><main><textarea>", strings.Repeat("-", size))
	}))
	defer empty.Close()
	const field = "textarea"
	for _, wait := range waits {
		r.t.Run(wait.page, func(t *testing.T) {
			times, empties := map[string]values{}, map[string]values{}
			for turn := range turns {
				for n := range servers {
					n = (n + turn) % len(servers) // each is the first in every other turn
					for i, v := range visit(t, chrome, servers[n][wait.page], wait.moments...) {
						key := fmt.Sprint(n, i)
						times[key] = append(times[key], v.At)
						if n == 0 {
							url := fmt.Sprintf("%s/?bytes=%.0f", empty.URL, v.Bytes)
							empties[key] = append(empties[key], visit(t, chrome, url, moment{selector: field})[0].At)
						}
					}
				}
			}
			for i, m := range wait.moments {
				name, figure := fmt.Sprintf("slow phone: %s %s", wait.page, m.name), times[fmt.Sprint(0, i)]
				r.ratio(name, figure, empties[fmt.Sprint(0, i)], "ms", "an empty page of the same bytes", m.most)
				if *than != "" {
					r.ratio(name, figure, times[fmt.Sprint(1, i)], "ms", *than, 1)
				}
			}
		})
	}
}

// pagesOf announces an event on a server, and returns the URLs of the pages.
func pagesOf(t *testing.T, server string) map[string]string {
	t.Helper()
	e := apitest.Ask(t, server, apitest.CreateEvent(apitest.EventBody(nil)))
	for _, name := range []string{"Ada", "Ben", "Cleo"} {
		apitest.Ask(t, server, apitest.CreateRSVP(e.EventToken, apitest.Object{"name": name}))
	}
	public := server + "/e/" + e.EventToken
	return map[string]string{"home": server, "guest": public, "organizer": public + "#organizer=" + e.OrganizerToken}
}

// An arrival is the time of a moment in milliseconds, and the bytes that had arrived until then.
type arrival struct{ At, Bytes float64 }

// visit opens a page on a slow phone that has opened no page of the site before, and returns when each moment came.
func visit(t *testing.T, chrome context.Context, url string, moments ...moment) []arrival {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chrome, chromedp.WithNewBrowserContext())
	defer cancel()
	must := func(err error) {
		if t.Helper(); err != nil {
			t.Fatalf("%s: %v", url, err)
		}
	}
	must(chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)))
	_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
	must(err)
	_, err = chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{
			{Latency: latency, DownloadThroughput: throughput, UploadThroughput: throughput},
		},
	})
	must(err)
	var selectors []string
	for _, m := range moments {
		selectors = append(selectors, m.selector)
	}
	list, err := json.Marshal(selectors)
	must(err)
	_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf(noteArrivals, list),
	})
	must(err)
	must(chromedp.Do(ctx, chromedp.Navigate(url)))
	arrivals, err := chromedp.Run(ctx, chromedp.Poll[[]arrival]("globalThis.arrivals?.every(Boolean) && arrivals"))
	must(err)
	return arrivals
}

// noteArrivals looks for elements before each frame is drawn. The next task that runs is the first that could handle
// input.
const noteArrivals = `{
  const selectors = %s, seen = new Set(), arrivals = globalThis.arrivals = selectors.map(() => null);
  const arrive = (n) => {
    const at = performance.now();
    const loads = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const arrived = loads.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= at);
    arrivals[n] = { at, bytes: arrived.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  };
  const look = () => {
    for (const [n, selector] of selectors.entries()) {
      if (seen.has(n) || ![...document.querySelectorAll(selector)].some((one) => one.checkVisibility())) continue;
      seen.add(n);
      setTimeout(() => arrive(n));
    }
    if (seen.size < selectors.length) requestAnimationFrame(look);
  };
  look();
}`

// startChromium skips the test if there is no Chromium. With CI=true the test fails instead.
func startChromium(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath(cmp.Or(os.Getenv("CHROMIUM"), "chromium-headless-shell"))
	if err != nil {
		testtools.Need(t, "chromium")
		path = "chromium"
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Headless)...)
	t.Cleanup(cancel)
	chrome, closeBrowser := chromedp.NewContext(allocator)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(chrome); err != nil {
		t.Fatal(err)
	}
	return chrome
}
