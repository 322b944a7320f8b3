package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
)

// TestTable: with -table, commands move events to another table, and erase events in it. They name the table that they
// change. Packages dynamo and portable test the rest.
func TestTable(t *testing.T) {
	environment := map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": dynamotest.Endpoint(t),
		"AWS_DEFAULT_REGION":        "local", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
	}
	var env []string
	for name, value := range environment {
		env = append(env, name+"="+value)
	}
	newTable := func() (string, *dynamo.Store) {
		table := "operator-" + uuid.NewString()
		data, err := place{table, func(name string) string { return environment[name] }}.open()
		must(t, err)
		store := data.store.(*dynamo.Store)
		must(t, store.CreateTable(t.Context()))
		return table, store
	}
	turnout := func(in, says string, arguments ...string) string {
		t.Helper()
		process := command(t, env, arguments...)
		var out, log strings.Builder
		process.Stdin, process.Stdout, process.Stderr = strings.NewReader(in), &out, &log
		if err := process.Run(); err != nil || !strings.Contains(out.String()+log.String(), says) {
			t.Errorf("%q: %v, printed %s%s", arguments, err, &out, &log)
		}
		return out.String()
	}
	from, first := newTable()
	to, second := newTable()
	now := time.Now().UTC()
	e := event.Event{
		Token: event.NewToken(), Title: "Picnic", DateTime: "2100-06-01T12:00:00Z", Timezone: "UTC",
		CreatedAt: now, ExpiresAt: now,
	}
	must(t, first.CreateEvent(t.Context(), e, event.Hash{1}))
	export := turnout("", "exported: events 1", "-table", from, "export")
	file := filepath.Join(t.TempDir(), "events.jsonl")
	turnout("", "exported: events 1", "-table", from, "export", "-o", file)
	at := " at " + environment["AWS_ENDPOINT_URL_DYNAMODB"]
	turnout(export, "Data: the table "+to+at+"\nNobody may use it yet", "-table", to, "import")
	turnout("", "already there 1", "-table", to, "import", file)
	if moved, err := second.GetEvent(t.Context(), e.Token); err != nil || !reflect.DeepEqual(moved, e) {
		t.Errorf("%+v, %v", moved, err)
	}
	turnout("Picnic\n", "Data: the table "+to+at+"\nTo erase: ", "-table", to, "erase", e.Token.String())
	if _, err := second.GetEvent(t.Context(), e.Token); err != event.ErrEventNotFound {
		t.Error(err)
	}
}

// TestInterrupted: an export leaves no file if a signal interrupts it, such as the signal of a closed terminal.
func TestInterrupted(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		asked := make(chan bool, 100)
		stalled := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			asked <- true
			<-r.Context().Done()
		}))
		t.Cleanup(stalled.Close)
		file := filepath.Join(t.TempDir(), "events.jsonl")
		process := command(t, []string{
			"AWS_ENDPOINT_URL_DYNAMODB=" + stalled.URL,
			"AWS_REGION=local", "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local",
		}, "-table", "t", "export", "-o", file)
		must(t, process.Start())
		<-asked
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
		must(t, process.Process.Signal(signal))
		err := process.Wait()
		if _, left := os.Stat(file); !os.IsNotExist(left) || process.ProcessState.ExitCode() != 1 {
			t.Errorf("after %v: %v, %v", signal, err, left)
		}
	}
}

// TestTableUsage: a command that cannot use a table, or lacks credentials, changes neither a table nor a file. No test
// uses a developer's credentials.
func TestTableUsage(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1") // this port refuses connections
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "own")
	}
	folder := t.TempDir()
	for says, commands := range map[string][]string{
		"usage: turnout": {
			"", "help", "health", "restore", "erase", "export -from f", "export a", "import a b",
		},
		"AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; for credentials: ": {
			"erase " + uuid.NewString(), "export",
		},
	} {
		for _, arguments := range commands {
			process := command(t, []string{"DATA_DIR=" + folder}, strings.Fields("-table t "+arguments)...)
			printed, err := process.CombinedOutput()
			if err == nil || !strings.Contains(string(printed), says) {
				t.Errorf("%q: %v, printed %s", arguments, err, printed)
			}
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// TestPlaceOfTheCloud: a table on AWS needs a region.
func TestPlaceOfTheCloud(t *testing.T) {
	environment := map[string]string{
		"AWS_DEFAULT_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
	}
	data, err := place{"events", func(name string) string { return environment[name] }}.open()
	if must(t, err); data.place != "the table events in eu-central-1" {
		t.Error(data.place)
	}
}
