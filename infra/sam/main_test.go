//go:build unix

package main

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// standIn says that it runs, counts how often it is interrupted, and ends when it
// is told to hang up.
const standIn = `#!/bin/sh
count=0
trap 'count=$((count+1)); echo "interrupted $count, telemetry $SAM_CLI_TELEMETRY" >>"$RECORD"; [ $count -lt 2 ] || exit 9' INT
trap 'exit 0' HUP
echo running
while [ $count -eq 0 ]; do read line <"$GATE" || :; done
read line <"$GATE"
exit 0
`

// TestCtrlC as a terminal sends it, to all processes of the group: SAM gets one
// signal, not two, and its end is waited for.
func TestCtrlC(t *testing.T) {
	if os.Getenv("SERVE") != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGHUP)
		defer stop()
		if err := serve(ctx, os.Getenv("SERVE"), nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		folder := t.TempDir()
		program, record, gate := filepath.Join(folder, "sam"), filepath.Join(folder, "record"), filepath.Join(folder, "gate")
		if err := os.WriteFile(program, []byte(standIn), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(gate, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestCtrlC$")
		cmd.Env = append(os.Environ(), "SERVE="+program, "RECORD="+record, "GATE="+gate)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "running"; {
		}
		if err := syscall.Kill(-cmd.Process.Pid, sent); err != nil {
			t.Fatal(err)
		}
		// It is on its way down, and waits for SAM.
		for lines := bufio.NewScanner(stderr); lines.Scan() && !strings.Contains(lines.Text(), "removes its containers"); {
		}
		open, err := os.OpenFile(gate, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = open.WriteString("go on\ngo on\n")
		_ = open.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", sent, err)
		}
		if got, _ := os.ReadFile(record); string(got) != "interrupted 1, telemetry 0\n" {
			t.Errorf("%s: SAM heard %q", sent, got)
		}
	}
}

func TestTakenPortIsASentence(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := free("127.0.0.1", port, "choose another"); err == nil || err.Error() != "port "+port+" at 127.0.0.1 is taken: choose another" {
		t.Error(err)
	}
	if err := free("127.0.0.1", "0", ""); err != nil {
		t.Error(err)
	}
}

// TestEngines: what the docker command says decides where containers find this machine.
func TestEngines(t *testing.T) {
	for engine, want := range map[string]string{
		"echo 'Docker Desktop [name=seccomp,profile=unconfined]'": "127.0.0.1",
		"echo 'Debian GNU/Linux 12 (bookworm) [name=rootless]'":   "by hand",
		"exit 1": "Docker does not answer",
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "docker"), []byte("#!/bin/sh\n"+engine+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", folder+string(filepath.ListSeparator)+"/bin")
		address, err := containersHost(t.Context())
		if err != nil {
			address = err.Error()
		}
		if !strings.Contains(address, want) {
			t.Errorf("%s: %s", engine, address)
		}
	}
}
