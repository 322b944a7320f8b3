package portable_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/bolt"
	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/portable"
)

// must ends the test if there is an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// A store is a file or a table.
type store interface {
	storetest.Movable
	portable.Store
}

func newFile(t *testing.T) store {
	t.Helper()
	folder, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	s, err := bolt.Open(filepath.Join(folder, "turnout.db"))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func newTable(t *testing.T) store {
	t.Helper()
	s := dynamo.Open(dynamo.Config{
		Endpoint: dynamotest.Endpoint(t), Table: "portable-" + uuid.NewString(),
		Region: "local", AccessKeyID: "local", SecretAccessKey: "local",
	})
	must(t, s.CreateTable(t.Context()))
	return s
}

// export returns the export of a store, after checking that the export can be read.
func export(t *testing.T, s store) string {
	t.Helper()
	var b strings.Builder
	must(t, portable.Export(t.Context(), s, &b, io.Discard), portable.Check(strings.NewReader(b.String())))
	return b.String()
}

// importInto imports a text into a store, and returns the import's output.
func importInto(s store, text string) (string, error) {
	var log strings.Builder
	err := portable.Import(context.Background(), s, strings.NewReader(text), &log)
	return log.String(), err
}

// TestMove: after a move from a file to a table, or from a table to a file, the store returns the same results. If the
// events are moved back, the export is the same. The lines of a table's export may be in any order.
func TestMove(t *testing.T) {
	dynamotest.Endpoint(t)                  // a skip inside a subtest of a subtest would fail
	must(t, flag.Set("rapid.checks", "10")) // a sequence of calls takes half a second on DynamoDB Local
	lines := func(text string) []string { return slices.Sorted(strings.Lines(text)) }
	for name, c := range map[string]struct {
		open, other func(*testing.T) store
	}{
		"file to table": {newFile, newTable},
		"table to file": {newTable, newFile},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Move(t, func() store { return c.open(t) }, func(from store) store {
				to, back := c.other(t), c.open(t)
				text := export(t, from)
				_, err := importInto(to, text)
				must(t, err)
				_, err = importInto(back, export(t, to))
				must(t, err)
				again := export(t, back)
				same := again == text
				if name == "table to file" { // the lines of a table's export have no order
					same = slices.Equal(lines(again), lines(text))
				}
				if !same {
					t.Errorf("exported again is\n%swant\n%s", again, text)
				}
				return to
			})
		})
	}
}

// TestInterrupted: an export that is interrupted after its first event leaves no file.
func TestInterrupted(t *testing.T) {
	for name, open := range map[string]func(*testing.T) store{"file": newFile, "table": newTable} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			_, err := importInto(s, sample)
			must(t, err)
			ctx, interrupt := context.WithCancel(t.Context())
			file := filepath.Join(t.TempDir(), "events.jsonl")
			err = portable.ExportFile(ctx, interruptedStore{s, interrupt}, file, io.Discard, io.Discard)
			if _, missing := os.Stat(file); err == nil || !os.IsNotExist(missing) {
				t.Error(err, missing)
			}
		})
	}
}

// writeFunc is an io.Writer.
type writeFunc func(b []byte)

func (w writeFunc) Write(b []byte) (int, error) { w(b); return len(b), nil }

// TestExportedIsWritten: the log says exported after the file was written to the disk and closed. Linux shows the open
// files of a process.
func TestExportedIsWritten(t *testing.T) {
	s := newFile(t)
	_, err := importInto(s, sample)
	must(t, err)
	file, said := filepath.Join(t.TempDir(), "events.jsonl"), false
	log := writeFunc(func(b []byte) {
		if !bytes.HasPrefix(b, []byte("exported:")) {
			return
		}
		said = true
		open, _ := filepath.Glob("/proc/self/fd/*")
		for _, fd := range open {
			if to, _ := os.Readlink(fd); to == file {
				t.Error("it says exported while the file is being written")
			}
		}
	})
	must(t, portable.ExportFile(t.Context(), s, file, io.Discard, log))
	if !said {
		t.Error("it does not say exported")
	}
}

// TestOpen: a file with a mistake in its last line is refused before any line is imported. The same holds for standard
// input, although a pipe can be read only once.
func TestOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events.jsonl")
	must(t, os.WriteFile(file, []byte(strings.Replace(sample, `"erased":1}`, `"erased":2}`, 1)), 0o600))
	f, err := os.Open(file)
	must(t, err)
	for name, open := range map[string]func() (*os.File, error){
		"named":          func() (*os.File, error) { return portable.Open([]string{file}, nil) },
		"standard input": func() (*os.File, error) { return portable.Open(nil, f) },
	} {
		_, err := open()
		if err == nil || !strings.Contains(err.Error(), "nothing is imported from "+file+": line 8: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, os.WriteFile(file, []byte(sample), 0o600))
	r, w, err := os.Pipe()
	must(t, err)
	go func() { _, _ = io.WriteString(w, sample); _ = w.Close() }()
	for name, open := range map[string]func() (*os.File, error){
		"named": func() (*os.File, error) { return portable.Open([]string{file}, nil) },
		"pipe":  func() (*os.File, error) { return portable.Open(nil, r) },
	} {
		from, err := open()
		must(t, err)
		if got, err := io.ReadAll(from); err != nil || string(got) != sample {
			t.Errorf("%s: %v, %s", name, err, got)
		}
		must(t, from.Close())
	}
}

// An interruptedStore is a store that calls interrupt once it has returned an event.
type interruptedStore struct {
	store
	interrupt func()
}

func (s interruptedStore) Record(ctx context.Context, token event.Token) (event.Record, error) {
	defer s.interrupt()
	return s.store.Record(ctx, token)
}
