package benchmark

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"turnout/internal/httpapi/apitest"
)

// localServer measures the local server against a baseline, which responds to every request with the bytes of an
// event and logs a line. It stores the body of a POST under a random key, in one commit with all others
// of the same millisecond.
func localServer(r *report, bin string) {
	const turns = 11
	t := r.t
	ours, process := startServer(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()}, filepath.Join(bin, "turnout"))
	event := apitest.Ask(t, "http://"+ours, apitest.CreateEvent(apitest.EventBody(nil)))
	answer := apitest.Ask(t, "http://"+ours, apitest.GetEvent(event.EventToken))
	file := filepath.Join(t.TempDir(), "baseline.db")
	baseline, _ := startServer(t, nil, filepath.Join(bin, "server"), file, string(answer.Body))
	const guest = `{"name":"A guest whose name is of the usual length"}`
	for _, concurrency := range []int{1, 8} {
		for _, each := range []struct {
			name, baseline, head, body string
			status                     int
			most                       float64
		}{
			{"RSVPs", "net/http and bbolt.Batch", "POST /api/events/" + event.EventToken + "/rsvps", guest, http.StatusCreated, 1.25},
			{"reads", "net/http and a constant", "GET /api/events/" + event.EventToken, "", http.StatusOK, 1.45},
		} {
			var figures, baselines []float64
			for range turns {
				figures = append(figures, load(t, ours, concurrency, each.head, each.body, each.status))
				baselines = append(baselines, load(t, baseline, concurrency, each.head, each.body, each.status))
			}
			r.ratio(fmt.Sprintf("local server: %s, concurrency %d", each.name, concurrency),
				figures, baselines, "µs", each.baseline, each.most)
		}
	}
	const bound = 160                              // as infra/turnout/README.md says
	title := apitest.Object{"title": "夏の飲み会を開きます"} // the largest font, and nine outlines for each letter
	event = apitest.Ask(t, "http://"+ours, apitest.CreateEvent(apitest.EventBody(title)))
	load(t, ours, 100, "GET /e/"+event.EventToken+"/card.png", "", http.StatusOK)
	memory := values{peakMemory(t, process)}
	r.ratio("local server: memory, pictures over 100 connections", memory, values{bound}, "MB", "a bound", 1)
}

// peakMemory returns the largest memory of a process so far, in megabytes, on Linux.
func peakMemory(t *testing.T, process *exec.Cmd) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Process.Pid))
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	if _, unread := fmt.Sscan(line, &kilobytes); err != nil || unread != nil {
		t.Fatal(err, unread)
	}
	return kilobytes / 1000
}

// startServer starts a server that prints its address in its first lines, and returns the address.
func startServer(t *testing.T, env []string, program string, arguments ...string) (address string, process *exec.Cmd) {
	t.Helper()
	process = exec.Command(program, arguments...)
	process.Env = env
	out, err := process.StdoutPipe()
	if err := errors.Join(err, process.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	printed := bufio.NewReader(out)
	for {
		line, err := printed.ReadString('\n')
		if _, address, found := strings.Cut(line, "http://"); found {
			go func() { _, _ = io.Copy(io.Discard, printed) }()
			address, _, _ = strings.Cut(strings.TrimSpace(address), "/")
			return address, process
		}
		if err != nil {
			t.Fatalf("%s does not run: %v", filepath.Base(program), err)
		}
	}
}

// load sends the same request over several connections for some time, and returns the
// microseconds per response with the expected status.
func load(t *testing.T, address string, concurrency int, head, body string, status int) float64 {
	const duration = 300 * time.Millisecond
	message := []byte(head + " HTTP/1.1\r\nHost: " + address + "\r\n")
	if body != "" {
		message = append(message, "Content-Type: application/json\r\n"...)
		message = append(message, "Content-Length: "+strconv.Itoa(len(body))+"\r\n"...)
	}
	message = append(message, "\r\n"+body...)
	var answered atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for range concurrency {
		all.Go(func() {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			defer connection.Close()
			answers := bufio.NewReader(connection)
			for time.Since(begin) < duration {
				_, err := connection.Write(message)
				var response *http.Response
				if err == nil {
					response, err = http.ReadResponse(answers, nil)
				}
				if err == nil {
					_, err = io.Copy(io.Discard, response.Body)
				}
				if err != nil || response.StatusCode != status {
					t.Errorf("%s: %v, %v", head, response, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	all.Wait()
	return time.Since(begin).Seconds() * 1e6 / float64(answered.Load())
}
