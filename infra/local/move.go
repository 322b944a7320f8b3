package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"turnout/infra/move"
	"turnout/internal/bolt"
)

const moveUsage = `usage:
  turnout export [-from FILE] [-o FILE]
        writes all events to standard output, or to a new file. They are read from the
        data in DATA_DIR, or from FILE, such as a backup beside a running server
  turnout import [FILE]
        adds the events of an export, from standard input without FILE, to the data
The server must be stopped. DATA_DIR is its folder.
`

// moveMain runs turnout export or turnout import.
func moveMain(command string, arguments []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	run := exportData
	if command == "import" {
		run = importData
	}
	err := run(ctx, arguments, os.Getenv)
	if errors.Is(err, move.ErrUsage) {
		fmt.Fprint(os.Stderr, moveUsage)
	}
	return err
}

func exportData(ctx context.Context, arguments []string, getenv func(string) string) error {
	var from, to string
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.StringVar(&from, "from", "", "")
	flags.StringVar(&to, "o", "", "")
	if _, err := move.Parse(flags, arguments, 0, 0); err != nil {
		return err
	}
	config, err := configFrom(getenv, false)
	if err != nil {
		return err
	}
	var store *bolt.Store
	if from != "" {
		store, err = bolt.OpenReadOnly(from)
	} else if store, err = bolt.OpenReadOnly(config.file()); err != nil {
		err = cannotOpen(config, err)
	}
	if err != nil {
		return err
	}
	return errors.Join(move.Export(ctx, store, to, os.Stdout, os.Stderr), store.Close())
}

func importData(ctx context.Context, arguments []string, getenv func(string) string) error {
	files, err := move.Parse(flag.NewFlagSet("import", flag.ContinueOnError), arguments, 0, 1)
	if err != nil {
		return err
	}
	config, err := configFrom(getenv, false)
	if err != nil {
		return err
	}
	from, err := move.Open(strings.Join(files, ""), os.Stdin)
	if err != nil {
		return err
	}
	defer from.Close()
	store, err := bolt.Open(config.file())
	if err != nil {
		return cannotOpen(config, err)
	}
	return errors.Join(move.Import(ctx, store, from, os.Stderr), store.Close())
}
