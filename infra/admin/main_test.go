package main

import (
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/infra/erase"
	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
)

// TestCommands: events move to another table, and are erased from it. Packages erase and portable
// test the rest.
func TestCommands(t *testing.T) {
	environment := map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": dynamotest.Endpoint(t),
		"AWS_DEFAULT_REGION":        "local", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
	}
	getenv := func(name string) string { return environment[name] }
	newTable := func() (string, *dynamo.Store) {
		table := "admin-" + uuid.NewString()
		store, err := openTable(table, getenv)
		if err == nil {
			err = store.CreateTable(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return table, store
	}
	now := time.Now()
	admin := func(in string, arguments ...string) (printed, logged string) {
		t.Helper()
		var out, log strings.Builder
		if err := run(t.Context(), arguments, getenv, now, strings.NewReader(in), &out, &log); err != nil {
			t.Error(err, &out, &log)
		}
		return out.String(), log.String()
	}
	from, first := newTable()
	to, second := newTable()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2100-06-01T12:00:00Z", Timezone: "UTC", CreatedAt: now.UTC(), ExpiresAt: now.UTC()}
	if err := first.AddEvent(t.Context(), e, event.Hash{1}); err != nil {
		t.Fatal(err)
	}
	export, _ := admin("", "export", from)
	file := filepath.Join(t.TempDir(), "events.jsonl")
	admin("", "export", from, file)
	admin(export, "import", to)
	if _, log := admin("", "import", to, file); !strings.Contains(log, "Nobody may use the table yet") || !strings.Contains(log, "already there 1") {
		t.Error(log)
	}
	if moved, err := second.EventByToken(t.Context(), e.Token); err != nil || !reflect.DeepEqual(moved, e) {
		t.Errorf("%+v, %v", moved, err)
	}
	admin("Picnic\n", "erase", to, e.Token.String())
	if _, err := second.EventByToken(t.Context(), e.Token); err != event.ErrEventNotFound {
		t.Error(err)
	}
}

func TestUsage(t *testing.T) {
	for want, commands := range map[string][]string{
		erase.ErrUsage.Error(): {"", "help", "restore a b", "erase t", "export", "export a b c", "import", "import a b c"},
		"AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; for credentials: ": {"erase t " + uuid.NewString(), "export t", "import t"},
	} {
		for _, command := range commands {
			err := run(t.Context(), strings.Fields(command), func(string) string { return "" }, time.Now(), nil, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", command, err)
			}
		}
	}
}
