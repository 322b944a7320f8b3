package main

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	logDelay  = 100 * time.Millisecond // how long a log line may be buffered
	logBuffer = 1 << 20                // bytes of lines that are not written yet
	logGrace  = time.Second            // how long close waits for the output
)

// A logWriter writes lines in a goroutine of its own: a pipe that nobody reads must not
// block a request. Lines that do not fit into its buffer are dropped and counted. It writes
// the buffered lines together, because a system call for each would cost more than reading
// an event.
type logWriter struct {
	mu      sync.Mutex
	lines   []byte
	written []byte // lines' memory, to be used again
	dropped int

	pending chan struct{} // has a token while there are lines
	closing chan struct{}
	closed  chan struct{}
}

func newLogWriter(out io.Writer) *logWriter {
	w := &logWriter{pending: make(chan struct{}, 1), closing: make(chan struct{}), closed: make(chan struct{})}
	go w.run(out)
	return w
}

// Write takes a whole line. It never blocks and never fails.
func (w *logWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.lines)+len(line) > logBuffer {
		w.dropped++
	} else {
		w.lines = append(w.lines, line...)
	}
	select {
	case w.pending <- struct{}{}:
	default:
	}
	return len(line), nil
}

// close writes the buffered lines, and waits for them for at most logGrace.
func (w *logWriter) close() {
	close(w.closing)
	select {
	case <-w.closed:
	case <-time.After(logGrace):
	}
}

func (w *logWriter) run(out io.Writer) {
	defer close(w.closed)
	for open := true; open; {
		select {
		case <-w.pending:
		case <-w.closing:
		}
		select {
		case <-time.After(logDelay):
		case <-w.closing:
			open = false
		}
		if lines := w.take(); len(lines) > 0 {
			_, _ = out.Write(lines) // there is nowhere to report an error of the log
		}
	}
}

// take empties the buffer, and appends the number of dropped lines, if any. The lines are valid
// until the next call.
func (w *logWriter) take() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := bytes.NewBuffer(w.lines)
	if w.dropped > 0 {
		slog.New(slog.NewTextHandler(lines, nil)).Warn("log lines dropped, the output was not read", "lines", w.dropped)
	}
	w.lines, w.written, w.dropped = w.written[:0], lines.Bytes(), 0
	return w.written
}
