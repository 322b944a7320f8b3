package bolt

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

var (
	damageSeed = flag.Uint64("damage.seed", rand.Uint64(), "seed of TestDamage")
	damages    = flag.Int("damages", 100, "number of random damages of TestDamage")
)

// TestDamage: a damaged file is either refused with a message of one line, or served without loss. A separate process
// with limited memory and time opens each file.
func TestDamage(t *testing.T) {
	const file, digest = "BOLT_TEST_DAMAGED", "BOLT_TEST_WHOLE"
	if path := os.Getenv(file); path != "" {
		openDamaged(t, path, os.Getenv(digest))
		return
	}
	t.Logf("go test ./internal/bolt -run TestDamage -damage.seed=%d", *damageSeed)
	whole, path := whole(t)
	want := contentOf(t, open(t, path))
	path = filepath.Join(t.TempDir(), "turnout.db")
	refused := map[string]int{}
	for i := range *damages {
		damaged, kind := damage(rand.New(rand.NewPCG(*damageSeed, uint64(i))), bytes.Clone(whole))
		must(t, os.WriteFile(path, damaged, 0o600))
		const run = `ulimit -v 2000000; exec "$0" -test.run '^TestDamage$' -test.timeout 1m` // at most 2 GB of memory
		child := exec.Command("sh", "-c", run, os.Args[0])
		child.Env = append(os.Environ(), file+"="+path, digest+"="+want)
		output, err := child.CombinedOutput()
		if err != nil {
			t.Errorf("damage %d (%s): %v\n%.2000s", i, kind, err, output)
		}
		refused[kind] += bytes.Count(output, []byte("refused\n"))
	}
	t.Logf("of %d damages to %d bytes refused: %v", *damages, len(whole), refused)
}

// openDamaged opens a damaged file. If the file is not refused, openDamaged compares its content, and writes to it.
func openDamaged(t *testing.T, path, want string) {
	s, err := Open(path)
	if err != nil {
		wantRefused(t, path)
		fmt.Println("refused")
		return
	}
	if got := contentOf(t, s); got != want {
		t.Error("the content differs")
	}
	createEvent(t, s, time.Now())
	must(t, s.Close(), damageOf(path))
}

// damage changes a file at random, and returns the kind of the damage.
func damage(r *rand.Rand, file []byte) (_ []byte, kind string) {
	at := func() int { return r.IntN(len(file)) }
	page := func() []byte { return file[at()/pageSize*pageSize:][:pageSize] }
	noise := func(b []byte) {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
	kinds := []struct {
		name string
		do   func()
	}{
		{"bytes", func() {
			for range 1 + r.IntN(20) {
				noise(file[at():][:1])
			}
		}},
		{"page header", func() { noise(page()[r.IntN(8)*4:][:4]) }}, // bbolt reads numbers and lengths here
		{"element", func() { noise(page()[headerSize+r.IntN(16*elementSize):][:1]) }},
		{"page of zeros", func() { clear(page()) }},
		{"page of noise", func() { noise(page()[r.IntN(pageSize):]) }},
		{"page of another place", func() { copy(page(), page()) }},
		{"block of zeros", func() { begin := at(); clear(file[begin:min(len(file), begin+r.IntN(1<<16))]) }},
		{"shortened", func() { file = file[:at()] }},
		{"cut out", func() { begin := at(); file = slices.Delete(file, begin, min(len(file), begin+1+r.IntN(pageSize))) }},
	}
	chosen := kinds[r.IntN(len(kinds))]
	chosen.do()
	return file, chosen.name
}

// contentOf returns a digest of a file's whole content. It fails the test if a search does not find one of the keys.
func contentOf(t *testing.T, s *Store) string {
	sum := sha256.New()
	must(t, s.db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(key, _ []byte) error {
				fmt.Fprintf(sum, "%s %x %s\n", name, key, b.Get(key))
				return nil
			})
		})
	}))
	return fmt.Sprintf("%x", sum.Sum(nil))
}
