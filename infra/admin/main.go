// Command admin is for operators of a stack: it erases, exports and imports events. It needs a region and
// credentials in the environment, with permissions to read and write the table.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"turnout/infra/erase"
	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/portable"
)

const usage = `usage:
  admin erase [-yes] TABLE EVENT_TOKEN
        shows an event, and erases it with all its RSVPs when its title is typed, or
        at once with -yes
  admin erase [-yes] -name NAME [-all] TABLE EVENT_TOKEN
        erases the RSVP of a guest; -all where several have that name
  admin export TABLE [FILE]
        writes all events to a new file, or to standard output without FILE
  admin import TABLE [FILE]
        adds the events of an export, from standard input without FILE, to a table
        that nobody uses yet
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := run(ctx, os.Args[1:], os.Getenv, time.Now(), os.Stdin, os.Stdout, os.Stderr)
	if errors.Is(err, erase.ErrUsage) {
		fmt.Fprint(os.Stderr, usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "admin:", err)
		os.Exit(1)
	}
}

// run carries out one command.
func run(ctx context.Context, arguments []string, getenv func(string) string, now time.Time, in io.Reader, out, log io.Writer) error {
	name, rest := "", []string{}
	if len(arguments) > 0 {
		name, rest = arguments[0], arguments[1:]
	}
	var command erase.Command
	if name == "erase" {
		var err error
		if command, rest, err = erase.Parse(rest, 1); err != nil {
			return err
		}
	} else if name != "export" && name != "import" || len(rest) < 1 || len(rest) > 2 {
		return erase.ErrUsage
	}
	table, files := rest[0], rest[1:]
	store, err := openTable(table, getenv)
	if err != nil {
		return err
	}
	switch name {
	case "erase":
		return command.Run(ctx, store, now, bufio.NewScanner(in), out)
	case "export":
		return portable.ExportFile(ctx, store, strings.Join(files, ""), out, log)
	}
	from, err := portable.Open(files, in)
	if err != nil {
		return err
	}
	defer from.Close()
	fmt.Fprintln(log, "Nobody may use the table yet: let the domain lead to it once the import has ended.")
	return portable.Import(ctx, store, from, log)
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
