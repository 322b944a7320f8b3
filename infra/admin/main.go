// Command admin is for operators of a stack: it erases events and RSVPs. It needs a region and
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
	"time"

	"turnout/infra/erase"
	"turnout/internal/dynamo"
	"turnout/internal/environment"
)

const usage = `usage:
  admin erase [-yes] TABLE EVENT_TOKEN
        shows an event, and erases it with all its RSVPs when its title is typed, or
        at once with -yes
  admin erase [-yes] -name NAME [-all] TABLE EVENT_TOKEN
        erases the RSVP of a guest; -all where several have that name
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, time.Now(), os.Stdin, os.Stdout)
	if errors.Is(err, erase.ErrUsage) {
		fmt.Fprint(os.Stderr, usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "admin:", err)
		os.Exit(1)
	}
}

// run carries out one command.
func run(ctx context.Context, arguments []string, getenv func(string) string, now time.Time, in io.Reader, out io.Writer) error {
	if len(arguments) == 0 || arguments[0] != "erase" {
		return erase.ErrUsage
	}
	command, tables, err := erase.Parse(arguments[1:], 1)
	if err != nil {
		return err
	}
	store, err := openTable(tables[0], getenv)
	if err != nil {
		return err
	}
	return command.Run(ctx, store, now, bufio.NewScanner(in), out)
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
