//go:build unix

package main

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"turnout/internal/site"
	"turnout/internal/testtools"
)

// TestMain also plays run-sam and a fake sam, chosen by the name of the program.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "run-sam":
		os.Setenv("RUN", strconv.Itoa(os.Getpid()))
		main()
	case "sam":
		fakeSAM(os.Args[1:])
	default:
		os.Exit(m.Run())
	}
}

// fakeSAM asks the site for its health and plays a scene. It sends signals as a terminal does. A killed run leaves
// fakeSAM running, for a minute at most.
func fakeSAM(arguments []string) {
	time.AfterFunc(time.Minute, func() { os.Exit(1) })
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	run, _ := strconv.Atoi(os.Getenv("RUN"))
	scene := os.Getenv("SCENE")
	ask := func(log *os.File) {
		answer, _ := http.Get("http://127.0.0.1:" + os.Getenv("PORT") + "/api/health")
		fmt.Fprintf(log, "%d %q\n", answer.StatusCode, answer.Header.Get("Retry-After"))
	}
	if arguments[0] == "build" {
		ask(os.Stdout)
		if scene != "interrupt the build" {
			os.Exit(map[string]int{"fail": 1}[scene])
		}
	} else {
		after := func(option string) string { return arguments[slices.Index(arguments, option)+1] }
		listener, _ := net.Listen("tcp", "127.0.0.1:"+after("--port"))
		go http.Serve(listener, http.NotFoundHandler())
		container := "c3 x /y/.aws-sam/" + after("--docker-network") + "/build/HealthFunction\n"
		_ = os.WriteFile("docker/c3", []byte(container), 0o600)
		_ = os.WriteFile(scene, []byte(listener.Addr().String()), 0o600)
		ownGroup := syscall.Getpgrp() == os.Getpid()
		fmt.Fprintln(os.Stderr, os.Getenv("DOCKER_HOST"), ownGroup, arguments[len(arguments)-3:])
		fmt.Fprintln(os.Stderr, "Press CTRL+C to quit")
		ask(os.Stderr)
		if scene == "kill" {
			_ = syscall.Kill(run, syscall.SIGKILL)
			select {}
		}
	}
	_ = syscall.Kill(-run, syscall.SIGINT)
	<-interrupts
	fmt.Println("asked to end")
	os.Exit(1)
}

// docker is a fake docker command. It makes a folder for each network and a file for each container, and refuses names
// that exist.
const docker = `#!/bin/sh
cd docker && all=$* || exit
case $all in
"context inspect "*) echo "$CONTEXT" ;;
"version --format "*) [ -z "$TROUBLE" ] || { echo "$TROUBLE" >&2; exit 1; } ;;
"network create "*) mkdir "$3" ;;
"network inspect "*) ls -d "$3" ;;
"network rm "*) rmdir "$3" ;;
"run --detach "*)
  set -C; echo "c2 $4 " >c2 ;;
"port "*) [ -f c2 ] && echo "$DATABASE" ;;
"ps --all "*) cat c* ;;
"rm --force "*) shift 3; rm "$@" ;;
esac
`

// setUp makes a project with a free port, and a fake docker with a container of another run.
func setUp(t *testing.T) {
	here := os.Getenv("PWD")
	t.Chdir(t.TempDir())
	link := func(path string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(path), Mode: fs.ModeSymlink} }
	if err := os.CopyFS(".", fstest.MapFS{
		"bin/docker":          {Data: []byte(docker), Mode: 0o755},
		"docker/c1":           {Data: []byte("c1 turnout-1-dynamodb /z/.aws-sam/turnout-1/build/HealthFunction\n")},
		"infra/sam":           link(here),
		"infra/tools/install": {Data: []byte("#!/bin/sh\n"), Mode: 0o755},
		"internal":            link(here + "/../../internal"),
		".local/venv/bin/sam": link(os.Args[0]),
	}); err != nil {
		t.Fatal(err)
	}
	database := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_ = os.WriteFile("table", body, 0o600)
		fmt.Fprint(w, "{}")
	}))
	t.Cleanup(database.Close)
	free := httptest.NewServer(nil)
	free.Close()
	for name, value := range map[string]string{
		"PATH": os.Getenv("PWD") + "/bin:" + os.Getenv("PATH"), "DATABASE": database.Listener.Addr().String(), "ARCH": "x86_64",
		"PORT": strings.TrimPrefix(free.URL, "http://127.0.0.1:"), "DOCKER_HOST": "", "CONTEXT": "unix:///s ",
	} {
		t.Setenv(name, value)
	}
}

// play runs a scene, and returns the exit status and the output. Only the other run's container may be left.
func play(t *testing.T, scene string) string {
	t.Setenv("SCENE", scene)
	cmd := &exec.Cmd{
		Path:        os.Args[0],
		Args:        []string{"run-sam", "--skip-pull-image"},
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	out, _ := cmd.CombinedOutput()
	if left, _ := filepath.Glob("docker/*"); len(left) != 1 {
		t.Errorf("%s leaves %q", scene, left)
	}
	return fmt.Sprintf("%v: %s", cmd.ProcessState, out)
}

// TestChecksComeBeforeTheBuild tries the checks from the last to the first, because a failed check hides later ones.
func TestChecksComeBeforeTheBuild(t *testing.T) {
	setUp(t)
	_, taken, _ := net.SplitHostPort(os.Getenv("DATABASE"))
	for _, test := range []struct{ variable, value, want string }{
		{"TROUBLE", "Cannot connect to the Docker daemon", "Docker does not answer at unix:///s: start"},
		{"TROUBLE", "Got permission denied while trying to connect", "permission denied at unix:///s: Docker runs"},
		{"CONTEXT", "tcp://h:2376 tls", "SAM cannot use a Docker context with TLS, tcp://h:2376: choose"},
		{"DOCKER_HOST", "ssh://u@h", "SAM cannot use Docker over SSH, ssh://u@h: choose"},
		{"PORT", taken, "choose another port with PORT: "},
		{"PORT", "abc", "PORT must be a number"},
	} {
		t.Setenv(test.variable, test.value)
		got := play(t, "")
		if !strings.HasPrefix(got, "exit status 1: run-sam: "+test.want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// TestRun: each run creates the functions' table, and cleans up after a killed run.
func TestRun(t *testing.T) {
	testtools.Need(t, "ps")
	setUp(t)
	t.Setenv("SCENE", "kill")
	_ = (&exec.Cmd{Path: os.Args[0], Args: []string{"run-sam"}}).Run() // SAM keeps the output open
	const building, asked = "run-sam: building the functions\n", "503 \"1\"\n"
	ready := building +
		"unix:///s true [--warm-containers LAZY --skip-pull-image]\nPress CTRL+C to quit\n" +
		"Turnout is ready at http://127.0.0.1:" + os.Getenv("PORT") + ". Ctrl-C ends it.\n" +
		"SAM prints a line for each request below, with the tokens in its path.\n404 \"\"\n"
	for _, test := range []struct{ scene, printed, log string }{
		{"serve", "exit status 0: " + ready, asked},
		{"fail", "exit status 1: " + building + asked + "run-sam: the build has failed\n", asked},
		{"interrupt the build", "exit status 0: " + building, asked + "asked to end\n"},
	} {
		got := play(t, test.scene)
		log, _ := os.ReadFile(".aws-sam/turnout-" + os.Getenv("PORT") + "/build.log")
		if got != test.printed || string(log) != test.log {
			t.Errorf("%s: %s\nlog: %s", test.scene, got, log)
		}
	}
	leftOver, _ := os.ReadFile("kill")
	if _, err := net.Dial("tcp", string(leftOver)); err == nil || leftOver == nil {
		t.Errorf("SAM of the killed run still answers at %q", leftOver)
	}
	variables, _ := os.ReadFile("infra/sam/variables.json")
	table, _ := os.ReadFile("table")
	asks := strings.Contains(string(variables), `"TABLE_NAME": "turnout"`)
	makes := strings.Contains(string(table), `"TableName":"turnout"`)
	if !asks || !makes {
		t.Errorf("made %s, the functions have %s", table, variables)
	}
}

func TestSiteBesideTheFunctions(t *testing.T) {
	sam := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Header.Get(site.OriginHeader), " ", r.Header.Get(site.LanguageHeader), " ", r.URL)
	}))
	defer sam.Close()
	handler := distribution(sam.Listener.Addr().String(), []site.File{site.NewFile(site.Index, []byte("page"))})
	for path, want := range map[string]string{
		"/api": "http://example.com de /api", "/api/events/x?y=%2": "http://example.com de /api/events/x?y=%2",
		"/e/x/card.png": "http://example.com de /e/x/card.png", "/e/": "page", "/": "page", "/apis": "page",
	} {
		r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
		r.Header.Set("Accept-Language", "de")
		if handler(w, r); w.Body.String() != want {
			t.Errorf("%s: %s, want %s", path, w.Body, want)
		}
	}
}
