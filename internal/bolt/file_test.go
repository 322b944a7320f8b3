package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newEvent(t testing.TB, s *Store, expiresAt time.Time) (event.Token, event.Hash) {
	t.Helper()
	organizer := event.NewToken().Hash()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC", ExpiresAt: expiresAt}
	if err := s.AddEvent(t.Context(), e, organizer); err != nil {
		t.Fatal(err)
	}
	return e.Token, organizer
}

func TestOpenRefusesWhatItCannotUse(t *testing.T) {
	folder := t.TempDir()
	whole := filepath.Join(folder, "whole.db")
	s, err := Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		newEvent(t, s, time.Now())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"text":           func([]byte) []byte { return []byte("no database\n") },
		"cut in half":    func(c []byte) []byte { return c[:len(c)/2] },
		"cut to a page":  func(c []byte) []byte { return c[:os.Getpagesize()] },
		"both heads bad": func(c []byte) []byte { return append(make([]byte, 2*os.Getpagesize()), c[2*os.Getpagesize():]...) },
		"body erased": func(c []byte) []byte {
			return append(c[:2*os.Getpagesize():2*os.Getpagesize()], make([]byte, len(c)-2*os.Getpagesize())...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name+".db")
			if err := os.WriteFile(path, damage(append([]byte(nil), content...)), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path)
			if err == nil {
				_ = s.Close()
				t.Fatal("was opened")
			}
			if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, "is damaged") || strings.Contains(text, "\n") {
				t.Errorf("message: %v", err)
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		if s, err := Open(folder); err == nil {
			_ = s.Close()
			t.Fatal("was opened")
		}
	})
	t.Run("in use", func(t *testing.T) {
		open(t, whole)
		_, err := Open(whole)
		if err == nil || !strings.Contains(err.Error(), "in use by another process") {
			t.Errorf("message: %v", err)
		}
	})
}

// TestWritersShareCommits: those who arrive during a commit go into the next together.
func TestWritersShareCommits(t *testing.T) {
	const writers = 64
	s := open(t, filepath.Join(t.TempDir(), "turnout.db"))
	token, _ := newEvent(t, s, time.Now().Add(time.Hour))

	begun, release := make(chan struct{}), make(chan struct{})
	var first, last int
	var ready, done sync.WaitGroup
	done.Go(func() {
		_ = s.write(t.Context(), func(tx *bbolt.Tx) (refused, failed error) {
			first = tx.ID()
			close(begun)
			<-release
			return nil, nil
		})
	})
	<-begun
	ready.Add(writers)
	for range writers {
		done.Go(func() {
			ready.Done()
			if err := s.AddRSVP(t.Context(), token, event.RSVP{Hash: event.NewToken().Hash(), Name: "Ada"}); err != nil {
				t.Error(err)
			}
		})
	}
	ready.Wait()
	close(release)
	done.Wait()
	_ = s.write(t.Context(), func(tx *bbolt.Tx) (refused, failed error) { last = tx.ID(); return nil, nil })
	if commits := last - first - 1; commits < 1 || commits >= writers {
		t.Errorf("%d commits for %d writers", commits, writers)
	}
}

// TestDefectInOneWriteLeavesNothingOfIt: a commit is rolled back as a whole, and
// the next one is not in its way.
func TestDefectInOneWriteLeavesNothingOfIt(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "turnout.db"))
	for name, end := range map[string]func() error{
		"error": func() error { return errors.New("defect") },
		"panic": func() error { panic("defect") },
	} {
		err := s.write(t.Context(), func(tx *bbolt.Tx) (refused, failed error) {
			_ = tx.Bucket(eventsBucket).Put([]byte("half"), []byte("written"))
			return nil, end()
		})
		if !errors.Is(err, event.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	newEvent(t, s, time.Now())
	_ = s.read(t.Context(), func(tx *bbolt.Tx) error {
		if tx.Bucket(eventsBucket).Get([]byte("half")) != nil {
			t.Error("half of a write is there")
		}
		return nil
	})
}

func TestSweepTakesEventsLongExpiredWithTheirRSVPs(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "turnout.db"))
	now := time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	gone, _ := newEvent(t, s, now.Add(-keptAfterExpiry-time.Second))
	kept, organizer := newEvent(t, s, now.Add(-keptAfterExpiry))
	for _, token := range []event.Token{gone, kept} {
		rsvp := event.RSVP{Hash: event.NewToken().Hash(), Name: "Ada", CreatedAt: now.AddDate(0, 0, -30)}
		if err := s.AddRSVP(t.Context(), token, rsvp); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sweep(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if _, err := s.EventByToken(t.Context(), gone); !errors.Is(err, event.ErrEventNotFound) {
		t.Errorf("the expired event: %v", err)
	}
	if rsvps, _, err := s.AttendeesByEvent(t.Context(), kept, organizer, event.Position{}, 100); err != nil || len(rsvps) != 1 {
		t.Errorf("the event that expired later: %v, %v", rsvps, err)
	}
}

func TestClosedStoreIsUnavailable(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "turnout.db"))
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for call, err := range map[string]error{
		"Ready":      s.Ready(t.Context()),
		"RemoveRSVP": s.RemoveRSVP(t.Context(), event.NewToken(), event.Hash{}),
	} {
		if !errors.Is(err, event.ErrUnavailable) {
			t.Errorf("%s: %v", call, err)
		}
	}
}
