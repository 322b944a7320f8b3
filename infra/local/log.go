package main

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// logDelay is how long a log line may be buffered.
const logDelay = 100 * time.Millisecond

// A logBuffer writes log lines together: a system call for each line would cost
// more than to read an event.
type logBuffer struct {
	mu      sync.Mutex
	lines   *bufio.Writer
	waiting bool
}

func newLogBuffer(out io.Writer) *logBuffer {
	return &logBuffer{lines: bufio.NewWriterSize(out, 64<<10)}
}

// Write takes whole lines.
func (b *logBuffer) Write(lines []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.waiting {
		b.waiting = true
		time.AfterFunc(logDelay, b.flush)
	}
	return b.lines.Write(lines)
}

func (b *logBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = false
	_ = b.lines.Flush() // an error of the log is ignored, as without a buffer
}
