// Command admin is for operators of a stack: it erases, exports and imports events. It needs a region and
// credentials in the environment, with permissions to read and write the table.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"turnout/infra/erase"
	"turnout/infra/move"
	"turnout/internal/dynamo"
	"turnout/internal/environment"
)

const usage = `usage:
  admin erase [-yes] TABLE EVENT_TOKEN
        shows an event, and erases it with all its RSVPs when its title is typed, or
        at once with -yes
  admin erase [-yes] -name NAME [-all] TABLE EVENT_TOKEN
        erases the RSVP of a guest; -all where several have that name
  admin export [-o FILE] TABLE
        writes all events to standard output, or to a new file
  admin import TABLE [FILE]
        adds the events of an export, from standard input without FILE, to a table
        that nobody uses yet
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := run(ctx, os.Args[1:], os.Getenv, time.Now(), os.Stdin, os.Stdout, os.Stderr)
	if errors.Is(err, erase.ErrUsage) || errors.Is(err, move.ErrUsage) {
		fmt.Fprint(os.Stderr, usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "admin:", err)
		os.Exit(1)
	}
}

// run carries out one command.
func run(ctx context.Context, arguments []string, getenv func(string) string, now time.Time, in io.Reader, out, log io.Writer) error {
	if len(arguments) == 0 {
		return erase.ErrUsage
	}
	switch name, rest := arguments[0], arguments[1:]; name {
	case "erase":
		return eraseFrom(ctx, rest, getenv, now, in, out)
	case "export":
		return exportFrom(ctx, rest, getenv, out, log)
	case "import":
		return importInto(ctx, rest, getenv, in, log)
	}
	return erase.ErrUsage
}

func eraseFrom(ctx context.Context, arguments []string, getenv func(string) string, now time.Time, in io.Reader, out io.Writer) error {
	command, tables, err := erase.Parse(arguments, 1)
	if err != nil {
		return err
	}
	store, err := openTable(tables[0], getenv)
	if err != nil {
		return err
	}
	return command.Run(ctx, store, now, bufio.NewScanner(in), out)
}

func exportFrom(ctx context.Context, arguments []string, getenv func(string) string, out, log io.Writer) error {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	file := flags.String("o", "", "")
	tables, err := move.Parse(flags, arguments, 1, 1)
	if err != nil {
		return err
	}
	store, err := openTable(tables[0], getenv)
	if err != nil {
		return err
	}
	return move.Export(ctx, store, *file, out, log)
}

func importInto(ctx context.Context, arguments []string, getenv func(string) string, in io.Reader, log io.Writer) error {
	names, err := move.Parse(flag.NewFlagSet("import", flag.ContinueOnError), arguments, 1, 2)
	if err != nil {
		return err
	}
	store, err := openTable(names[0], getenv)
	if err != nil {
		return err
	}
	from, err := move.Open(strings.Join(names[1:], ""), in)
	if err != nil {
		return err
	}
	defer from.Close()
	fmt.Fprintln(log, "Nobody may use the table yet: let the domain lead to it once the import has ended.")
	return move.Import(ctx, store, from, log)
}

// openTable opens a table with the environment's credentials and region. Unlike
// for a function, AWS_DEFAULT_REGION suffices, and the table is an argument.
func openTable(table string, getenv func(string) string) (*dynamo.Store, error) {
	env := environment.New(func(name string) string {
		switch value := getenv(name); {
		case name == "TABLE_NAME":
			return table
		case name == "AWS_REGION" && value == "":
			return getenv("AWS_DEFAULT_REGION")
		default:
			return value
		}
	})
	config := dynamo.ConfigFrom(env)
	if err := env.Err(); err != nil {
		return nil, fmt.Errorf(`%w; for credentials: eval "$(aws configure export-credentials --format env)"`, err)
	}
	return dynamo.Open(config), nil
}
