package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"turnout/internal/httpapi/apitest"
)

// TestMove: events move to another folder with their links and keys. Package portable tests the
// format.
func TestMove(t *testing.T) {
	folder := t.TempDir()
	export, other := filepath.Join(folder, "events.jsonl"), filepath.Join(folder, "other")
	env := func(folder string) []string { return []string{"PORT=0", "DATA_DIR=" + folder} }
	turnout := func(folder, in string, status int, says string, arguments ...string) string {
		t.Helper()
		process := command(t, env(folder), arguments...)
		var out, log strings.Builder
		process.Stdin, process.Stdout, process.Stderr = strings.NewReader(in), &out, &log
		_ = process.Run()
		if got := process.ProcessState.ExitCode(); got != status || !strings.Contains(log.String(), says) {
			t.Errorf("%q: status %d, printed %s", arguments, got, &log)
		}
		return out.String()
	}
	turnout(folder, "", 1, "no such file", "export")
	turnout(folder, "", 1, "no such file", "import", export)

	must(t, os.WriteFile(filepath.Join(folder, "turnout.db.backup"), nil, 0o600)) // so that the daily one is not due
	s := start(t, env(folder))
	created := s.call(t, apitest.CreateEvent(apitest.EventBody(nil)))
	rsvp := s.call(t, apitest.CreateRSVP(created.EventToken, apitest.Object{"name": "Ada"}))
	turnout(folder, "", 1, "in use by another process", "export")
	must(t, s.process.Process.Signal(syscall.SIGUSR1))
	if line := <-s.backup; !strings.Contains(line, "backup written") {
		t.Fatal(line)
	}
	copied := turnout(folder, "", 0, "exported: events 1, RSVPs 1", "export", "-from", filepath.Join(folder, "turnout.db.backup"))
	turnout(folder, copied, 1, "already running", "import")
	s.stop(t, syscall.SIGTERM)

	data, err := os.ReadFile(filepath.Join(folder, "turnout.db"))
	must(t, err)
	turnout(folder, "", 0, "exported: events 1, RSVPs 1", "export", "-o", export)
	if after, err := os.ReadFile(filepath.Join(folder, "turnout.db")); err != nil || !bytes.Equal(after, data) {
		t.Error("an export has changed the data", err)
	}
	turnout(folder, "", 1, "exists", "export", "-o", filepath.Join(folder, "turnout.db"))
	text, err := os.ReadFile(export)
	must(t, err)
	if string(text) != copied || strings.Contains(copied, created.OrganizerToken) || strings.Contains(copied, rsvp.RSVPToken) {
		t.Errorf("exported is %s", text)
	}
	if info, err := os.Stat(export); err != nil || info.Mode() != 0o600 && runtime.GOOS != "windows" {
		t.Error(info.Mode(), err)
	}
	turnout(other, "", 2, "turnout import [FILE]", "export", "-from", export, "b")
	turnout(other, "", 2, "turnout import [FILE]", "import", export, "b")
	truncated := filepath.Join(folder, "truncated")
	must(t, os.WriteFile(truncated, text[:len(text)/2], 0o600))
	turnout(other, "", 1, "nothing is imported from "+truncated+": line 2", "import", truncated)
	if _, err := os.Stat(other); !os.IsNotExist(err) {
		t.Error(err)
	}

	beforeTheCounts, _, _ := strings.Cut(copied, `{"end"`)
	turnout(other, beforeTheCounts, 1, "the export is truncated", "import")
	turnout(other, "", 0, "imported: events 1, RSVPs 1", "import", export)
	turnout(other, copied, 0, "already there 1", "import")
	turnout(other, strings.Replace(copied, "Ada", "Ben", 1), 1, "different, and left as it is: event "+created.EventToken, "import")

	s = start(t, env(other))
	list := s.call(t, apitest.ListAttendees(created.EventToken, created.OrganizerToken))
	if len(list.Attendees) != 1 || list.Attendees[0].Name != "Ada" {
		t.Errorf("listed are %v", list.Attendees)
	}
	s.call(t, apitest.CancelRSVP(created.EventToken, rsvp.RSVPToken))
	if left := s.call(t, apitest.GetEvent(created.EventToken)).AttendeeCount; left != 0 {
		t.Errorf("%d guests are left", left)
	}
}
