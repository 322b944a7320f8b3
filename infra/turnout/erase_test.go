package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestParseErase: tokens or links name the events, in the arguments or on the standard input. Wrong arguments are
// refused, above all arguments that would erase more than the operator meant.
func TestParseErase(t *testing.T) {
	token, other := event.NewToken(), event.NewToken()
	read := func(arguments, in string) (erasure, error) {
		words := strings.NewReplacer("%s", token.String(), "%o", other.String())
		return parseErase(strings.Fields(words.Replace(arguments)), strings.NewReader(words.Replace(in)))
	}
	for arguments, want := range map[string]string{
		"":                errUsage.Error(),
		"-yes":            errUsage.Error(),
		"-":               "the list names no event; nothing was erased", // the standard input is empty
		"-x %s":           errUsage.Error(),
		"-name= %s":       "-name is empty",
		"-name= -all %s":  "-name is empty",
		"-all %s":         "-all without -name",
		"x":               `"x" is neither an event token nor a link to an event`,
		"%s https://t/x":  `"https://t/x" is neither an event token nor a link to an event`,
		"https://t/e/%s0": "is neither an event token nor a link to an event",
		"%s -name Ada":    `"-name" is neither an event token nor a link to an event`,
	} {
		if _, err := read(arguments, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", arguments, err, want)
		}
	}
	for in, want := range map[string]string{
		"%s\n# x\nx\n":                   `line 3: "x" is neither an event token nor a link to an event; nothing was erased`,
		"\n\r\n%s %o x":                  `line 3: "x" is neither an event token nor a link to an event; nothing was erased`,
		"\xff\xfe%s\n":                   "the list is in UTF-16: save it as UTF-8; nothing was erased",
		"\xfe\xff\x00x":                  "the list is in UTF-16: save it as UTF-8; nothing was erased",
		"e\x00x\x00":                     "the list is in UTF-16: save it as UTF-8; nothing was erased",
		"\ufeff# nothing but comments\n": "the list names no event; nothing was erased",
	} {
		if _, err := read("-", in); err == nil || err.Error() != want {
			t.Errorf("the list %q: %v, want %q", in, err, want)
		}
	}
	got, err := read("-yes -name Ada -all %s", "")
	got.known = nil
	if err != nil || !reflect.DeepEqual(got, erasure{[]event.Token{token}, "Ada", true, true, nil}) {
		t.Error(got, err)
	}
	for arguments, in := range map[string]string{
		"%s %o": "",
		"https://turnout.example.org/e/" + strings.ToUpper(token.String()) + "#organizer=%o /e/%o": "",
		"-":        "http://127.0.0.1:3000/e/%s.\n\n%o\r\n%s",
		"-  ":      "\ufeff%s # spam %o\r\n#%o\n \t\n\ufeff%o",
		"   -    ": "http://127.0.0.1:3000/e/%s#organizer=x\t%o",
	} {
		if got, err := read(arguments, in); err != nil || !slices.Equal(got.Events, []event.Token{token, other}) {
			t.Errorf("%q: %v, %v", arguments, got.Events, err)
		}
	}
}

// TestErasure: turnout erase says what it is about to erase. It erases nothing until the operator types the event's
// title or the number of several events, or gives -yes. It names events that do not exist, and still erases the other
// events.
func TestErasure(t *testing.T) {
	const picnic, walk = `"Picnic" (2100-06-01T12:00:00Z)`, `"Walk" (2100-06-01T12:00:00Z)`
	gone := event.NewToken().String()
	now := time.Now()
	for _, test := range []struct {
		arguments, typed string
		guests           int // the number of guests that are left; -1 if the event is erased
		prints           string
	}{
		{"PICNIC", "Picnic \n", -1, "To erase: " + picnic + " and its 3 RSVPs\nTo erase for good, type the title of the event: events erased: 1\n"},
		{"PICNIC", "picnic\n", 3, "that is not the title; nothing was erased"},
		{"PICNIC", "", 3, "no answer; nothing was erased (-yes erases without a question)"},
		{"-yes PICNIC", "", -1, "To erase: " + picnic + " and its 3 RSVPs\nevents erased: 1\n"},
		{"PICNIC WALK", "2\n", -1, "To erase: " + walk + " and its RSVP\nTo erase for good, type the number of the events: events erased: 2\n"},
		{"PICNIC WALK", "Picnic\n", 3, "that is not the number; nothing was erased"},
		{"-yes " + gone + " PICNIC", "", -1, "events erased: 1\nevent " + gone + ": event not found"},
		{"-name Ada PICNIC", "Ada\n", 3, "that is not the title; nothing was erased"},
		{"-name Ben PICNIC", "Picnic\n", 2, `To erase: "Ben" from ` + picnic + "\nTo erase for good, type the title of the event: RSVPs erased: 1\n"},
		{"-yes -name Ada PICNIC", "", 3, "2 guests have that name: -all erases every one of them"},
		{"-yes -name Ada -all PICNIC WALK", "", 1, `To erase: each "Ada" from ` + walk + "\nRSVPs erased: 3\n"},
		{"-yes -name ada PICNIC", "", 3, "the event has no guest of that name"},
	} {
		var store storetest.Memory
		create := func(title string, guests ...string) event.Token {
			e := event.Event{Token: event.NewToken(), Title: title, DateTime: "2100-06-01T12:00:00Z", ExpiresAt: now}
			must(t, store.CreateEvent(t.Context(), e, event.Hash{}))
			for _, name := range guests {
				r := event.RSVP{Name: name, ID: event.NewToken().RSVPID(), CreatedAt: now}
				must(t, store.CreateRSVP(t.Context(), e.Token, r))
			}
			return e.Token
		}
		first, second := create("Picnic", "Ada", "Ben", "Ada"), create("Walk", "Ada")
		words := strings.NewReplacer("PICNIC", first.String(), "WALK", second.String()).Replace(test.arguments)
		command, err := parseErase(strings.Fields(words), nil)
		must(t, err)
		var printed strings.Builder
		typed := bufio.NewScanner(strings.NewReader(test.typed))
		if _, err := command.run(t.Context(), &store, false, now, typed, &printed); err != nil {
			printed.WriteString(err.Error())
		}
		if !strings.HasSuffix(printed.String(), test.prints) {
			t.Errorf("%q, typed %q: %s", test.arguments, test.typed, &printed)
		}
		got, err := store.GetEvent(t.Context(), first)
		if (err == event.ErrEventNotFound) != (test.guests < 0) || err == nil && got.AttendeeCount != test.guests {
			t.Errorf("%q, typed %q: %d guests are left, %v", test.arguments, test.typed, got.AttendeeCount, err)
		}
	}
}

// counted counts the calls of a store.
type counted struct {
	storetest.Memory
	calls atomic.Int32
}

func (c *counted) EachEvent(
	ctx context.Context, tokens []event.Token, do func(event.Token, event.Event, error) error,
) error {
	c.calls.Add(1)
	return c.Memory.EachEvent(ctx, tokens, do)
}

func (c *counted) EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error) {
	c.calls.Add(1)
	return c.Memory.EraseEvent(ctx, token, now)
}

// TestEraseUnknown: however many unknown events a list has, the store is read once, and not written. Only a store that
// may have leftovers of unknown events is asked to erase them.
func TestEraseUnknown(t *testing.T) {
	for _, unknown := range []int{10, 100} {
		for leftovers, want := range map[bool]int{false: 1, true: 1 + unknown} {
			var store counted
			command := erasure{Yes: true}
			for range unknown {
				command.Events = append(command.Events, event.NewToken())
			}
			n, err := command.run(t.Context(), &store, leftovers, time.Now(), nil, io.Discard)
			calls := int(store.calls.Load())
			if n != 0 || strings.Count(err.Error(), "event not found") != unknown || calls != want {
				t.Errorf("%d unknown events: %d calls, want %d; %v", unknown, calls, want, err)
			}
		}
	}
}

// TestEraseAtOnce: several events are erased at once, so that a long list in a file takes few commits. At most atOnce
// events are erased at once.
func TestEraseAtOnce(t *testing.T) {
	for _, events := range []int{10 * atOnce, 100 * atOnce} {
		synctest.Test(t, func(t *testing.T) {
			var store slow
			command := erasure{Yes: true}
			for range events {
				e := event.Event{Token: event.NewToken(), Title: "Picnic"}
				must(t, store.CreateEvent(t.Context(), e, event.Hash{}))
				command.Events = append(command.Events, e.Token)
			}
			begin := time.Now()
			n, err := command.run(t.Context(), &store, false, time.Now(), nil, io.Discard)
			must(t, err)
			if rounds := int(time.Since(begin) / time.Second); n != events || rounds != events/atOnce {
				t.Errorf("%d of %d events erased in %d rounds", n, events, rounds)
			}
		})
	}
}

// A slow store takes a second to erase an event.
type slow struct{ storetest.Memory }

func (s *slow) EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error) {
	time.Sleep(time.Second)
	return s.Memory.EraseEvent(ctx, token, now)
}

// TestEraseBreaksOff: if an event cannot be erased, the command erases no further batch. It prints the number of erased
// events.
func TestEraseBreaksOff(t *testing.T) {
	var store broken
	command := erasure{Yes: true}
	for range 3 * atOnce {
		e := event.Event{Token: event.NewToken(), Title: "Picnic"}
		must(t, store.CreateEvent(t.Context(), e, event.Hash{}))
		command.Events = append(command.Events, e.Token)
	}
	store.fails = command.Events[atOnce]
	var printed strings.Builder
	n, err := command.run(t.Context(), &store, false, time.Now(), nil, &printed)
	want := 2*atOnce - 1
	says := fmt.Sprintf("events erased: %d\n", want)
	if n != want || !errors.Is(err, event.ErrUnavailable) || !strings.HasSuffix(printed.String(), says) {
		t.Errorf("%d erased, %v, printed %s", n, err, &printed)
	}
}

// A broken store cannot erase one event.
type broken struct {
	storetest.Memory
	fails event.Token
}

func (b *broken) EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error) {
	if token == b.fails {
		return 0, event.ErrUnavailable
	}
	return b.Memory.EraseEvent(ctx, token, now)
}
