package benchmark

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var measure = flag.Bool("measure", false, "measure, and print the table of make bench")

// TestBenchmark prints one table. Every ratio is of medians that were measured side
// by side, in turns, so that a busy machine slows both sides alike.
func TestBenchmark(t *testing.T) {
	if !*measure {
		t.Skip("make bench measures")
	}
	r, bin := newReport(), build(t)
	for _, part := range []struct {
		name    string
		measure func(r *report, bin string)
	}{
		{"visits", firstVisits}, {"phone", phone}, {"sizes", sizes}, {"starts", starts}, {"gates", gates}, {"server", localServer},
	} {
		t.Run(part.name, func(t *testing.T) {
			r.t = t
			part.measure(r, bin)
		})
	}
	r.print()
}

// build compiles the functions, the local server and their baselines for this machine,
// otherwise as the Makefile does for Lambda. Linux may keep a linker's output in smaller pieces
// than a copied file, and then a start takes up to a quarter longer: the programs are copied.
func build(t *testing.T) (programs string) {
	t.Helper()
	folder := t.TempDir()
	command := exec.Command("go", "build", "-tags", "lambda.norpc", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w",
		"-o", folder+string(os.PathSeparator), "./baseline/...", "../../functions/...", "../../infra/turnout")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	programs = filepath.Join(t.TempDir(), "programs")
	if err := os.CopyFS(programs, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return programs
}
