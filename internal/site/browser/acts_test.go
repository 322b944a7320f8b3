package browser

import (
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	//go:embed testdata/acts.js
	acts string

	actsSeed = flag.Uint64("acts.seed", 0, "the seed of TestRandomActs, or 0 for another one each time")
)

// faulty passes requests on, and lets two of three writes fail: they are cut off or answered with 502 before or after
// the service has done its work.
func faulty(random *rand.Rand) way {
	pass := release()
	var mutex sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		fault, wait := random.IntN(6), time.Duration(random.IntN(200))*time.Millisecond
		mutex.Unlock()
		if r.Method == http.MethodGet || fault > 3 {
			pass(w, r)
			return
		}
		if fault%2 == 0 {
			pass(httptest.NewRecorder(), r)
		}
		time.Sleep(wait)
		if fault < 2 {
			cut(w, r)
		}
		w.WriteHeader(http.StatusBadGateway)
	}
}

// TestRandomActs: whatever somebody does in two tabs while writes fail, in the end each RSVP is on the guest list once and
// its token on the device, unless it was withdrawn, or its event removed from the device. Of an RSVP that was not
// confirmed by then, nothing is left.
func TestRandomActs(t *testing.T) {
	seed := *actsSeed
	for seed == 0 {
		seed = rand.Uint64() >> 32
	}
	t.Logf("to repeat these choices: go test ./internal/site/browser -run TestRandomActs -acts.seed %d", seed)
	e, c, v := announce(t, supper()), connect(t), newVisitor(t, manner{})
	random := rand.New(rand.NewPCG(seed, 0))
	tabs := []*visitor{v, v.Tab()}
	for _, tab := range tabs {
		tab.Prepare(acts)
		c.at(tab, e.public())
	}
	fate, did := map[string]string{}, []string{}
	for round := range 3 {
		c.way.Store(faulty(rand.New(rand.NewPCG(seed, uint64(round)+1))))
		for n := range 40 {
			tab, name := random.IntN(2), fmt.Sprintf("Guest %d.%d", round, n)
			one := eval[struct {
				What string
				Fate map[string]string
			}](tabs[tab], `act(%s, %s, %s)`, random.Float64(), name, e.public())
			did = append(did, fmt.Sprint(tab, " ", name, " ", one))
			for name, is := range one.Fate {
				if is == "list" && fate[name] != "both" { // what takes it off may be under way
					is = "list or neither"
				}
				fate[name] = is
			}
			if one.What == "reload" {
				tabs[tab].do(tabs[tab].driver.Reload)
				tabs[tab].Until("the page", started)
			}
		}
		c.way.Store(release())
		unseen(v, `!`+waiting)
		here := eval[[]string](v, driving+`.stored('rsvp.').map(({ name }) => name).sort()`)
		list, device := map[string]int{}, map[string]int{}
		for _, name := range attendees(t, e) {
			list[name]++
		}
		for _, name := range here {
			device[name]++
		}
		for name, is := range fate {
			onList, onDevice := list[name], device[name]
			ok := map[string]bool{
				"both": onList == 1 && onDevice == 1, "neither": onList+onDevice == 0,
				"either": onList == onDevice && onList < 2, "list": onList == 1 && onDevice == 0, "list or neither": onList < 2 && onDevice == 0,
			}
			if !ok[is] {
				t.Errorf("%s: %d on the list, %d on the device, want it on %s", name, onList, onDevice, is)
			}
		}
		if t.Failed() {
			t.Fatal(strings.Join(did, "\n"))
		}
		for _, tab := range tabs {
			c.at(tab, e.public())
			is(tab, `[...document.querySelectorAll('#yours .names .user')].map((name) => name.textContent).sort()`, here)
		}
	}
	for _, token := range eval[[]string](v, driving+`.stored('rsvp.').map(({ rsvpToken }) => rsvpToken)`) {
		withdraw(t, e, token)
	}
	for _, name := range attendees(t, e) {
		if is := fate[name]; is != "list" && is != "list or neither" {
			t.Errorf("%s was to be on %s, and no token here withdraws it", name, is)
		}
	}
}
