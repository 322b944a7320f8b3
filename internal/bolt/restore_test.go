package bolt

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestRestore: an intact copy takes the place of the file, even if the file is damaged or missing, and the old file is
// kept. A copy that is not intact changes nothing.
func TestRestore(t *testing.T) {
	s := openNew(t)
	path := s.path
	token, _ := createEvent(t, s, time.Now().Add(time.Hour))
	must(t, backup(s))
	whole, err := os.ReadFile(BackupPath(path))
	must(t, err)
	if _, err := Restore(path, bytes.NewReader(whole)); !errors.Is(err, ErrInUse) {
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
		must(t, os.WriteFile(path, test.before, 0o600), os.RemoveAll(BeforeRestorePath(path)))
		c, err := Restore(path, bytes.NewReader(test.copied))
		kept, _ := os.ReadFile(BeforeRestorePath(path))
		now, _ := os.ReadFile(path)
		want := test.before
		if test.restores {
			want = test.copied
		}
		if (err == nil) != test.restores || !bytes.Equal(now, want) || bytes.Equal(kept, test.before) != (err == nil) {
			t.Errorf("%s: %v; %d bytes are in place, %d are kept", name, err, len(now), len(kept))
		}
		if test.restores && c != (Contents{Events: 1}) {
			t.Errorf("%s: %+v", name, c)
		}
	}

	elsewhere := filepath.Join(t.TempDir(), "new", "turnout.db")
	_, err = Restore(elsewhere, bytes.NewReader(whole))
	must(t, err)
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
	_, err := Restore(filepath.Join(t.TempDir(), "turnout.db"), bytes.NewReader(nil))
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
	_, err = Restore(path, bytes.NewReader(whole))
	must(t, err)
	if content, err := os.ReadFile(other); err != nil || string(content) != "other" {
		t.Errorf("the file of the link has %d bytes (%v)", len(content), err)
	}
	must(t, os.Remove(path), os.Symlink(s.path, path))
	if _, err := Restore(path, bytes.NewReader(whole)); err == nil {
		t.Error("the link was replaced")
	}
	if to, err := os.Readlink(path); err != nil || to != s.path {
		t.Error(to, err)
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
	c, err := s.Backup()
	if must(t, err); c != (Contents{Events: 1, RSVPs: 2}) {
		t.Errorf("%+v", c)
	}
}
