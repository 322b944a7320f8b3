package main

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// output records each write. While stalled has an element, the next write blocks.
type output struct {
	writes  []string
	stalled chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	select {
	case <-o.stalled:
		<-o.stalled
	default:
	}
	o.writes = append(o.writes, string(b))
	return len(b), nil
}

func (o *output) want(t *testing.T, writes ...string) {
	t.Helper()
	synctest.Wait()
	if fmt.Sprintf("%q", o.writes) != fmt.Sprintf("%q", writes) {
		t.Errorf("written is %q, want %q", o.writes, writes)
	}
}

// TestLogWriter: lines are written together, are not buffered for long, and a stop writes the rest.
func TestLogWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &output{}
		log := newLogWriter(out)
		for _, line := range []string{"a\n", "b\n"} {
			fmt.Fprint(log, line)
			time.Sleep(logDelay * 2 / 3)
		}
		out.want(t, "a\nb\n")
		fmt.Fprint(log, "c\n")
		out.want(t, "a\nb\n")
		log.close()
		out.want(t, "a\nb\n", "c\n")
	})
}

// TestOutputThatNobodyReads: it blocks neither a line nor a stop, and the number of dropped lines
// is logged once it is read again.
func TestOutputThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &output{stalled: make(chan struct{}, 1)}
		out.stalled <- struct{}{}
		log := newLogWriter(out)
		fmt.Fprintln(log, "first")
		time.Sleep(time.Second) // its write is blocked
		for range logLines + 2 {
			fmt.Fprintln(log, "x")
		}
		begin := time.Now()
		log.close()
		if took := time.Since(begin); took != logGrace {
			t.Errorf("the stop took %v", took)
		}
		out.stalled <- struct{}{}
		synctest.Wait()
		if len(out.writes) < 2 {
			t.Fatalf("%d writes: %.20q", len(out.writes), out.writes)
		}
		rest, whole := strings.CutPrefix(out.writes[1], strings.Repeat("x\n", logLines)+"time=")
		if !whole || !strings.Contains(rest, "lines=2\n") {
			t.Errorf("%d writes: %.20q", len(out.writes), out.writes)
		}
	})
}

// TestUnreadOutput: the program answers on while nobody reads its output, and after its reader has
// ended; it stops with status 0.
func TestUnreadOutput(t *testing.T) {
	s, output := launch(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	for range 1000 { // whose lines are more than a pipe holds
		s.answers(t, "/api/health", http.StatusOK)
	}
	must(t, output.Close())
	s.answers(t, "/api/health", http.StatusOK)
	must(t, s.process.Process.Signal(syscall.SIGTERM))
	must(t, s.process.Wait())
}
