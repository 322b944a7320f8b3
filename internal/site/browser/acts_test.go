package browser

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/httpapi/apitest"
)

var (
	actsSeed  = flag.Uint64("acts.seed", 0, "the seed of TestRandomActs's first walk, or 0 for another one each time")
	actsWalks = flag.Uint64("acts.walks", 2, "the number of walks of TestRandomActs")
)

// faulty passes requests on, and disturbs half of the requests to the API. It cuts a disturbed request off, or responds
// with 502, before or after the service has done its work. Or it responds with another server's 404. read is the body
// of this 404 to a read. These responses have a date of another year.
func faulty(random *rand.Rand, pass way, read string) way {
	var mutex sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		fault, wait := random.IntN(10), time.Duration(random.IntN(100))*time.Millisecond
		mutex.Unlock()
		if fault > 4 || !strings.HasPrefix(r.URL.Path, "/api/") {
			pass(w, r)
			return
		}
		if fault%2 == 1 {
			pass(httptest.NewRecorder(), r)
		}
		time.Sleep(wait)
		w.Header().Set("Date", "Fri, 01 Jan 2100 00:00:00 GMT")
		switch fault {
		case 0, 1:
			cut(w, r)
		case 2, 3:
			w.WriteHeader(http.StatusBadGateway)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, map[bool]string{true: read, false: absent.body}[r.Method == http.MethodGet])
		}
	}
}

// A walk is one sequence of acts by guests and an organizer. The guests use two tabs of one device, and a second
// device.
type walk struct {
	*testing.T
	net     *connection
	random  *rand.Rand
	tabs    []*visitor          // the tabs of the first device, the second device and the organizer
	events  []created           // each event except the last has moved to the next event
	fates   map[[2]string]*fate // the fates of RSVPs, by event token and name
	here    map[string]bool     // whether a name's last tick at the check-in stands
	moves   int                 // the number of moves that are left
	shared  bool                // whether two devices have the same guest's RSVP
	latest  int                 // the device of the last act by a guest
	history []string
}

// A fate is the wanted outcome of the last acts on an RSVP, in the words of testdata/acts.ts, and the devices that have
// the RSVP.
type fate struct {
	is      string
	devices map[int]bool
}

const organizersTab = 3

// device returns the device of a tab. Its number is the index of the device's last tab.
func device(tab int) int { return max(tab, 1) }

func (w *walk) last() created { return w.events[len(w.events)-1] }

// pass lets requests through. Links in responses have the connection's address, because a page takes its own links from
// them.
func (w *walk) pass() way { return release(base, w.net.url) }

// hides is the body of a 404 that may come from the service. It hides an event, and ends a write.
const hides = `{"type":"about:blank"}`

func (w *walk) disturb(read string) {
	w.net.way.Store(faulty(rand.New(rand.NewPCG(w.random.Uint64(), 0)), w.pass(), read))
}

// settle waits until every device has the responses to all its requests.
func (w *walk) settle() {
	w.Helper()
	w.net.way.Store(w.pass())
	for _, tab := range w.tabs {
		on[struct{}](tab, "settle")
	}
}

// act does a random act, and notes it. If two devices have the same guest's RSVP, an act on one device waits for the
// responses to the other device. A move and a link wait for all responses. Links are opened after the last move,
// because a guest's yes on each of two devices makes two RSVPs of one name.
func (w *walk) act(name string) {
	w.Helper()
	if w.random.IntN(8) == 0 {
		if w.moves > 0 {
			w.move()
		} else {
			w.open()
		}
		return
	}
	tab, who := min(w.random.IntN(5), organizersTab), "guest"
	before := w.events[max(0, len(w.events)-2)].public()
	path := []string{"/", w.events[0].public(), before, before, w.last().public()}[w.random.IntN(5)]
	if tab == organizersTab {
		who = "organizer"
	} else {
		if w.shared && device(tab) != w.latest {
			w.settle()
			w.disturb(hides)
		}
		w.latest = device(tab)
	}
	type happened struct {
		What  string
		Fates []struct {
			EventToken, Name, Fate string
			Here                   *bool
		}
	}
	one := on[happened](w.tabs[tab], "act", who, w.random.Float64(), object{
		"name":  name,
		"path":  path,
		"luck":  w.random.Float64(),
		"waits": w.random.IntN(2) == 0,
	})
	what := fmt.Sprint(tab, " ", one.What)
	for _, f := range one.Fates {
		if f.Here != nil {
			w.here[f.Name] = *f.Here
			what += fmt.Sprintf(" %s: %t", f.Name, *f.Here)
		} else {
			what += fmt.Sprintf(" %s: %s", f.Name, f.Fate)
			w.note(f.EventToken, f.Name, f.Fate, device(tab))
		}
	}
	w.history = append(w.history, what)
	if one.What == "reload" {
		w.tabs[tab].do(w.tabs[tab].driver.Reload)
		w.tabs[tab].Started()
	}
}

// move moves the event to another date.
func (w *walk) move() {
	w.Helper()
	w.moves--
	w.settle()
	organizer, date := w.tabs[organizersTab], fmt.Sprint("2099-12-", 12+len(w.events))
	w.net.at(organizer, "/?change="+w.last().EventToken)
	organizer.Until("the form", `document.getElementById('announce')`)
	w.disturb(absent.body)
	on[struct{}](organizer, "sendMove", date)
	w.settle()
	to := created{on[apitest.Content](organizer, "savedOn", date)}
	organizer.At(to.organize())
	w.begin(to)
	w.history = append(w.history, "move")
	if w.random.IntN(4) > 0 { // otherwise guests' pages still show the event before the move
		w.settle()
	}
	w.disturb(hides)
}

// begin signs a guest up for an event without a page. Without guests, the organizer's page has no check-in.
func (w *walk) begin(e created) {
	w.Helper()
	signUp(w.T, e, "Ben")
	w.events, w.here = append(w.events, e), map[string]bool{}
	w.fates[[2]string{e.EventToken, "Ben"}] = &fate{is: "list"}
}

// open opens a guest's own link from one device on the other device.
func (w *walk) open() {
	w.Helper()
	w.settle()
	from := 2 * w.random.IntN(2)
	w.net.at(w.tabs[from], w.last().public())
	w.tabs[from].Idle()
	if names := on[[]string](w.tabs[from], "withdrawable"); len(names) > 0 {
		link := on[string](w.tabs[from], "linkOf", names[0])
		w.net.at(w.tabs[2-from], strings.TrimPrefix(link, w.net.url))
		if f := w.fates[[2]string{w.last().EventToken, names[0]}]; f.is != "neither" {
			f.devices[device(2-from)] = true
		}
		w.shared, w.latest = true, device(2-from)
		w.history = append(w.history, fmt.Sprintf("%d opens the link of %s", 2-from, names[0]))
	}
	w.disturb(hides)
}

// note notes the wanted outcome of an act on a device for an RSVP.
func (w *walk) note(eventToken, name, is string, on int) {
	f := w.fates[[2]string{eventToken, name}]
	if f == nil {
		f = &fate{devices: map[int]bool{}}
		w.fates[[2]string{eventToken, name}] = f
	}
	switch {
	case is == "both" && eventToken != w.last().EventToken: // the service refuses the RSVP
		f.is = "neither"
	case is == "both": // a yes after a withdrawal is a new RSVP, which other devices do not have
		f.is, f.devices = "both", map[int]bool{on: true}
	case is == "either": // after an Undo in time, each noted device still has the RSVP
		f.is = "either"
	case is == "neither":
		f.is = "neither"
	case on == device(organizersTab):
		f.is, f.devices[on] = "list", true
	default: // this device forgets the RSVP
		delete(f.devices, on)
		if f.is != "both" && f.is != "list" {
			f.is = "list or neither"
		} else if len(f.devices) == 0 {
			f.is = "list"
		}
	}
}

func namesIn(text string) []string {
	return slices.Sorted(slices.Values(regexp.MustCompile(`Guest \w+`).FindAllString(text, -1)))
}

// check compares the service's lists, the guests on the devices' pages of the last event, and the wanted outcomes of
// the last acts.
func (w *walk) check() {
	w.Helper()
	w.settle()
	claimed := map[int][]string{}
	for _, tab := range []int{1, 2} {
		for _, e := range w.events {
			w.net.at(w.tabs[tab], e.public())
			w.tabs[tab].Idle()
		}
		claimed[tab] = on[[]string](w.tabs[tab], "withdrawable")
		w.net.at(w.tabs[tab], "/")
		w.tabs[tab].Idle()
		home := on[string](w.tabs[tab], "guestsAtHome", w.last().EventToken)
		same(w.tabs[tab], "the names on home and on the page", namesIn(home), namesIn(fmt.Sprint(claimed[tab])))
	}
	organizer := w.tabs[organizersTab]
	w.net.at(organizer, w.last().private())
	organizer.Idle()
	eval[struct{}](organizer, `document.getElementById('check-in')?.click()`) // an event without guests has no check-in
	type row struct {
		Name        string
		Here, Added bool
	}
	for _, row := range on[[]row](organizer, "guestsAtTheDoor") {
		same(organizer, row.Name+" is here", row.Here, w.here[row.Name])
		if row.Added {
			claimed[organizersTab] = append(claimed[organizersTab], row.Name)
		}
	}
	lists := map[[2]string]int{}
	for _, e := range w.events {
		for _, name := range attendees(w.T, e) {
			lists[[2]string{e.EventToken, name}]++
		}
	}
	for key, n := range lists {
		if w.fates[key] == nil {
			w.Errorf("%d of %q on the list, and nobody has added any", n, key)
		}
	}
	for key, f := range w.fates {
		n, claims, last := lists[key], 0, key[0] == w.last().EventToken
		ok := n == 1 || n == 0 && f.is != "both" && f.is != "list"
		for tab, names := range claimed {
			if last && slices.Contains(names, key[1]) {
				claims++
				ok = ok && f.devices[tab]
			}
		}
		switch {
		case f.is == "neither":
			ok = ok && n+claims == 0
		case last && f.is == "either":
			ok = ok && (n > 0) == (claims > 0)
		case last && (f.is == "both" || f.is == "list"):
			ok = ok && claims >= len(f.devices)
		}
		if !ok {
			w.Errorf("%q: %d on the list, %d claims, want it on %s of %v", key, n, claims, f.is, f.devices)
		}
	}
}

// TestRandomActs: while half of the requests fail, the guest lists, the devices and the last acts agree.
func TestRandomActs(t *testing.T) {
	seed := *actsSeed
	for seed == 0 {
		seed = rand.Uint64() >> 32
	}
	for n := range *actsWalks {
		t.Run(fmt.Sprint(seed+n), func(t *testing.T) {
			const again = "go test ./internal/site/browser -run TestRandomActs -acts.seed %d -acts.walks 1"
			t.Logf("to repeat this walk: "+again, seed+n)
			e, one := announce(t, supper()), newVisitor(t, manner{})
			w := &walk{T: t, net: connect(t), random: rand.New(rand.NewPCG(seed+n, 0)), fates: map[[2]string]*fate{}}
			w.moves = w.random.IntN(3)
			w.begin(e)
			w.net.way.Store(w.pass())
			w.tabs = []*visitor{one, one.Tab(), newVisitor(t, manner{}), newVisitor(t, manner{})}
			for tab, v := range w.tabs {
				v.Prepare(fn("shareClock"))
				w.net.at(v, map[bool]string{false: e.public(), true: e.private()}[tab == organizersTab])
			}
			w.disturb(hides)
			for n := range 25 {
				w.act("Guest " + string(rune('A'+n)))
			}
			w.check()
			if t.Failed() || testing.Verbose() {
				t.Log(strings.Join(w.history, "\n"))
			}
		})
	}
}
