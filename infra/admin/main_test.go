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
	table, now := "admin-"+uuid.NewString(), time.Now()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-06-01T12:00:00Z", Timezone: "UTC", CreatedAt: now, ExpiresAt: now}
	store, err := openTable(table, getenv)
	if err == nil {
		err = errors.Join(store.CreateTable(t.Context()), store.AddEvent(t.Context(), e, event.Hash{1}))
	}
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := run(t.Context(), []string{"erase", table, e.Token.String()}, getenv, now, strings.NewReader("Picnic\n"), &printed); err != nil {
		t.Error(err, &printed)
	}
	if _, err := store.EventByToken(t.Context(), e.Token); err != event.ErrEventNotFound {
		t.Error(err)
	}
}

func TestUsage(t *testing.T) {
	for want, commands := range map[string][]string{
		erase.ErrUsage.Error(): {"", "help", "restore a b", "erase t"},
		"AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; for credentials: ": {"erase t " + uuid.NewString()},
	} {
		for _, command := range commands {
			err := run(t.Context(), strings.Fields(command), func(string) string { return "" }, time.Now(), nil, io.Discard)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", command, err)
			}
		}
	}
}
