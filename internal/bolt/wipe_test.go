package bolt

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	bbolterrors "go.etcd.io/bbolt/errors"
)

// TestWipe: deleted names are not in any backup, and after a wipe or the next start they are not in the file. A file
// without pages to wipe is not written.
func TestWipe(t *testing.T) {
	s := openNew(t)
	holds := func(path string) bool {
		content, err := os.ReadFile(path)
		must(t, err)
		return bytes.Contains(content, []byte("Lovelace"))
	}
	token, _ := createEvent(t, s, time.Now().AddDate(1, 0, 0))
	for range 100 { // fills more than a page
		createRSVP(t, s, token, "Ada Augusta King, Countess of Lovelace", time.Now())
	}
	must(t, backup(s))
	if !holds(BackupPath(s.path)) {
		t.Error("the backup does not have the guests")
	}
	_, err := s.EraseEvent(t.Context(), token, time.Now())
	must(t, err, backup(s))
	if !holds(s.path) || holds(BackupPath(s.path)) {
		t.Error("the file has no free pages, or the backup has some")
	}
	if err := wipeFile(s.path); !errors.Is(err, bbolterrors.ErrTimeout) {
		t.Errorf("a file in use: %v", err)
	}
	must(t, s.Wipe())
	if holds(s.path) {
		t.Error("the file has what was erased after a wipe")
	}
	must(t, s.Close())

	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("Lovelace") // data after the last page, shorter than a page
	must(t, err, f.Close())
	s = open(t, s.path)
	if holds(s.path) {
		t.Error("the file has what was erased after a start")
	}
	must(t, s.Close(), wipeFile(s.path), os.Chtimes(s.path, time.Time{}, time.Unix(0, 0)), wipeFile(s.path))
	if info, err := os.Stat(s.path); err != nil || !info.ModTime().Equal(time.Unix(0, 0)) {
		t.Errorf("a file without free pages is written: %v, %v", info, err)
	}
}
