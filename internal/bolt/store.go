package bolt

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"turnout/internal/event"
)

// Store is an event.Store in a file. Open opens a Store.
type Store struct {
	db      *bbolt.DB
	file    *os.File // of db
	path    string
	written time.Time
	writes  chan *write
	close   sync.Once
	closing chan struct{}
	closed  chan struct{}

	// failing is set if the last commit has not reached the disk.
	failing atomic.Bool
}

var _ event.Store = (*Store)(nil)

// Written returns the time at which the file was last written before it was opened. A new file was written just
// now. A server with events writes once an hour (sweep).
func (s *Store) Written() time.Time { return s.written }

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
