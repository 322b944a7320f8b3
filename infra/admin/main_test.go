package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
)

// An operator works on two tables, as after a restore from a point in time.
type operator struct {
	t             *testing.T
	getenv        func(string) string
	live, copied  *dynamo.Store
	table, source string
	now           time.Time
}

func newOperator(t *testing.T) *operator {
	environment := map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": dynamotest.Endpoint(t),
		"AWS_DEFAULT_REGION":        "local", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
	}
	o := &operator{t: t, getenv: func(name string) string { return environment[name] }, table: "live-" + uuid.NewString(), source: "copy-" + uuid.NewString(), now: time.Now()}
	open := func(table string) *dynamo.Store {
		store, err := openTable(table, o.getenv)
		if err == nil {
			err = store.CreateTable(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	o.live, o.copied = open(o.table), open(o.source)
	return o
}

// prints runs a command and wants what it prints, or the end of that.
func (o *operator) prints(want string, arguments ...string) {
	o.t.Helper()
	if got := o.run(arguments...); !strings.HasSuffix(got, want) {
		o.t.Errorf("%v: %s", arguments, got)
	}
}

func (o *operator) run(arguments ...string) string {
	o.t.Helper()
	var out bytes.Buffer
	if err := run(o.t.Context(), arguments, o.getenv, o.now, &out); err != nil {
		o.t.Fatalf("%v: %v\n%s", arguments, err, &out)
	}
	return out.String()
}

func (o *operator) fails(want string, arguments ...string) {
	o.t.Helper()
	if err := run(o.t.Context(), arguments, o.getenv, o.now, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
		o.t.Errorf("%v: %v, want %q", arguments, err, want)
	}
}

var organizer = event.NewToken().Hash()

func (o *operator) ctx() context.Context {
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	o.t.Cleanup(cancel)
	return ctx
}

// add stores an event of a date with so many guests in the tables.
func (o *operator) add(date time.Time, guests int, stores ...*dynamo.Store) event.Token {
	o.t.Helper()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: date.Format(time.RFC3339), Timezone: "UTC", CreatedAt: o.now, ExpiresAt: date.AddDate(0, 0, 7)}
	for _, store := range stores {
		if err := store.AddEvent(o.ctx(), e, organizer); err != nil {
			o.t.Fatal(err)
		}
		for i := range guests {
			o.attend(store, e.Token, fmt.Sprintf("Guest %d", i))
		}
	}
	return e.Token
}

func (o *operator) attend(store *dynamo.Store, token event.Token, name string) {
	o.t.Helper()
	if err := store.AddRSVP(o.ctx(), token, event.RSVP{Name: name, Hash: event.NewToken().Hash(), CreatedAt: o.now}); err != nil {
		o.t.Fatal(err)
	}
}

// wantGuests wants events with so many guests in the live table.
func (o *operator) wantGuests(want map[event.Token]int) {
	o.t.Helper()
	for token, n := range want {
		if e, err := o.live.EventByToken(o.ctx(), token); err != nil || e.AttendeeCount != n {
			o.t.Errorf("%d guests, want %d: %v", e.AttendeeCount, n, err)
		}
	}
}

func TestRestore(t *testing.T) {
	o := newOperator(t)
	next, past := o.now.AddDate(0, 1, 0), o.now.AddDate(0, -1, 0)
	lost, bare := o.add(next, 3, o.copied), o.add(next, 3, o.copied)
	kept := o.add(next, 1, o.copied, o.live)
	o.attend(o.live, kept, "Later") // stored after the moment of the copy
	_ = o.add(past, 0, o.copied)
	cancelled := o.add(next, 2, o.copied)
	if err := o.copied.CancelEvent(o.ctx(), cancelled, organizer, nil, event.Hash{}, o.now); err != nil {
		t.Fatal(err)
	}

	// dynamo.TestRestoreLargeEvent shows that another run continues.
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := run(ctx, []string{"restore", o.source, o.table}, o.getenv, o.now, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "run it again") {
		t.Error(err)
	}
	o.prints("events restored: 1, with 3 RSVPs; there already: 0; expired: 0; erased: 0\n",
		"restore", "-event", strings.ToUpper(lost.String()), o.source, o.table)
	o.prints("events restored: 1, with 0 RSVPs; there already: 0; expired: 0; erased: 0\n",
		"restore", "-guests=false", "-event", bare.String(), o.source, o.table)
	o.prints("events restored: 1, with 2 RSVPs; there already: 3; expired: 1; erased: 0\n", "restore", o.source, o.table)
	for _, token := range []event.Token{lost, bare} {
		o.attend(o.live, token, "New") // a restored event accepts RSVPs
	}
	o.wantGuests(map[event.Token]int{lost: 4, bare: 1, kept: 2, cancelled: 2})
	o.fails(o.source+" does not hold this event", "restore", "-event", event.NewToken().String(), o.source, o.table)
}

func TestEmptyEventsInTheFarFuture(t *testing.T) {
	o := newOperator(t)
	far := time.Date(9999, 12, 1, 0, 0, 0, 0, time.UTC)
	junk := o.add(far, 0, o.live)
	visited := o.add(far, 1, o.live)
	near := o.add(o.now.AddDate(1, 0, 0), 0, o.live)

	o.prints("events found: 0\n", "empty", o.table) // created within a month
	o.now = o.now.AddDate(0, 2, 0)
	if got := o.run("empty", o.table); !strings.HasPrefix(got, junk.String()+"  created ") || !strings.HasSuffix(got, "date 9999-12-01T00:00:00Z, RSVPs 0\nevents found: 1\n") {
		t.Error(got)
	}
	if got := o.run("empty", "-guests", "1", o.table); !strings.Contains(got, "RSVPs 1\n") || !strings.HasSuffix(got, "events found: 2\n") {
		t.Error(got)
	}
	o.prints("events erased: 1\n", "empty", "-erase", o.table)
	if _, err := o.live.EventByToken(o.ctx(), junk); err != event.ErrEventNotFound {
		t.Error(err)
	}
	o.wantGuests(map[event.Token]int{visited: 1, near: 0})
	o.fails("-after must be a day", "empty", "-after", "2036", o.table)
}

func TestErase(t *testing.T) {
	o := newOperator(t)
	next := o.now.AddDate(0, 1, 0)
	token, other := o.add(next, 30, o.live), o.add(next, 1, o.live)
	for _, name := range []string{"Ada", "Ada", "ada", "Ada "} { // two of them have another name
		o.attend(o.live, token, name)
	}
	o.fails("2 guests have that name", "erase", "-name", "Ada", o.table, token.String())
	o.prints("RSVPs erased: 2\n", "erase", "-name", "Ada", "-all", o.table, token.String())
	o.fails("no guest of that name", "erase", "-name", "Ada", o.table, token.String())
	o.prints("RSVPs erased: 1\n", "erase", "-name", "Guest 1", o.table, token.String())
	o.wantGuests(map[event.Token]int{token: 31})
	o.run("erase", o.table, token.String())
	if _, err := o.live.EventByToken(o.ctx(), token); err != event.ErrEventNotFound {
		t.Error(err)
	}
	o.fails("not found", "erase", o.table, token.String())
	o.wantGuests(map[event.Token]int{other: 1})
}

func TestUsage(t *testing.T) {
	o := &operator{t: t, getenv: func(string) string { return "" }, now: time.Now()}
	for _, arguments := range [][]string{nil, {"help"}, {"restore"}, {"restore", "-x", "a", "b"}, {"empty"}, {"erase", "t"},
		{"erase", "-name", "", "t", uuid.NewString()}, {"erase", "-all", "t", uuid.NewString()}, {"restore", "-event=", "a", "b"}} {
		o.fails(errUsage.Error(), arguments...)
	}
	o.fails("AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY", "restore", "a", "b")
	o.fails("export-credentials", "restore", "a", "b")
	err := run(t.Context(), []string{"erase", "t", "x"}, o.getenv, o.now, &bytes.Buffer{})
	if err == nil || err.Error() != `"x" is not an event token` {
		t.Error(err)
	}
}
