package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"turnout/internal/bolt"
	"turnout/internal/dynamo"
	"turnout/internal/environment"
)

// A place tells an operator's command where the events are: in the DynamoDB table with this name, or without a name in
// the server's file. The command checks its arguments before it opens the place.
type place struct {
	table  string
	getenv func(string) string
}

// open opens the events for changes, and creates a missing file.
func (p place) open() (*openData, error) {
	if p.table != "" {
		return p.openTable()
	}
	c, err := configFrom(p.getenv, false)
	if err != nil {
		return nil, err
	}
	isNew := !exists(c.file())
	store, err := bolt.Open(c.file())
	if err != nil {
		return nil, cannotOpen(c, err, "")
	}
	return &openData{store: store, place: c.file(), isNew: isNew, wipe: store.Wipe, close: store.Close}, nil
}

// openExisting opens the events for changes. It does not create a missing file.
func (p place) openExisting() (*openData, error) {
	if p.table == "" {
		c, err := configFrom(p.getenv, false)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(c.file()); err != nil {
			return nil, cannotOpen(c, err, "")
		}
	}
	return p.open()
}

// openReadOnly opens the events for reading, or the events in another file, such as a backup.
func (p place) openReadOnly(file string) (*openData, error) {
	switch {
	case p.table != "" && file != "":
		return nil, errUsage
	case p.table != "":
		return p.openTable()
	}
	var c config
	own := file == ""
	if own {
		var err error
		if c, err = configFrom(p.getenv, false); err != nil {
			return nil, err
		}
		file = c.file()
	}
	store, err := bolt.OpenReadOnly(file)
	switch {
	case err != nil && own:
		return nil, cannotOpen(c, err, ", or export a backup: -from "+bolt.BackupPath(file))
	case errors.Is(err, bolt.ErrInUse):
		return nil, fmt.Errorf("%w: wait until that process has ended, or export another file", err)
	case err != nil:
		return nil, err
	}
	return &openData{store: store, place: file, close: store.Close}, nil
}

// openTable opens the table with the credentials and the region in the environment, as a function does. Unlike for a
// function, the table is an argument, and AWS_DEFAULT_REGION is enough.
func (p place) openTable() (*openData, error) {
	env := environment.New(func(name string) string {
		switch name {
		case "TABLE_NAME":
			return p.table
		case "AWS_REGION":
			return cmp.Or(p.getenv(name), p.getenv("AWS_DEFAULT_REGION"))
		}
		return p.getenv(name)
	})
	config := dynamo.ConfigFrom(env)
	if err := env.Err(); err != nil {
		return nil, fmt.Errorf(`%w; for credentials: eval "$(aws configure export-credentials --format env)"`, err)
	}
	return dataOf(dynamo.Open(config), config), nil
}

// dataOf returns the open data of a table.
func dataOf(s *dynamo.Store, c dynamo.Config) *openData {
	place := fmt.Sprintf("the table %s in %s", c.Table, c.Region)
	if c.Endpoint != "" {
		place = fmt.Sprintf("the table %s at %s", c.Table, c.Endpoint)
	}
	return &openData{store: s, place: place, close: func() error { return nil }}
}
