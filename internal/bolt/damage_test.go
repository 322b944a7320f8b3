package bolt

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

var (
	damageSeed = flag.Uint64("damage.seed", rand.Uint64(), "seed of TestDamage")
	damages    = flag.Int("damages", 1000, "number of random damages of TestDamage")
)

// TestDamage: a file with any damage is refused with one line or served whole, within a
// bound of memory and without a panic or a hang.
func TestDamage(t *testing.T) {
	t.Logf("go test ./internal/bolt -run TestDamage -damage.seed=%d", *damageSeed)
	path := filepath.Join(t.TempDir(), "whole.db")
	fill(t, path)
	whole, err := os.ReadFile(path)
	must(t, err)
	want := contentOf(t, open(t, path))
	copied := filepath.Join(t.TempDir(), "turnout.db")
	refused := map[string]int{}
	for i := range *damages {
		random := rand.New(rand.NewPCG(*damageSeed, uint64(i)))
		damaged, kind := damage(random, bytes.Clone(whole))
		must(t, os.WriteFile(copied, damaged, 0o600))
		const limit = 50 << 20 // bytes, for a file of 1 MB
		before := allocated()
		s, err := Open(copied)
		if used := allocated() - before; used > limit {
			t.Errorf("damage %d (%s): %d bytes allocated", i, kind, used)
		}
		if err != nil {
			refused[kind]++
			if problem := problemOf(err, copied); problem != "" {
				t.Errorf("damage %d (%s): %s", i, kind, problem)
			}
			continue
		}
		if got := contentOf(t, s); got != want {
			t.Errorf("damage %d (%s): what is served differs", i, kind)
		}
		if i%10 > 0 { // a write waits for the disk
			_ = s.Close()
			continue
		}
		newEvent(t, s, time.Now())
		if err := errors.Join(s.Close(), check(copied)); err != nil {
			t.Errorf("damage %d (%s): after a write: %v", i, kind, err)
		}
	}
	t.Logf("of %d damages to %d bytes refused: %v", *damages, len(whole), refused)
}

// allocated returns how many bytes this process has allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// fill makes a file with branch pages, pages with overflow, free pages and a sweep.
func fill(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	s.db.NoSync = true // this is about what bbolt writes, not about the disk
	for i := range 40 {
		token, _ := newEvent(t, s, time.Now().AddDate(0, 0, i-5))
		for n := range i {
			addRSVP(t, s, token, strings.Repeat("x", n*n/4), time.Unix(0, 0))
		}
		if i%10 == 0 {
			addRSVP(t, s, token, strings.Repeat("x", 2*os.Getpagesize()), time.Unix(0, 0))
		}
	}
	sweepNext(t, s)
	must(t, s.sweep(t.Context(), time.Now()), s.Close())
}

// damage changes a file at random, and names how.
func damage(r *rand.Rand, file []byte) (_ []byte, kind string) {
	pageSize := os.Getpagesize()
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
		{"page header", func() { noise(page()[r.IntN(8)*4:][:4]) }}, // what bbolt takes for numbers and lengths
		{"element", func() { noise(page()[headerSize+r.IntN(16*elementSize):][:1]) }},
		{"page of zeros", func() { clear(page()) }},
		{"page of noise", func() { noise(page()[r.IntN(pageSize):]) }},
		{"page of another place", func() { copy(page(), page()) }},
		{"block of zeros", func() { begin := at(); clear(file[begin:min(len(file), begin+r.IntN(1<<16))]) }},
		{"shortened", func() { file = file[:at()] }},
		{"cut out", func() { begin := at(); file = slices.Delete(file, begin, min(len(file), begin+1+r.IntN(pageSize))) }},
		{"lengthened", func() {
			whole := len(file)
			file = append(file, make([]byte, r.IntN(1<<20))...)
			noise(file[whole:])
		}},
	}
	chosen := kinds[r.IntN(len(kinds))]
	chosen.do()
	return file, chosen.name
}

// contentOf returns a digest of all that a file holds, and finds each key of it.
func contentOf(t *testing.T, s *Store) string {
	t.Helper()
	sum := sha256.New()
	err := s.read(t.Context(), func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(key, value []byte) error {
				fmt.Fprintf(sum, "%s %x %s\n", name, key, b.Get(key))
				return nil
			})
		})
	})
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
