package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/httpapi/apitest"
)

// TestErase: with the server stopped, an operator erases events and guests, from the bytes of the file, too. A
// backup that is not deleted still holds them, and the program says so. -yes deletes only backups of what was erased.
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
	const ada = "Ada King, Countess of Lovelace"
	for _, name := range []string{ada, "Ben"} {
		s.call(t, apitest.CreateRSVP(second, apitest.Object{"name": name}))
	}
	erase("", 1, "already running", "-yes", first)
	s.stop(t, syscall.SIGTERM)
	copies := []string{file + ".backup", file + ".backup.new"}
	for _, c := range []struct {
		typed     string
		status    int
		says      string
		arguments []string
		deleted   bool
	}{
		{"", 1, "turnout erase [-yes] [-name NAME [-all]] EVENT_TOKEN", []string{"-yes", "-all", first}, false},
		{"another title\n", 1, "nothing is erased", []string{first}, false},
		{title + "\nn\n", 0, copies[1] + " still holds", []string{first}, false},
		{"y\ny\n", 1, "it was erased", []string{first}, true},
		{"", 1, "it was erased", []string{"-yes", first}, true},
		{"y\ny\n", 1, "event not found", []string{uuid.NewString()}, true},
		{"", 1, copies[0] + " still holds", []string{"-yes", uuid.NewString()}, false},
		{title + "\ny\ny\n", 1, "no guest of that name", []string{"-name", "Eve", second}, true},
		{"", 1, "no guest of that name", []string{"-yes", "-name", "Eve", second}, false},
		{"", 0, "RSVPs erased: 1\ndeleted: " + copies[0] + "\ndeleted: " + copies[1] + "\n", []string{"-yes", "-name", ada, second}, true},
	} {
		for _, path := range copies {
			must(t, os.WriteFile(path, nil, 0o600))
		}
		erase(c.typed, c.status, c.says, c.arguments...)
		for _, path := range copies {
			if _, err := os.Lstat(path); os.IsNotExist(err) != c.deleted {
				t.Errorf("after %q: %v", c.arguments, err)
			}
		}
	}
	if content, err := os.ReadFile(file); err != nil || bytes.Contains(content, []byte(ada)) || !bytes.Contains(content, []byte("Ben")) {
		t.Errorf("the file holds what was erased, or not the rest: %v", err)
	}
	must(t, os.MkdirAll(filepath.Join(copies[0], "folder"), 0o700)) // cannot be removed
	erase(title+"\ny\n", 1, copies[0]+" still holds", "-name", "Ben", second)

	s = start(t, env)
	s.answers(t, "/api/events/"+first, http.StatusNotFound)
	if n := s.call(t, apitest.GetEvent(second)).AttendeeCount; n != 0 {
		t.Errorf("%d guests are left", n)
	}
}
