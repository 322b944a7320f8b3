package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

const pageSize = 1 << 10 // page size of the files that tests damage; the smallest pages make the highest trees

// A file is the content of a file that a test damages.
type file []byte

// whole returns an undamaged file with branches on two levels, overflow, free pages and an inline bucket.
func whole(t *testing.T) (f file, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "turnout.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: pageSize})
	must(t, err, db.Update(createContents), db.Close())
	s := open(t, path)
	s.db.NoSync = true // the test is about bbolt's writes, not about the disk
	for n := range 20 {
		token, _ := createEvent(t, s, time.Now().AddDate(0, 0, n-2))
		for range n {
			createRSVP(t, s, token, strings.Repeat("x", 100), time.Unix(0, 0))
		}
	}
	token, _ := createEvent(t, s, time.Now().AddDate(0, 0, 1))
	createRSVP(t, s, token, strings.Repeat("x", 2*pageSize), time.Unix(0, 0))
	sweepBefore(t, s, time.Now())
	probe := s.write(t.Context(), func(c *change) error { c.put(stateBucket, probeKey, nil); return c.err })
	must(t, probe, s.Close())
	f, err = os.ReadFile(path)
	must(t, err)
	return f, path
}

func (f file) page(id uint64) page { return page(f[id*pageSize:][:pageSize]) }

// meta changes a meta page, and corrects the page's checksum.
func (f file) meta(n uint64, change func(*meta)) (m meta) {
	b := f.page(n)[headerSize:][:metaSize]
	_, _ = binary.Decode(b, order, &m)
	change(&m)
	_, _ = binary.Encode(b, order, m)
	sum := fnv.New64a()
	sum.Write(b[:metaSize-8])
	order.PutUint64(b[metaSize-8:], sum.Sum64())
	return m
}

// inline returns the page of the last bucket, which is inline: its page is in the bucket's value.
func (f file) inline(root uint64) page {
	e := f.page(root).element(len(buckets) - 1)
	return e[order.Uint32(e[4:]):][order.Uint32(e[8:])+bucketSize:]
}

// newest returns the newer meta page.
func (f file) newest() (n uint64, m meta) {
	m, second := f.meta(0, func(*meta) {}), f.meta(1, func(*meta) {})
	if second.TxID > m.TxID {
		return 1, second
	}
	return 0, m
}

// inUse returns the pages of a kind, which has bbolt's name.
func inUse(t *testing.T, path, kind string) (ids []uint64) {
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true})
	must(t, err)
	defer db.Close()
	must(t, db.View(func(tx *bbolt.Tx) error {
		id := 0
		for info, _ := tx.Page(id); info != nil; info, _ = tx.Page(id) {
			if info.Type == kind {
				ids = append(ids, uint64(id))
			}
			if id++; info.Type != "free" {
				id += info.OverflowCount
			}
		}
		return nil
	}))
	return ids
}

// TestDamagedPages: check finds damage that the checksums of values do not reveal.
func TestDamagedPages(t *testing.T) {
	whole, path := whole(t)
	newer, newest := whole.newest()
	branch, leaves := inUse(t, path, "branch")[0], inUse(t, path, "leaf")
	large := leaves[slices.IndexFunc(leaves, func(id uint64) bool { return whole.page(id).overflow() > 0 })]
	rsvps := leaves[slices.IndexFunc(leaves, func(id uint64) bool { // a leaf with two RSVPs of one event
		p, size := whole.page(id), len(rsvpKey(event.Token{}, event.RSVPID{}))
		return p.count() > 2 && len(p.key(1)) == size && len(p.key(2)) == size
	})]
	free := func(f file, id uint64) {
		list := f.page(newest.Freelist)
		order.PutUint64(list[headerSize+8*list.count():], id)
		order.PutUint16(list[10:], uint16(list.count()+1))
	}
	for name, c := range map[string]struct {
		damage func(f file)
		want   error
	}{
		"none":                           {func(f file) {}, nil},
		"the older meta page twice":      {func(f file) { copy(f.page(newer), f.page(1-newer)) }, errMeta},
		"the newer meta page twice":      {func(f file) { copy(f.page(1-newer), f.page(newer)) }, errMeta},
		"a much older first meta page":   {func(f file) { f.meta(0, func(m *meta) { m.TxID = newest.TxID - 3 }) }, errMeta},
		"a much older second meta page":  {func(f file) { f.meta(1, func(m *meta) { m.TxID = newest.TxID - 3 }) }, errMeta},
		"a meta page without its magic":  {func(f file) { f.meta(newer, func(m *meta) { m.Magic++ }) }, errMeta},
		"a meta page of another version": {func(f file) { f.meta(1-newer, func(m *meta) { m.Version++ }) }, errMeta},
		"two sizes of pages":             {func(f file) { f.meta(1, func(m *meta) { m.PageSize *= 2 }) }, errMeta},
		"a meta page of a wrong sum":     {func(f file) { f.page(1 - newer)[headerSize+metaSize-1]++ }, errMeta},
		"more pages than the file has":   {func(f file) { f.meta(newer, func(m *meta) { m.Pages = uint64(len(f)/pageSize) + 1 }) }, errShort},

		// In such files, bbolt's cursors would not end.
		"a branch that is its own child": {func(f file) { order.PutUint64(f.page(branch).element(1)[8:], branch) }, errPage},
		"an overflow into the next page": {func(f file) { f.page(large)[12]++ }, errPage},
		"a bucket of a gigabyte":         {func(f file) { order.PutUint32(f.page(newest.Root).element(0)[12:], 1<<30) }, errPage},
		"an overflow beyond the file":    {func(f file) { order.PutUint32(f.page(large)[12:], 1<<32-1) }, errPage},

		"a page that is free twice":    {func(f file) { free(f, order.Uint64(f.page(newest.Freelist)[headerSize:])) }, errPage},
		"a free meta page":             {func(f file) { free(f, 1) }, errPage},
		"a free page beyond the end":   {func(f file) { free(f, newest.Pages) }, errPage},
		"a free page with an overflow": {func(f file) { free(f, large+1) }, errPage},
		"a number of free pages that is in the list": {func(f file) {
			list := f.page(newest.Freelist)
			copy(list[headerSize+8:], list[headerSize:])
			order.PutUint64(list[headerSize:], uint64(list.count()))
			order.PutUint16(list[10:], 0xFFFF)
		}, nil},
		"more free pages than listed":    {func(f file) { order.PutUint16(f.page(newest.Freelist)[10:], 1<<15) }, errPage},
		"a page without any reference":   {func(f file) { f.page(newest.Freelist)[10]-- }, errPage},
		"a list of free pages as a leaf": {func(f file) { f.page(newest.Freelist)[8] = leafFlag }, errPage},

		"a key that no page begins with": {func(f file) { k := f.page(branch).key(1); k[len(k)-1]-- }, errPage},
		"a branch without elements": {func(f file) {
			order.PutUint64(f.page(branch).element(0)[8:], branch)
			order.PutUint16(f.page(branch)[10:], 0)
		}, errPage},
		"a leaf without elements":        {func(f file) { order.PutUint16(f.page(rsvps)[10:], 0) }, errPage},
		"an inline branch":               {func(f file) { f.inline(newest.Root)[8] = branchFlag }, errPage},
		"an inline page without entries": {func(f file) { f.inline(newest.Root)[10] = 0 }, errPage},
		"keys out of order": {func(f file) {
			first, second := f.page(rsvps).element(1), f.page(rsvps).element(2)
			for i := range elementSize {
				first[i], second[i] = second[i], first[i]
			}
			order.PutUint32(first[4:], order.Uint32(first[4:])+elementSize)
			order.PutUint32(second[4:], order.Uint32(second[4:])-elementSize)
		}, errPage},
	} {
		damaged := bytes.Clone(whole)
		c.damage(damaged)
		must(t, os.WriteFile(path, damaged, 0o600))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := damageOf(path)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
			t.Errorf("%s: check takes %d bytes of memory, at most 16 MB", name, taken)
		}
		if err != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestDamagedContents: a file is refused if its values contradict each other, or if a checksum is wrong.
func TestDamagedContents(t *testing.T) {
	expires := time.Unix(0, 0)
	for name, damage := range map[string]func(*change, event.Token){
		"fewer RSVPs":          func(c *change, token event.Token) { c.put(itemsBucket, counterKey(token), counter{rsvps: 3}.encode()) },
		"more RSVPs":           func(c *change, token event.Token) { c.put(itemsBucket, counterKey(token), counter{rsvps: 1}.encode()) },
		"no counter":           func(c *change, token event.Token) { c.delete(itemsBucket, counterKey(token)) },
		"no details":           func(c *change, token event.Token) { c.delete(itemsBucket, detailsKey(token)) },
		"another kind of item": func(c *change, token event.Token) { c.put(itemsBucket, append(token[:], 9), details{}.encode()) },
		"an RSVP of no event":  func(c *change, _ event.Token) { c.put(itemsBucket, rsvpKey(event.Token{}, event.RSVPID{}), nil) },
		"a bucket of items": func(c *change, _ event.Token) {
			_, c.err = c.Bucket(itemsBucket).CreateBucket(detailsKey(event.Token{}))
			c.made = true
		},
		"no expiry":              func(c *change, token event.Token) { c.delete(expiryBucket, expiryKey(expires, token)) },
		"an expiry of no event":  func(c *change, token event.Token) { c.put(expiryBucket, expiryKey(time.Now(), token), nil) },
		"an expiry with content": func(c *change, token event.Token) { c.put(expiryBucket, expiryKey(expires, token), []byte{0}) },
		"another bucket":         func(c *change, _ event.Token) { _, c.err = c.CreateBucket(probeKey); c.made = true },
		"a damaged state": func(c *change, _ event.Token) {
			c.err = c.Bucket(stateBucket).Put(probeKey, make([]byte, 4))
			c.made = true
		},
	} {
		s := openNew(t)
		createEvent(t, s, time.Now())
		token, _ := createEvent(t, s, expires)
		createRSVP(t, s, token, "Ada", expires)
		createRSVP(t, s, token, "Ben", expires)
		must(t, s.batch(func(c *change) error { damage(c, token); return c.err })...)
		must(t, s.Close())
		if damageOf(s.path) == nil {
			t.Error(name, "passes")
		}
	}
}

// TestRestoredBackupStaysValid: the first page of a backup is always the newer meta page, whether its transaction
// number is even or odd. Therefore the first commit after a restore may replace the newer meta page instead of the
// older.
func TestRestoredBackupStaysValid(t *testing.T) {
	s := openNew(t)
	for range 2 {
		createEvent(t, s, time.Now())
		must(t, backup(s))
		path := filepath.Join(t.TempDir(), "turnout.db")
		must(t, os.Rename(BackupPath(s.path), path))
		for range 3 {
			restored := open(t, path)
			createEvent(t, restored, time.Now())
			must(t, restored.Close())
		}
	}
}

// TestCheckPassesWhatIsWritten: check finds the file valid after any sequence of writes.
func TestCheckPassesWhatIsWritten(t *testing.T) {
	s := openNew(t)
	s.db.NoSync = true // the test is about bbolt's writes, not about the disk
	var rsvps [][]byte
	token, _ := createEvent(t, s, time.Unix(0, 0))
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		err := s.write(t.Context(), func(c *change) error {
			n, err := counterOf(c.Tx, token)
			for range random.IntN(200) {
				key := rsvpKey(token, event.NewToken().RSVPID())
				c.put(itemsBucket, key, encodeRSVP(event.RSVP{Name: strings.Repeat("x", 1+random.IntN(400))}))
				rsvps = append(rsvps, key)
				n.rsvps++
			}
			c.put(itemsBucket, counterKey(token), n.encode())
			random.Shuffle(len(rsvps), func(i, j int) { rsvps[i], rsvps[j] = rsvps[j], rsvps[i] })
			gone := random.IntN(min(len(rsvps), 220) + 1)
			for _, key := range rsvps[:gone] {
				err = errors.Join(err, c.cancelRSVP(token, key))
				c.delete(itemsBucket, key)
			}
			rsvps = rsvps[gone:]
			return errors.Join(err, c.err)
		})
		createEvent(t, s, time.Unix(int64(round), 0))
		must(t, err, backup(s)) // a backup checks the copy
	}
}
