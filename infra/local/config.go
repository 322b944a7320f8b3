package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"turnout/internal/bolt"
	"turnout/internal/boot"
	"turnout/internal/dynamo"
	"turnout/internal/event"

	"turnout/internal/dynamodblocal"
)

// openStore is one of the two kinds of store: it returns where the data is, in
// words, and how to close it.
type openStore func(ctx context.Context, getenv func(string) string) (store event.Store, data string, closeStore func() error, err error)

// openFile opens the embedded store in the folder that DATA_DIR names.
func openFile(ctx context.Context, getenv func(string) string) (event.Store, string, func() error, error) {
	path := filepath.Join(cmp.Or(getenv("DATA_DIR"), ".local"), "turnout.db")
	store, err := bolt.Open(path)
	if err != nil {
		return nil, "", nil, fmt.Errorf("cannot open the data: %w", err)
	}
	go sweep(ctx, store)
	return store, path, store.Close, nil
}

// sweep removes expired events now and every hour, as DynamoDB's TTL does. What
// goes wrong with one sweep is left to the next.
func sweep(ctx context.Context, store *bolt.Store) {
	for {
		_ = store.Sweep(ctx, time.Now())
		select {
		case <-time.After(time.Hour):
		case <-ctx.Done():
			return
		}
	}
}

// openDynamoDB opens a table in the DynamoDB that AWS_ENDPOINT_URL_DYNAMODB
// names, or in a DynamoDB Local of its own, and makes it where it is missing.
func openDynamoDB(ctx context.Context, getenv func(string) string) (event.Store, string, func() error, error) {
	defaults := map[string]string{
		"TABLE_NAME":            "turnout",
		"AWS_REGION":            "local",
		"AWS_ACCESS_KEY_ID":     "local",
		"AWS_SECRET_ACCESS_KEY": "local",
	}
	stop := func() error { return nil }
	if getenv("AWS_ENDPOINT_URL_DYNAMODB") == "" {
		server, err := dynamodblocal.Start(ctx)
		if err != nil {
			return nil, "", nil, err
		}
		defaults["AWS_ENDPOINT_URL_DYNAMODB"], stop = server.Endpoint(), server.Stop
	}
	config, err := boot.DynamoDB(func(name string) string { return cmp.Or(getenv(name), defaults[name]) })
	store := dynamo.Open(config)
	if err == nil {
		err = store.CreateTable(ctx)
	}
	if err != nil {
		_ = stop()
		return nil, "", nil, fmt.Errorf("cannot make the table %s: %w", config.Table, err)
	}
	return store, fmt.Sprintf("table %s at %s", config.Table, config.Endpoint), stop, nil
}

func portFrom(value string) (string, error) {
	value = cmp.Or(value, "3000")
	if _, err := strconv.ParseUint(value, 10, 16); err != nil {
		return "", fmt.Errorf("PORT must be a number from 0 to 65535, is %q", value)
	}
	return value, nil
}
