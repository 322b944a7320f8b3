package benchmark

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/gateway/lambdatest"
)

// bareClient is a program that makes the calls of the functions to DynamoDB with fixed values, and
// responds with fixed bytes. The functions are compared with it.
const bareClient = "bare SDK client"

// measured are the functions whose size and start are compared, with their aims. create-rsvp stands for
// the functions of the API. event-page also links templates and the texts of twelve languages, event-card
// fonts and their shaping.
var measured = []struct {
	function    string
	size, start float64
}{{"create-rsvp", 1.06, 1.05}, {"event-page", 1.5, 1.15}, {"event-card", 2.25, 1.2}}

func sizes(r *report, bin string) {
	size := func(program string) float64 {
		info, err := os.Stat(filepath.Join(bin, program))
		if err != nil {
			r.t.Fatal(err)
		}
		return float64(info.Size()) / 1e6
	}
	for _, m := range measured {
		r.ratio("size: "+m.function, values{size(m.function)}, values{size("sdk")}, "MB", bareClient, m.size)
	}
}

func starts(r *report, bin string) {
	const turns = 101
	env := lambdatest.Environment(dynamo.Config{
		Table:           "turnout",
		Region:          "eu-central-1",
		AccessKeyID:     "a",
		SecretAccessKey: "b",
		Endpoint:        "http://127.0.0.1:9",
	})
	programs := []string{"sdk"}
	for _, m := range measured {
		programs = append(programs, m.function)
	}
	times := map[string][]float64{} // the times in milliseconds
	for range turns {
		slices.Reverse(programs)
		for _, program := range programs {
			begin := time.Now()
			i, err := lambdatest.Start(filepath.Join(bin, program), env, io.Discard)
			if err != nil {
				r.t.Fatal(err)
			}
			<-i.Polled()
			times[program] = append(times[program], time.Since(begin).Seconds()*1e3)
			i.Stop()
		}
	}
	for _, m := range measured {
		r.ratio("start to first poll: "+m.function, times[m.function], times["sdk"], "ms", bareClient, m.start)
	}
}
