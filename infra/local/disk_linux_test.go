package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"turnout/internal/robustness"
)

// TestFullDisk: while the file cannot grow, writes are answered with 503, reads
// work and no data is lost. When there is room again, writes succeed.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	s := start(t, []string{"PORT=0", "DATA_DIR=" + folder})
	c := robustness.NewClient(t, s.url+"/api")
	h, e := robustness.NewHistory(), c.NewEvent()
	h.Churn(c, e, "early ", 2)
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

	// Long names fill the rest of the file quickly.
	refused := map[string]bool{}
	for n := 0; len(refused) < 5; n++ {
		if n == 10_000 {
			t.Fatalf("%d RSVPs fit into a file of %d bytes that cannot grow", n, file.Size())
		}
		name := strings.Repeat("x", 80) + fmt.Sprint(n)
		switch got := h.CreateRSVP(c, e, name); got.Status {
		case http.StatusCreated:
		case http.StatusServiceUnavailable:
			refused[name] = true
		default:
			t.Fatalf("answered %d", got.Status)
		}
	}
	settled := func() {
		t.Helper()
		h.Settled(c, e)
		for _, a := range c.ListAttendees(e).Attendees {
			if refused[a.Name] {
				t.Errorf("%s is listed, and could not be written", a.Name)
			}
		}
	}
	settled()
	health := func(want int) {
		t.Helper()
		response, err := http.Get(c.URL + "/health")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("health: %d, want %d", response.StatusCode, want)
		}
	}
	health(http.StatusServiceUnavailable)

	limit(unix.RLIM_INFINITY)
	health(http.StatusOK)
	if got := h.CreateRSVP(c, e, "a late guest"); got.Status != http.StatusCreated {
		t.Error("nothing is written although there is room")
	}
	settled()
	_ = s.process.Process.Kill()
	<-s.exited
	c.URL = start(t, []string{"PORT=0", "DATA_DIR=" + folder}).url + "/api"
	settled()
}
