package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"turnout/internal/robustness"
)

// TestKilled: the server can be killed at any moment. What it has acknowledged
// is there after the next start.
func TestKilled(t *testing.T) {
	const kills, clients, most = 50, 8, 60
	env := []string{"PORT=0", "DATA_DIR=" + filepath.Join(t.TempDir(), "new", "folder")}
	s := start(t, env)
	c := robustness.NewClient(t, s.url+"/api")
	c.ServerMayExit = true
	c.HTTP.Timeout = time.Minute // a server that hangs fails the test
	h, e := robustness.NewHistory(), c.NewEvent()
	for kill := range kills {
		var acknowledged atomic.Int32
		after := 1 + rand.Int32N(most)
		enough := make(chan struct{})
		var all sync.WaitGroup
		for client := range clients {
			all.Go(func() {
				for n := 0; ; n++ {
					name := fmt.Sprintf("guest %d.%d.%d", kill, client, n)
					got := h.CreateRSVP(c, e, name)
					if got.Status == http.StatusCreated && n%3 == 0 {
						got = h.CancelRSVP(c, e, name, got.RSVPToken)
					}
					if got.Status == 0 {
						return
					}
					if acknowledged.Add(1) == after {
						close(enough)
					}
				}
			})
		}
		ended := make(chan struct{})
		go func() { all.Wait(); close(ended) }()
		select {
		case <-enough:
		case <-ended:
			t.Fatalf("kill %d: the server ended by itself, or does not answer", kill)
		}
		if err := s.process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-ended
		<-s.exited
		s = start(t, env)
		c.URL = s.url + "/api"
		h.Settled(c, e)
	}
	t.Log(h.Count())
}
