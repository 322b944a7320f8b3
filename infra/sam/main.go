// Command sam serves the functions from Lambda's containers on this machine, and the
// site beside them: it builds the functions, starts DynamoDB Local where containers
// can reach it, and sam local start-api, which gets the arguments.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamodblocal"
	"turnout/internal/environment"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/locale"
)

// settings is the file with the functions' variables, the table's address among them.
const settings = "infra/sam-local.json"

// program is where infra/tools/install installs SAM.
const program = ".local/venv/bin/sam"

// built is the folder of the functions, which the containers mount.
const built = ".aws-sam/build"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "run-sam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	table, port, err := readSettings()
	if err != nil {
		return fmt.Errorf("%s: %w", settings, err)
	}
	env := environment.New(os.Getenv)
	own, processor := env.Port("PORT", "3000"), env.Required("ARCH")
	if err := env.Err(); err != nil {
		return err
	}
	// All of this comes before the build, which would replace the programs under the
	// containers of another run.
	address, err := containersHost(ctx)
	if err != nil {
		return err
	}
	listener, err := listen("127.0.0.1", own, "choose another with PORT")
	if err != nil {
		return err
	}
	defer listener.Close()
	if err := free(address, port, "the functions look for DynamoDB Local there, and a second make run-sam cannot share it"); err != nil {
		return err
	}
	if err := build(ctx, processor); err != nil {
		return err
	}
	server, err := dynamodblocal.StartAt(ctx, address, port)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	store := dynamo.Open(dynamo.Config{
		Table: table, Endpoint: server.Endpoint(), Region: "local", AccessKeyID: "local", SecretAccessKey: "local",
	})
	if err := store.CreateTable(ctx); err != nil {
		return fmt.Errorf("cannot make the table %s: %w", table, err)
	}
	inner, err := unused()
	if err != nil {
		return err
	}
	files, err := bundle.Files()
	if err != nil {
		return err
	}
	web := &http.Server{Handler: distribution(&url.URL{Scheme: "http", Host: "127.0.0.1:" + inner}, files), ReadHeaderTimeout: time.Minute}
	go func() { _ = web.Serve(listener) }()
	defer web.Close()
	defer func() { err = errors.Join(err, removeContainers()) }()
	return serve(ctx, program, append([]string{
		"local", "start-api",
		"--port", inner,
		"--env-vars", settings,
		"--parameter-overrides", "Architecture=" + processor,
		"--add-host", "host.docker.internal:host-gateway", // which Docker on Linux does not define by itself
	}, arguments...), "http://"+listener.Addr().String())
}

// build builds the functions for a processor, as template.yaml names it.
func build(ctx context.Context, processor string) error {
	sam := exec.CommandContext(ctx, program, "build", "--parameter-overrides", "Architecture="+processor)
	sam.Env = append(os.Environ(), "SAM_CLI_TELEMETRY=0", "ARCH="+processor)
	sam.Stdout, sam.Stderr = os.Stdout, os.Stderr
	if err := sam.Run(); err != nil {
		return fmt.Errorf("sam build: %w", err)
	}
	return nil
}

// distribution sends requests where CloudFront does: the API and the pages of events
// to SAM, with the headers that CloudFront's function sets, and the rest to the files
// of the site.
func distribution(sam *url.URL, files []site.File) http.Handler {
	api := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(sam)
		r.Out.URL.RawQuery = r.In.URL.RawQuery // also what the proxy cannot parse
		r.Out.Header.Set(site.OriginHeader, "http://"+r.In.Host)
		r.Out.Header.Set(site.LanguageHeader, locale.Language(r.In.Header.Get("Accept-Language")))
	}}
	rest := site.NewHandler(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path == "/api" || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, site.EventPages) && path != site.EventPages {
			api.ServeHTTP(w, r)
		} else {
			rest.ServeHTTP(w, r)
		}
	})
}

// serve runs SAM until it ends, or until ctx does: then SAM is interrupted once,
// and has time to remove its containers. Ctrl-C in a terminal reaches every
// process of a group, and SAM's second one leaves the containers behind: so SAM
// has a group of its own.
func serve(ctx context.Context, program string, arguments []string, address string) error {
	sam := exec.CommandContext(ctx, program, arguments...)
	sam.Env = append(os.Environ(), "SAM_CLI_TELEMETRY=0")
	sam.Stdout, sam.Stderr = os.Stdout, &announcer{to: os.Stderr, address: address}
	dynamodblocal.Detach(sam)
	sam.Cancel = func() error {
		err := sam.Process.Signal(os.Interrupt)
		fmt.Fprintln(os.Stderr, "run-sam: SAM removes its containers")
		return err
	}
	sam.WaitDelay = 30 * time.Second
	if err := sam.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("sam local start-api: %w", err)
	}
	return nil
}

// announcer passes on SAM's output. Once SAM is about to serve, it adds Turnout's address: SAM
// prints another one.
type announcer struct {
	to      io.Writer
	address string
	line    []byte
}

func (a *announcer) Write(p []byte) (int, error) {
	n, err := a.to.Write(p)
	for _, c := range p {
		a.line = append(a.line, c)
		if c != '\n' {
			continue
		}
		if bytes.Contains(a.line, []byte("Press CTRL+C to quit")) {
			fmt.Fprintf(a.to, "Turnout is ready at %s. Ctrl-C ends it. SAM prints a line for each request below, with the tokens in its path.\n", a.address)
		}
		a.line = a.line[:0]
	}
	return n, err
}

// removeContainers removes the containers that SAM leaves behind, which mount this build. It
// looks twice, because one may still be starting.
func removeContainers() error {
	folder, err := filepath.Abs(built)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	folder = filepath.ToSlash(folder) + "/"
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 3 {
		listed, err := exec.CommandContext(ctx, "docker", "ps", "--all", "--no-trunc", "--format", "{{.ID}} {{.Mounts}}").Output()
		if err != nil {
			return fmt.Errorf("cannot list the containers of Docker (%w): those that mount %s may remain, see docker ps --all", err, folder)
		}
		var left []string
		for line := range strings.Lines(string(listed)) {
			if id, mounts, _ := strings.Cut(line, " "); strings.Contains(mounts, folder) {
				left = append(left, id)
			}
		}
		if len(left) == 0 {
			return nil
		}
		if out, err := exec.CommandContext(ctx, "docker", append([]string{"rm", "--force"}, left...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("cannot remove containers: %s: these may remain: docker rm --force %s", bytes.TrimSpace(out), strings.Join(left, " "))
		}
	}
	return errors.New("new containers that mount " + folder + " keep appearing: is another sam local running here?")
}

// unused returns a port of loopback that nothing listens at.
func unused() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// listen listens at a port. If it is taken, the error has the remedy.
func listen(address, port, remedy string) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(address, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %s at %s is taken: %s", port, address, remedy)
	}
	return listener, err
}

// free returns an error with the remedy if a port is taken.
func free(address, port, remedy string) error {
	listener, err := listen(address, port, remedy)
	if err != nil {
		return err
	}
	return listener.Close()
}

// readSettings returns the table's name, and the port at which the functions look for it.
func readSettings() (table, port string, err error) {
	content, err := os.ReadFile(settings)
	if err != nil {
		return "", "", err
	}
	var file struct{ Parameters map[string]string }
	if err := json.Unmarshal(content, &file); err != nil {
		return "", "", err
	}
	env := environment.New(func(name string) string { return file.Parameters[name] })
	table = env.Required("TABLE_NAME")
	env.Required("AWS_ENDPOINT_URL_DYNAMODB")
	endpoint, err := url.Parse(env.URL("AWS_ENDPOINT_URL_DYNAMODB"))
	if err := errors.Join(env.Err(), err); err != nil {
		return "", "", err
	}
	return table, endpoint.Port(), nil
}

// containersHost is the address of this machine that containers resolve
// host.docker.internal to: that of Docker's bridge where the engine runs on this
// machine itself, loopback where it runs in Docker Desktop's virtual machine.
func containersHost(ctx context.Context) (string, error) {
	engine, err := exec.CommandContext(ctx, "docker", "info", "--format", "{{.OperatingSystem}} {{.SecurityOptions}}").Output()
	switch {
	case err != nil:
		return "", errors.New("no answer from Docker: start it, and see that docker info works for you")
	case strings.Contains(string(engine), "Docker Desktop"):
		return "127.0.0.1", nil
	case strings.Contains(string(engine), "rootless"):
		return "", errors.New("containers of a rootless Docker cannot reach this machine: infra/sam/README.md says how to go on by hand")
	}
	bridge, err := net.InterfaceByName("docker0")
	if err != nil {
		return "", errors.New("no network docker0 on this machine: infra/sam/README.md says how to go on by hand")
	}
	addresses, err := bridge.Addrs()
	if err != nil {
		return "", err
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil {
			return network.IP.String(), nil
		}
	}
	return "", errors.New("the network docker0 has no address")
}
