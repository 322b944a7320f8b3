package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// partlyFree makes a file in which that many bytes are used, and that many free. It
// returns an event in it, with one guest.
func partlyFree(t *testing.T, used, free int) (path string, kept event.Token, organizer event.Hash) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "turnout.db")
	s := open(t, path)
	kept, organizer = newEvent(t, s, time.Now().Add(time.Hour))
	addRSVP(t, s, kept, "Ada", time.Now())
	for bytes, expiresAt := range map[int]time.Time{used: time.Now().Add(time.Hour), free: time.Unix(0, 0)} {
		token, _ := newEvent(t, s, expiresAt)
		const size = 20_000
		errs := s.batch(func(c *change) error {
			for range bytes / size {
				c.put(itemsBucket, rsvpKey(token, event.NewToken().Hash()), rsvp{name: make([]byte, size)}.encode())
			}
			c.put(itemsBucket, counterKey(token), counter{rsvps: uint64(bytes / size)}.encode())
			return c.err
		})
		must(t, errs...)
	}
	sweepNext(t, s)
	must(t, s.Close())
	return path, kept, organizer
}

// TestStartCompacts: a start returns the space of a file that is mostly free, also if
// a start before it was interrupted. Rewriting others would return little.
func TestStartCompacts(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		used, free int // bytes
		shrinks    bool
	}{
		"mostly free":            {2 * mb, 3 * mb, true},
		"mostly used":            {3 * mb, 2 * mb, false},
		"mostly free, of 1 MB":   {0, compactFrom / 2, true},
		"small, and mostly free": {0, compactFrom / 4, false},
	} {
		path, kept, organizer := partlyFree(t, c.used, c.free)
		before, err := os.Stat(path)
		must(t, err)
		must(t, os.WriteFile(path+".compact", []byte("half a file"), 0o600))
		s := open(t, path)
		after, err := os.Stat(path)
		if err != nil || after.Size() < before.Size() != c.shrinks || os.SameFile(before, after) == c.shrinks {
			t.Errorf("%s: %d bytes after %d, %v", name, after.Size(), before.Size(), err)
		}
		addRSVP(t, s, kept, "Ben", time.Now())
		if _, err := Open(path); !errors.Is(err, ErrInUse) || err.Error() != path+" is in use by another process" {
			t.Errorf("%s: a second start: %v", name, err)
		}
		must(t, s.Close(), check(path))
		wantGuests(t, open(t, path), kept, organizer, 2)
	}
}

// TestWaitingStartsGetTheNewFile: those that wait for the lock of a file that is
// replaced meanwhile open the one that has its name.
func TestWaitingStartsGetTheNewFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path, kept, organizer := partlyFree(t, 0, 2*compactFrom)
		first, err := lock(path, bbolt.Options{ReadOnly: true}) // lets the second check the file
		must(t, err)
		second := make(chan *Store)
		go func() {
			s, err := Open(path)
			if err != nil {
				t.Error(err)
			}
			second <- s
		}()
		synctest.Wait() // until it waits for the lock to write
		must(t, compact(first, path).Close())
		s := <-second
		addRSVP(t, s, kept, "Ben", time.Now())
		must(t, s.Close())
		s = open(t, path)
		defer s.Close()
		wantGuests(t, s, kept, organizer, 2) // the old file would have one
	})
}
