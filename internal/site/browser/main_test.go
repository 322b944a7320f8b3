// Package browser drives the site in a real browser: Chromium against the local
// server on the embedded store.
package browser

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
)

// What the tests share. Without a browser, missing says in one line what is
// not there and how to get it.
var (
	missing string
	base    string
	chrome  context.Context
	axe     string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	path, script, err := prerequisites()
	if err != nil {
		missing = err.Error()
		if os.Getenv("CI") == "true" {
			fmt.Fprintln(os.Stderr, missing)
			return 1
		}
		return m.Run()
	}
	axe = script
	stop, err := serve()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
	)...)
	defer cancel()
	var closeBrowser context.CancelFunc
	chrome, closeBrowser = chromedp.NewContext(allocator)
	defer closeBrowser()
	if err := chromedp.Do(chrome); err != nil {
		fmt.Fprintln(os.Stderr, "cannot start the browser:", err)
		return 1
	}
	return m.Run()
}

// prerequisites returns where the browser is, and axe-core's script.
func prerequisites() (path, script string, err error) {
	path, err = exec.LookPath(cmp.Or(os.Getenv("CHROMIUM"), "chromium"))
	if err != nil {
		return "", "", errors.New("Chromium is missing: apt-get install chromium, or name another in CHROMIUM")
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", ".local", "axe-core-*.js"))
	if err != nil || len(files) != 1 {
		return "", "", errors.New("axe-core is missing: make axe-core")
	}
	content, err := os.ReadFile(files[0])
	return path, string(content), err
}

var address = regexp.MustCompile(`Site\s+(http://\S+)/`)

// serve builds and starts the local server on a free port, with data of its own.
func serve() (stop func(), err error) {
	folder, err := os.MkdirTemp("", "turnout-browser-")
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(folder, "turnout")
	if out, err := exec.Command("go", "build", "-o", binary, "turnout/infra/local").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cannot build the local server: %w\n%s", err, out)
	}
	server := exec.Command(binary)
	server.Env = append(os.Environ(), "PORT=0", "DATA_DIR="+folder)
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for base == "" && lines.Scan() {
		if match := address.FindStringSubmatch(lines.Text()); match != nil {
			base = match[1]
		}
	}
	if base == "" {
		return nil, fmt.Errorf("the local server did not start: %w", server.Wait())
	}
	go func() {
		for lines.Scan() {
			logged.add(lines.Text())
		}
	}()
	return func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
		_ = os.RemoveAll(folder)
	}, nil
}

// plain is a text without the marks that isolate values in it.
func plain(text string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)
}
