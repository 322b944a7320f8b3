package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/bolt"
	"turnout/internal/httpapi/apitest"
)

// TestHealth: turnout health finds the server by the server's variables. Its exit status depends on the response.
func TestHealth(t *testing.T) {
	sick := httptest.NewServer(http.NotFoundHandler())
	defer sick.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	for _, c := range []struct {
		url, listen string
		status      int
		prints      string
	}{
		{s.url, "", 0, "^$"},
		{s.url, "0.0.0.0", 0, "^$"},
		{sick.URL, "", 1, "^turnout: the server answers 404 Not Found\n$"},
		{gone.URL, "", 1, "^turnout: .*refused\n$"},
	} {
		port := c.url[strings.LastIndex(c.url, ":")+1:]
		env := []string{"PORT=" + port, "LISTEN=" + c.listen}
		process := command(t, env, "health")
		printed, _ := process.CombinedOutput()
		status := process.ProcessState.ExitCode()
		if status != c.status || !regexp.MustCompile(c.prints).Match(printed) {
			t.Errorf("%s, %q: status %d, printed %q", c.url, c.listen, status, printed)
		}
	}
}

// TestMove: export and import move events to another folder, with their links and keys. Package portable tests the
// format.
func TestMove(t *testing.T) {
	folder := t.TempDir()
	export, other := filepath.Join(folder, "events.jsonl"), filepath.Join(folder, "other")
	env := func(folder string) []string { return []string{"PORT=0", "DATA_DIR=" + folder} }
	turnout := func(folder, in string, status int, says string, arguments ...string) string {
		t.Helper()
		process := command(t, append(env(folder), "LISTEN=0.0.0.0"), arguments...) // the image sets LISTEN, too
		var out, log strings.Builder
		process.Stdin, process.Stdout, process.Stderr = strings.NewReader(in), &out, &log
		_ = process.Run()
		if got := process.ProcessState.ExitCode(); got != status || !strings.Contains(log.String(), says) {
			t.Errorf("%q: status %d, printed %s", arguments, got, &log)
		}
		return out.String()
	}
	turnout(folder, "", 1, "cannot open the data in "+folder+" (DATA_DIR): ", "export")
	turnout(folder, "", 1, "no such file", "import", export)

	must(t, os.WriteFile(filepath.Join(folder, "turnout.db.backup"), nil, 0o600)) // prevents a daily backup
	s := start(t, env(folder))
	created := s.call(t, apitest.CreateEvent(apitest.EventBody(nil)))
	rsvp := s.call(t, apitest.CreateRSVP(created.EventToken, apitest.Object{"name": "Ada"}))
	backup := filepath.Join(folder, "turnout.db.backup")
	turnout(folder, "", 1, "stop it first, or export a backup: -from "+backup, "export")
	turnout(other, "", 1, "or export another file", "export", "-from", filepath.Join(folder, "turnout.db"))
	must(t, s.process.Process.Signal(backupSignals[0]))
	line := <-s.backup
	info, err := os.Stat(backup)
	must(t, err)
	want := fmt.Sprintf("backup written\" path=%s events=1 rsvps=1 bytes=%d\n", backup, info.Size())
	if !strings.Contains(line, want) {
		t.Fatal(line)
	}
	copied := turnout(folder, "", 0, "exported: events 1, RSVPs 1", "export", "-from", backup)
	// The settings of a server do not matter.
	if again, err := command(t, []string{"PORT=none"}, "export", "-from", backup).Output(); string(again) != copied {
		t.Errorf("%v, exported is %s", err, again)
	}
	turnout(folder, copied, 1, "stop it first\n", "import")
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
	secret := strings.Contains(copied, created.OrganizerToken) || strings.Contains(copied, rsvp.RSVPToken)
	if string(text) != copied || secret {
		t.Errorf("exported is %s", text)
	}
	if info, err := os.Stat(export); err != nil || info.Mode() != 0o600 && runtime.GOOS != "windows" {
		t.Error(info.Mode(), err)
	}
	turnout(other, "", 2, "import [FILE]", "export", "-from", export, "b")
	turnout(other, "", 2, "import [FILE]", "import", export, "b")
	truncated := filepath.Join(folder, "truncated")
	must(t, os.WriteFile(truncated, text[:len(text)/2], 0o600))
	turnout(other, "", 1, "nothing is imported from "+truncated+": line 2", "import", truncated)
	if _, err := os.Stat(other); !os.IsNotExist(err) {
		t.Error(err)
	}

	beforeTheCounts, _, _ := strings.Cut(copied, `{"end"`)
	turnout(other, beforeTheCounts, 1, "Data: "+filepath.Join(other, "turnout.db")+", which is new.", "import")
	turnout(other, "", 0, "imported: events 1, RSVPs 1", "import", export)
	turnout(other, copied, 0, "already there 1", "import")
	turnout(other, copied, 0, "Data: "+filepath.Join(other, "turnout.db")+"\n", "import")
	changed := strings.Replace(copied, "Ada", "Ben", 1)
	turnout(other, changed, 1, "1 event already exists with different content; it was not changed", "import")
	turnout(other, changed, 1, "different, and left as it is: event "+created.EventToken, "import")

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

// TestRestore: turnout restore puts a backup in place of the data, from a file or from the standard input. Package bolt
// tests the copies that are refused.
func TestRestore(t *testing.T) {
	folder := t.TempDir()
	env := []string{"PORT=0", "DATA_DIR=" + folder}
	file := filepath.Join(folder, "turnout.db")
	s := start(t, env)
	first := s.create(t)
	must(t, s.process.Process.Signal(backupSignals[0]))
	<-s.backup
	second := s.create(t)
	restore := func(status int, prints string, arguments ...string) {
		t.Helper()
		process := command(t, env, append([]string{"restore"}, arguments...)...)
		from, err := os.Open(file + ".backup")
		must(t, err)
		defer from.Close()
		process.Stdin = from
		printed, _ := process.CombinedOutput()
		if process.ProcessState.ExitCode() != status || !strings.Contains(string(printed), prints) {
			t.Errorf("%q: %v, printed %s", arguments, process.ProcessState, printed)
		}
	}
	restore(1, "stop it first\n", file+".backup")
	s.stop(t, syscall.SIGTERM)
	restore(2, "restore [FILE]", "a", "b")
	notes := filepath.Join(folder, "notes")
	must(t, os.WriteFile(notes, []byte("no database"), 0o600))
	restore(1, "nothing was restored from "+notes+": the copy is damaged or not a Turnout file", notes)
	restored := "restored: events 1, RSVPs 0, in " + file +
		"\nthe former data was kept as " + file + ".before-restore-2"
	restore(0, restored, file+".backup")
	restore(0, restored)
	s = start(t, env)
	s.answers(t, "/api/events/"+first, http.StatusOK)
	s.answers(t, "/api/events/"+second, http.StatusNotFound)
}

// TestRestoreKilled: a killed restore leaves an empty file in an empty folder. Commands refuse the file, and do not
// take it for data without events. The next restore succeeds.
func TestRestoreKilled(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	file, env := filepath.Join(folder, "turnout.db"), []string{"PORT=0", "DATA_DIR=" + folder}
	killed := command(t, env, "restore")
	from, err := killed.StdinPipe()
	must(t, err)
	must(t, killed.Start())
	_, err = from.Write(make([]byte, 1<<20)) // more than a pipe holds, so the restore is under way
	must(t, err)
	must(t, killed.Process.Kill())
	_ = killed.Wait()
	turnout := func(status int, prints string, arguments ...string) {
		t.Helper()
		process := command(t, env, arguments...)
		printed, _ := process.CombinedOutput()
		if process.ProcessState.ExitCode() != status || string(printed) != prints {
			t.Errorf("%q: %v, printed %s", arguments, process.ProcessState, printed)
		}
	}
	turnout(1, "turnout: cannot open the data in "+folder+" (DATA_DIR): "+file+" is damaged or not a Turnout file "+
		"(it is empty): restore a backup, or move it aside to start empty\n", "export")

	s := start(t, []string{"PORT=0", "DATA_DIR=" + elsewhere})
	s.create(t)
	s.stop(t, syscall.SIGTERM)
	turnout(0, "restored: events 1, RSVPs 0, in "+file+"\n", "restore", filepath.Join(elsewhere, "turnout.db"))
}

// TestErase: with the server stopped, an operator erases events and guests, also from the bytes of the file. A backup
// that is not deleted still holds them, and the program says so. -yes deletes backups only if something was erased.
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
	erase("", 1, "stop it first\n", "-yes", first)
	s.stop(t, syscall.SIGTERM)
	copies := []string{file + ".backup", file + ".before-restore", file + ".before-restore-20270501T100000Z"}
	for _, c := range []struct {
		typed     string
		status    int
		says      string
		arguments []string
		deleted   bool
	}{
		{"", 1, "erase [-yes] [-name NAME [-all]] EVENT…", []string{"-yes", "-all", first}, false},
		{"another title\n", 1, "nothing was erased", []string{first}, false},
		{title + "\nn\n", 0, copies[1] + " may still hold", []string{first}, false},
		{"y\n", 1, "it was erased", []string{first}, true},
		{"", 1, "it was erased", []string{"-yes", first}, true},
		{"y\n", 1, "event not found", []string{uuid.NewString()}, true},
		{"", 1, copies[0] + " may still hold", []string{"-yes", uuid.NewString()}, false},
		{title + "\ny\n", 1, "no guest of that name", []string{"-name", "Eve", second}, true},
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
	content, err := os.ReadFile(file)
	must(t, err)
	if bytes.Contains(content, []byte(ada)) || !bytes.Contains(content, []byte("Ben")) {
		t.Error("the file holds what was erased, or not the rest")
	}
	must(t, os.MkdirAll(filepath.Join(copies[0], "folder"), 0o700)) // a folder that cannot be removed like a file
	erase(title+"\ny\n", 1, copies[0]+" may still hold", "-name", "Ben", second)

	// While it asks whether to delete the copies, no server can start: its backup could be deleted.
	asks := command(t, env, "erase", first)
	answer, err := asks.StdinPipe()
	must(t, err)
	printed, err := asks.StdoutPipe()
	must(t, err)
	must(t, asks.Start())
	for asked, b := "", make([]byte, 1); !strings.HasSuffix(asked, "[y/N] "); asked += string(b) {
		if _, err := printed.Read(b); err != nil {
			t.Fatalf("%v after %q", err, asked)
		}
	}
	if _, err := bolt.Open(file); !errors.Is(err, bolt.ErrInUse) {
		t.Errorf("opened during an erase: %v", err)
	}
	must(t, answer.Close())
	_ = asks.Wait()

	s = start(t, env)
	s.answers(t, "/api/events/"+first, http.StatusNotFound)
	if n := s.call(t, apitest.GetEvent(second)).AttendeeCount; n != 0 {
		t.Errorf("%d guests are left", n)
	}
}
