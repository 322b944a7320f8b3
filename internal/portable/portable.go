package portable

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"turnout/internal/event"
)

// A Store can be exported and imported. While it is, nothing else may write to it.
type Store interface {
	// EachToken calls do with the token of each event, expired and erased ones included. It stops
	// at the first error.
	EachToken(ctx context.Context, do func(event.Token) error) error

	// Record returns an event, or ErrEventNotFound.
	Record(ctx context.Context, token event.Token) (event.Record, error)

	// AddRecord stores an event whole or not at all. If a stored or erased event has the same
	// token, it changes nothing and returns ErrTokenTaken. After any other error the call can be repeated.
	AddRecord(ctx context.Context, r event.Record) error
}

// Export writes all events of a store, and its progress to log.
func Export(ctx context.Context, s Store, to, log io.Writer) error {
	c, err := export(ctx, s, to, log)
	if err == nil {
		fmt.Fprintln(log, "exported:", c)
	}
	return err
}

func export(ctx context.Context, s Store, to, log io.Writer) (c counts, err error) {
	w := bufio.NewWriter(to)
	err = writeLine(w, current)
	if err == nil {
		err = s.EachToken(ctx, func(token event.Token) error {
			r, err := s.Record(ctx, token)
			if errors.Is(err, event.ErrEventNotFound) { // DynamoDB's TTL may have removed the event just now
				return nil
			}
			if err == nil {
				err = write(w, r)
			}
			if err != nil {
				return fmt.Errorf("event %v: %w", token, err)
			}
			c.add(r, log)
			return nil
		})
	}
	if err == nil {
		err = errors.Join(line{End: &c}.write(w), w.Flush())
	}
	return c, err
}

// Check reads an export and returns its first error: the first error of a line, or an error for a truncated export.
func Check(from io.Reader) error { return read(from, func(event.Record) error { return nil }) }

// Import stores the events of an export that the store does not have, and writes its progress to
// log. If the store has an event with other content, the event stays as it is, and Import names it; in the
// end that is an error. At any other error the import stops; it can be repeated. Import stores each event
// as soon as it has read it, before it knows that the export is complete: see Check.
func Import(ctx context.Context, s Store, from io.Reader, log io.Writer) error {
	added, present, different := counts{}, 0, 0
	err := read(from, func(r event.Record) error {
		err := s.AddRecord(ctx, r)
		if err == nil {
			added.add(r, log)
			return nil
		}
		if !errors.Is(err, event.ErrTokenTaken) {
			return fmt.Errorf("event %v: %w", r.Token, err)
		}
		stored, err := s.Record(ctx, r.Token)
		switch {
		case err != nil:
			return fmt.Errorf("event %v: %w", r.Token, err)
		case reflect.DeepEqual(stored, r):
			present++
		default:
			different++
			fmt.Fprintf(log, "different, and left as it is: event %v\n", r.Token)
		}
		return nil
	})
	fmt.Fprintf(log, "imported: %v; already there %d, different %d\n", added, present, different)
	if err != nil {
		return fmt.Errorf("the import is incomplete: %w", err)
	}
	switch {
	case different == 1:
		return errors.New("1 event already exists with different content; it was not changed")
	case different > 1:
		return fmt.Errorf("%d events already exist with different content; they were not changed", different)
	}
	return nil
}

// ExportFile writes a store's events to a new file, or to out if file is empty, and its progress to log.
func ExportFile(ctx context.Context, s Store, file string, out, log io.Writer) error {
	if file == "" {
		return Export(ctx, s, out, log)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // os.O_EXCL: an export replaces no file
	if err != nil {
		return err
	}
	c, err := export(ctx, s, f, log)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return errors.Join(err, os.Remove(file))
	}
	fmt.Fprintln(log, "exported:", c) // what it says is on the disk
	return nil
}

// Open opens the export in the file that files names, or in if files is empty. Unless the export is a pipe, Open checks
// all of it first, and refuses it if it has a mistake.
func Open(files []string, in *os.File) (*os.File, error) {
	f := in
	if len(files) > 0 {
		var err error
		f, err = os.Open(files[0])
		if err != nil {
			return nil, err
		}
	}
	begin, pipe := f.Seek(0, io.SeekCurrent)
	if pipe != nil {
		return f, nil
	}
	err := Check(f)
	if err == nil {
		_, err = f.Seek(begin, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("nothing is imported from %s: %w", f.Name(), err), f.Close())
	}
	return f, nil
}
