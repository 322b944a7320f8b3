package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"turnout/internal/bolt"
	"turnout/internal/portable"
)

// exportEvents runs turnout export.
func exportEvents(arguments []string, c config) error {
	flags := flag.NewFlagSet("export", flag.ExitOnError)
	from, to := flags.String("from", c.file(), ""), flags.String("o", "", "")
	parse(flags, arguments, 0)
	store, err := bolt.OpenReadOnly(*from)
	if err != nil {
		return err
	}
	return errors.Join(portable.ExportFile(context.Background(), store, *to, os.Stdout, os.Stderr), store.Close())
}

// importEvents runs turnout import.
func importEvents(arguments []string, c config) error {
	flags := flag.NewFlagSet("import", flag.ExitOnError)
	parse(flags, arguments, 1)
	from, err := portable.Open(flags.Args(), os.Stdin)
	if err != nil {
		return err
	}
	defer from.Close()
	store, err := bolt.Open(c.file())
	if err != nil {
		return cannotOpen(c, err)
	}
	return errors.Join(portable.Import(context.Background(), store, from, os.Stderr), store.Close())
}

// parse ends the program with the usage if the arguments do not match it.
func parse(flags *flag.FlagSet, arguments []string, most int) {
	flags.Usage = usage
	_ = flags.Parse(arguments) // it ends the program
	if flags.NArg() > most {
		usage()
		os.Exit(2)
	}
}
