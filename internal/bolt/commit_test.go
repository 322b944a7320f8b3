package bolt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/event"
)

// batch runs the writes in one commit, and returns the error of each write.
func (s *Store) batch(do ...func(*change) error) []error {
	writes := make([]*write, len(do))
	for i := range do {
		writes[i] = &write{ctx: context.Background(), do: do[i], done: make(chan error, 1)}
	}
	s.commit(append([]*write(nil), writes...))
	errs := make([]error, len(do))
	for i, w := range writes {
		errs[i] = <-w.done
	}
	return errs
}

func (s *Store) lastCommit(t *testing.T) int {
	t.Helper()
	tx, err := s.db.Begin(false)
	must(t, err)
	defer tx.Rollback()
	return tx.ID()
}

// TestWritersShareCommits: writes that arrive during a commit share the next commit.
func TestWritersShareCommits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const writers = 64
		s := openNew(t)
		token, organizer := createEvent(t, s, time.Now().Add(time.Hour))
		before := s.lastCommit(t)
		begun, release := make(chan struct{}), make(chan struct{})
		go func() {
			_ = s.write(t.Context(), func(*change) error {
				close(begun)
				<-release
				return nil
			})
		}()
		<-begun
		var done sync.WaitGroup
		for i := range writers {
			done.Go(func() {
				r := event.RSVP{ID: event.NewToken().RSVPID(), Name: fmt.Sprint("guest ", i)}
				if err := s.CreateRSVP(t.Context(), token, r); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait() // until all writes wait for the commit
		close(release)
		done.Wait()
		if commits := s.lastCommit(t) - before; commits != 1 {
			t.Errorf("%d commits for %d writers", commits, writers)
		}
		wantGuests(t, s, token, organizer, writers)
	})
}

// TestGatherIsBounded: the number of further writes for which the first write of a commit waits is bounded.
func TestGatherIsBounded(t *testing.T) {
	s := &Store{writes: make(chan *write, 2*maxBatch)}
	for range 2 * maxBatch {
		s.writes <- &write{}
	}
	if n := len(s.gather(<-s.writes)); n != maxBatch {
		t.Errorf("a commit of %d writes, want %d", n, maxBatch)
	}
}

// TestDefectFailsOneWrite: writes that share a commit with a defective write run again without it. The
// defective write leaves no trace.
func TestDefectFailsOneWrite(t *testing.T) {
	defect := errors.New("defect")
	half := func(end func() error) func(*change) error {
		return func(c *change) error {
			c.put(stateBucket, []byte("half"), []byte("written"))
			return end()
		}
	}
	s := openNew(t)
	good := func(key string) func(*change) error {
		return func(c *change) error {
			c.put(stateBucket, []byte(key), []byte(key))
			return c.err
		}
	}
	before := s.lastCommit(t)
	errs := s.batch(
		half(func() error { return defect }),
		good("a"),
		half(func() error { return defect }),
		good("b"),
		func(*change) error { return event.ErrEventNotFound },
		half(func() error { panic("defect") }),
		func(c *change) error { c.put(stateBucket, nil, nil); return c.err }, // bbolt refuses an empty key
		good("c"),
	)
	const none = "<nil>"
	for i, want := range []string{
		"defect", none, "defect", none, "event not found", "panic: defect", "key required", none,
	} {
		if got := fmt.Sprint(errs[i]); !strings.HasPrefix(got, want) {
			t.Errorf("write %d: %.40s, want %q", i, got, want)
		}
		if errors.Is(errs[i], event.ErrUnavailable) {
			t.Errorf("write %d: a defect is not unavailability: %v", i, errs[i])
		}
	}
	if commits := s.lastCommit(t) - before; commits != 1 {
		t.Errorf("%d commits, want 1", commits)
	}
	tx, err := s.db.Begin(false)
	must(t, err)
	defer tx.Rollback()
	for key, want := range map[string]bool{"a": true, "b": true, "c": true, "half": false} {
		if got := tx.Bucket(stateBucket).Get([]byte(key)) != nil; got != want {
			t.Errorf("%s is stored: %v, want %v", key, got, want)
		}
	}
}

// TestRepeatedWrite: a write that runs again because of a defect in the same commit has the same result as the first
// time. The guest signs up after the clock was set back, and after another guest who signed up at the last instant.
func TestRepeatedWrite(t *testing.T) {
	s := openNew(t)
	now := time.Now()
	expiresAt := now.Add(time.Hour)
	token, organizer := createEvent(t, s, expiresAt)
	createRSVP(t, s, token, "Ada", expiresAt)

	queue := &Store{db: s.db, writes: make(chan *write)}
	returned := make(chan error)
	ben := event.RSVP{ID: event.NewToken().RSVPID(), Name: "Ben", CreatedAt: now}
	go func() { returned <- queue.CreateRSVP(t.Context(), token, ben) }()
	s.commit([]*write{<-queue.writes, {
		ctx: t.Context(), done: make(chan error, 1),
		do: func(c *change) error { c.put(stateBucket, nil, nil); return c.err },
	}})
	if err := <-returned; err != nil {
		t.Error(err)
	}
	if last := wantGuests(t, s, token, organizer, 2)[1]; last.Name != "Ben" || !last.CreatedAt.Equal(expiresAt.Add(1)) {
		t.Error(last)
	}
}

// TestRefusalsCostNoCommit: refused and repeated writes are not written to the disk, because they change nothing.
func TestRefusalsCostNoCommit(t *testing.T) {
	s := openNew(t)
	token, organizer := createEvent(t, s, time.Now().Add(time.Hour))
	hash := createRSVP(t, s, token, "Ada", time.Now())
	must(t, s.CancelEvent(t.Context(), token, organizer, event.Cancellation{}, time.Now()))
	before := s.lastCommit(t)
	must(t, s.CreateRSVP(t.Context(), token, event.RSVP{ID: hash, Name: "Ada"}), // repeats the first RSVP
		s.CancelRSVP(t.Context(), token, event.RSVPID{}, time.Now()))
	if err := s.CreateRSVP(t.Context(), token, event.RSVP{Name: "Ben"}); err != event.ErrEventCancelled {
		t.Error(err)
	}
	if commits := s.lastCommit(t) - before; commits != 0 {
		t.Errorf("%d commits", commits)
	}
}

// TestWriteWhoseClientGaveUp: a write does not run once its client has given up.
func TestWriteWhoseClientGaveUp(t *testing.T) {
	s := openNew(t)
	token, organizer := createEvent(t, s, time.Now().Add(time.Hour))
	gaveUp, giveUp := context.WithCancel(t.Context())
	giveUp()
	w := &write{ctx: gaveUp, done: make(chan error, 1), do: func(*change) error { t.Error("was begun"); return nil }}
	s.commit([]*write{w})
	if err := <-w.done; !errors.Is(err, event.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wantGuests(t, s, token, organizer, 0)
}
