//go:build unix

// Command sam serves the functions from Lambda's containers, and the site beside them. infra/sam/containers
// drives Docker and SAM. The command's arguments are options of sam local start-api.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err == nil || ctx.Err() != nil {
		return
	}
	if _, told := errors.AsType[*exec.ExitError](err); !told { // a failed step has printed its own error
		fmt.Fprintln(os.Stderr, "run-sam:", err)
	}
	os.Exit(1)
}

// run keeps the port until the cleanup is done, so that a second run on the same port does not meet containers of the
// first run.
func run(ctx context.Context, options []string) error {
	env := environment.New(os.Getenv)
	port := env.Port("PORT", "3000")
	if err := env.Err(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return fmt.Errorf("choose another port with PORT: %w", err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_ = free.Close()
	address, sam := listener.Addr().String(), free.Addr().String()
	if err := step(ctx, "check", address).Run(); err != nil {
		return err
	}
	// This takes longer than the checks, so it comes after them.
	files, err := bundle.Files(site.Config{})
	if err != nil {
		return err
	}
	// The server has no WriteTimeout, because a cold start may take long.
	go func() { _ = http.Serve(listener, distribution(sam, files)) }()

	defer func() { _ = step(context.WithoutCancel(ctx), "remove", address).Run() }()
	database, err := step(ctx, "start", address).Output()
	if err != nil {
		return err
	}
	config := dynamo.Config{
		Table:           "turnout",
		Endpoint:        string(database),
		Region:          "local",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	if err := dynamo.Open(config).CreateTable(ctx); err != nil {
		return fmt.Errorf("cannot create the table in DynamoDB Local: %w", err)
	}
	return step(ctx, append([]string{"serve", address, sam}, options...)...).Run()
}

// step runs a step of the script, and interrupts it once. Ctrl-C in a terminal reaches all processes of
// a group, and a second one makes SAM leave containers behind, so each step has a group of its own.
func step(ctx context.Context, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "infra/sam/containers", arguments...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 30 * time.Second
	return cmd
}

// distribution routes requests as CloudFront does. The API and event pages go to SAM, with the headers that
// CloudFront's function sets. All other requests go to the files of the site.
func distribution(sam string, files []site.File) http.HandlerFunc {
	api := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: sam})
		r.Out.URL.RawQuery = r.In.URL.RawQuery // pass on a query even if the proxy cannot parse it
		site.SetVisitor(r.Out.Header, "http://"+r.In.Host)
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "SAM does not accept requests yet", http.StatusServiceUnavailable)
	}}
	rest := site.NewHandler(files)
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path == "/api" || strings.HasPrefix(path, "/api/") || site.IsEventPage(path) {
			api.ServeHTTP(w, r)
		} else {
			rest.ServeHTTP(w, r)
		}
	}
}
