package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"turnout/internal/event"
)

// errUsage means that the arguments do not match the usage.
var errUsage = errors.New("wrong arguments")

// An erasure is parsed from the arguments [-yes] [-name NAME [-all]] EVENT_TOKEN.
type erasure struct {
	Token event.Token
	Name  string // of the guest; the whole event if empty
	All   bool   // every guest of that name
	Yes   bool   // without a question
}

// An eraser is an event.Store that can erase; storetest.Eraser documents the methods.
type eraser interface {
	GetEvent(ctx context.Context, token event.Token) (event.Event, error)
	EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error)
	EraseRSVPs(ctx context.Context, token event.Token, name string, all bool, now time.Time) (int, error)
}

// parseErase reads the arguments.
func parseErase(arguments []string) (c erasure, err error) {
	flags := flag.NewFlagSet("erase", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&c.Name, "name", "", "")
	flags.BoolVar(&c.All, "all", false, "")
	flags.BoolVar(&c.Yes, "yes", false, "")
	if err := flags.Parse(arguments); err != nil {
		return c, fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() != 1 {
		return c, errUsage
	}
	// If the shell has no variable NAME, -name "$NAME" would erase the event.
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			err = fmt.Errorf("%w: -%s is empty", errUsage, f.Name)
		}
	})
	if c.All && c.Name == "" {
		err = errors.Join(err, fmt.Errorf("%w: -all without -name would erase the event", errUsage))
	}
	if err != nil {
		return c, err
	}
	token, ok := event.ParseToken(flags.Arg(0))
	if !ok {
		return c, fmt.Errorf("%q is not an event token", flags.Arg(0))
	}
	c.Token = token
	return c, nil
}

// run shows the event and erases, once its title has been typed, or with Yes. An event without
// details, which nobody can read, may have leftovers: they are erased without a question.
func (c erasure) run(ctx context.Context, store eraser, now time.Time, in *bufio.Scanner, out io.Writer) error {
	e, err := store.GetEvent(ctx, c.Token)
	switch {
	case err == nil:
		fmt.Fprintf(out, "%q, %s, RSVPs: %d\n", e.Title, e.DateTime, e.AttendeeCount)
		if !c.Yes && !confirmed(e.Title, in, out) {
			return errors.New("that is not the title: nothing is erased")
		}
	case !errors.Is(err, event.ErrEventNotFound):
		return err
	}
	if c.Name == "" {
		n, err := store.EraseEvent(ctx, c.Token, now)
		if n > 0 {
			fmt.Fprintf(out, "items erased: %d\n", n)
		}
		return err
	}
	n, err := store.EraseRSVPs(ctx, c.Token, c.Name, c.All, now)
	if err == nil {
		fmt.Fprintf(out, "RSVPs erased: %d\n", n)
	}
	return err
}

// confirmed asks for the title. One with a line break cannot be typed: that takes -yes.
func confirmed(title string, in *bufio.Scanner, out io.Writer) bool {
	fmt.Fprint(out, "To erase for good, type the title of the event: ")
	return in.Scan() && strings.TrimSpace(in.Text()) == strings.TrimSpace(title)
}
