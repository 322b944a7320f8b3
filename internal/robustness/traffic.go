package robustness

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"turnout/internal/httpapi/apitest"
)

// Churn is the traffic of eight clients that RSVP to an event, one RSVP after the
// other, and cancel every second one. The names of the guests begin with prefix.
func (h *History) Churn(c Client, e apitest.Event, prefix string, rounds int) {
	const clients = 8
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for round := range rounds {
				name := fmt.Sprintf("%sguest %d of client %d", prefix, round, client)
				got := h.CreateRSVP(c, e, name)
				if got.Status == http.StatusCreated && round%2 == 1 {
					h.CancelRSVP(c, e, name, got.RSVPToken)
				}
			}
		})
	}
	all.Wait()
}

// randomTraffic is that of clients that use all operations at random.
type randomTraffic struct {
	client  Client
	history *History

	mu     sync.Mutex
	events []apitest.Event
	guests map[string][][2]string // by event: name and token
}

// runRandomTraffic runs ten clients, and returns their history.
func runRandomTraffic(c Client, seed uint64, operations int) *History {
	const clients = 10
	x := &randomTraffic{client: c, history: NewHistory(), guests: map[string][][2]string{}}
	for len(x.events) == 0 {
		x.createEvent()
	}
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			chance := rand.New(rand.NewPCG(seed, uint64(client)))
			for n := range operations / clients {
				x.act(fmt.Sprintf("%d.%d", client, n), chance)
			}
		})
	}
	all.Wait()
	return x.history
}

// act makes one call, mostly on the newest events.
func (x *randomTraffic) act(name string, chance *rand.Rand) {
	x.mu.Lock()
	e := x.events[len(x.events)-1-chance.IntN(min(2, len(x.events)))]
	var guest [2]string
	if known := x.guests[e.Token]; len(known) > 0 {
		guest = known[chance.IntN(len(known))]
	}
	x.mu.Unlock()
	if chance.IntN(20) == 0 {
		e.Organizer = uuid.NewString()
	}
	if chance.IntN(50) == 0 {
		e.Token = uuid.NewString()
	}
	switch draw := chance.IntN(100); {
	case draw < 2:
		x.createEvent()
	case draw < 37:
		if a := x.history.CreateRSVP(x.client, e, name); a.Status == http.StatusCreated {
			x.mu.Lock()
			x.guests[e.Token] = append(x.guests[e.Token], [2]string{name, a.RSVPToken})
			x.mu.Unlock()
		}
	case draw < 57:
		if guest[1] == "" {
			guest[1] = uuid.NewString()
		}
		x.history.CancelRSVP(x.client, e, guest[0], guest[1])
	case draw < 82:
		x.history.GetEvent(x.client, e)
	case draw < 97:
		x.history.ListAttendees(x.client, e)
	default:
		if a := x.history.CancelEvent(x.client, e, "reason "+name); a.Status == http.StatusNoContent {
			x.createEvent()
		}
	}
}

func (x *randomTraffic) createEvent() {
	if e, a := x.history.CreateEvent(x.client); a.Status == http.StatusCreated {
		x.mu.Lock()
		x.events = append(x.events, e)
		x.mu.Unlock()
	}
}
