package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFullDisk: while the file cannot grow, the server says that it cannot write,
// keeps what it has, and still reads. When there is room again it goes on.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	s := start(t, []string{"PORT=0", "DATA_DIR=" + folder})
	book := newGuestbook(t, s.url)
	for n := range 10 {
		if !book.comeAndGo(s.url, fmt.Sprint("early guest ", n), n) {
			t.Fatal("not acknowledged")
		}
	}
	file, err := os.Stat(filepath.Join(folder, "turnout.db"))
	if err != nil {
		t.Fatal(err)
	}
	limit := func(size uint64) {
		t.Helper()
		if err := unix.Prlimit(s.process.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: unix.RLIM_INFINITY}, nil); err != nil {
			t.Fatal(err)
		}
	}
	limit(uint64(file.Size()))

	// Long names, so that what is left of the file is soon full.
	full := 0
	for n := 0; full < 5; n++ {
		if n == 10_000 {
			t.Fatalf("%d RSVPs fit into a file of %d bytes that cannot grow", n, file.Size())
		}
		name := strings.Repeat("x", 80) + fmt.Sprint(n)
		status, err := call("POST", s.url+"/api/events/"+book.event+"/rsvps", map[string]any{"name": name}, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case status == http.StatusCreated:
			book.in[name] = true
		case status == http.StatusServiceUnavailable:
			book.out[name] = true
			full++
		default:
			t.Fatalf("answered %d", status)
		}
	}
	book.check(t, s.url)

	limit(unix.RLIM_INFINITY)
	if !book.comeAndGo(s.url, "late guest", 1) {
		t.Error("nothing is written although there is room")
	}
	book.check(t, s.url)
	_ = s.process.Process.Kill()
	<-s.exited
	book.check(t, start(t, []string{"PORT=0", "DATA_DIR=" + folder}).url)
}
