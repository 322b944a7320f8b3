package main

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestParse: wrong arguments are refused, above all those that would erase more than was meant.
func TestParseErase(t *testing.T) {
	token := event.NewToken()
	for arguments, want := range map[string]string{
		"":               errUsage.Error(),
		"%s %s":          errUsage.Error(),
		"-x %s":          errUsage.Error(),
		"-name= %s":      "-name is empty",
		"-name= -all %s": "-name is empty",
		"-all %s":        "-all without -name",
		"x":              `"x" is not an event token`,
		"%s -name Ada":   errUsage.Error(),
	} {
		words := strings.Fields(strings.ReplaceAll(arguments, "%s", token.String()))
		if _, err := parseErase(words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", arguments, err, want)
		}
	}
	got, err := parseErase([]string{"-yes", "-name", "Ada", "-all", strings.ToUpper(token.String())})
	if err != nil || got != (erasure{token, "Ada", true, true}) {
		t.Error(got, err)
	}
}

// TestRun: nothing is erased before the title has been typed, or without -yes.
func TestRun(t *testing.T) {
	now := time.Now()
	for _, test := range []struct {
		arguments, typed string
		guests           int // that are left; -1 if the event is erased
		prints           string
	}{
		{"", "Picnic \n", -1, "items erased: 4\n"},
		{"", "picnic\n", 3, "nothing is erased"},
		{"", "", 3, "nothing is erased"},
		{"-yes", "", -1, `"Picnic", 2100-06-01T12:00:00Z, RSVPs: 3` + "\nitems erased: 4\n"},
		{"-name Ada", "Ada\n", 3, "nothing is erased"},
		{"-name Ben", "Picnic\n", 2, "RSVPs erased: 1\n"},
		{"-yes -name Ada", "", 3, "2 guests have that name: -all erases every one of them"},
		{"-yes -name Ada -all", "", 1, "RSVPs erased: 2\n"},
		{"-yes -name ada", "", 3, "the event has no guest of that name"},
	} {
		var store storetest.Memory
		e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-06-01T12:00:00Z", ExpiresAt: now}
		if err := store.CreateEvent(t.Context(), e, event.Hash{}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Ada", "Ben", "Ada"} {
			r := event.RSVP{Name: name, ID: event.NewToken().RSVPID(), CreatedAt: now}
			if err := store.CreateRSVP(t.Context(), e.Token, r); err != nil {
				t.Fatal(err)
			}
		}
		command, err := parseErase(append(strings.Fields(test.arguments), e.Token.String()))
		if err != nil {
			t.Fatal(err)
		}
		var printed strings.Builder
		typed := bufio.NewScanner(strings.NewReader(test.typed))
		if err := command.run(t.Context(), &store, now, typed, &printed); err != nil {
			printed.WriteString(err.Error())
		}
		if !strings.HasSuffix(printed.String(), test.prints) {
			t.Errorf("%q, typed %q: %s", test.arguments, test.typed, &printed)
		}
		got, err := store.GetEvent(t.Context(), e.Token)
		if (err == event.ErrEventNotFound) != (test.guests < 0) || err == nil && got.AttendeeCount != test.guests {
			t.Errorf("%q, typed %q: %d guests are left, %v", test.arguments, test.typed, got.AttendeeCount, err)
		}
	}
}
