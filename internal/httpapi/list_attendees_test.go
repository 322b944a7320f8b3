package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// guests is a store of one list.
type guests struct {
	event.Store
	rsvps []event.RSVP // in the order of positions
}

func (g guests) AttendeesByEvent(_ context.Context, _ event.Token, _ event.Hash, after event.Position, maxBytes int) ([]event.RSVP, bool, error) {
	first, found := slices.BinarySearchFunc(g.rsvps, after, func(r event.RSVP, p event.Position) int { return r.Position().Compare(p) })
	if found {
		first++
	}
	page, more := event.Page(slices.Clone(g.rsvps[first:]), event.Position{}, maxBytes)
	return page, more, nil
}

// guestList returns n guests. Four of them each have the same moment.
func guestList(n int, name func(i int) string) guests {
	g := guests{rsvps: make([]event.RSVP, n)}
	for i := range g.rsvps {
		g.rsvps[i] = event.RSVP{Name: name(i), CreatedAt: time.Unix(int64(i/4), 1).UTC()}
		g.rsvps[i].Hash[0], g.rsvps[i].Hash[15] = byte(i%4), byte(i)
	}
	return g
}

// pages follows the links of a list and returns its bodies.
func (g guests) pages(t *testing.T) (bodies [][]byte) {
	t.Helper()
	api := New(event.NewService(g), slog.New(slog.DiscardHandler), ListAttendees)
	at, err := url.Parse("http://turnout.example/api/events/" + event.NewToken().String() + "/attendees?organizerToken=" + event.NewToken().String())
	if err != nil {
		t.Fatal(err)
	}
	for {
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at.String(), nil))
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		bodies = append(bodies, w.Body.Bytes())
		link := w.Header().Get("Link")
		if link == "" {
			return bodies
		}
		target, found := strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
		next, err := at.Parse(target)
		if !found || err != nil || next.Path != at.Path || next.Query().Get("organizerToken") != at.Query().Get("organizerToken") {
			t.Fatalf("link %s from %s", link, at)
		}
		at = next
	}
}

// begins returns the part of a name that is unique: 8 digits.
func begins(r event.RSVP) string { return r.Name[:min(len(r.Name), 8)] }

// TestLongLists: with any names, every guest is on exactly one page, in order, and each page
// but the last is nearly as long as Lambda's response may be.
func TestLongLists(t *testing.T) {
	const (
		lambda   = 6_291_556 // bytes of a response
		envelope = 1000      // of them for status and headers
	)
	for _, test := range []struct {
		name  string
		n     int
		guest func(i int) string
	}{
		{"four-byte characters", 30_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("😀", 92) }},
		{"control characters", 9_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("\x00", 92) }},
		{"quotes and backslashes", 15_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat(`"\`, 46) }},
		{"line breaks", 20_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("\b\f\n\r\t", 18) }},
		{"line separators", 9_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("\u2028\u2029", 46) }},
		{"markup", 50_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("<&>'/\x7f", 15) }},
		{"spaces", 60_000, func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat(" ", 91) + "x" }},
		{"short", 320_000, func(i int) string { return "x" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := guestList(test.n, test.guest)
			next := 0
			bodies := g.pages(t)
			for i, body := range bodies {
				_, list, _ := bytes.Cut(body, []byte(`{"name":"`))
				for name := range bytes.SplitSeq(list, []byte(`{"name":"`)) {
					if next == test.n || !bytes.HasPrefix(name, []byte(begins(g.rsvps[next]))) {
						t.Fatalf("guest %d is %.20q", next, name)
					}
					next++
				}
				if i > 0 && i < len(bodies)-1 {
					continue // like the first
				}
				quoted, err := json.Marshal(string(body)) // escapes <, > and & on top of what Lambda's JSON does
				if err != nil {
					t.Fatal(err)
				}
				size := len(quoted) - 5*(strings.Count(string(body), "<")+strings.Count(string(body), ">")+strings.Count(string(body), "&"))
				if size > lambda-envelope || i < len(bodies)-1 && size < maxListBytes-1000 {
					t.Errorf("page %d of %d has %d bytes", i+1, len(bodies), size)
				}
			}
			if next != test.n || len(bodies) < 2 {
				t.Errorf("%d of %d guests on %d pages", next, test.n, len(bodies))
			}
		})
	}
}

// TestShortLists: a list that fits, to the byte, has one page.
func TestShortLists(t *testing.T) {
	const fits = maxListBytes / (16 + 48) // without a rest
	name := func(int) string { return strings.Repeat("x", 48) }
	for n, want := range map[int]int{0: 1, 1: 1, fits: 1, fits + 1: 2} {
		if got := len(guestList(n, name).pages(t)); got != want {
			t.Errorf("%d guests on %d pages, want %d", n, got, want)
		}
	}
}

// TestCursorsOfAnyMoment: a cursor is read as the position that it was made of.
func TestCursorsOfAnyMoment(t *testing.T) {
	for _, moment := range []int64{0, 1, -1, time.Now().UnixNano(), -1 << 63, 1<<63 - 1} {
		p := event.Position{CreatedAt: time.Unix(0, moment).UTC()}
		copy(p.Hash[:], "0123456789abcdef")
		sent := cursorAt(p)
		if got, err := cursor(url.Values{"cursor": {sent}}, ""); err != nil || got != p || len(sent) != 32 {
			t.Errorf("%v is %s, and that %v, %v", p, sent, got, err)
		}
	}
}
