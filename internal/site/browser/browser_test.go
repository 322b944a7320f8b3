// What drives pages as a visitor does: by what controls are called and what the page
// says. A Visitor has Chromium, of which tests set much more; a Page is in any browser.

package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// Browser is a running Chromium.
type Browser struct {
	context context.Context
	axe     string
}

// chromiums are looked for in this order. The shell is the same engine without the
// windows of a desktop browser, and runs the tests in half the time.
var chromiums = []string{"chromium-headless-shell", "chromium"}

// Start starts the browser that CHROMIUM names, or else the first of chromiums.
// Axe-core is looked for in tools, a folder. A *MissingError says what is not there.
func Start(tools string) (b *Browser, stop func(), err error) {
	path := find()
	if path == "" {
		return nil, nil, &MissingError{"Chromium is missing: apt-get install chromium, or name another in CHROMIUM"}
	}
	files, err := filepath.Glob(filepath.Join(tools, "axe-core-*.js"))
	if err != nil || len(files) != 1 {
		return nil, nil, &MissingError{"axe-core is missing: make axe-core"}
	}
	axe, err := os.ReadFile(files[0])
	if err != nil {
		return nil, nil, err
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
	)...)
	ctx, closeBrowser := chromedp.NewContext(allocator)
	stop = func() {
		closeBrowser()
		cancel()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("cannot start the browser: %w", err)
	}
	return &Browser{context: ctx, axe: string(axe)}, stop, nil
}

// find returns the path of the browser, or "".
func find() string {
	names := chromiums
	if name := os.Getenv("CHROMIUM"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// A MissingError says in one line what this machine lacks, and how to get it.
type MissingError struct{ hint string }

func (e *MissingError) Error() string { return e.hint }

// Missing reports whether an error only means that something is not installed.
func Missing(err error) bool {
	var missing *MissingError
	return errors.As(err, &missing)
}
