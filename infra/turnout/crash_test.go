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

	"turnout/internal/httpapi/apitest"
)

// guests has the RSVPs that the clients have sent, as the clients know them.
type guests struct {
	*testing.T
	service apitest.Client

	// stays maps a name to whether the last call that got a response was not a cancel. If a later call got no response,
	// the service may or may not have carried it out.
	stays sync.Map
}

// send makes a call, and reports whether the service responded. A response must be a success.
func (g *guests) send(k apitest.Call) (content apitest.Content, answered bool) {
	answer, err := g.service.Do(g.Context(), k)
	if err != nil {
		return content, false
	}
	if answer.Status >= http.StatusMultipleChoices {
		g.Errorf("%s answered %d %s", k.Method, answer.Status, answer.Body)
	}
	return answer.Content, true
}

// settled compares the event with the clients' knowledge while no call is under way. No acknowledged operation is lost,
// none happened twice, and count and list agree.
func (g *guests) settled(e apitest.Event) {
	g.Helper()
	event, known := g.send(apitest.GetEvent(e.Token))
	list, alsoKnown := g.send(apitest.ListAttendees(e.Token, e.Organizer))
	if !known || !alsoKnown || event.AttendeeCount != len(list.Attendees) {
		g.Fatalf("%d guests are counted, %d are listed", event.AttendeeCount, len(list.Attendees))
	}
	names := map[string]bool{}
	for _, each := range list.Attendees {
		if stays, answered := g.stays.Load(each.Name); answered && stays == false || names[each.Name] {
			g.Errorf("%s is listed, who has cancelled, or twice", each.Name)
		}
		names[each.Name] = true
	}
	g.stays.Range(func(name, stays any) bool {
		if stays == true && !names[name.(string)] {
			g.Errorf("%s was acknowledged and is not listed", name)
		}
		return true
	})
}

// TestKilled: the server can be killed at any instant. After the next start, every acknowledged operation is there.
func TestKilled(t *testing.T) {
	const kills, clients, most = 20, 8, 60
	env := []string{"PORT=0", "DATA_DIR=" + filepath.Join(t.TempDir(), "new", "folder")}
	s := start(t, env)
	client := &http.Client{Timeout: time.Minute} // a request must not wait forever
	g := &guests{T: t, service: apitest.Client{URL: s.url + "/api", HTTP: client}}
	created, _ := g.send(apitest.CreateEvent(apitest.EventBody(nil)))
	e := apitest.Event{Token: created.EventToken, Organizer: created.OrganizerToken}
	for kill := range kills {
		var acknowledged atomic.Int32
		after := 1 + rand.Int32N(most)
		enough := make(chan struct{})
		var all sync.WaitGroup
		for client := range clients {
			all.Go(func() {
				for n := 0; ; n++ {
					name := fmt.Sprintf("guest %d.%d.%d", kill, client, n)
					got, answered := g.send(apitest.CreateRSVP(e.Token, apitest.Object{"name": name}))
					stays := n%3 > 0
					if answered && !stays {
						_, answered = g.send(apitest.CancelRSVP(e.Token, got.RSVPToken))
					}
					if !answered {
						return
					}
					g.stays.Store(name, stays)
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
		must(t, s.process.Process.Kill())
		<-ended
		<-s.exited
		s = start(t, env)
		g.service.URL = s.url + "/api"
		g.settled(e)
	}
}
