package bolt

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestRestore: an intact copy takes the place of the file, even if the file is damaged or missing, and the old file is
// kept unless it is empty. A copy that is not intact changes nothing.
func TestRestore(t *testing.T) {
	s := openNew(t)
	path := s.path
	token, _ := createEvent(t, s, time.Now().Add(time.Hour))
	must(t, backup(s))
	whole, err := os.ReadFile(BackupPath(path))
	must(t, err)
	if _, err := Restore(path, bytes.NewReader(whole), time.Now()); !errors.Is(err, ErrInUse) {
		t.Errorf("beside a server: %v", err)
	}
	must(t, s.Close())
	for name, test := range map[string]struct {
		before, copied []byte
		restores       bool
	}{
		"whole":              {whole, whole, true},
		"over a damaged one": {[]byte("no database"), whole, true},
		"over an empty one":  {[]byte{}, whole, true},
		"truncated":          {whole, whole[:len(whole)-1], false},
		"nothing":            {whole, nil, false},
		"something else":     {whole, []byte("an export"), false},
	} {
		must(t, os.WriteFile(path, test.before, 0o600))
		for _, path := range replaced(path) {
			must(t, os.Remove(path))
		}
		r, err := Restore(path, bytes.NewReader(test.copied), time.Now())
		kept, _ := os.ReadFile(r.Replaced)
		now, _ := os.ReadFile(path)
		want := test.before
		if test.restores {
			want = test.copied
		}
		if (err == nil) != test.restores || !bytes.Equal(now, want) || err == nil && !bytes.Equal(kept, test.before) {
			t.Errorf("%s: %v; %d bytes are in place, %d are kept", name, err, len(now), len(kept))
		}
		keeps := test.restores && len(test.before) > 0
		if test.restores && r.Contents != (Contents{Events: 1}) || len(replaced(path)) > 0 != keeps {
			t.Errorf("%s: %+v, kept are %q", name, r, replaced(path))
		}
	}

	elsewhere := filepath.Join(t.TempDir(), "new", "turnout.db")
	_, err = Restore(elsewhere, bytes.NewReader(whole[1:]), time.Now())
	if left, _ := os.ReadDir(filepath.Dir(elsewhere)); err == nil || len(left) > 0 {
		t.Errorf("a damaged copy in an empty folder: %v, left are %v", err, left)
	}
	r, err := Restore(elsewhere, bytes.NewReader(whole), time.Now())
	if must(t, err); r.Replaced != "" {
		t.Errorf("what was not there is kept as %s", r.Replaced)
	}
	info, err := os.Stat(elsewhere)
	if must(t, err); info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Error(info.Mode())
	}
	restored := open(t, elsewhere)
	_, err = restored.GetEvent(t.Context(), token)
	must(t, err)
	if left, err := os.ReadDir(filepath.Dir(elsewhere)); err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}

// TestRestoreOfNothing: the error says that the input is empty. The program that writes to the pipe may have
// failed.
func TestRestoreOfNothing(t *testing.T) {
	_, err := Restore(filepath.Join(t.TempDir(), "turnout.db"), bytes.NewReader(nil), time.Now())
	if err == nil || !strings.Contains(err.Error(), "it is empty") {
		t.Error(err)
	}
}

// TestRestoreOverALink: restore does not replace a link. Otherwise no command would find the link's file again, and
// erase would delete only the link, but report the file as deleted. A link at the path of the unfinished copy is
// replaced, and the link's file is not written.
func TestRestoreOverALink(t *testing.T) {
	s := openNew(t)
	must(t, backup(s))
	must(t, s.Close())
	whole, err := os.ReadFile(BackupPath(s.path))
	must(t, err)
	folder := t.TempDir()
	path, other := filepath.Join(folder, "turnout.db"), filepath.Join(folder, "other")
	must(t, os.WriteFile(other, []byte("other"), 0o600))
	err = os.Symlink(other, restoring(path))
	if runtime.GOOS == "windows" && err != nil {
		t.Skip(err) // Windows may refuse links
	}
	must(t, err)
	_, err = Restore(path, bytes.NewReader(whole), time.Now())
	must(t, err)
	if content, err := os.ReadFile(other); err != nil || string(content) != "other" {
		t.Errorf("the file of the link has %d bytes (%v)", len(content), err)
	}
	must(t, os.Remove(path), os.Symlink(s.path, path))
	if _, err := Restore(path, bytes.NewReader(whole), time.Now()); err == nil {
		t.Error("the link was replaced")
	}
	if to, err := os.Readlink(path); err != nil || to != s.path {
		t.Error(to, err)
	}
}

// TestRestoreHoldsTheLock: from the first to the last step of a restore, nobody else opens the file. Another restore is
// told why, and its copy is not called damaged. This holds for a file that is whole, damaged or missing.
func TestRestoreHoldsTheLock(t *testing.T) {
	s := openNew(t)
	token, _ := createEvent(t, s, time.Now().Add(time.Hour))
	must(t, backup(s), s.Close())
	whole, err := os.ReadFile(BackupPath(s.path))
	must(t, err)
	for name, before := range map[string][]byte{"whole": whole, "damaged": []byte("no database"), "missing": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "turnout.db")
			if before != nil {
				must(t, os.WriteFile(path, before, 0o600))
			}
			slow, sender := io.Pipe()
			restored := make(chan error, 1)
			go func() {
				_, err := Restore(path, slow, time.Now())
				restored <- err
			}()
			_, err := sender.Write(whole[:1]) // returns once the restore has read it
			must(t, err)
			_, open := Open(path)
			_, openReadOnly := OpenReadOnly(path)
			_, restore := Restore(path, bytes.NewReader(whole), time.Now())
			for call, err := range map[string]error{"Open": open, "OpenReadOnly": openReadOnly, "Restore": restore} {
				want := path + " is in use by another process, which restores it"
				if err == nil || err.Error() != want {
					t.Errorf("%s during a restore: %v", call, err)
				}
			}

			// Whoever waits for the lock while the restore ends opens the restored file.
			opened := make(chan error, 1)
			go func() {
				s, err := Open(path)
				if err == nil {
					_, err = s.GetEvent(t.Context(), token)
					createEvent(t, s, time.Now())
					err = errors.Join(err, s.Close())
				}
				opened <- err
			}()
			_, err = sender.Write(whole[1:])
			must(t, err, sender.Close(), <-restored, <-opened)
			c, err := check(path)
			if must(t, err); c.Events != 2 {
				t.Errorf("%d events are in the file at the end", c.Events)
			}
		})
	}
}

// TestUnfinishedCopies: a start removes the copies that a killed restore or backup has left, and no other file.
func TestUnfinishedCopies(t *testing.T) {
	s := openNew(t)
	must(t, backup(s), s.Close())
	names := []string{restoring(s.path), unfinished(s.path), s.path + beforeRestore + "-20270501T100000Z"}
	for _, path := range names {
		must(t, os.WriteFile(path, []byte("Ada"), 0o600))
	}
	open(t, s.path)
	left, err := filepath.Glob(s.path + "*")
	if want := []string{s.path, BackupPath(s.path), names[2]}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}

// TestReplacedFiles: a file that a restore has replaced is kept under a name with the time. The last three stay, and
// instead of a later one the first of a day. After 35 days a sweep deletes them; a wrong clock does not.
func TestReplacedFiles(t *testing.T) {
	m := newMachine(t)
	createEvent(t, m.Store, m.now)
	m.run(1, 0)
	must(t, backup(m.Store), m.Close())
	whole, err := os.ReadFile(BackupPath(m.path))
	must(t, err)
	must(t, os.WriteFile(m.path, []byte("0"), 0o600))
	morning := m.now.Truncate(day).Add(day)
	for n, step := range []struct {
		at   time.Duration
		kept string // the contents of the kept files
	}{
		{0, "0"}, {0, "01"}, {time.Hour, "012"}, {2 * time.Hour, "023"}, {3 * time.Hour, "034"},
		{day, "045"}, {day + time.Hour, "056"}, {day + time.Second + time.Hour, "057"},
		{2 * day, "058"}, {3 * day, "589"}, {-day, ":89"}, // the clock was set back
	} {
		r, err := Restore(m.path, bytes.NewReader(whole), morning.Add(step.at))
		must(t, err)
		var kept []byte
		for _, path := range replaced(m.path) {
			content, err := os.ReadFile(path)
			must(t, err)
			kept = append(kept, content...)
		}
		if string(kept) != step.kept {
			t.Errorf("after restore %d, %v after the first: kept are %s, want %s", n, step.at, kept, step.kept)
		}
		if content, err := os.ReadFile(r.Replaced); err != nil || !bytes.Equal(content, []byte{byte('0' + n)}) {
			t.Errorf("what restore %d has replaced is %q: %v", n, content, err)
		}
		must(t, os.WriteFile(m.path, []byte{byte('1' + n)}, 0o600))
	}
	must(t, os.WriteFile(m.path, whole, 0o600))
	m.Store = open(t, m.path)
	m.run(8, 365*day)
	for _, c := range []struct {
		at   time.Duration
		left int
	}{{0, 3}, {34*day - time.Hour, 3}, {34*day + time.Hour, 2}, {37*day + time.Hour, 1}, {38*day + time.Hour, 0}} {
		for m.now.Before(morning.Add(c.at)) {
			m.run(1, 0)
		}
		if left := replaced(m.path); len(left) != c.left {
			t.Errorf("%v after the first restore: %q are left, want %d", c.at, left, c.left)
		}
	}
}

// TestContents: erased events and withdrawn RSVPs are not counted.
func TestContents(t *testing.T) {
	s := openNew(t)
	first, _ := createEvent(t, s, time.Now().Add(time.Hour))
	second, _ := createEvent(t, s, time.Now().Add(time.Hour))
	var rsvps []event.RSVPID
	for range 3 {
		r := event.RSVP{Name: "Ada", ID: event.NewToken().RSVPID(), CreatedAt: time.Now()}
		rsvps = append(rsvps, r.ID)
		must(t, s.CreateRSVP(t.Context(), second, r))
	}
	must(t, s.CancelRSVP(t.Context(), second, rsvps[0], time.Now()))
	_, err := s.EraseEvent(t.Context(), first, time.Now())
	must(t, err)
	b, err := s.Backup()
	if must(t, err); b.Contents != (Contents{Events: 1, RSVPs: 2}) {
		t.Errorf("%+v", b)
	}
}
