package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"turnout/internal/event"
)

// Store is an event.Store in a file. Open opens one.
type Store struct {
	db      *bbolt.DB
	writes  chan *write
	closing chan struct{}
	closed  chan struct{}
}

var _ event.Store = (*Store)(nil)

// Open opens the file at path, and creates it and its folder where they are
// missing. The file stays locked until Close: a second process is refused. The
// whole file is read once, so that what is wrong with it shows now and not in a
// request.
func Open(path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	db, err := openFile(path)
	if err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(eventsBucket)
		_, also := tx.CreateBucketIfNotExists(expiryBucket)
		return errors.Join(err, also)
	})
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	s := &Store{db, make(chan *write), make(chan struct{}), make(chan struct{})}
	go s.run()
	return s, nil
}

// Close finishes the writes that have begun and releases the file.
func (s *Store) Close() error {
	close(s.closing)
	<-s.closed
	return s.db.Close()
}

func openFile(path string) (db *bbolt.DB, err error) {
	// Reading past the end of a file that was cut short is a fault, not an error.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			db, err = nil, damaged(path, p)
		}
	}()
	db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%s is in use by another process", path)
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, err
	}
	if err != nil {
		return nil, damaged(path, err)
	}
	if err := check(db); err != nil {
		_ = db.Close()
		return nil, damaged(path, err)
	}
	return db, nil
}

func check(db *bbolt.DB) error {
	return db.View(func(tx *bbolt.Tx) (first error) {
		if file, err := os.Stat(db.Path()); err != nil || file.Size() < tx.Size() {
			return errors.Join(err, errors.New("the end is missing"))
		}
		for err := range tx.Check() {
			if first == nil {
				first = err
			}
		}
		return first
	})
}

func damaged(path string, why any) error {
	return fmt.Errorf("%s is damaged or not a Turnout file (%v): restore it from a copy, or move it away to begin anew", path, why)
}

// A write is one change, waiting for the commit that it shares with all that
// arrive while the commit before is still on its way to the disk.
type write struct {
	ctx context.Context

	// do returns as refused why it has changed nothing. What failed is a defect,
	// and takes the whole commit with it.
	do func(*bbolt.Tx) (refused, failed error)

	refused error
	done    chan error
}

// largestCommit bounds how long the first write of a commit waits for the others.
const largestCommit = 256

// write returns once the change is on disk, or refused, or certain not to be
// told in time. A change whose client has given up by then is not begun.
func (s *Store) write(ctx context.Context, do func(*bbolt.Tx) (refused, failed error)) error {
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

// run is the one writer.
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

// gather returns w and all who wait behind it.
func (s *Store) gather(w *write) []*write {
	batch := []*write{w}
	for len(batch) < largestCommit {
		select {
		case w := <-s.writes:
			batch = append(batch, w)
		default:
			return batch
		}
	}
	return batch
}

func (s *Store) commit(batch []*write) {
	err := s.update(func(tx *bbolt.Tx) error {
		for _, w := range batch {
			if err := w.ctx.Err(); err != nil {
				w.refused = unavailable(err)
				continue
			}
			var failed error
			if w.refused, failed = w.do(tx); failed != nil {
				return failed
			}
		}
		return nil
	})
	for _, w := range batch {
		if err != nil {
			w.refused = unavailable(err)
		}
		w.done <- w.refused
	}
}

// update commits what do has changed, or nothing where it fails or panics: the
// one writer must outlive a defect in one write.
func (s *Store) update(do func(*bbolt.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return s.db.Update(do)
}

func (s *Store) read(ctx context.Context, look func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return unavailable(err)
	}
	err := s.db.View(look)
	if errors.Is(err, bbolterrors.ErrDatabaseNotOpen) {
		return unavailable(err)
	}
	return err
}

func unavailable(why error) error {
	return fmt.Errorf("%w: %w", event.ErrUnavailable, why)
}
