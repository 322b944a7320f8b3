package benchmark

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/event"
	"turnout/internal/httpapi"

	"turnout/internal/robustness"
)

func (f *figures) capacity() {
	small, listSmall := measureCapacity(f.t, 10)
	large, listLarge := measureCapacity(f.t, 10_000)
	show := func(u units) string { return fmt.Sprintf("%g + %g", u.read, u.write) }
	for _, row := range arithmetic {
		f.add("capacity, 10 and 10,000 guests: "+row.operation, show(small[row.operation])+", "+show(large[row.operation]),
			"RRU + WRU", "the design's "+show(row.units), "equal")
	}
	f.add("capacity, 10 and 10,000 guests: list attendees", show(listSmall)+", "+show(listLarge), "RRU + WRU", "1 RRU per 4 KB", "recorded")
}

// serverProcess starts a server that prints its address in its first lines. What
// it prints goes to a file: a reader would compete with it for the processors.
func (f *figures) serverProcess(env []string, program string, arguments ...string) (address string, stop func()) {
	f.t.Helper()
	out, err := os.Create(filepath.Join(f.t.TempDir(), "out"))
	if err != nil {
		f.t.Fatal(err)
	}
	process := exec.Command(filepath.Join(f.bin, program), arguments...)
	process.Env, process.Stdout = env, out
	if err := process.Start(); err != nil {
		f.t.Fatal(err)
	}
	for address == "" {
		printed, err := os.ReadFile(out.Name())
		if err != nil || process.ProcessState != nil {
			f.t.Fatalf("%s: %v %s", program, err, printed)
		}
		address = strings.TrimPrefix(regexp.MustCompile(`http://[\d.:]+\b`).FindString(string(printed)), "http://")
	}
	return address, func() {
		_ = process.Process.Kill()
		_ = process.Wait()
		_ = out.Close()
	}
}

// load sends the same request over so many connections for a while, and returns
// how many were answered per second with the status wanted.
func (f *figures) load(address string, concurrency int, head, body string, status int) float64 {
	const duration = 400 * time.Millisecond
	message := []byte(head + " HTTP/1.1\r\nHost: turnout\r\n")
	if body != "" {
		message = append(message, "Content-Type: application/json\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n"...)
	}
	message = append(message, "\r\n"+body...)
	var answered atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for range concurrency {
		all.Go(func() {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				f.t.Error(err)
				return
			}
			defer connection.Close()
			answers := bufio.NewReader(connection)
			for time.Since(begin) < duration {
				_, err := connection.Write(message)
				var response *http.Response
				if err == nil {
					response, err = http.ReadResponse(answers, nil)
				}
				if err == nil {
					_, err = io.Copy(io.Discard, response.Body)
				}
				if err != nil || response.StatusCode != status {
					f.t.Errorf("%s: %v, %v", head, response, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	all.Wait()
	return float64(answered.Load()) / time.Since(begin).Seconds()
}

// localServer measures the server on one machine against one that commits the
// body of each request by itself, or answers without looking at it.
func (f *figures) localServer() {
	const turns = 3
	ours, stop := f.serverProcess([]string{"PORT=0", "DATA_DIR=" + f.t.TempDir()}, "local")
	defer stop()
	floor, stop := f.serverProcess(nil, "server", filepath.Join(f.t.TempDir(), "floor.db"))
	defer stop()
	event := robustness.NewClient(f.t, "http://"+ours+"/api").NewEvent().Token
	const guest = `{"name":"A guest whose name is of the usual length"}`
	for _, concurrency := range []int{1, 8, 64} {
		for _, each := range []struct {
			name, floorName, head, body string
			status                      int
		}{
			{"RSVPs", "net/http + a commit each", "POST /api/events/" + event + "/rsvps", guest, http.StatusCreated},
			{"reads", "net/http + constant answer", "GET /api/events/" + event, "", http.StatusOK},
		} {
			var figures, floors []float64
			for range turns {
				figures = append(figures, f.load(ours, concurrency, each.head, each.body, each.status))
				floors = append(floors, f.load(floor, concurrency, each.head, each.body, each.status))
			}
			slices.Sort(figures)
			slices.Sort(floors)
			f.ratio(fmt.Sprintf("local server: %s, concurrency %d", each.name, concurrency),
				figures[turns/2], floors[turns/2], "1/s", each.floorName, "at least 0.7 x")
		}
	}
}

// crowds measures in the time of DynamoDB's transactions, see contended.
func (f *figures) crowds() {
	const turns = 3
	for _, guests := range []int{200, 500} {
		var oneGate robustness.Crowd
		for _, gates := range []int{1, 4, 8, 16} {
			if guests == 500 && gates != 1 && gates != 8 {
				continue // the two of the ratio
			}
			var crowds []robustness.Crowd
			for range turns {
				crowds = append(crowds, robustness.NewCrowd(f.t, gates, guests))
			}
			slices.SortFunc(crowds, func(a, b robustness.Crowd) int { return int(a.All - b.All) })
			c := crowds[turns/2]
			if gates == 1 {
				oneGate = c
			}
			aim := ""
			if gates == dynamo.DefaultGates {
				aim = "all admitted, at least 5 x"
			}
			f.ratio(fmt.Sprintf("%d guests at once, %d gates: %.0f %% admitted, p50 %d ms, p99 %d ms, %.1f transactions each", guests, gates,
				100*float64(c.Admitted)/float64(guests), c.Quantile(0.5).Milliseconds(), c.Quantile(0.99).Milliseconds(), float64(c.Transactions)/float64(guests)),
				c.PerSecond(), oneGate.PerSecond(), "RSVPs/s", "one gate", aim)
		}
	}
	longest := robustness.CancelUnderContention(f.t, 20)
	f.add("cancel under contention: the longest of 20 organizers", fmt.Sprint(longest.Milliseconds()), "ms", "", "at most 2,000")
}

// A constant store answers at once what never changes, so that what is left to
// measure is our own code between the request and the store.
type constant struct {
	event.Store
	event event.Event
	rsvps []event.RSVP
}

func (c constant) AddEvent(context.Context, event.Event, event.Hash) error { return nil }

func (c constant) EventByToken(context.Context, event.Token) (event.Event, error) {
	return c.event, nil
}

func (c constant) CancelEvent(context.Context, event.Token, event.Hash, *string, time.Time) error {
	return nil
}

func (c constant) AddRSVP(context.Context, event.Token, event.RSVP) error { return nil }

func (c constant) RemoveRSVP(context.Context, event.Token, event.Hash) error { return nil }

func (c constant) AttendeesByEvent(context.Context, event.Token, event.Hash, event.Position, int) ([]event.RSVP, bool, error) {
	return c.rsvps, false, nil
}

func (c constant) Ready(context.Context) error { return nil }

// recorded are the allocations and bytes of each operation when they were last
// looked at. They may fall.
var recorded = map[string][2]int64{
	"create-event":   {70, 8362},
	"get-event":      {19, 1648},
	"cancel-event":   {33, 2768},
	"list-attendees": {22, 2008},
	"create-rsvp":    {38, 2680},
	"cancel-rsvp":    {15, 1184},
	"health":         {15, 928},
}

func (f *figures) allocations() {
	token := event.NewToken()
	text := "A garden party with games and cake"
	store := constant{
		event: event.Event{Token: token, Title: text, Description: &text, DateTime: "2099-05-01T19:00:00+02:00", Timezone: "Europe/Berlin"},
		rsvps: slices.Repeat([]event.RSVP{{Name: "A guest"}}, 10),
	}
	h := robustness.Handler(event.NewService(store))
	path := "/api/events/" + token.String()
	query := "?organizerToken=" + event.NewToken().String()
	for _, row := range []struct {
		endpoint   httpapi.Endpoint
		path, body string
	}{
		{httpapi.CreateEvent, "/api/events", `{"title":"Garden party","dateTime":"2099-05-01T19:00:00+02:00","timezone":"Europe/Berlin"}`},
		{httpapi.GetEvent, path, ""},
		{httpapi.CancelEvent, path + query, `{"cancelled":true}`},
		{httpapi.ListAttendees, path + "/attendees" + query, ""},
		{httpapi.CreateRSVP, path + "/rsvps", `{"name":"A guest"}`},
		{httpapi.CancelRSVP, path + "/rsvps/" + event.NewToken().String(), ""},
		{httpapi.Health, "/api/health", ""},
	} {
		result := testing.Benchmark(func(b *testing.B) {
			r := httptest.NewRequest(row.endpoint.Method, row.path, nil)
			w := &discard{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				r.Body = io.NopCloser(bytes.NewReader([]byte(row.body)))
				h.ServeHTTP(w, r)
			}
			if w.status >= 300 {
				b.Error(row.endpoint.Name, w.status)
			}
		})
		was := recorded[row.endpoint.Name]
		f.add("own code per request: "+row.endpoint.Name,
			fmt.Sprintf("%d, %d", result.AllocsPerOp(), result.AllocedBytesPerOp()), "allocations, bytes",
			fmt.Sprintf("%d, %d recorded", was[0], was[1]), "never more")
	}
}

// discard is an http.ResponseWriter that keeps the status only.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header { return d.header }

func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

func (d *discard) WriteHeader(status int) { d.status = status }
