package bolt

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// A write waits for the next commit, together with all writes that arrive while the previous commit is
// being written.
type write struct {
	ctx  context.Context
	do   func(*change) error
	err  error
	done chan error
}

// A change is one write's part of a commit.
type change struct {
	*bbolt.Tx
	made bool  // whether the change has put or deleted a value
	err  error // the first error of a put or delete
}

func (c *change) put(bucket, key, content []byte) {
	c.made = true
	c.err = errors.Join(c.err, c.Bucket(bucket).Put(key, appendChecksum(key, content)))
}

func (c *change) delete(bucket, key []byte) {
	c.made = true
	c.err = errors.Join(c.err, c.Bucket(bucket).Delete(key))
}

// maxBatch bounds the writes of a commit, and so the delay of the first of them.
const maxBatch = 256

// write runs do in the next commit. It returns once the commit is durable, or with the error of do. do may
// run again; a failed run is rolled back. If the commit fails, or ctx ends before the
// outcome is known, the error is ErrUnavailable. do does not run once ctx has ended.
func (s *Store) write(ctx context.Context, do func(*change) error) error {
	w := &write{ctx: ctx, do: do, done: make(chan error, 1)}
	select {
	case s.writes <- w:
	case <-s.closing:
		return event.ErrUnavailable
	case <-ctx.Done():
		return unavailable(ctx.Err())
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		return unavailable(ctx.Err())
	}
}

// run executes all writes, in one goroutine.
func (s *Store) run() {
	defer close(s.closed)
	for {
		select {
		case <-s.closing:
			return
		case w := <-s.writes:
			s.commit(s.gather(w))
		}
	}
}

// gather returns w and the writes queued behind it.
func (s *Store) gather(w *write) []*write {
	batch := []*write{w}
	for len(batch) < maxBatch {
		select {
		case w := <-s.writes:
			batch = append(batch, w)
		default:
			return batch
		}
	}
	return batch
}

// errUnchanged rolls back a commit that would change nothing.
var errUnchanged = errors.New("nothing has changed")

// commit answers every write of the batch. A write that fails after a change is removed, and
// the others run again without it.
func (s *Store) commit(batch []*write) {
	failed, err := s.attempt(batch)
	for failed != nil {
		failed.done <- failed.err
		batch = slices.DeleteFunc(batch, func(w *write) bool { return w == failed })
		failed, err = s.attempt(batch)
	}
	for _, w := range batch {
		if err != nil { // the failed commit may have stored the reason for a refusal
			w.err = unavailable(err)
		}
		w.done <- w.err
	}
}

// attempt runs the batch in one commit. If a write fails after a change, nothing is stored, and attempt
// returns that write. Otherwise err is the error of the commit.
func (s *Store) attempt(batch []*write) (failed *write, err error) {
	err = recovered(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			changed := false
			for _, w := range batch {
				c := &change{Tx: tx}
				w.err = w.apply(c)
				if w.err != nil && c.made {
					failed = w
					return w.err
				}
				changed = changed || c.made
			}
			if !changed {
				return errUnchanged
			}
			return nil
		})
	})
	if failed != nil || errors.Is(err, errUnchanged) {
		return failed, nil
	}
	s.failing.Store(err != nil)
	return nil, err
}

func (w *write) apply(c *change) error {
	if err := w.ctx.Err(); err != nil {
		return unavailable(err)
	}
	return recovered(func() error { return w.do(c) })
}

// recovered turns a panic into an error, because a defect must not end the goroutine of all writes.
func recovered(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

func unavailable(why error) error {
	return fmt.Errorf("%w: %w", event.ErrUnavailable, why)
}
