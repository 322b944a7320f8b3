//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"turnout/internal/site"
)

// TestMain is also the command under test, and the SAM that it runs.
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

// fakeSAM asks the site for its health and plays a scene. It sends signals as a terminal does. A run that is
// killed leaves it behind, for a minute at most.
func fakeSAM(arguments []string) {
	time.AfterFunc(time.Minute, func() { os.Exit(1) })
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	run, _ := strconv.Atoi(os.Getenv("RUN"))
	scene := os.Getenv("SCENE")
	ask := func() string {
		answer, err := http.Get("http://127.0.0.1:" + os.Getenv("PORT") + "/api/health")
		return fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Retry-After"), err)
	}
	if arguments[0] == "build" {
		fmt.Println(ask())
		switch scene {
		case "interrupt the build":
			_ = syscall.Kill(-run, syscall.SIGINT)
			<-interrupts
			fmt.Println("asked to end")
			os.Exit(1)
		case "fail":
			os.Exit(1)
		}
		return
	}
	after := func(option string) string { return arguments[slices.Index(arguments, option)+1] }
	listener, err := net.Listen("tcp", "127.0.0.1:"+after("--port"))
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, http.NotFoundHandler())
	_ = os.WriteFile("state/containers/f", []byte("f x /y/.aws-sam/"+after("--docker-network")+"/build/HealthFunction\n"), 0o600)
	_ = os.WriteFile("state/sam", []byte(listener.Addr().String()), 0o600)
	fmt.Fprintln(os.Stderr, os.Getenv("DOCKER_HOST"), syscall.Getpgrp() == os.Getpid(), arguments[len(arguments)-3:])
	fmt.Fprintln(os.Stderr, "Press CTRL+C to quit")
	if scene == "kill" {
		_ = syscall.Kill(run, syscall.SIGKILL)
		select {}
	}
	fmt.Fprintln(os.Stderr, ask())
	_ = syscall.Kill(-run, syscall.SIGINT)
	<-interrupts
	fmt.Println("[*] Deploy: sam deploy --guided")
}

// docker has folders for networks and files for containers, and refuses names that exist.
const docker = `#!/bin/sh
cd state || exit
case "$1 $2" in
"context inspect") echo "$CONTEXT" ;;
"version --format") [ -z "$TROUBLE" ] || { echo "$TROUBLE" >&2; exit 1; } ;;
"network create") mkdir "$3" ;;
"network inspect") ls -d "$3" ;;
"network rm") rmdir "$3" ;;
"run --detach") set -C; echo "d $4 " >containers/d ;;
"port "*) echo "$DATABASE" ;;
"ps --all") cat containers/* ;;
"rm --force") shift 3; cd containers; rm "$@" ;;
esac
`

// must ends the test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// setUp makes a project at a free port, and a Docker that has a container of another run.
func setUp(t *testing.T) {
	t.Helper()
	script, err := filepath.Abs("containers")
	must(t, err)
	t.Chdir(t.TempDir())
	for path, content := range map[string]string{
		"infra/tools/install": "#!/bin/sh\n", "bin/docker": docker, "infra/sam/link": "", ".local/venv/bin/link": "",
		"state/containers/o": "o turnout-1-dynamodb /z/.aws-sam/turnout-1/build/HealthFunction\n",
	} {
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(content), 0o755))
	}
	must(t, os.Symlink(script, "infra/sam/containers"))
	must(t, os.Symlink(os.Args[0], ".local/venv/bin/sam"))
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
		"PORT": strings.TrimPrefix(free.URL, "http://127.0.0.1:"), "DOCKER_HOST": "", "CONTEXT": "unix:///s ", "TROUBLE": "", "SCENE": "",
	} {
		t.Setenv(name, value)
	}
}

// play runs the command and checks its exit status, and that only the container of the other run is left.
func play(t *testing.T, scene string, status int) string {
	t.Helper()
	t.Setenv("SCENE", scene)
	cmd := exec.Command(os.Args[0], "--skip-pull-image")
	cmd.Args[0] = "run-sam"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, _ := cmd.CombinedOutput()
	left, _ := filepath.Glob("state/[ct]*/*")
	networks, _ := filepath.Glob("state/turnout*")
	if got := cmd.ProcessState.ExitCode(); got != status || len(left) != 1 || len(networks) != 0 {
		t.Errorf("%s: exit status %d, left %q %q, after:\n%s", scene, got, left, networks, out)
	}
	return string(out)
}

func TestChecksComeBeforeTheBuild(t *testing.T) {
	setUp(t)
	taken := httptest.NewServer(nil)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Listener.Addr().String())
	for _, test := range []struct{ variable, value, want string }{
		{"PORT", "abc", "PORT must be a number"},
		{"PORT", port, "choose another port with PORT: "},
		{"DOCKER_HOST", "ssh://u@h", "SAM cannot use Docker over SSH, ssh://u@h: choose"},
		{"CONTEXT", "ssh://u@h ", "SAM cannot use Docker over SSH, ssh://u@h: choose"},
		{"CONTEXT", "tcp://h:2376 tls", "SAM cannot use a Docker context with TLS, tcp://h:2376: choose"},
		{"TROUBLE", "Got permission denied while trying to connect", "permission denied at unix:///s: Docker runs"},
		{"TROUBLE", "Cannot connect to the Docker daemon", "Docker does not answer at unix:///s: start"},
	} {
		t.Run(test.value, func(t *testing.T) {
			t.Setenv(test.variable, test.value)
			if got := play(t, "", 1); !strings.HasPrefix(got, "run-sam: "+test.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestRun: each run makes the functions' table, and removes what a killed one has left.
func TestRun(t *testing.T) {
	variables, _ := os.ReadFile("variables.json")
	setUp(t)
	t.Setenv("SCENE", "kill")
	killed := exec.Command(os.Args[0]) // its output would be open as long as SAM runs
	killed.Args[0] = "run-sam"
	_ = killed.Run()
	leftOver, err := os.ReadFile("state/sam")
	must(t, err)
	const building, asked = "run-sam: building the functions\n", "503 1<nil>\n"
	ready := building + "unix:///s true [--warm-containers LAZY --skip-pull-image]\nPress CTRL+C to quit\nTurnout is ready at http://127.0.0.1:" +
		os.Getenv("PORT") + ". Ctrl-C ends it.\nSAM prints a line for each request below, with the tokens in its path.\n404 <nil>\n"
	for _, test := range []struct {
		scene        string
		status       int
		printed, log string
	}{
		{"serve", 0, ready, asked},
		{"fail", 1, building + asked + "run-sam: the build has failed\n", asked},
		{"interrupt the build", 0, building, asked + "asked to end\n"},
	} {
		got := play(t, test.scene, test.status)
		log, _ := os.ReadFile(".aws-sam/turnout-" + os.Getenv("PORT") + "/build.log")
		if got != test.printed || string(log) != test.log {
			t.Errorf("%s: %s\nlog: %s", test.scene, got, log)
		}
	}
	if _, err := net.Dial("tcp", string(leftOver)); err == nil {
		t.Error("SAM of the killed run still answers")
	}
	name := regexp.MustCompile(`"TABLE_NAME": (".*")`).FindSubmatch(variables)
	if table, _ := os.ReadFile("table"); name == nil || !strings.Contains(string(table), `"TableName":`+string(name[1])) {
		t.Errorf("made %s, the functions have %q", table, name)
	}
}

// TestImage compares DynamoDB Local with that of the tests.
func TestImage(t *testing.T) {
	script, _ := os.ReadFile("containers")
	pom, _ := os.ReadFile("../../internal/dynamo/dynamodblocal/pom.xml")
	version := regexp.MustCompile(`>DynamoDBLocal</artifactId>\s*<version>(.*)</version>`).FindSubmatch(pom)
	if version == nil || !strings.Contains(string(script), "\nimage=amazon/dynamodb-local:"+string(version[1])+"\n") {
		t.Errorf("containers has an image without the version of pom.xml, %q", version)
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
