package bolt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// must ends the test if there is an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func openNew(t testing.TB) *Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "turnout.db"))
}

func createEvent(t testing.TB, s *Store, expiresAt time.Time) (event.Token, event.Hash) {
	t.Helper()
	organizer := event.NewToken().Hash()
	e := event.Event{
		Token:     event.NewToken(),
		Title:     "Picnic",
		DateTime:  "2027-05-01T12:00:00Z",
		Timezone:  "UTC",
		ExpiresAt: expiresAt,
	}
	must(t, s.CreateEvent(t.Context(), e, organizer))
	return e.Token, organizer
}

func createRSVP(t testing.TB, s *Store, token event.Token, name string, at time.Time) event.RSVPID {
	t.Helper()
	r := event.RSVP{ID: event.NewToken().RSVPID(), Name: name, CreatedAt: at}
	must(t, s.CreateRSVP(t.Context(), token, r))
	return r.ID
}

// wantGuests asserts that an event counts and lists this number of guests, and returns the list.
func wantGuests(t *testing.T, s *Store, token event.Token, organizer event.Hash, want int) []event.RSVP {
	t.Helper()
	e, err := s.GetEvent(t.Context(), token)
	list, listErr := storetest.List(t.Context(), s, token, organizer)
	if err := errors.Join(err, listErr); err != nil || e.AttendeeCount != want || len(list) != want {
		t.Fatalf("%d counted, %d listed, want %d: %v", e.AttendeeCount, len(list), want, err)
	}
	return list
}

func TestOpenCreatesFileAndFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	open(t, filepath.Join(folder, "turnout.db"))
	for path, want := range map[string]os.FileMode{folder: 0o700, filepath.Join(folder, "turnout.db"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(folder, "*")); len(names) != 1 {
		t.Errorf("the folder holds %q", names)
	}
}

// TestFirstStartsAtOnce: several processes that find no file do not replace each other's files.
func TestFirstStartsAtOnce(t *testing.T) {
	for range 5 { // in most rounds, several processes find no file
		path := filepath.Join(t.TempDir(), "turnout.db")
		var found [8]os.FileInfo
		var errs [8]error
		var all sync.WaitGroup
		for i := range found {
			all.Go(func() {
				errs[i] = create(path)
				found[i], _ = os.Stat(path)
			})
		}
		all.Wait()
		must(t, errs[:]...)
		for _, file := range found {
			if !os.SameFile(file, found[0]) {
				t.Fatal("the file was replaced")
			}
		}
		createEvent(t, open(t, path), time.Now())
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "other.db")
	db, err := bbolt.Open(other, 0o600, nil)
	must(t, err)
	must(t, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("events")) // a file of another program
		return err
	}), db.Close())
	wantRefused(t, other)
	for _, content := range []string{"no database\n", ""} {
		must(t, os.WriteFile(other, []byte(content), 0o600))
		wantRefused(t, other)
	}
	if s, err := Open(folder); err == nil {
		_ = s.Close()
		t.Error("a folder was opened")
	}
}

// TestLaterVersion: a program refuses a file of a later version, whose contents may be different. The error has a
// remedy. It does not call the file damaged, because operators must not throw the file away.
func TestLaterVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turnout.db")
	must(t, open(t, path).Close())
	db, err := bbolt.Open(path, 0, nil)
	must(t, err, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("later"))
		content := appendChecksum(versionKey, []byte{version + 1})
		return errors.Join(err, tx.Bucket(stateBucket).Put(versionKey, content))
	}), db.Close())
	const remedy = "install that version, or restore a backup from before it"
	want := path + " was written by a later version of Turnout: " + remedy
	for _, open := range []func(string) (*Store, error){Open, OpenReadOnly} {
		if _, err := open(path); err == nil || err.Error() != want {
			t.Errorf("refused with: %v", err)
		}
	}
}

// wantRefused asserts that Open refuses a file, with an error that is one sentence and has a remedy.
func wantRefused(t *testing.T, path string) {
	t.Helper()
	s, err := Open(path)
	if err == nil {
		_ = s.Close()
		t.Errorf("%s was opened", path)
		return
	}
	text := err.Error()
	if !strings.HasPrefix(text, path+" is damaged or not a Turnout file (") ||
		!strings.HasSuffix(text, "): restore a backup, or move it aside to start empty") ||
		strings.Contains(text, "\n") || len(text) > len(path)+200 {
		t.Errorf("refused with: %s", text)
	}
}

func TestClosedStoreIsUnavailable(t *testing.T) {
	s := openNew(t)
	token, organizer := createEvent(t, s, time.Now())
	must(t, s.Close(), s.Close())
	_, read := s.GetEvent(t.Context(), token)
	_, listed := storetest.List(t.Context(), s, token, organizer)
	for call, err := range map[string]error{
		"Health":        s.Health(t.Context()),
		"GetEvent":      read,
		"ListAttendees": listed,
		"CancelRSVP":    s.CancelRSVP(t.Context(), token, event.RSVPID{}, time.Now()),
	} {
		if !errors.Is(err, event.ErrUnavailable) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// TestOrderSurvivesClockSetBack: RSVPs are listed in the order of their arrival, even if they have the same instant or
// the clock was set back. The order survives a restart, and a move of the events to another store.
func TestOrderSurvivesClockSetBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turnout.db")
	s := open(t, path)
	now := time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	token, organizer := createEvent(t, s, now.AddDate(1, 0, 0))
	var want []string
	const year = 365 * 24 * time.Hour
	for _, step := range []time.Duration{
		0, 0, 0, 0, 0, time.Second, -time.Hour, 0, 5, -year, time.Minute, 24 * time.Hour,
	} {
		now = now.Add(step)
		want = append(want, fmt.Sprint(len(want)))
		createRSVP(t, s, token, want[len(want)-1], now)
		must(t, s.Close())
		s = open(t, path)
		moved, err := s.Record(t.Context(), token)
		s = openNew(t)
		must(t, err, s.AddRecord(t.Context(), moved))
		path = s.path
	}
	for i, r := range wantGuests(t, s, token, organizer, len(want)) {
		if r.Name != want[i] {
			t.Errorf("guest %d is %s, want %s", i, r.Name, want[i])
		}
	}
}
