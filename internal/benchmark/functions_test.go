package benchmark

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/gateway/lambdatest"
)

// The bare SDK client, which the functions are compared with, is a program that makes
// their calls to DynamoDB with fixed values and answers fixed bytes.
const bareClient = "bare SDK client"

// largest are the aims of the size and the start of a function. Two link more than the API's:
// event-page templates and the texts of twelve languages, event-card fonts and their shaping.
func largest(function string) (size, start float64) {
	switch function {
	case "event-page":
		return 1.7, 1.15
	case "event-card":
		return 2.25, 1.2
	}
	return 1.06, 1.05
}

func sizes(r *report, bin string) {
	size := func(program string) float64 {
		info, err := os.Stat(filepath.Join(bin, program))
		if err != nil {
			r.t.Fatal(err)
		}
		return float64(info.Size()) / 1e6
	}
	for _, function := range functions(r.t) {
		aim, _ := largest(function)
		r.ratio("size: "+function, size(function), size("sdk"), "MB", bareClient, aim)
	}
}

func starts(r *report, bin string) {
	const turns = 101
	env := lambdatest.Environment(dynamo.Config{
		Table: "turnout", Region: "eu-central-1", AccessKeyID: "a", SecretAccessKey: "b", Endpoint: "http://127.0.0.1:9",
	})
	programs := append([]string{"sdk"}, functions(r.t)...)
	times := map[string][]time.Duration{}
	for range turns {
		slices.Reverse(programs)
		for _, program := range programs {
			begin := time.Now()
			i, err := lambdatest.Start(filepath.Join(bin, program), env, io.Discard)
			if err != nil {
				r.t.Fatal(err)
			}
			<-i.Polled()
			times[program] = append(times[program], time.Since(begin))
			i.Stop()
		}
	}
	for _, function := range functions(r.t) {
		_, aim := largest(function)
		r.ratio("start to first poll: "+function, median(times[function]), median(times["sdk"]), "ms", bareClient, aim)
	}
}

// functions returns the names of all functions.
func functions(t *testing.T) (names []string) {
	t.Helper()
	mains, err := filepath.Glob("../../functions/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal("no functions", err)
	}
	for _, main := range mains {
		names = append(names, filepath.Base(filepath.Dir(main)))
	}
	return names
}

// median returns the middle one, in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2]) / float64(time.Millisecond)
}
