// Package browser drives the site as a visitor does, by the names of controls and by the text of the page. turnout
// serves the site with the embedded store. All tests run in Chromium, with a visitor. Flows also run in Firefox and
// WebKit, with a page.
package browser

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"

	"turnout/internal/site/bundle/bundletest"
)

// tools is the folder for tools that make fetches, and for records of failed tests.
var tools = filepath.Join("..", "..", "..", ".local")

// nodeModules has axe-core.
var nodeModules = filepath.Join(tools, "node", "node_modules")

// These variables are shared by all tests. If a browser is missing, missing names it and says how to get it.
var (
	missing string
	base    string          // the server's address, such as http://127.0.0.1:3000
	chrome  context.Context // the context of a running Chromium
	axe     []byte          // the script of axe-core
)

// Tests mostly wait, so more tests run at once than there are processors.
const parallel = "4"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", parallel); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if functions, err = bundletest.NewScript("page", "./testdata/index.ts"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	closeBrowser, err := startChromium()
	if errors.Is(err, errMissing) && os.Getenv("CI") != "true" {
		missing = err.Error()
		return m.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer closeBrowser()
	stop, err := serve()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	return m.Run()
}

// begun has the tests that have called needBrowser or alone.
var begun sync.Map

// needBrowser skips a test if there is no browser. With CI=true, the run fails instead. After this call the test runs
// in parallel with others. Each helper that opens a page or creates an event calls needBrowser.
func needBrowser(t *testing.T) {
	t.Helper()
	if missing != "" {
		t.Skip(missing)
	}
	if _, again := begun.LoadOrStore(t, true); !again {
		t.Parallel()
	}
}

// alone keeps a test from running in parallel with others. Call alone first in a test.
func alone(t *testing.T) { begun.Store(t, true) }

var address = regexp.MustCompile(`Address\s+(http://\S+)/`)

// serve builds the server, imports the tests' events into a new data folder, and starts the server on a free port.
func serve() (stop func(), err error) {
	folder, err := os.MkdirTemp("", "turnout-browser-")
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(folder, "turnout")
	if out, err := exec.Command("go", "build", "-o", binary, "turnout/infra/turnout").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cannot build the local server: %w\n%s", err, out)
	}
	if err := importEvents(binary, folder); err != nil {
		return nil, err
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
	go io.Copy(io.Discard, out)
	return func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
		_ = os.RemoveAll(folder)
	}, nil
}
