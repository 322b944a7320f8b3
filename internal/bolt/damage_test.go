package bolt

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

var (
	damageSeed = flag.Uint64("damage.seed", rand.Uint64(), "seed of TestDamage")
	damages    = flag.Int("damages", 1000, "number of random damages of TestDamage")
)

// damageFile names, in the environment of the process that opens damaged files,
// the whole file.
const damageFile = "BOLT_TEST_DAMAGE"

// TestDamage: a file with any damage is refused in one sentence or served whole,
// within a bound of memory and without a panic or a hang. The files are opened by
// processes of their own, since a panic or a hang cannot be caught from within.
func TestDamage(t *testing.T) {
	if path := os.Getenv(damageFile); path != "" {
		openDamaged(t, path)
		return
	}
	t.Parallel()
	t.Logf("go test ./internal/bolt -run TestDamage -damage.seed=%d", *damageSeed)
	path := filepath.Join(t.TempDir(), "whole.db")
	fill(t, path)

	const hang = time.Minute // far more than a file takes, on a busy machine too
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestDamage$", "-test.v",
		fmt.Sprint("-damage.seed=", *damageSeed), fmt.Sprint("-damages=", *damages))
	child.Env = append(os.Environ(), damageFile+"="+path)
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	child.Stderr = child.Stdout
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(hang, kill)
	var printed bytes.Buffer
	for lines := bufio.NewScanner(output); lines.Scan(); {
		watchdog.Reset(hang)
		if !strings.HasPrefix(lines.Text(), "damage ") {
			fmt.Fprintln(&printed, lines.Text())
		}
	}
	if err := child.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &printed)
	} else {
		t.Log(printed.String())
	}
}

// fill makes a file with branch pages, free pages, long texts and a sweep.
func fill(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var do []func(*change) error
	for i := range 45 {
		e := event.Event{
			Token: event.NewToken(), Title: fmt.Sprint("Picnic ", i), DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC",
			Description: new(strings.Repeat("cake ", i*5)), CreatedAt: now, ExpiresAt: now.AddDate(0, 0, i),
		}
		if i%10 == 0 {
			e.Description = new(strings.Repeat("😀", 2000))
		}
		do = append(do, func(c *change) error {
			c.put(itemsBucket, detailsKey(e.Token), details{Event: e, organizer: organizerOf(e.Token)}.encode())
			c.put(itemsBucket, counterKey(e.Token), counter{uint64(i), now}.encode())
			c.put(expiryBucket, expiryKey(e.ExpiresAt, e.Token), nil)
			for n := range i {
				c.put(itemsBucket, rsvpKey(e.Token, event.NewToken().Hash()), rsvp{fmt.Appendf(nil, "guest %d", n), now}.encode())
			}
			return c.err
		})
	}
	for part := range slices.Chunk(do, 7) {
		for _, err := range s.batch(part...) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range sweepsUntilGone + 2 {
		if err := s.sweep(t.Context(), now.AddDate(0, 0, 5).Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func organizerOf(token event.Token) event.Hash { return token.Hash() }

// openDamaged opens one damaged copy after the other.
func openDamaged(t *testing.T, path string) {
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, tokens := served(t, path)
	copied := filepath.Join(t.TempDir(), "turnout.db")
	go limitMemory()
	refused, slowest := map[string]int{}, time.Duration(0)
	for i := range *damages {
		fmt.Println("damage", i)
		random := rand.New(rand.NewPCG(*damageSeed, uint64(i)))
		damaged, kind := damage(random, bytes.Clone(whole))
		if err := os.WriteFile(copied, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		s, err := Open(copied)
		slowest = max(slowest, time.Since(begin))
		if err != nil {
			refused[kind]++
			if problem := problemOf(err, copied); problem != "" {
				t.Errorf("damage %d (%s): %s", i, kind, problem)
			}
			continue
		}
		if got := content(t, s, tokens); got != want {
			t.Errorf("damage %d (%s): what is served differs", i, kind)
		}
		if i%10 > 0 { // a write waits for the disk
			_ = s.Close()
			continue
		}
		if err := s.AddRSVP(t.Context(), tokens[0], event.RSVP{Hash: event.NewToken().Hash(), Name: "Ada"}); err != nil {
			t.Errorf("damage %d (%s): %v", i, kind, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("damage %d (%s): %v", i, kind, err)
		}
		if err := check(copied); err != nil {
			t.Errorf("damage %d (%s): after a write: %v", i, kind, err)
		}
	}
	t.Logf("of %d damages to %d bytes refused: %v; the slowest start took %v", *damages, len(whole), refused, slowest)
}

// limitMemory ends the process when it uses more memory than the limit.
func limitMemory() {
	const limit = 300 << 20
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	for range time.Tick(10 * time.Millisecond) {
		if metrics.Read(sample); sample[0].Value.Uint64() > limit {
			fmt.Println("more than 300 MB")
			os.Exit(3)
		}
	}
}

// damage changes a file at random, and names how.
func damage(r *rand.Rand, file []byte) (_ []byte, kind string) {
	pageSize := os.Getpagesize()
	at := func() int { return r.IntN(len(file)) }
	page := func() []byte {
		begin := r.IntN(len(file)/pageSize) * pageSize
		return file[begin : begin+pageSize]
	}
	noise := func(b []byte) {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
	switch r.IntN(11) {
	case 0:
		file[at()] ^= 1 << r.IntN(8)
		return file, "bit"
	case 1:
		for range 1 + r.IntN(20) {
			file[at()] = byte(r.Uint32())
		}
		return file, "bytes"
	case 2, 3: // what bbolt takes for numbers and lengths
		noise(page()[r.IntN(8)*4:][:4])
		return file, "page header"
	case 4, 5:
		element := page()[headerSize+r.IntN(16)*elementSize:]
		element[r.IntN(elementSize)] = byte(r.Uint32())
		return file, "element"
	case 6:
		clear(page())
		return file, "page of zeros"
	case 7:
		b := page()
		noise(b[r.IntN(len(b)):])
		return file, "page of noise"
	case 8:
		copy(page(), page())
		return file, "page of another place"
	case 9:
		begin := at()
		clear(file[begin:min(len(file), begin+r.IntN(1<<16))])
		return file, "block of zeros"
	}
	switch r.IntN(3) {
	case 0:
		return file[:at()], "shortened"
	case 1:
		begin := at()
		return slices.Delete(file, begin, min(len(file), begin+1+r.IntN(pageSize))), "cut out"
	}
	more := make([]byte, r.IntN(1<<20))
	noise(more)
	return append(file, more...), "lengthened"
}

// served returns a digest of all that the file holds, and its events.
func served(t *testing.T, path string) (digest string, tokens []event.Token) {
	t.Helper()
	s := open(t, path)
	defer s.Close()
	tx, err := s.db.Begin(false)
	if err != nil {
		t.Fatal(err)
	}
	cursor := tx.Bucket(expiryBucket).Cursor()
	for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
		tokens = append(tokens, event.Token(key[timeSize:]))
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	return content(t, s, tokens), tokens
}

func content(t *testing.T, s *Store, tokens []event.Token) (digest string) {
	t.Helper()
	sum := sha256.New()
	for _, token := range tokens {
		e, err := s.EventByToken(t.Context(), token)
		if err != nil {
			return err.Error()
		}
		rsvps, more, err := s.AttendeesByEvent(t.Context(), token, organizerOf(token), event.Position{}, 1<<30)
		if err != nil || more {
			return fmt.Sprint(more, err)
		}
		fmt.Fprintln(sum, e.Title, *e.Description, e.DateTime, e.CreatedAt, e.ExpiresAt, e.AttendeeCount)
		for _, r := range rsvps {
			sum.Write(r.Hash[:])
			sum.Write(appendTime([]byte(r.Name), r.CreatedAt))
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
