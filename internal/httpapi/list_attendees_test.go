package httpapi

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// pages follows the links of an event's list, and returns the bodies. The event has n guests. Four guests at a time
// have the same instant.
func pages(t *testing.T, n int, name func(i int) string) (bodies [][]byte) {
	t.Helper()
	store, token, organizer := new(storetest.Memory), event.NewToken(), event.NewToken()
	e := event.Event{Token: token, ExpiresAt: time.Unix(int64(n), 0)}
	err := store.CreateEvent(t.Context(), e, organizer.Hash())
	for i := range n {
		r := event.RSVP{Name: name(i), CreatedAt: time.Unix(int64(i/4), 1).UTC()}
		binary.BigEndian.PutUint64(r.ID[:], uint64(i))
		err = errors.Join(err, store.CreateRSVP(t.Context(), token, r))
	}
	if err != nil {
		t.Fatal(err)
	}
	api := New(event.NewService(store), slog.New(slog.DiscardHandler), ListAttendees)
	list := "http://turnout.example/api/events/" + token.String() + "/attendees"
	at, err := url.Parse(list + "?organizerToken=" + organizer.String())
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
		if err != nil {
			t.Fatal(err)
		}
		same := next.Path == at.Path && next.Query().Get("organizerToken") == at.Query().Get("organizerToken")
		if !found || !same {
			t.Fatalf("link %s from %s", link, at)
		}
		at = next
	}
}

// TestLongLists: whatever the names, every guest is on exactly one page, in order. Each page but the last is nearly as
// long as Lambda's limit allows.
func TestLongLists(t *testing.T) {
	const (
		lambda   = 6_291_556 // bytes that a response may have
		envelope = 1000      // bytes for status and headers
	)
	for _, test := range []struct {
		n      int
		filler string
	}{
		{30_000, strings.Repeat("😀", 92)},
		{9_000, strings.Repeat("\x00", 92)},
		{15_000, strings.Repeat(`"\`, 46)},
		{20_000, strings.Repeat("\b\f\n\r\t", 18)},
		{9_000, strings.Repeat("\u2028\u2029", 46)},
		{50_000, strings.Repeat("<&>'/\x7f", 15)},
		{60_000, strings.Repeat(" ", 91) + "x"},
		{320_000, ""},
	} {
		t.Run(fmt.Sprintf("%.2q", test.filler), func(t *testing.T) {
			name := func(i int) string { return fmt.Sprintf("%08d", i) + test.filler }
			bodies, next := pages(t, test.n, name), 0
			for i, body := range bodies {
				_, list, _ := bytes.Cut(body, []byte(`{"name":"`))
				for name := range bytes.SplitSeq(list, []byte(`{"name":"`)) {
					if next == test.n || !bytes.HasPrefix(name, fmt.Appendf(nil, "%08d", next)) {
						t.Fatalf("guest %d is %.20q", next, name)
					}
					next++
				}
				if i > 0 && i < len(bodies)-1 {
					continue // a page in the middle is like the first page
				}
				quoted, err := json.Marshal(string(body)) // unlike Lambda's JSON, this also escapes <, > and &
				if err != nil {
					t.Fatal(err)
				}
				size := len(quoted)
				for _, escaped := range "<>&" {
					size -= strings.Count(string(body), string(escaped)) * (len(`\u0026`) - len("&"))
				}
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

// TestShortLists: a list that fits into a page to the byte has one page.
func TestShortLists(t *testing.T) {
	const fits = maxListBytes / (16 + 48) // this number of guests fills a page exactly
	name := func(int) string { return strings.Repeat("x", 48) }
	for n, want := range map[int]int{0: 1, 1: 1, fits: 1, fits + 1: 2} {
		if got := len(pages(t, n, name)); got != want {
			t.Errorf("%d guests on %d pages, want %d", n, got, want)
		}
	}
}

// A slowStore blocks while it reads a list, until the test lets it continue.
type slowStore struct {
	storetest.Memory
	reading, goOn chan struct{}
}

func (s *slowStore) ListAttendees(context.Context, event.Token, event.Hash, *event.Page) error {
	s.reading <- struct{}{}
	<-s.goOn
	return nil
}

// TestTwoListsAtOnce: while two lists are being read, a further request waits for its turn until its deadline. So many
// requests do not need the memory of as many lists.
func TestTwoListsAtOnce(t *testing.T) {
	store := &slowStore{reading: make(chan struct{}), goOn: make(chan struct{})}
	api := New(event.NewService(store), slog.New(slog.DiscardHandler), ListAttendees)
	list := func(ctx context.Context) int {
		path := "http://turnout.example/api/events/" + event.NewToken().String() + "/attendees"
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
		return w.Code
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if status := list(t.Context()); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		})
	}
	<-store.reading
	<-store.reading
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if status := list(over); status != http.StatusServiceUnavailable {
		t.Errorf("status %d for a request whose time is over", status)
	}
	select {
	case <-store.reading:
		t.Error("three lists are read at once")
	default:
	}
	store.goOn <- struct{}{}
	<-store.reading
	close(store.goOn)
	all.Wait()
}

// A slowReader is a response whose body, if it is a list, the client does not read before the test lets it continue.
type slowReader struct {
	*httptest.ResponseRecorder
	sending, goOn chan struct{}
}

func (w *slowReader) Write(body []byte) (int, error) {
	if w.Code == http.StatusOK {
		w.sending <- struct{}{}
		<-w.goOn
	}
	return len(body), nil
}

// TestSlowReaders: while clients do not read their long lists, a further long list gets a 503. So many slow clients do
// not need the memory of as many lists. A short list is sent meanwhile.
func TestSlowReaders(t *testing.T) {
	store := new(storetest.Memory)
	organizer := event.NewToken()
	listOf := func(name string) *http.Request {
		token := event.NewToken()
		e := event.Event{Token: token, ExpiresAt: time.Unix(1, 0)}
		err := store.CreateEvent(t.Context(), e, organizer.Hash())
		err = errors.Join(err, store.CreateRSVP(t.Context(), token, event.RSVP{Name: name, CreatedAt: time.Unix(1, 0)}))
		if err != nil {
			t.Fatal(err)
		}
		path := "/api/events/" + token.String() + "/attendees?organizerToken=" + organizer.String()
		return httptest.NewRequest(http.MethodGet, path, nil)
	}
	long, short := listOf(strings.Repeat("x", maxListBytes)), listOf("Ada")
	api := New(event.NewService(store), slog.New(slog.DiscardHandler), ListAttendees)
	sending, goOn, refused := make(chan struct{}), make(chan struct{}), make(chan int)
	var all sync.WaitGroup
	lists := 0
	for isRefused := false; !isRefused; {
		all.Go(func() {
			w := &slowReader{httptest.NewRecorder(), sending, goOn}
			api.ServeHTTP(w, long)
			if w.Code != http.StatusOK {
				refused <- w.Code
			}
		})
		select {
		case <-sending:
			if lists++; lists > mostSending/maxListBytes {
				t.Fatalf("%d long lists are sent at once", lists)
			}
		case status := <-refused:
			if isRefused = true; status != http.StatusServiceUnavailable {
				t.Errorf("status %d for a list beyond the limit", status)
			}
		}
	}
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, short); w.Code != http.StatusOK {
		t.Errorf("status %d for a short list", w.Code)
	}
	close(goOn)
	all.Wait()
	w = httptest.NewRecorder()
	if api.ServeHTTP(w, long); w.Code != http.StatusOK {
		t.Errorf("status %d after the other lists were read", w.Code)
	}
}

// TestCursorsOfAnyMoment: a cursor made from a position is read as the same position.
func TestCursorsOfAnyMoment(t *testing.T) {
	for _, moment := range []int64{0, 1, -1, time.Now().UnixNano(), -1 << 63, 1<<63 - 1} {
		p := event.Position{CreatedAt: time.Unix(0, moment).UTC()}
		copy(p.ID[:], "0123456789abcdef")
		sent := cursorAt(p)
		if got, err := cursor(url.Values{"cursor": {sent}}, ""); err != nil || got != p || len(sent) != 32 {
			t.Errorf("%v is %s, and that %v, %v", p, sent, got, err)
		}
	}
}
