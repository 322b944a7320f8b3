// Package move has the commands by which operators of a stack (infra/admin) and of one machine
// (infra/local) export and import events.
package move

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"turnout/internal/portable"
)

// ErrUsage means that the arguments do not match the usage.
var ErrUsage = errors.New("wrong arguments")

// Parse sets flags from the arguments, and returns the others, of which there must be from least
// to most, none empty.
func Parse(flags *flag.FlagSet, arguments []string, least, most int) ([]string, error) {
	flags.SetOutput(io.Discard)
	if err := flags.Parse(arguments); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	empty := slices.Contains(flags.Args(), "") // such as "$FILE" where the shell has no such variable
	flags.Visit(func(f *flag.Flag) { empty = empty || f.Value.String() == "" })
	if n := flags.NArg(); empty || n < least || n > most {
		return nil, ErrUsage
	}
	return flags.Args(), nil
}

// Export writes a store's events to a new file, or to out if file is empty. It reports its progress
// to log.
func Export(ctx context.Context, store portable.Store, file string, out, log io.Writer) (err error) {
	if file != "" {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // never the data
		if err != nil {
			return err
		}
		defer func() {
			if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
				_ = os.Remove(file)
			}
		}()
		out = f
	}
	report := progress(log)
	counts, err := portable.Export(ctx, store, out, func(c portable.Counts) { report(c.Lines(), c) })
	if err == nil {
		fmt.Fprintf(log, "exported: %v\n", counts)
	}
	return err
}

// Open opens an export, which is in if file is empty. A file is read once before: an incomplete one
// is refused.
func Open(file string, in io.Reader) (io.ReadCloser, error) {
	if file == "" {
		return io.NopCloser(in), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	if _, err = portable.Check(f); err == nil {
		_, err = f.Seek(0, io.SeekStart) // a pipe belongs to the standard input
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("nothing is imported: %s: %w", file, err), f.Close())
	}
	return f, nil
}

// Import stores the events of an export. It reports its progress to log, with the events that the
// store has in another version.
func Import(ctx context.Context, store portable.Store, from io.Reader, log io.Writer) error {
	report := progress(log)
	result, err := portable.Import(ctx, store, from, func(r portable.Result) { report(r.Added.Lines(), r) })
	fmt.Fprintf(log, "imported: %v\n", result)
	for _, token := range result.Different {
		fmt.Fprintf(log, "different, and left as it is: %v\n", token)
	}
	switch {
	case err != nil:
		return fmt.Errorf("the import is incomplete: %w", err)
	case len(result.Different) > 0:
		return fmt.Errorf("events that the target has in another version: %d", len(result.Different))
	}
	return nil
}

// progress returns a function that prints a state after each so many lines.
func progress(log io.Writer) func(lines int, state fmt.Stringer) {
	const each = 10_000
	next := each
	return func(lines int, state fmt.Stringer) {
		if lines >= next {
			fmt.Fprintln(log, state)
			next = lines + each
		}
	}
}
