package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"turnout/internal/bolt"
	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/event"
	"turnout/internal/portable"
	"turnout/internal/site"
)

// config is the server's configuration from the environment.
type config struct {
	listen  string // an IP address
	port    string
	dataDir string
	site    site.Config // without SITE_URL, the origin is empty
	table   dynamo.Config
}

func configFrom(getenv func(string) string, onDynamoDB bool) (config, error) {
	env := environment.New(func(name string) string { return cmp.Or(getenv(name), tableDefaults[name]) })
	c := config{
		listen: env.Address("LISTEN", "127.0.0.1"),
		port:   env.Port("PORT", "3000"),
		site:   site.Config{Origin: env.Origin("SITE_URL"), About: env.Link("ABOUT_URL")},
	}
	if onDynamoDB {
		c.table = dynamo.ConfigFrom(env)
		env.Required("AWS_ENDPOINT_URL_DYNAMODB") // a deployment owns tables on AWS, so require an emulator
	} else {
		c.dataDir = env.Optional("DATA_DIR", ".local")
	}
	return c, env.Err()
}

// servable returns an error if visitors would get links that they cannot open.
func (c config) servable() error {
	if isLoopback(c.listen) || c.site.Origin != "" {
		return nil
	}
	return fmt.Errorf("LISTEN=%s is reachable from outside, so SITE_URL is required, such as "+
		"https://turnout.example.org", c.listen)
}

// isLoopback reports whether only this machine can reach the IP address.
func isLoopback(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && ip.IsLoopback()
}

var tableDefaults = map[string]string{
	"TABLE_NAME":            "turnout",
	"AWS_REGION":            "local",
	"AWS_ACCESS_KEY_ID":     "local",
	"AWS_SECRET_ACCESS_KEY": "local",
}

// A store has all that the server and the operators' commands need. Both stores implement it.
type store interface {
	event.Store
	portable.Store
	eraser
}

// openData is an open store with its events.
type openData struct {
	store store
	place string       // a name for messages to people
	isNew bool         // whether opening has created the data
	wipe  func() error // overwrites erased data; nil for a table
	close func() error

	// maintain begins the sweeps and backups of a server, which end with close; nil for a table.
	maintain func(*slog.Logger)
}

// openFile opens the embedded store. The store's sweeps and backups also end with ctx.
func openFile(ctx context.Context, c config) (*openData, error) {
	store, err := bolt.Open(c.file())
	if err != nil {
		return nil, cannotOpen(c, err, ", or start a second one with its data in another folder (DATA_DIR) "+
			"and on another port (PORT)")
	}
	now := make(chan os.Signal, 1)
	if len(backupSignals) > 0 { // without signals, Notify would notify of all signals
		signal.Notify(now, backupSignals...)
	}
	ctx, stop := context.WithCancel(ctx)
	var maintenance sync.WaitGroup
	maintain := func(log *slog.Logger) {
		warnOfClock(log, time.Now(), store.Written())
		maintenance.Go(func() {
			store.SweepHourly(ctx, func(err error) { log.Error("sweep failed", "error", err) })
		})
		maintenance.Go(func() {
			store.BackupDaily(ctx, now, func(b bolt.Backup, err error) {
				if err != nil {
					log.Error("backup failed", "error", err)
					return
				}
				path := bolt.BackupPath(c.file())
				log.Info("backup written", "path", path, "events", b.Events, "rsvps", b.RSVPs, "bytes", b.Bytes)
			})
		})
	}
	closeStore := func() error {
		stop()
		maintenance.Wait()
		return store.Close()
	}
	return &openData{store: store, place: c.file(), close: closeStore, maintain: maintain}, nil
}

// warnOfClock says so if the clock and the time of the last write differ by more than a day. Either the server was off,
// or one of the two times is wrong.
func warnOfClock(log *slog.Logger, now, written time.Time) {
	off := now.Sub(written)
	way := "ahead of"
	if off < 0 {
		off, way = -off, "behind"
	}
	if off > 24*time.Hour {
		log.Warn("the clock is "+way+" the last write: if it is wrong, set it within an hour",
			"days", int(off.Hours()/24), "lastWrite", written.UTC().Truncate(time.Second))
	}
}

func (c config) file() string { return filepath.Join(c.dataDir, "turnout.db") }

// cannotOpen adds a remedy to an error from opening the data. The argument another is a second remedy if a server
// has the data open.
func cannotOpen(c config, err error, another string) error {
	switch {
	case errors.Is(err, bolt.ErrRestoring):
		return fmt.Errorf("a restore of the data in %s is already running: wait until it has ended", c.dataDir)
	case errors.Is(err, bolt.ErrInUse):
		return fmt.Errorf("a server or another command is already running with the data in %s: stop it first%s",
			c.dataDir, another)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot read and write the data in %s: give it to the server's user with chown, "+
			"or choose another folder (DATA_DIR): %w", c.dataDir, err)
	default:
		return fmt.Errorf("cannot open the data in %s (DATA_DIR): %w", c.dataDir, err)
	}
}

// openDynamoDB opens a table in the DynamoDB that AWS_ENDPOINT_URL_DYNAMODB names, and
// creates it if it is missing.
func openDynamoDB(ctx context.Context, c config) (*openData, error) {
	store := dynamo.Open(c.table)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	switch err := store.CreateTable(ctx); {
	case errors.Is(err, event.ErrUnavailable):
		return nil, fmt.Errorf("DynamoDB at %s does not answer (AWS_ENDPOINT_URL_DYNAMODB): %w", c.table.Endpoint, err)
	case err != nil:
		return nil, fmt.Errorf("cannot create the table %s: %w", c.table.Table, err)
	}
	return dataOf(store, c.table), nil
}
