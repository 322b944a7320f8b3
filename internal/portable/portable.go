package portable

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"turnout/internal/event"
)

// Export writes all events of a store. After each event it calls progress with the counts so far.
func Export(ctx context.Context, s Store, to io.Writer, progress func(Counts)) (counts Counts, err error) {
	w := bufio.NewWriter(to)
	if err := (line{Format: format, Version: version}).write(w); err != nil {
		return counts, err
	}
	for token, err := range s.Tokens(ctx) {
		if err != nil {
			return counts, err
		}
		r, err := s.Record(ctx, token)
		if errors.Is(err, event.ErrEventNotFound) { // DynamoDB's TTL has just removed it
			continue
		}
		if err == nil {
			err = r.write(w)
		}
		if err != nil {
			return counts, fmt.Errorf("event %v: %w", token, err)
		}
		counts.add(r)
		progress(counts)
	}
	return counts, errors.Join((line{End: &counts}).write(w), w.Flush())
}

// Check reads an export, and returns its counts, or its first error.
func Check(from io.Reader) (counts Counts, err error) {
	for r, err := range read(from) {
		if err != nil {
			return counts, err
		}
		counts.add(r)
	}
	return counts, nil
}

// Result is what an import has done with the events of an export, erased ones included.
type Result struct {
	Added     Counts
	Present   int           // the store had the same
	Different []event.Token // the store has another version, which stays as it is
}

func (r Result) String() string {
	return fmt.Sprintf("%v; already there %d, different %d", r.Added, r.Present, len(r.Different))
}

// Import stores all events of an export that the store does not have. It stops at the first error;
// what it has stored stays, and the import can be repeated. Events are stored as they are read:
// whether the export is complete is known at its end only, see Check. After each event it calls
// progress with the result so far.
func Import(ctx context.Context, s Store, from io.Reader, progress func(Result)) (result Result, err error) {
	for r, err := range read(from) {
		if err != nil {
			return result, err
		}
		err = s.AddRecord(ctx, r)
		if err == nil {
			result.Added.add(r)
		} else if errors.Is(err, event.ErrTokenTaken) {
			var same bool
			if same, err = holds(ctx, s, r); same {
				result.Present++
			} else if err == nil {
				result.Different = append(result.Different, r.Token)
			}
		}
		if err != nil {
			return result, fmt.Errorf("event %v: %w", r.Token, err)
		}
		progress(result)
	}
	return result, nil
}

// holds reports whether a store has just this version of an event.
func holds(ctx context.Context, s Store, r Record) (bool, error) {
	stored, err := s.Record(ctx, r.Token)
	if err != nil {
		return false, err
	}
	var has, wants bytes.Buffer
	err = errors.Join(stored.write(&has), r.write(&wants))
	return bytes.Equal(has.Bytes(), wants.Bytes()), err
}
