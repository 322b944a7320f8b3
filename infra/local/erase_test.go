package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"turnout/internal/httpapi/apitest"
)

// TestErase: with the server stopped, an operator erases events and guests. A backup that is
// not deleted still holds them, and the program says so.
func TestErase(t *testing.T) {
	folder := t.TempDir()
	file, env := filepath.Join(folder, "turnout.db"), []string{"PORT=0", "DATA_DIR=" + folder}
	erase := func(typed string, status int, says string, arguments ...string) {
		t.Helper()
		process := command(t, env, append([]string{"erase"}, arguments...)...)
		process.Stdin = strings.NewReader(typed)
		output, _ := process.CombinedOutput()
		if got := process.ProcessState.ExitCode(); got != status || !strings.Contains(string(output), says) {
			t.Errorf("%q: status %d, printed %s", arguments, got, output)
		}
	}
	erase("", 1, "cannot open the data", "-yes", "00000000-0000-4000-8000-000000000000")
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Error(left, err)
	}

	s := start(t, env)
	first, second := s.create(t), s.create(t)
	title := s.call(t, apitest.GetEvent(first)).Title
	for _, name := range []string{"Ada", "Ben"} {
		s.call(t, apitest.CreateRSVP(second, apitest.Object{"name": name}))
	}
	erase("", 1, "already running", "-yes", first)
	s.stop(t, syscall.SIGTERM)
	copies := []string{file + ".backup", file + ".backup.new"}
	keep := func() {
		for _, path := range copies {
			must(t, os.WriteFile(path, nil, 0o600))
		}
	}
	gone := func(want bool) {
		t.Helper()
		for _, path := range copies {
			if _, err := os.Lstat(path); os.IsNotExist(err) != want {
				t.Errorf("%s: %v", path, err)
			}
		}
	}

	keep()
	erase("", 1, "turnout erase [-yes] -name NAME [-all] EVENT_TOKEN", "-yes", "-all", first)
	erase("another title\n", 1, "nothing is erased", first)
	erase(title+"\nn\n", 0, copies[1]+" still holds", first)
	gone(false)
	erase("", 0, "RSVPs erased: 1\ndeleted: "+copies[0]+"\ndeleted: "+copies[1]+"\nFree pages of "+file, "-yes", "-name", "Ada", second)
	gone(true)
	must(t, os.MkdirAll(filepath.Join(copies[0], "folder"), 0o700)) // cannot be removed
	erase(title+"\ny\n", 1, copies[0]+" still holds", "-name", "Ben", second)

	s = start(t, env)
	s.answers(t, "/api/events/"+first, http.StatusNotFound)
	if n := s.call(t, apitest.GetEvent(second)).AttendeeCount; n != 0 {
		t.Errorf("%d guests are left", n)
	}
}
