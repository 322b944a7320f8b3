package main

import (
	"bytes"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	logDelay = 100 * time.Millisecond // how long a log line may be buffered
	logLines = 8192                   // lines that are not written yet
	logGrace = time.Second            // how long close waits for the output
)

// A logWriter writes lines in a goroutine of its own: a pipe that nobody reads must not
// block a request. Lines that do not fit into its buffer are dropped and counted. It writes
// the buffered lines together, because a system call for each would cost more than reading
// an event.
type logWriter struct {
	lines           chan []byte
	dropped         atomic.Int64
	closing, closed chan struct{}
}

func newLogWriter(out io.Writer) *logWriter {
	w := &logWriter{lines: make(chan []byte, logLines), closing: make(chan struct{}), closed: make(chan struct{})}
	go w.run(out)
	return w
}

// Write takes a whole line. It never blocks and never fails.
func (w *logWriter) Write(line []byte) (int, error) {
	select {
	case w.lines <- bytes.Clone(line):
	default:
		w.dropped.Add(1)
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
	var batch bytes.Buffer
	for open := true; open; batch.Reset() {
		select {
		case line := <-w.lines:
			batch.Write(line)
		case <-w.closing:
		}
		select {
		case <-time.After(logDelay):
		case <-w.closing:
			open = false
		}
		for range len(w.lines) {
			batch.Write(<-w.lines)
		}
		if dropped := w.dropped.Swap(0); dropped > 0 {
			log := slog.New(slog.NewTextHandler(&batch, nil))
			log.Warn("log lines dropped, the output was not read", "lines", dropped)
		}
		_, _ = out.Write(batch.Bytes()) // there is nowhere to report an error of the log
	}
}
