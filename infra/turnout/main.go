// Command turnout serves all of Turnout, the API and the site, on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	_ "time/tzdata" // dates are shown in the event's zone, even if the system has no zones

	"turnout/internal/event"
	"turnout/internal/httpapi"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
)

func main() {
	onDynamoDB := flag.Bool("dynamodb", false, "use the DynamoDB at AWS_ENDPOINT_URL_DYNAMODB instead of a file")
	table := flag.String("table", "", "erase, export or import in this `table` of DynamoDB instead of a file")
	printVersion := flag.Bool("version", false, "print the version")
	flag.Usage = usage
	flag.Parse()
	command, known := commands[flag.Arg(0)]
	switch {
	case known && !*onDynamoDB && !*printVersion:
		exit(command(flag.Args()[1:], place{*table, os.Getenv}))
	case *table != "":
		exit(errUsage)
	case flag.NArg() > 0:
		fmt.Fprintf(os.Stderr, "turnout: unexpected argument %q, see turnout -h\n", flag.Arg(0))
		os.Exit(2)
	case *printVersion:
		fmt.Println(currentVersion())
		return
	}
	debug.SetGCPercent(200)        // saves time; more would need too much memory for images
	signal.Ignore(syscall.SIGPIPE) // without a reader of its log, the server continues
	exit(run(untilInterrupt(), *onDynamoDB, os.Getenv, os.Stdout))
}

// untilInterrupt returns a context that a signal ends. A second signal ends the program at once. Closing the terminal
// also interrupts the program, but not under nohup.
func untilInterrupt() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx
}

// exit ends the program. It prints an error, and then the status is 1.
func exit(err error) {
	if errors.Is(err, errUsage) {
		usage()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "turnout:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run opens the store, and serves until ctx ends.
func run(ctx context.Context, onDynamoDB bool, getenv func(string) string, out io.Writer) (err error) {
	config, err := configFrom(getenv, onDynamoDB)
	if err != nil {
		return err
	}
	if err := config.servable(); err != nil {
		return err
	}
	files, err := bundle.Files(config.site)
	if err != nil {
		return err
	}
	open := openFile
	if onDynamoDB {
		open = openDynamoDB
	}
	log := slog.New(slog.NewTextHandler(out, nil))
	data, err := open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, data.close()) }()

	listener, err := net.Listen("tcp", net.JoinHostPort(config.listen, config.port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("port %s is taken: choose another with PORT", config.port)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%s is not an address of this machine: choose another with LISTEN", config.listen)
	case err != nil:
		return err
	}
	server := newServer(handler(data.store, files, log, config.site), log)
	fmt.Fprintf(out, "Turnout %s is running. Ctrl-C stops it.\n", currentVersion())
	_, port, _ := net.SplitHostPort(listener.Addr().String()) // PORT=0 means any free port
	fmt.Fprintf(out, "  Address   http://%s/\n", net.JoinHostPort(config.listen, port))
	if config.site.Origin != "" {
		fmt.Fprintf(out, "  SITE_URL  %s\n", config.site.Origin)
	}
	fmt.Fprintf(out, "  Data      %s\n", data.place)
	if data.maintain != nil {
		data.maintain(log) // after the lines above, because it logs
	}
	return serve(ctx, server, listener, out)
}

// handler routes requests as CloudFront does: to the API under /api, and otherwise to event pages and the site. It
// accepts this machine's host names and, if SITE_URL is set, the site's host name. A request for the health may have
// any host name, because containers have names of their own.
func handler(store event.Store, files []site.File, log *slog.Logger, c site.Config) http.Handler {
	service := event.NewService(store)
	api := httpapi.New(service, log, httpapi.Endpoints()...)
	pages := compressed(eventpage.NewHandler(service, log, c))
	cards := card.NewHandler(service, log)
	rest := site.NewHandler(files, codings...)
	web := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.SetVisitor(r.Header, "http://"+r.Host)
		switch {
		case !site.IsEventPage(r.URL.Path):
			rest.ServeHTTP(w, r)
		case strings.HasSuffix(r.URL.Path, "/"+site.CardName):
			cards.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
	names := []string{"127.0.0.1", "[::1]", "localhost"}
	if u, err := url.Parse(c.Origin); err == nil && c.Origin != "" {
		names = append(names, strings.TrimSuffix(u.Host, ":"+u.Port()))
	}
	named := httpapi.RequireHost(names, log, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAPI(r.URL.Path) {
			api.ServeHTTP(w, r)
		} else {
			web.ServeHTTP(w, r)
		}
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/api/health" {
			api.ServeHTTP(w, r)
		} else {
			named.ServeHTTP(w, r)
		}
	})
}

// isAPI reports whether the API, not the site, serves this path.
func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// newServer limits the time and memory that a client may take. It keeps idle connections for longer than a proxy does
// (Caddy keeps them for 2 minutes). If the server closes a connection while the proxy sends a request, the proxy
// responds with 502.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:        handler,
		ReadTimeout:    5 * time.Second, // ends a stalled body before the deadline of its request
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    3 * time.Minute,
		MaxHeaderBytes: 16 << 10, // bytes; API Gateway accepts 10 KB
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelError),

		DisableGeneralOptionsHandler: true, // net/http would respond to OPTIONS * for every Host
	}
}

// grace is the time that requests in flight have to finish after the server stops.
const grace = 10 * time.Second

// serve serves until ctx ends. Then it finishes the requests in flight.
func serve(ctx context.Context, server *http.Server, listener net.Listener, out io.Writer) error {
	// Shutdown closes idle connections. It waits seconds for connections that a browser has opened in advance and not
	// used, so close these here.
	var unused sync.Map
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if state == http.StateNew {
			unused.Store(conn, nil)
		} else {
			unused.Delete(conn)
		}
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	fmt.Fprintf(out, "Stopping. Requests in flight have %v to finish; Ctrl-C stops at once.\n", grace)
	for conn := range unused.Range {
		_ = conn.(net.Conn).Close()
	}
	finish, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if server.Shutdown(finish) != nil {
		return fmt.Errorf("stopped with requests that did not end in %v", grace)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
