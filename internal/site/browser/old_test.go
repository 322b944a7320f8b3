package browser

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// startOldChromium starts one of the browsers that make old-chromium fetches.
func startOldChromium(t *testing.T, version string) context.Context {
	t.Helper()
	needBrowser(t)
	module := filepath.Join(tools, "old-chromium", "node_modules", "chromium-"+version)
	path, err := filepath.Abs(filepath.Join(module, "bin", "chromium"))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("Chromium %s is %v: make old-chromium", version, errMissing)
	}
	allocator, cancel := allocate(chromedp.Headless, chromedp.ExecPath(path))
	t.Cleanup(cancel)
	ctx, closeBrowser := chromedp.NewContext(allocator)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// TestOldChromium runs Chromium 103, the oldest version of the baseline that npm has. It has no oklch, so it uses the
// other palette.
func TestOldChromium(t *testing.T) {
	v := newTab(startOldChromium(t, "103"), t, manner{Language: "en-US"}, nil)
	e := announce(t, supper(), "Ben")
	v.Open(e.public())
	submit(v.sitePage, "Anna")
	v.Sees("You’re number 2")
	v.Idle()
	picture, err := v.driver.Picture(v.Context)
	v.Must(err)
	drawn, err := png.Decode(bytes.NewReader(picture))
	v.Must(err)
	pixels := map[color.Color]int{}
	for y := range drawn.Bounds().Dy() {
		for x := range drawn.Bounds().Dx() {
			pixels[color.RGBAModel.Convert(drawn.At(x, y))]++
		}
	}
	for name, want := range map[string]struct {
		colour color.Color
		least  int
	}{
		"the poster":             {color.RGBA{0xfd, 0xd1, 0x37, 255}, 100_000},
		"the card":               {color.RGBA{0xff, 0xff, 0xff, 255}, 10_000},
		"the main button":        {color.RGBA{0x1a, 0x16, 0x08, 255}, 5_000},
		"the guest's own stroke": {color.RGBA{0xac, 0x03, 0x11, 255}, 20},
	} {
		if pixels[want.colour] < want.least {
			v.Errorf("%s has %d pixels of %v, want at least %d", name, pixels[want.colour], want.colour, want.least)
		}
	}
	v.Open("/")
	v.Sees("Rooftop supper")
	hasNames(t, e, "Ben", "Anna")
}

// TestTooOldChromium runs Chromium 92. It shows the page as without a script, and gives the reason before six seconds
// have passed.
func TestTooOldChromium(t *testing.T) {
	v := newTab(startOldChromium(t, "92"), t, manner{Language: "en-US"}, nil)
	visit := func(path string) {
		v.do(func(ctx context.Context) error { return v.driver.Navigate(ctx, base+path) })
	}
	visit(announce(t, supper(), "Ben").public())
	v.Sees("1 is coming", "The browser may be too old.")
	v.SeesNot("This is taking a while", "Count me in", "Load the page again")
	visit("/")
	v.Sees("The browser may be too old.", "Vielleicht ist der Browser zu alt.")
}
