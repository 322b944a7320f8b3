//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"turnout/internal/site"
)

// TestCtrlC as a terminal sends it, to all processes of the group: SAM gets one
// signal, not two, and its end is waited for.
func TestCtrlC(t *testing.T) {
	switch os.Getenv("ROLE") {
	case "run-sam":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGHUP)
		defer stop()
		t.Setenv("ROLE", "SAM")
		must(t, serve(ctx, os.Args[0], os.Args[1:], "http://127.0.0.1:3000"))
		return
	case "SAM":
		fakeSAM(t)
		return
	}
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		folder := t.TempDir()
		path := func(name string) string { return filepath.Join(folder, name) }
		must(t, syscall.Mkfifo(path("gate"), 0o600))
		cmd := exec.Command(os.Args[0], "-test.run=^TestCtrlC$")
		cmd.Env = append(os.Environ(), "ROLE=run-sam", "RECORD="+path("record"), "GATE="+path("gate"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := cmd.StdoutPipe()
		must(t, err)
		stderr, err := cmd.StderrPipe()
		must(t, err)
		must(t, cmd.Start())
		printed, told := bufio.NewScanner(out), bufio.NewScanner(stderr)
		await := func(lines *bufio.Scanner, part string) {
			t.Helper()
			for lines.Scan() {
				if strings.Contains(lines.Text(), part) {
					return
				}
			}
			t.Fatalf("%s: it ended without %q", sent, part)
		}
		await(printed, "running")
		must(t, syscall.Kill(-cmd.Process.Pid, sent))
		await(printed, "interrupted")
		await(told, "removes its containers") // said once SAM was interrupted
		gate, err := os.OpenFile(path("gate"), os.O_WRONLY, 0)
		must(t, err)
		_ = gate.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", sent, err)
		}
		if got, _ := os.ReadFile(path("record")); string(got) != "interrupted 1, telemetry 0\n" {
			t.Errorf("%s: SAM reports %q", sent, got)
		}
	}
}

// must ends the test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fakeSAM prints when it runs and when it is interrupted, and ends once the gate is
// opened. It records how often it was interrupted by then.
func fakeSAM(t *testing.T) {
	interrupts := make(chan os.Signal, 10)
	signal.Notify(interrupts, os.Interrupt)
	fmt.Println("running")
	<-interrupts
	fmt.Println("interrupted")
	if _, err := os.ReadFile(os.Getenv("GATE")); err != nil {
		t.Fatal(err)
	}
	report := fmt.Sprintf("interrupted %d, telemetry %s\n", 1+len(interrupts), os.Getenv("SAM_CLI_TELEMETRY"))
	must(t, os.WriteFile(os.Getenv("RECORD"), []byte(report), 0o600))
}

// TestReadyComesLast: after SAM's last line, however it arrives, Turnout's own address.
func TestReadyComesLast(t *testing.T) {
	const printed = "Running on http://127.0.0.1:1\n\x1b[33mPress CTRL+C to quit\x1b[0m\n"
	for _, size := range []int{1, 7, len(printed)} {
		var out strings.Builder
		a := &announcer{to: &out, address: "http://127.0.0.1:3000"}
		for part := range slices.Chunk([]byte(printed), size) {
			_, _ = a.Write(part)
		}
		if got, found := strings.CutPrefix(out.String(), printed+"Turnout is ready at http://127.0.0.1:3000. "); !found || strings.Count(got, "\n") != 1 {
			t.Errorf("in parts of %d bytes: %q", size, &out)
		}
	}
}

// stub puts a program on the path, before all others.
func stub(t *testing.T, name, script string) {
	t.Helper()
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestChecksComeBeforeTheBuild: it would replace the programs under the containers
// of another run.
func TestChecksComeBeforeTheBuild(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	t.Chdir(t.TempDir())
	for _, folder := range []string{"infra", ".local/venv/bin"} {
		must(t, os.MkdirAll(folder, 0o755))
	}
	must(t, os.WriteFile(program, []byte("#!/bin/sh\nexit 3\n"), 0o755))
	t.Setenv("ARCH", "x86_64")
	const desktop = "echo 'Docker Desktop [name=seccomp,profile=unconfined]'"
	for _, test := range []struct{ engine, own, database, want string }{
		{desktop, "abc", "1", `PORT must be a number from 0 to 65535, not "abc"`},
		{desktop, port, "1", "port " + port + " at 127.0.0.1 is taken: choose another with PORT"},
		{desktop, "0", port, "port " + port + " at 127.0.0.1 is taken: the functions look for DynamoDB Local there, and a second make run-sam cannot share it"},
		{"exit 1", "0", port, "no answer from Docker: start it, and see that docker info works for you"},
		{"echo 'Debian GNU/Linux 12 (bookworm) [name=rootless]'", "0", port, "containers of a rootless Docker cannot reach this machine: infra/sam/README.md says how to go on by hand"},
		{desktop, "0", "0", "sam build: exit status 3"},
	} {
		stub(t, "docker", test.engine)
		t.Setenv("PORT", test.own)
		variables := fmt.Sprintf(`{"Parameters": {"TABLE_NAME": "t", "AWS_ENDPOINT_URL_DYNAMODB": "http://h:%s"}}`, test.database)
		must(t, os.WriteFile(settings, []byte(variables), 0o644))
		if err := run(t.Context(), nil); err == nil || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestContainersAreRemoved: those that mount this build, and no others. A container that
// starts late is found, too.
func TestContainersAreRemoved(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	must(t, err)
	t.Setenv("STATE", filepath.Join(here, "state"))
	const docker = `
		case $1 in
		ps) cat "$STATE" ;;
		rm) shift 2; for id in "$@"; do grep -v "^$id " "$STATE" > "$STATE.new"; mv "$STATE.new" "$STATE"; done
			[ ! -e "$STATE.late" ] || { cat "$STATE.late" >> "$STATE"; rm "$STATE.late"; } ;;
		esac`
	mine, other := " "+here+"/.aws-sam/build/HealthFunction\n", " /elsewhere/.aws-sam/build/HealthFunction\n"
	for _, test := range []struct{ docker, before, late, after, want string }{
		{docker, "a" + mine + "b" + other + "c" + mine, "", "b" + other, ""},
		{docker, "a" + mine, "d" + mine, "", ""},
		{docker, "b" + other, "", "b" + other, ""},
		{"exit 1", "a" + mine, "", "a" + mine, "those that mount " + here + "/.aws-sam/build/ may remain"},
		{"[ $1 = rm ] && exit 1\n" + docker, "a" + mine, "", "a" + mine, "these may remain: docker rm --force a"},
	} {
		stub(t, "docker", test.docker)
		must(t, os.WriteFile("state", []byte(test.before), 0o644))
		if test.late != "" {
			must(t, os.WriteFile("state.late", []byte(test.late), 0o644))
		}
		err := removeContainers()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
		if left, _ := os.ReadFile("state"); string(left) != test.after {
			t.Errorf("left %q, want %q", left, test.after)
		}
	}
}

// TestSiteBesideTheFunctions: SAM gets the requests that CloudFront sends to the API, with its
// headers; the rest are files of the site.
func TestSiteBesideTheFunctions(t *testing.T) {
	sam := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "SAM ", r.Header.Get(site.OriginHeader), " ", r.Header.Get(site.LanguageHeader), " ", r.URL)
	}))
	defer sam.Close()
	address, _ := url.Parse(sam.URL)
	handler := distribution(address, []site.File{site.NewFile("/app.js", []byte("script")), site.NewFile(site.Index, []byte("page"))})
	for path, want := range map[string]string{
		"/api":               "SAM http://example.com de /api",
		"/api/events/x?y=%2": "SAM http://example.com de /api/events/x?y=%2",
		"/e/x":               "SAM http://example.com de /e/x",
		"/e/x/card.png":      "SAM http://example.com de /e/x/card.png",
		"/e/":                "page",
		"/":                  "page",
		"/apis":              "page",
		"/app.js":            "script",
	} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Language", "de")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Body.String() != want {
			t.Errorf("%s: %s, want %s", path, w.Body, want)
		}
	}
}
