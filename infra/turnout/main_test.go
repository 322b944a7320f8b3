package main

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/site/pagetest"
	"turnout/internal/testtools"
)

// TestMain also plays the server under test, in a separate process that a test can signal and kill.
func TestMain(m *testing.M) {
	if os.Getenv("TURNOUT_TEST_SERVE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// must ends the test if there is an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// server is turnout, running as a separate process.
type server struct {
	process *exec.Cmd
	url     string
	banner  []string
	log     func() string // returns the output after the banner; call it after the process has exited
	backup  chan string   // receives the log's lines about backups
	exited  chan error
}

// launch starts a server, and reads its banner but no further output.
func launch(t *testing.T, env []string, arguments ...string) (*server, io.ReadCloser) {
	t.Helper()
	s := &server{process: command(t, env, arguments...), backup: make(chan string, 10), exited: make(chan error, 1)}
	stdout, err := s.process.StdoutPipe()
	must(t, err)
	s.process.Stderr = os.Stderr
	must(t, s.process.Start())
	t.Cleanup(func() { _ = s.process.Process.Kill() })
	for len(s.banner) == 0 || !strings.HasPrefix(s.banner[len(s.banner)-1], "  Data") {
		var line []byte
		for b := make([]byte, 1); b[0] != '\n'; line = append(line, b...) {
			if _, err := stdout.Read(b); err != nil {
				t.Fatalf("no banner: %v\n%s%s", err, s.banner, line)
			}
		}
		s.banner = append(s.banner, string(line))
	}
	s.url = regexp.MustCompile(`http://[\d.:]+`).FindString(s.banner[1])
	return s, stdout
}

func start(t *testing.T, env []string, arguments ...string) *server {
	t.Helper()
	s, stdout := launch(t, env, arguments...)
	var printed bytes.Buffer
	lines := bufio.NewReader(io.TeeReader(stdout, &printed))
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for {
			line, err := lines.ReadString('\n')
			if strings.Contains(line, "backup") {
				s.backup <- line
			}
			if err != nil {
				return
			}
		}
	}()
	s.log = func() string { <-drained; return printed.String() }
	go func() { <-drained; s.exited <- s.process.Wait() }()
	t.Cleanup(func() { _ = s.process.Process.Kill(); <-drained })
	return s
}

func (s *server) stop(t *testing.T, signal os.Signal) {
	t.Helper()
	must(t, s.process.Process.Signal(signal))
	if err := <-s.exited; err != nil {
		t.Errorf("after %v it ended with %v", signal, err)
	}
}

// A setting is a variable of turnout. A developer may have set such a variable for another server, or for an
// account on AWS.
var setting = regexp.MustCompile("^(PORT|LISTEN|SITE_URL|ABOUT_URL|DATA_DIR|TABLE_NAME|AWS_[A-Z_]+)=")

// command returns turnout as a process. The process has the settings in env alone.
func command(t *testing.T, env []string, arguments ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	must(t, err)
	process := exec.Command(path, arguments...)
	process.Dir = t.TempDir()
	process.Env = append(slices.DeleteFunc(os.Environ(), setting.MatchString), "TURNOUT_TEST_SERVE=1")
	process.Env = append(process.Env, env...)
	return process
}

func TestAPIOnTheEmbeddedStore(t *testing.T) {
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	secrets := apitest.Run(t, s.url)
	pagetest.Run(t, s.url, s.url)
	s.stop(t, os.Interrupt)
	if found := secrets.In(s.log()); len(found) > 0 {
		t.Errorf("the log holds %q", found)
	}
}

// TestStartsOnDynamoDB: turnout creates a missing table. The tests of the functions cover the API on DynamoDB.
func TestStartsOnDynamoDB(t *testing.T) {
	endpoint, table := dynamotest.Endpoint(t), "local-"+uuid.NewString()
	env := []string{"PORT=0", "AWS_ENDPOINT_URL_DYNAMODB=" + endpoint, "TABLE_NAME=" + table}
	s := start(t, env, "-dynamodb")
	s.answers(t, "/api/health", http.StatusOK)
}

// call calls the API.
func (s *server) call(t *testing.T, k apitest.Call) apitest.Answer {
	t.Helper()
	return apitest.Ask(t, s.url, k)
}

// create creates an event, and returns its token.
func (s *server) create(t *testing.T) string {
	t.Helper()
	return s.call(t, apitest.CreateEvent(apitest.EventBody(nil))).EventToken
}

// get sends a GET. An empty host stands for the server's own.
func (s *server) get(t *testing.T, host, path string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	must(t, err)
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(content)
}

// answers asserts the status of the response to a GET.
func (s *server) answers(t *testing.T, path string, want int) {
	t.Helper()
	if status, _ := s.get(t, "", path); status != want {
		t.Errorf("%s: %d, want %d", path, status, want)
	}
}

// TestBadStartsEndInOneLine: if a start fails, the error is one line and the exit status is 1.
func TestBadStartsEndInOneLine(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	damaged := t.TempDir()
	must(t, os.WriteFile(filepath.Join(damaged, "turnout.db"), []byte("no database"), 0o600))
	inUse := t.TempDir()
	start(t, []string{"PORT=0", "DATA_DIR=" + inUse})

	for name, test := range map[string]struct {
		env       []string
		says      string
		arguments []string
	}{
		"port taken":        {env: []string{"PORT=" + port, "DATA_DIR=" + t.TempDir()}, says: "port " + port + " is taken: choose another with PORT"},
		"port no number":    {env: []string{"PORT=http"}, says: `PORT must be a number from 0 to 65535, not "http"`},
		"site with a path":  {env: []string{"PORT=0", "SITE_URL=https://turnout.example.org/site"}, says: `SITE_URL must be a scheme and a host, such as https://turnout.example.org: "https://turnout.example.org/site"`},
		"no address":        {env: []string{"PORT=0", "LISTEN=localhost"}, says: `LISTEN must be an IP address such as 0.0.0.0, not "localhost"`},
		"public, no site":   {env: []string{"PORT=0", "LISTEN=0.0.0.0"}, says: "LISTEN=0.0.0.0 is reachable from outside, so SITE_URL is required, such as https://turnout.example.org"},
		"foreign address":   {env: []string{"PORT=0", "LISTEN=192.0.2.1", "SITE_URL=https://turnout.example.org", "DATA_DIR=" + t.TempDir()}, says: "192.0.2.1 is not an address of this machine: choose another with LISTEN"},
		"folder is a file":  {env: []string{"PORT=0", "DATA_DIR=" + file}, says: "cannot open the data in " + file + " (DATA_DIR)"},
		"folder unwritable": {env: []string{"PORT=0", "DATA_DIR=/proc/turnout"}, says: "cannot open the data in /proc/turnout (DATA_DIR)"},
		"data damaged":      {env: []string{"PORT=0", "DATA_DIR=" + damaged}, says: "is damaged"},
		"data in use":       {env: []string{"PORT=0", "DATA_DIR=" + inUse}, says: "already running with the data in " + inUse + ": stop it first, or start a second one"},
		"no DynamoDB":       {[]string{"PORT=0", "AWS_ENDPOINT_URL_DYNAMODB="}, "missing in the environment: AWS_ENDPOINT_URL_DYNAMODB", []string{"-dynamodb"}},
		"several wrong": {[]string{"PORT=http", "AWS_ENDPOINT_URL_DYNAMODB=dynamodb"},
			`PORT must be a number from 0 to 65535, not "http"; AWS_ENDPOINT_URL_DYNAMODB must be a URL`, []string{"-dynamodb"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			process := command(t, test.env, test.arguments...)
			var stdout, stderr bytes.Buffer
			process.Stdout, process.Stderr = &stdout, &stderr
			_ = process.Run()
			if code := process.ProcessState.ExitCode(); code != 1 {
				t.Errorf("status %d", code)
			}
			message := stderr.String()
			if strings.Count(message, "\n") != 1 || !strings.Contains(message, test.says) || stdout.Len() > 0 {
				t.Errorf("printed %q and %q", message, &stdout)
			}
		})
	}
}

// TestSiteURL: behind a proxy the server accepts the site's host name and the machine's names. The site's origin is
// SITE_URL. DNS rebinding reads nothing except the health.
func TestSiteURL(t *testing.T) {
	const site = "https://turnout.example.org:8443"
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir(), "SITE_URL=" + site + "/"})
	token := s.create(t)
	page, created := "/e/"+token, "/api/events/"+token
	own := strings.TrimPrefix(s.url, "http://")
	for _, host := range []string{"turnout.example.org", "turnout.example.org:8443", "localhost:3000", own} {
		for path, says := range map[string]string{
			page:        `<meta property="og:url" content="` + site + page + `">`,
			"/":         `<meta property="og:url" content="` + site + `/">`,
			"/organize": `<meta property="og:url" content="` + site + `/">`,
			created:     `"title":"Garden party"`,
		} {
			if status, body := s.get(t, host, path); status != http.StatusOK || strings.Count(body, says) != 1 {
				t.Errorf("%s%s: %d, want %s once in %s", host, path, status, says, body)
			}
		}
	}
	if status, _ := s.get(t, "rebound.example", "/api/health"); status != http.StatusOK {
		t.Errorf("health: %d", status)
	}
	for _, path := range []string{page, page + "/card.png", "/", "/app.css", created, "/api/health/"} {
		status, body := s.get(t, "rebound.example", path)
		if status != http.StatusMisdirectedRequest || strings.Contains(body, "Garden party") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

// TestSite: every path outside /api is a file or home.
func TestSite(t *testing.T) {
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	for path, status := range map[string]int{
		"/": 200, "/index.html": 200, "/e/": 200, "/apis": 200, "/..%2f..%2fgo.mod": 200,
		"/api": 404, "/api/": 404, "/api/unknown": 404,
	} {
		got, content := s.get(t, "", path)
		if isPage := strings.Contains(content, "<title>Turnout</title>"); got != status || isPage != (status == 200) {
			t.Errorf("%s: %d %.60q", path, got, content)
		}
	}
}

// TestDataOfAnotherUser: the error of a start with another user's data names the remedy.
func TestDataOfAnotherUser(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "/data/turnout.db", Err: syscall.EACCES}
	err := cannotOpen(config{dataDir: "/data"}, denied, "")
	if !strings.Contains(err.Error(), "chown") || !strings.Contains(err.Error(), "the data in /data") {
		t.Error(err)
	}
}

// TestDynamoDBDoesNotAnswer: if DynamoDB does not respond within some seconds, the error names its address.
func TestDynamoDBDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const endpoint = "http://127.0.0.1:1" // this port refuses connections
		table := dynamo.Config{Table: "turnout", Region: "local", Endpoint: endpoint}
		_, err := openDynamoDB(t.Context(), config{table: table})
		want := "DynamoDB at " + endpoint + " does not answer (AWS_ENDPOINT_URL_DYNAMODB)"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	})
}

// TestVariablesAreDescribed: the help and environment.go name each variable that the server reads. The README names
// each variable except the variables of a table. An operator would not find a variable that they do not name.
func TestVariablesAreDescribed(t *testing.T) {
	help, _ := command(t, nil, "help").Output()
	for _, onDynamoDB := range []bool{true, false} {
		var read []string
		_, _ = configFrom(func(name string) string { read = append(read, name); return "" }, onDynamoDB)
		places := map[string][]byte{"the help": help}
		for _, name := range []string{"../../internal/environment/environment.go", "README.md"} {
			content, err := os.ReadFile(name)
			must(t, err)
			if !onDynamoDB || name != "README.md" {
				places[name] = content
			}
		}
		for _, name := range read {
			for place, content := range places {
				if !regexp.MustCompile(`\b` + name + `\b`).Match(content) {
					t.Errorf("%s does not name %s", place, name)
				}
			}
		}
	}
}

// TestArguments: an argument that would have no effect is refused.
func TestArguments(t *testing.T) {
	for _, test := range []struct {
		argument string
		status   int
		prints   []string
	}{
		{"serve", 2, []string{`turnout: unexpected argument "serve", see turnout -h`}},
		{"-version erase", 2, []string{`turnout: unexpected argument "erase", see turnout -h`}},
		{"-version", 0, []string{currentVersion()}},
		{"-h", 0, []string{"-dynamodb"}},
		{"help", 0, []string{"-dynamodb"}},
	} {
		process := command(t, nil, strings.Fields(test.argument)...)
		printed, _ := process.CombinedOutput()
		if status := process.ProcessState.ExitCode(); status != test.status {
			t.Errorf("%s: status %d", test.argument, status)
		}
		for _, words := range test.prints {
			if !bytes.Contains(printed, []byte(words)) {
				t.Errorf("%s does not print %q: %s", test.argument, words, printed)
			}
		}
	}
}

// TestBanner: the first lines name the version, the address on which the server listens, SITE_URL if it is set, and the
// data. Messages about the data come after these lines.
func TestBanner(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "turnout.db")
	s := start(t, []string{"PORT=0", "DATA_DIR=" + folder})
	s.create(t)
	s.stop(t, os.Interrupt)
	for listen, site := range map[string]string{"127.0.0.1": "", "0.0.0.0": "https://turnout.example.org"} {
		siteURL := ""
		if site != "" {
			siteURL = "  SITE_URL  " + site + "\n"
		}
		lastWeek := time.Now().AddDate(0, 0, -7)
		must(t, os.Chtimes(file, lastWeek, lastWeek))
		s := start(t, []string{"PORT=0", "LISTEN=" + listen, "SITE_URL=" + site, "DATA_DIR=" + folder})
		want := regexp.QuoteMeta("Turnout "+currentVersion()+" is running. Ctrl-C stops it.\n") +
			`  Address   http://` + regexp.QuoteMeta(listen) + `:\d+/\n` +
			siteURL +
			regexp.QuoteMeta("  Data      "+file+"\n")
		if printed := strings.Join(s.banner, ""); !regexp.MustCompile("^" + want + "$").MatchString(printed) {
			t.Errorf("it prints %s", printed)
		}
		s.stop(t, os.Interrupt)
		if log := s.log(); !strings.Contains(log, "the clock is ahead of the last write") {
			t.Errorf("a week after the last write, the log says %s", log)
		}
	}
}

// TestLogWithoutReader: the server survives if the reader of its log exits, and ends with status 0.
func TestLogWithoutReader(t *testing.T) {
	s, output := launch(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	must(t, output.Close())
	for range 2 { // the first request writes to the pipe that nobody reads
		s.answers(t, "/api/health", http.StatusOK)
	}
	must(t, s.process.Process.Signal(syscall.SIGTERM))
	must(t, s.process.Wait())
}

// TestRequestsBeforeTheHandlers: net/http responds to as few requests as possible without the handlers.
func TestRequestsBeforeTheHandlers(t *testing.T) {
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	host := strings.TrimPrefix(s.url, "http://")
	for _, test := range []struct{ request, status string }{
		{"OPTIONS * HTTP/1.1\r\nHost: rebound.example\r\n\r\n", "421"},
		{"OPTIONS * HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "405"},
		{"GET /api/health HTTP/1.1\r\nHost: " + host + "\r\nX: " + strings.Repeat("x", 15<<10) + "\r\n\r\n", "200"},
		{"GET /api/health HTTP/1.1\r\nHost: " + host + "\r\nX: " + strings.Repeat("x", 24<<10) + "\r\n\r\n", "431"},
	} {
		connection, err := net.Dial("tcp", host)
		must(t, err)
		_, _ = io.WriteString(connection, test.request)
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		must(t, err)
		if !strings.HasPrefix(answer.Status, test.status) {
			t.Errorf("%.60q: %s, want %s", test.request, answer.Status, test.status)
		}
		_ = connection.Close()
	}
}

// TestReadme runs the commands in the README's section about the life of an event, and compares their output with the
// README. Output is in blocks of its own, because people paste whole blocks into their shell.
func TestReadme(t *testing.T) {
	testtools.Need(t, "curl")
	readme, err := os.ReadFile("../../README.md")
	must(t, err)
	_, section, _ := strings.Cut(string(readme), "## The life of an event")
	section, _, _ = strings.Cut(section, "\n## ")
	var commands, want strings.Builder
	for _, block := range regexp.MustCompile("(?s)```(sh|json)\n(.*?)```").FindAllStringSubmatch(section, -1) {
		if block[1] == "sh" {
			commands.WriteString(block[2])
		} else {
			want.WriteString(block[2])
		}
	}
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	script := strings.Replace(commands.String(), "http://127.0.0.1:3000", s.url, 1)
	got, err := exec.Command("sh", "-euc", script).Output()
	must(t, err)
	token := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	anyToken := func(s string) string { return token.ReplaceAllLiteralString(s, "<token>") }
	if anyToken(string(got)) != anyToken(want.String()) || want.Len() == 0 {
		t.Errorf("it prints\n%s\nbut says\n%s", got, want.String())
	}
}

// TestCaddyfile: the container in compose.yaml has the same settings of Caddy as the README.
func TestCaddyfile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	compose, err := os.ReadFile("compose.yaml")
	must(t, err)
	_, block, _ := strings.Cut(string(readme), "```\n{\n")
	block, _, _ = strings.Cut(block, "```")
	_, config, _ := strings.Cut(string(compose), "      {\n")
	config, _, _ = strings.Cut(config, "\nvolumes:")
	config = strings.NewReplacer(
		"\n      ", "\n",
		"${DOMAIN}", "turnout.example.org",
		"turnout:3000", "127.0.0.1:3000",
	).Replace("\n" + config)
	if block == "" || strings.TrimSpace(config) != strings.TrimSpace(block) {
		t.Errorf("compose.yaml has\n%s\nREADME.md\n%s", config, block)
	}
}
