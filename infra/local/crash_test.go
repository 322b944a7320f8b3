package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// A guestbook is what the clients of one event know: who must be on its list,
// who must not, and of whom nobody can tell because the answer never came.
type guestbook struct {
	event, organizer string

	mu              sync.Mutex
	in, out, maybes map[string]bool
}

// call returns the status, or an error if no whole answer came.
func call(method, url string, body, answer any) (int, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(content))
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && answer != nil && len(text) > 0 {
		err = json.Unmarshal(text, answer)
	}
	return response.StatusCode, err
}

func newGuestbook(t *testing.T, url string) *guestbook {
	t.Helper()
	var created struct{ EventToken, OrganizerToken string }
	status, err := call("POST", url+"/api/events",
		map[string]any{"title": "Picnic", "dateTime": "2099-05-01T12:00:00Z", "timezone": "UTC"}, &created)
	if err != nil || status != http.StatusCreated {
		t.Fatal(status, err)
	}
	return &guestbook{
		event: created.EventToken, organizer: created.OrganizerToken,
		in: map[string]bool{}, out: map[string]bool{}, maybes: map[string]bool{},
	}
}

// comeAndGo RSVPs, and takes every third RSVP back. It reports whether the answers came.
func (g *guestbook) comeAndGo(url, name string, n int) bool {
	rsvps := url + "/api/events/" + g.event + "/rsvps"
	var rsvp struct{ RSVPToken string }
	status, err := call("POST", rsvps, map[string]any{"name": name}, &rsvp)
	if !g.note(name, status == http.StatusCreated && err == nil, g.in) || n%3 != 0 {
		return err == nil
	}
	g.mu.Lock()
	delete(g.in, name)
	g.mu.Unlock()
	status, err = call("DELETE", rsvps+"/"+rsvp.RSVPToken, nil, nil)
	return g.note(name, status == http.StatusNoContent && err == nil, g.out)
}

func (g *guestbook) note(name string, acknowledged bool, as map[string]bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !acknowledged {
		as = g.maybes
	}
	as[name] = true
	return acknowledged
}

// check wants everything acknowledged to be there, and the count to be that of the list.
func (g *guestbook) check(t *testing.T, url string) {
	t.Helper()
	var shown struct{ AttendeeCount int }
	var list struct{ Attendees []struct{ Name string } }
	seen, err := call("GET", url+"/api/events/"+g.event, nil, &shown)
	listed, also := call("GET", url+"/api/events/"+g.event+"/attendees?organizerToken="+g.organizer, nil, &list)
	if err := errors.Join(err, also); err != nil || seen != http.StatusOK || listed != http.StatusOK {
		t.Fatalf("get event %d, list attendees %d: %v", seen, listed, err)
	}
	names := make([]string, len(list.Attendees))
	for i, a := range list.Attendees {
		names[i] = a.Name
	}
	slices.Sort(names)
	if distinct := len(slices.Compact(slices.Clone(names))); shown.AttendeeCount != len(names) || distinct != len(names) {
		t.Errorf("%d guests are counted, %d are listed, %d of them distinct", shown.AttendeeCount, len(names), distinct)
	}
	for name := range g.in {
		if _, found := slices.BinarySearch(names, name); !found {
			t.Errorf("%s was acknowledged and is lost", name)
		}
	}
	for _, name := range names {
		if !g.in[name] && !g.maybes[name] {
			t.Errorf("%s is on the list, whose RSVP was cancelled: %v", name, g.out[name])
		}
	}
}

// TestKilled: the server can be killed at any moment. What it has acknowledged
// is there when it comes back.
func TestKilled(t *testing.T) {
	const kills, clients, most = 50, 8, 60
	env := []string{"PORT=0", "DATA_DIR=" + t.TempDir()}
	s := start(t, env)
	book := newGuestbook(t, s.url)
	for kill := range kills {
		var acknowledged atomic.Int32
		after := 1 + rand.Int32N(most)
		enough := make(chan struct{})
		var all sync.WaitGroup
		for client := range clients {
			all.Go(func() {
				for n := 0; book.comeAndGo(s.url, fmt.Sprintf("guest %d.%d.%d", kill, client, n), n); n++ {
					if acknowledged.Add(1) == after {
						close(enough)
					}
				}
			})
		}
		<-enough
		if err := s.process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		<-s.exited
		s = start(t, env)
		book.check(t, s.url)
	}
	t.Logf("%d guests are in, %d are out, of %d nobody was told", len(book.in), len(book.out), len(book.maybes))
}
