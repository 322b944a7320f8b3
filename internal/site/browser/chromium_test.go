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

// chromium is a running browser, with axe-core for its pages.
type chromium struct {
	context context.Context
	axe     string
}

// startChromium starts the browser that CHROMIUM names, or else Chromium: with a window if HEADFUL is
// set, or its headless shell if that is installed, which is the same engine and takes half the time.
// The error errMissing means that something is not installed.
func startChromium() (b *chromium, stop func(), err error) {
	names, window := []string{"chromium-headless-shell", "chromium"}, chromedp.Headless
	if os.Getenv("HEADFUL") != "" {
		names, window = names[1:], chromedp.VisibleWindow
	}
	if name := os.Getenv("CHROMIUM"); name != "" {
		names = []string{name}
	}
	var path string
	for _, name := range names {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the browser Chromium is %w: apt-get install chromium, or name another in CHROMIUM", errMissing)
	}
	files, err := filepath.Glob(filepath.Join(tools, "axe-core-*.js"))
	if err != nil || len(files) != 1 {
		return nil, nil, fmt.Errorf("axe-core is %w: make axe-core", errMissing)
	}
	axe, err := os.ReadFile(files[0])
	if err != nil {
		return nil, nil, err
	}
	allocator, cancel := allocate(window, chromedp.ExecPath(path))
	ctx, closeBrowser := chromedp.NewContext(allocator)
	stop = func() {
		closeBrowser()
		cancel()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("cannot start the browser: %w", err)
	}
	return &chromium{context: ctx, axe: string(axe)}, stop, nil
}

func allocate(options ...chromedp.ExecAllocatorOption) (context.Context, context.CancelFunc) {
	return chromedp.NewExecAllocator(context.Background(), append(append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
	), options...)...)
}

// errMissing is in an error that says in one line what this machine lacks, and how to get it.
var errMissing = errors.New("missing")
