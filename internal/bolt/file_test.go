package bolt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// TestAcknowledgedWritesSurviveKill runs this test's own program as a second
// process that admits guests until it is killed in the middle of it.
func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turnout.db")
	if path := os.Getenv("TURNOUT_TEST_ADMIT_INTO"); path != "" {
		admitForever(t, path)
		return
	}
	process := exec.Command(os.Args[0], "-test.run", "^TestAcknowledgedWritesSurviveKill$")
	process.Env = append(os.Environ(), "TURNOUT_TEST_ADMIT_INTO="+path)
	stdout, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if acknowledged[lines.Text()] = true; len(acknowledged) == 200 {
			_ = process.Process.Kill()
		}
	}
	if err := process.Wait(); err == nil || len(acknowledged) < 200 {
		t.Fatalf("the process ended by itself: %v, after %d guests", err, len(acknowledged))
	}

	s := open(t, path)
	e, err := s.EventByToken(t.Context(), killEvent)
	if err != nil {
		t.Fatal(err)
	}
	names, err := s.AttendeesByEvent(t.Context(), killEvent, killEvent.Hash())
	if err != nil || len(names) != e.AttendeeCount {
		t.Fatalf("%d guests are listed, the count is %d, %v", len(names), e.AttendeeCount, err)
	}
	for _, name := range names {
		delete(acknowledged, name)
	}
	if len(acknowledged) > 0 {
		t.Errorf("lost: %v", acknowledged)
	}
}

var killEvent = event.Token{1}

func admitForever(t *testing.T, path string) {
	s := open(t, path)
	e := event.Event{Token: killEvent, ExpiresAt: time.Unix(1<<40, 0)}
	if err := s.AddEvent(t.Context(), e, killEvent.Hash()); err != nil {
		t.Fatal(err)
	}
	for worker := range 8 {
		go func() {
			for n := 0; ; n++ {
				name := fmt.Sprintf("guest %d of %d", n, worker)
				if s.AddRSVP(context.Background(), killEvent, event.RSVP{Hash: event.NewToken().Hash(), Name: name}) == nil {
					fmt.Println(name)
				}
			}
		}()
	}
	select {}
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

// TestDefectInOneWriteLeavesNothingOfIt: a commit is rolled back as a whole.
func TestDefectInOneWriteLeavesNothingOfIt(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "turnout.db"))
	err := s.write(t.Context(), func(tx *bbolt.Tx) (refused, failed error) {
		_ = tx.Bucket(eventsBucket).Put([]byte("half"), []byte("written"))
		return nil, errors.New("defect")
	})
	if !errors.Is(err, event.ErrUnavailable) {
		t.Error(err)
	}
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
	if names, err := s.AttendeesByEvent(t.Context(), kept, organizer); err != nil || len(names) != 1 {
		t.Errorf("the event that expired later: %v, %v", names, err)
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
