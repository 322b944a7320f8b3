// Command admin is for operators of a stack: it restores events into its table, finds
// junk events, and erases events and RSVPs. It needs a region and credentials in the
// environment, with rights to read and write the table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/event"
)

const usage = `usage:
  admin restore [-event TOKEN] [-guests=false] FROM TABLE
        copies the events that TABLE does not hold from another table; one that was
        erased only with -event
  admin empty [-created-before 2026-01-31] [-after 2036-01-31] [-guests 0] [-erase] TABLE
        lists events whose date lies after a day with so many RSVPs at most; erases
        them, if asked to
  admin erase TABLE EVENT_TOKEN
        erases an event with all its RSVPs
  admin erase -name NAME [-all] TABLE EVENT_TOKEN
        erases the RSVP of a guest; -all where several have that name
`

// errUsage means that the arguments do not match the usage.
var errUsage = errors.New("wrong arguments")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, time.Now(), os.Stdout)
	if errors.Is(err, errUsage) {
		fmt.Fprint(os.Stderr, usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "admin:", err)
		os.Exit(1)
	}
}

// run carries out one command.
func run(ctx context.Context, arguments []string, getenv func(string) string, now time.Time, out io.Writer) error {
	commands := map[string]func(context.Context, *flag.FlagSet, []string, func(string) (*dynamo.Store, error), time.Time, io.Writer) error{
		"restore": restore, "empty": empty, "erase": erase,
	}
	if len(arguments) == 0 || commands[arguments[0]] == nil {
		return errUsage
	}
	flags := flag.NewFlagSet(arguments[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	open := func(table string) (*dynamo.Store, error) { return openTable(table, getenv) }
	return commands[arguments[0]](ctx, flags, arguments[1:], open, now, out)
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

// parse reads flags, and requires that number of further arguments. The value of a flag must
// not be empty: if the shell has no variable NAME, -name "$NAME" would erase the event.
func parse(flags *flag.FlagSet, arguments []string, count int) (err error) {
	if err := flags.Parse(arguments); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() != count {
		return errUsage
	}
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			err = fmt.Errorf("%w: -%s is empty", errUsage, f.Name)
		}
	})
	return err
}

func restore(ctx context.Context, flags *flag.FlagSet, arguments []string, open func(string) (*dynamo.Store, error), now time.Time, out io.Writer) error {
	only := flags.String("event", "", "")
	guests := flags.Bool("guests", true, "")
	if err := parse(flags, arguments, 2); err != nil {
		return err
	}
	what := dynamo.Restore{From: flags.Arg(0), WithoutGuests: !*guests, Now: now}
	if *only != "" {
		token, err := parseToken(*only)
		if err != nil {
			return err
		}
		what.Event = &token
	}
	store, err := open(flags.Arg(1))
	if err != nil {
		return err
	}
	done, err := store.Restore(ctx, what)
	fmt.Fprintf(out, "events restored: %d, with %d RSVPs; there already: %d; expired: %d; erased: %d\n",
		done.Events, done.Guests, done.Present, done.Expired, done.Erased)
	switch {
	case errors.Is(err, event.ErrEventNotFound):
		return fmt.Errorf("%s does not hold this event", what.From)
	case err != nil:
		return fmt.Errorf("not finished, run it again to go on: %w", err)
	}
	return nil
}

func empty(ctx context.Context, flags *flag.FlagSet, arguments []string, open func(string) (*dynamo.Store, error), now time.Time, out io.Writer) error {
	created := flags.String("created-before", now.AddDate(0, -1, 0).Format(time.DateOnly), "")
	after := flags.String("after", now.AddDate(10, 0, 0).Format(time.DateOnly), "")
	guests := flags.Int("guests", 0, "")
	eraseThem := flags.Bool("erase", false, "")
	if err := parse(flags, arguments, 1); err != nil {
		return err
	}
	createdBefore, err := time.Parse(time.DateOnly, *created)
	if err != nil {
		return fmt.Errorf("-created-before must be a day such as 2026-01-31, not %q", *created)
	}
	day, err := time.Parse(time.DateOnly, *after)
	if err != nil {
		return fmt.Errorf("-after must be a day such as 2036-01-31, not %q", *after)
	}
	store, err := open(flags.Arg(0))
	if err != nil {
		return err
	}
	count := 0
	err = store.EmptyEvents(ctx, createdBefore, day.AddDate(0, 0, 7), *guests, func(e event.Event) error {
		fmt.Fprintf(out, "%s  created %s, date %s, RSVPs %d\n", e.Token, e.CreatedAt.Format(time.DateOnly), e.DateTime, e.AttendeeCount)
		if *eraseThem {
			if _, err := store.EraseEvent(ctx, e.Token, now); err != nil {
				return err
			}
		}
		count++
		return nil
	})
	verb := "found"
	if *eraseThem {
		verb = "erased"
	}
	fmt.Fprintf(out, "events %s: %d\n", verb, count)
	return err
}

func erase(ctx context.Context, flags *flag.FlagSet, arguments []string, open func(string) (*dynamo.Store, error), now time.Time, out io.Writer) error {
	name := flags.String("name", "", "")
	all := flags.Bool("all", false, "")
	if err := parse(flags, arguments, 2); err != nil {
		return err
	}
	if *all && *name == "" {
		return fmt.Errorf("%w: -all without -name would erase the event", errUsage)
	}
	token, err := parseToken(flags.Arg(1))
	if err != nil {
		return err
	}
	store, err := open(flags.Arg(0))
	if err != nil {
		return err
	}
	if *name == "" {
		items, err := store.EraseEvent(ctx, token, now)
		fmt.Fprintf(out, "items erased: %d\n", items)
		return err
	}
	found, err := store.RSVPsNamed(ctx, token, *name)
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return errors.New("the event has no guest of that name")
	case len(found) > 1 && !*all:
		return fmt.Errorf("%d guests have that name: -all erases every one of them", len(found))
	}
	for _, rsvp := range found {
		timed, cancel := context.WithTimeout(ctx, time.Minute)
		err := store.RemoveRSVP(timed, token, rsvp.Hash, now)
		cancel()
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "RSVPs erased: %d\n", len(found))
	return nil
}

func parseToken(s string) (event.Token, error) {
	token, ok := event.ParseToken(s)
	if !ok {
		return token, fmt.Errorf("%q is not an event token", s)
	}
	return token, nil
}
