package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// writes records what is written at once.
type writes []string

func (w *writes) Write(b []byte) (int, error) {
	*w = append(*w, string(b))
	return len(b), nil
}

// TestLogBuffer: lines are written together, and are not buffered for long.
func TestLogBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out writes
		log := newLogBuffer(&out)
		want := func(what ...string) {
			t.Helper()
			synctest.Wait()
			log.mu.Lock() // after the flush of an earlier timer, before that of a later one
			defer log.mu.Unlock()
			if fmt.Sprintf("%q", out) != fmt.Sprintf("%q", what) {
				t.Errorf("written is %q, want %q", out, what)
			}
		}
		for _, line := range []string{"a\n", "b\n"} {
			fmt.Fprint(log, line)
			time.Sleep(logDelay / 2)
		}
		want("a\nb\n")
		time.Sleep(time.Hour)
		fmt.Fprint(log, "c\n")
		want("a\nb\n")
		time.Sleep(logDelay)
		want("a\nb\n", "c\n")
		fmt.Fprint(log, "d\n")
		log.flush()
		want("a\nb\n", "c\n", "d\n")
	})
}
