package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"turnout/internal/bolt"
	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamodblocal"
	"turnout/internal/environment"
	"turnout/internal/event"
)

// config is the configuration, read from the environment.
type config struct {
	port    string
	dataDir string
	siteURL string // empty without a proxy
	table   dynamo.Config
}

func configFrom(getenv func(string) string, onDynamoDB bool) (config, error) {
	env := environment.New(func(name string) string { return cmp.Or(getenv(name), tableDefaults[name]) })
	c := config{port: env.Port("PORT", "3000"), siteURL: env.Origin("SITE_URL")}
	if onDynamoDB {
		c.table = dynamo.ConfigFrom(env)
	} else {
		c.dataDir = env.Optional("DATA_DIR", ".local")
	}
	return c, env.Err()
}

var tableDefaults = map[string]string{
	"TABLE_NAME":            "turnout",
	"AWS_REGION":            "local",
	"AWS_ACCESS_KEY_ID":     "local",
	"AWS_SECRET_ACCESS_KEY": "local",
}

// openStore opens one of the two kinds of store. It returns where the data is, in
// words, and how to close it.
type openStore func(context.Context, config, *slog.Logger) (store event.Store, data string, closeStore func() error, err error)

// openFile opens the embedded store. It is swept and backed up until ctx ends.
func openFile(ctx context.Context, c config, log *slog.Logger) (event.Store, string, func() error, error) {
	path := filepath.Join(c.dataDir, "turnout.db")
	store, err := bolt.Open(path)
	switch {
	case errors.Is(err, bolt.ErrInUse):
		return nil, "", nil, alreadyRunning(c)
	case err != nil:
		return nil, "", nil, fmt.Errorf("cannot open the data: %w", err)
	}
	_ = os.Remove(c.urlFile()) // of a server that was killed
	ctx, stop := context.WithCancel(ctx)
	var maintenance sync.WaitGroup
	maintenance.Go(func() {
		store.SweepHourly(ctx, func(err error) { log.Error("sweep failed", "error", err) })
	})
	now := make(chan os.Signal, 1)
	if len(backupSignals) > 0 { // Notify without signals means all of them
		signal.Notify(now, backupSignals...)
	}
	maintenance.Go(func() {
		store.BackupDaily(ctx, now, func(err error) {
			if err != nil {
				log.Error("backup failed", "error", err)
			} else {
				log.Info("backup written", "path", store.BackupPath())
			}
		})
	})
	closeStore := func() error {
		stop()
		maintenance.Wait()
		return store.Close()
	}
	return store, path, closeStore, nil
}

// urlFile names the file, beside the data, in which a running server leaves its URL.
func (c config) urlFile() string { return filepath.Join(c.dataDir, "turnout.url") }

func alreadyRunning(c config) error {
	at := ""
	if url, err := os.ReadFile(c.urlFile()); err == nil {
		at = " at " + string(url)
	}
	return fmt.Errorf("already running%s with the data in %s: stop it first, or start a second one with its data in another folder (DATA_DIR) and on another port (PORT)", at, c.dataDir)
}

// openDynamoDB opens a table in the DynamoDB that AWS_ENDPOINT_URL_DYNAMODB
// names, or in a DynamoDB Local of its own, and makes it where it is missing.
func openDynamoDB(ctx context.Context, c config, _ *slog.Logger) (event.Store, string, func() error, error) {
	stop := func() error { return nil }
	if c.table.Endpoint == "" {
		server, err := dynamodblocal.StartAt(ctx, "127.0.0.1", "0")
		if err != nil {
			return nil, "", nil, err
		}
		c.table.Endpoint, stop = server.Endpoint(), server.Stop
	}
	store := dynamo.Open(c.table)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := store.CreateTable(ctx); err != nil {
		_ = stop()
		if errors.Is(err, event.ErrUnavailable) {
			return nil, "", nil, fmt.Errorf("DynamoDB at %s does not answer (AWS_ENDPOINT_URL_DYNAMODB): %w", c.table.Endpoint, err)
		}
		return nil, "", nil, fmt.Errorf("cannot create the table %s: %w", c.table.Table, err)
	}
	return store, fmt.Sprintf("table %s at %s", c.table.Table, c.table.Endpoint), stop, nil
}
