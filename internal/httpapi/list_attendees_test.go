package httpapi

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

const overhead = len(`{"name":""},`)

// longNames are the names of a list that is a byte too long for a list without a turn. shortNames are a byte shorter.
var (
	longNames  = []string{"Ada", strings.Repeat("x", shortList-len("Ada")-2*overhead+1)}
	shortNames = []string{"Ada", longNames[1][1:]}
)

// patience is much longer than a step takes. It ends a test that hangs.
const patience = 30 * time.Second

// A slowStore blocks when it has read a long list, until the test lets it continue, or until the request ends. It sends
// the address of the client to reading. It never blocks for the event fast.
type slowStore struct {
	storetest.Memory
	reading chan string
	goOn    chan struct{}
	fast    event.Token
}

type addressKey struct{}

func (s *slowStore) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, add func(event.RSVP) error,
) error {
	size := 0
	err := s.Memory.ListAttendees(ctx, token, organizer, func(r event.RSVP) error {
		size += overhead + len(r.Name)
		return add(r)
	})
	if err != nil || size <= shortList || token == s.fast {
		return err
	}
	address, _ := ctx.Value(addressKey{}).(string)
	select {
	case s.reading <- address:
	case <-ctx.Done():
	}
	select {
	case <-s.goOn:
		return nil
	case <-ctx.Done():
		return event.ErrUnavailable
	}
}

// openSlow returns an API on a slowStore.
func openSlow() (*slowStore, http.Handler) {
	s := &slowStore{reading: make(chan string), goOn: make(chan struct{})}
	return s, listAPI(s)
}

func listAPI(s event.Store) http.Handler {
	return New(event.NewService(s), slog.New(slog.DiscardHandler), ListAttendees)
}

// listOf stores an event with these guests, and returns the path of its list.
func listOf(t *testing.T, s event.Store, names ...string) string {
	t.Helper()
	token, organizer := event.NewToken(), event.NewToken()
	err := s.CreateEvent(t.Context(), event.Event{Token: token, ExpiresAt: time.Unix(1, 0)}, organizer.Hash())
	for _, name := range names {
		r := event.RSVP{ID: event.NewToken().RSVPID(), Name: name, CreatedAt: time.Unix(1, 0)}
		err = cmp.Or(err, s.CreateRSVP(t.Context(), token, r))
	}
	if err != nil {
		t.Fatal(err)
	}
	return "/api/events/" + token.String() + "/attendees?organizerToken=" + organizer.String()
}

// listStatus returns the status of the response to a request in this process.
func listStatus(ctx context.Context, api http.Handler, path string) int {
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
	return w.Code
}

// over is a context whose time is over.
func over(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestOneListStarvesNoOther: thirty clients request the long list of one event. The service reads the list for one of
// them, and meanwhile responds with other events' lists. When the client hangs up, the next one gets its turn at once.
func TestOneListStarvesNoOther(t *testing.T) {
	store, api := openSlow()
	long := listOf(t, store, longNames...)
	others := []string{listOf(t, store, "Ada"), listOf(t, store, shortNames...), listOf(t, store, longNames...)}
	store.fast, _ = event.ParseToken(strings.Split(others[2], "/")[3])
	server := httptest.NewUnstartedServer(api)
	server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, addressKey{}, c.RemoteAddr().String())
	}
	server.Start()
	defer server.Close()
	clients := make(map[string]net.Conn)
	for range 30 {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err == nil {
			_, err = io.WriteString(c, "GET "+long+" HTTP/1.1\r\nHost: turnout.example\r\n\r\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		clients[c.LocalAddr().String()] = c
	}
	get := func(path string) {
		t.Helper()
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("status %d", response.StatusCode)
		}
	}
	for len(clients) > 0 {
		var reader string
		select {
		case reader = <-store.reading:
		case <-time.After(patience):
			t.Fatal("nobody gets the turn of a client that has hung up")
		}
		if len(clients) == 30 {
			for _, path := range others {
				get(path)
			}
		}
		select {
		case <-store.reading:
			t.Fatal("the list is read for two clients at once")
		default:
		}
		_ = clients[reader].Close()
		delete(clients, reader)
	}
}

// TestTwoLongListsAtOnce: while two long lists are being read, a third one waits for its turn until its deadline. So
// many requests do not need the memory of as many lists.
func TestTwoLongListsAtOnce(t *testing.T) {
	store, api := openSlow()
	var all sync.WaitGroup
	for range 3 {
		path := listOf(t, store, longNames...)
		all.Go(func() {
			if status := listStatus(t.Context(), api, path); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		})
	}
	<-store.reading
	<-store.reading
	if status := listStatus(over(t), api, listOf(t, store, longNames...)); status != http.StatusServiceUnavailable {
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

// A slowReader is a response whose body the client does not read before the test lets it continue, if it is a list.
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

// sendSlowly begins to send lists to slow clients until a list is refused, and returns how many are being sent, and a
// function that lets the clients continue.
func sendSlowly(t *testing.T, api http.Handler, next func() (context.Context, string)) (sent int, goOn func()) {
	sending, read, refused := make(chan struct{}), make(chan struct{}), make(chan int)
	var all sync.WaitGroup
	for ; sent < 100; sent++ {
		ctx, path := next()
		all.Go(func() {
			w := &slowReader{httptest.NewRecorder(), sending, read}
			api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
			if w.Code != http.StatusOK {
				refused <- w.Code
			}
		})
		select {
		case <-sending:
		case status := <-refused:
			if status != http.StatusServiceUnavailable {
				t.Errorf("status %d for a list that is too much", status)
			}
			return sent, func() {
				close(read)
				all.Wait()
			}
		}
	}
	t.Fatal("no list is refused, so many slow clients need any memory")
	return 0, nil
}

// TestSlowReaders: while clients do not read their long lists, a further long list gets a 503. So many slow clients do
// not need the memory of as many lists. Lists without a turn are sent meanwhile.
func TestSlowReaders(t *testing.T) {
	store := new(storetest.Memory)
	api := listAPI(store)
	const size = 5 << 20
	long := func() string { return listOf(t, store, strings.Repeat("x", size)) }
	sent, goOn := sendSlowly(t, api, func() (context.Context, string) { return t.Context(), long() })
	if sent != mostSending/size {
		t.Errorf("%d long lists are sent at once", sent)
	}
	for _, names := range [][]string{{"Ada"}, shortNames} {
		if status := listStatus(t.Context(), api, listOf(t, store, names...)); status != http.StatusOK {
			t.Errorf("status %d for a short list", status)
		}
	}
	goOn()
	for what, path := range map[string]string{
		"a list after the others were read": long(),
		"a list longer than all together":   listOf(t, store, strings.Repeat("x", mostSending+1)),
	} {
		if status := listStatus(t.Context(), api, path); status != http.StatusOK {
			t.Errorf("status %d for %s", status, what)
		}
	}
}

// TestShortListsOfOneEvent: clients that do not read the short list of one event take the memory of a few such lists,
// however many clients there are. Other events' lists are sent meanwhile.
func TestShortListsOfOneEvent(t *testing.T) {
	store := new(storetest.Memory)
	api, path := listAPI(store), listOf(t, store, shortNames...)
	sent := 0
	sent, goOn := sendSlowly(t, api, func() (context.Context, string) {
		if sent++; sent > mostShort/shortList+1 {
			return over(t), path
		}
		return t.Context(), path
	})
	if want := mostShort/shortList + 1; sent != want { // one more has the turn
		t.Errorf("%d short lists of an event are sent at once, want %d", sent, want)
	}
	if status := listStatus(t.Context(), api, listOf(t, store, shortNames...)); status != http.StatusOK {
		t.Errorf("status %d for the list of another event", status)
	}
	goOn()
}

// A brokenStore panics when it has read a list.
type brokenStore struct{ *storetest.Memory }

func (s brokenStore) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, add func(event.RSVP) error,
) error {
	panic(s.Memory.ListAttendees(ctx, token, organizer, add))
}

// TestDefectsKeepNoTurn: a list that fails gives its turn back.
func TestDefectsKeepNoTurn(t *testing.T) {
	store := new(storetest.Memory)
	path := listOf(t, store, longNames...)
	if status := listStatus(t.Context(), listAPI(brokenStore{store}), path); status != http.StatusInternalServerError {
		t.Errorf("status %d for a panic", status)
	}
	if status := listStatus(over(t), listAPI(store), path); status != http.StatusOK {
		t.Errorf("status %d after a panic", status)
	}
	if n := len(lists.events); n > 0 {
		t.Errorf("%d events are kept in memory without a request", n)
	}
}
