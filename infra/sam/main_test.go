//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestCtrlC as a terminal sends it, to all processes of the group: SAM gets one
// signal, not two, and its end is waited for.
func TestCtrlC(t *testing.T) {
	switch os.Getenv("ROLE") {
	case "run-sam":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGHUP)
		defer stop()
		t.Setenv("ROLE", "SAM")
		if err := serve(ctx, os.Args[0], os.Args[1:]); err != nil {
			t.Fatal(err)
		}
		return
	case "SAM":
		fakeSAM(t)
		return
	}
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		folder := t.TempDir()
		path := func(name string) string { return filepath.Join(folder, name) }
		if err := syscall.Mkfifo(path("gate"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestCtrlC$")
		cmd.Env = append(os.Environ(), "ROLE=run-sam", "RECORD="+path("record"), "GATE="+path("gate"))
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
		printed, told := bufio.NewScanner(out), bufio.NewScanner(stderr)
		await := func(lines *bufio.Scanner, part string) {
			t.Helper()
			for lines.Scan() {
				if strings.Contains(lines.Text(), part) {
					return
				}
			}
			t.Fatalf("%s: it ended without %q", sent, part)
		}
		await(printed, "running")
		if err := syscall.Kill(-cmd.Process.Pid, sent); err != nil {
			t.Fatal(err)
		}
		await(printed, "interrupted")
		await(told, "removes its containers") // said once SAM was interrupted
		gate, err := os.OpenFile(path("gate"), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_ = gate.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", sent, err)
		}
		if got, _ := os.ReadFile(path("record")); string(got) != "interrupted 1, telemetry 0\n" {
			t.Errorf("%s: SAM reports %q", sent, got)
		}
	}
}

// fakeSAM prints when it runs and when it is interrupted, and ends once the gate is
// opened. It records how often it was interrupted by then.
func fakeSAM(t *testing.T) {
	interrupts := make(chan os.Signal, 10)
	signal.Notify(interrupts, os.Interrupt)
	fmt.Println("running")
	<-interrupts
	fmt.Println("interrupted")
	if _, err := os.ReadFile(os.Getenv("GATE")); err != nil {
		t.Fatal(err)
	}
	report := fmt.Sprintf("interrupted %d, telemetry %s\n", 1+len(interrupts), os.Getenv("SAM_CLI_TELEMETRY"))
	if err := os.WriteFile(os.Getenv("RECORD"), []byte(report), 0o600); err != nil {
		t.Fatal(err)
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

// TestEngines: the answer of the docker command decides how containers reach this machine.
func TestEngines(t *testing.T) {
	for engine, want := range map[string]string{
		"echo 'Docker Desktop [name=seccomp,profile=unconfined]'": "127.0.0.1",
		"echo 'Debian GNU/Linux 12 (bookworm) [name=rootless]'":   "a rootless Docker",
		"exit 1": "no answer from Docker",
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
