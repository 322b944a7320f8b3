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

	"turnout/internal/event"
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
	if err != nil {
		t.Fatal(err)
	}
	want, tokens := served(t, path)
	copied := filepath.Join(t.TempDir(), "turnout.db")
	refused := map[string]int{}
	for i := range *damages {
		random := rand.New(rand.NewPCG(*damageSeed, uint64(i)))
		damaged, kind := damage(random, bytes.Clone(whole))
		if err := os.WriteFile(copied, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
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
