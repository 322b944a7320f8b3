package main

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/infra/erase"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
)

// TestErase: the command erases from the table that it names. Package erase tests its arguments.
func TestErase(t *testing.T) {
	environment := map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": dynamotest.Endpoint(t),
		"AWS_DEFAULT_REGION":        "local", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
	}
	getenv := func(name string) string { return environment[name] }
	table := "admin-" + uuid.NewString()
	store, err := openTable(table, getenv)
	if err == nil {
		err = store.CreateTable(t.Context())
	}
	now := time.Now()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-06-01T12:00:00Z", Timezone: "UTC", CreatedAt: now, ExpiresAt: now}
	if err == nil {
		err = store.AddEvent(t.Context(), e, event.Hash{1})
	}
	if err == nil {
		err = store.AddRSVP(t.Context(), e.Token, event.RSVP{Name: "Ada", Hash: event.Hash{2}, CreatedAt: now})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []struct{ arguments, prints string }{
		{"erase -yes -name Ada", "RSVPs erased: 1\n"},
		{"erase", "items erased: 2\n"},
		{"erase", event.ErrEventNotFound.Error()},
	} {
		var printed strings.Builder
		arguments := append(strings.Fields(command.arguments), table, e.Token.String())
		if err := run(t.Context(), arguments, getenv, now, strings.NewReader("Picnic\n"), &printed); err != nil {
			printed.WriteString(err.Error())
		}
		if !strings.HasSuffix(printed.String(), command.prints) {
			t.Errorf("%s: %s", command.arguments, &printed)
		}
	}
}

func TestUsage(t *testing.T) {
	getenv := func(string) string { return "" }
	for _, arguments := range [][]string{nil, {"help"}, {"restore", "a", "b"}, {"erase", "t"}} {
		if err := run(t.Context(), arguments, getenv, time.Now(), nil, io.Discard); !errors.Is(err, erase.ErrUsage) {
			t.Errorf("%v: %v", arguments, err)
		}
	}
	err := run(t.Context(), []string{"erase", "t", uuid.NewString()}, getenv, time.Now(), nil, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; for credentials: ") {
		t.Error(err)
	}
}
