package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"turnout/internal/event"
)

// An image is a whole file in memory, of which a test changes one number at a time.
type image struct {
	t        *testing.T
	bytes    []byte
	pageSize int
	meta     meta // the newer one
	refusals int
}

func newImage(t *testing.T) *image {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole.db")
	fill(t, path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := checker{file: bytes.NewReader(content)}
	m, err := c.head(int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	i := &image{t: t, bytes: content, pageSize: m.pageSize, meta: m}
	if err := i.check(); err != nil {
		t.Fatal(err)
	}
	return i
}

func (i *image) check() error { return checkFile(bytes.NewReader(i.bytes), int64(len(i.bytes))) }

func (i *image) page(id uint64) page { return i.bytes[id*uint64(i.pageSize):] }

// refuse asserts a refusal for each of the values in place of a number.
func (i *image) refuse(what string, number []byte, values ...uint64) {
	i.t.Helper()
	old := bytes.Clone(number)
	for _, v := range values {
		switch len(number) {
		case 2:
			order.PutUint16(number, uint16(v))
		case 4:
			order.PutUint32(number, uint32(v))
		case 8:
			order.PutUint64(number, v)
		}
		if bytes.Equal(old, number) {
			continue
		}
		if i.refusals++; i.check() == nil {
			i.t.Errorf("%s: %x instead of %x passes", what, v, old)
		}
		copy(number, old)
	}
}

const huge = 1<<64 - 1

// TestCheckRefusesWrongNumbers: every number in the file that bbolt follows is wrong
// once.
func TestCheckRefusesWrongNumbers(t *testing.T) {
	t.Parallel()
	i := newImage(t)
	pages := i.tree(i.meta.root)
	for _, bucket := range []int{0, 1} { // state is inline
		p := i.page(i.meta.root)
		e := p.element(bucket)
		value, err := p.part(bucket, order.Uint32(e[4:]), order.Uint32(e[8:])+8)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, i.tree(order.Uint64(value[order.Uint32(e[8:]):]))...)
	}
	branches, leaves := 0, 0
	for _, id := range pages {
		p := i.page(id)
		name := fmt.Sprint("page ", id)
		i.refuse(name+", id", p[:8], 0, 1, id-1, id+1, i.meta.pages, huge)
		i.refuse(name+", flags", p[8:10], 0, branchFlag, leafFlag, branchFlag|leafFlag, freelistFlag, uint64(p.flags()|0x40))
		i.refuse(name+", count", p[10:12], 0, uint64(p.count()-1), uint64(p.count()+1), 0xFFFF)
		overflow := uint64(order.Uint32(p[12:]))
		i.refuse(name+", overflow", p[12:16], overflow+1, i.meta.pages-id-1, i.meta.pages-id, maxPageSize/uint64(i.pageSize), huge)
		for n := range p.count() {
			e := p.element(n)
			name := fmt.Sprint(name, ", element ", n)
			if p.flags() == branchFlag {
				branches++
				i.refuse(name+", position", e[:4], near(e[:4])...)
				i.refuse(name+", page", e[8:16], 0, 1, id, order.Uint64(e[8:])+1, order.Uint64(e[8:])-1, i.meta.root, i.meta.freelist, i.meta.pages, huge)
				continue
			}
			if leaves++; n > 2 && n < p.count()-1 && n%8 > 0 && id != i.meta.root {
				continue // there are many, all alike
			}
			i.refuse(name+", flags", e[:4], uint64(order.Uint32(e)^bucketFlag), huge)
			i.refuse(name+", position", e[4:8], near(e[4:8])...)
			i.refuse(name+", key size", e[8:12], near(e[8:12])...)
			if id == i.meta.root { // a longer value of a bucket is the same bucket
				i.refuse(name+", value size", e[12:16], 0, uint64(order.Uint32(e[12:])-1), huge)
			} else {
				i.refuse(name+", value size", e[12:16], near(e[12:16])...)
			}
		}
	}
	if branches == 0 || leaves < 500 {
		t.Errorf("%d elements of branches, %d of leaves", branches, leaves)
	}
	t.Logf("%d refusals on %d pages", i.refusals, len(pages))
}

func near(number []byte) []uint64 {
	n := uint64(order.Uint32(number))
	return []uint64{0, n - 1, n + 1, 1 << 31, 1<<32 - 1}
}

// tree returns the pages below id, and itself.
func (i *image) tree(id uint64) []uint64 {
	pages := []uint64{id}
	p := i.page(id)
	if p.flags() == branchFlag {
		for n := range p.count() {
			child, _, err := p.branch(n)
			if err != nil {
				i.t.Fatal(err)
			}
			pages = append(pages, i.tree(child)...)
		}
	}
	return pages
}

func TestCheckRefusesWrongFreeList(t *testing.T) {
	i := newImage(t)
	p := i.page(i.meta.freelist)
	ids := p[headerSize:]
	if p.count() < 3 {
		t.Fatalf("%d free pages", p.count())
	}
	first, second := order.Uint64(ids), order.Uint64(ids[8:])
	i.refuse("id", p[:8], i.meta.freelist+1)
	i.refuse("flags", p[8:10], 0, leafFlag, branchFlag)
	i.refuse("count", p[10:12], uint64(p.count()-1), uint64(p.count()+1), uint64(i.pageSize), 0xFFFF)
	i.refuse("first page", ids[:8], 0, 1, second, i.meta.root, i.meta.freelist, i.meta.pages, huge)
	i.refuse("second page", ids[8:16], first, first-1, i.meta.pages, huge)

	// As many as the count cannot hold: the number comes first.
	long := bytes.Clone(p[:i.pageSize])
	order.PutUint16(p[10:], 0xFFFF)
	order.PutUint64(ids, uint64(page(long).count()))
	copy(ids[8:], long[headerSize:i.pageSize-8])
	if err := i.check(); err != nil {
		t.Errorf("a long list: %v", err)
	}
	i.refuse("number", ids[:8], uint64(page(long).count()-1), uint64(page(long).count()+1), uint64(i.pageSize/8-2), uint64(i.pageSize/8), huge)
}

// TestCheckRefusesWrongHead: also with a checksum that is right.
func TestCheckRefusesWrongHead(t *testing.T) {
	i := newImage(t)
	for id := range uint64(2) {
		head := i.page(id)[headerSize : headerSize+metaSize]
		for n := range metaSize {
			old := head[n]
			if head[n]++; i.check() == nil {
				t.Errorf("head %d with another byte %d passes", id, n)
			}
			head[n] = old
		}
	}
	newer := i.page(i.meta.txID % 2)[headerSize : headerSize+metaSize]
	for name, c := range map[string]struct {
		number []byte
		values []uint64
	}{
		"root":      {newer[16:24], []uint64{0, 1, i.meta.freelist, i.meta.root + 1, i.meta.pages, huge}},
		"free list": {newer[32:40], []uint64{0, 1, i.meta.root, i.meta.freelist + 1, i.meta.pages, huge}},
		"pages":     {newer[40:48], []uint64{0, 2, 3, i.meta.root, i.meta.pages - 1, uint64(len(i.bytes)/i.pageSize) + 1, huge}},
	} {
		old := bytes.Clone(newer)
		for _, v := range c.values {
			order.PutUint64(c.number, v)
			sumMeta(newer)
			if i.check() == nil {
				t.Errorf("%s %d passes", name, v)
			}
			copy(newer, old)
		}
	}
	if err := i.check(); err != nil {
		t.Error(err)
	}
}

// TestCheckRefusesShortFiles: a file that is truncated at any page.
func TestCheckRefusesShortFiles(t *testing.T) {
	i := newImage(t)
	for pages := range i.meta.pages {
		size := int64(pages) * int64(i.pageSize)
		if checkFile(bytes.NewReader(i.bytes[:size]), size) == nil {
			t.Errorf("%d of %d pages pass", pages, i.meta.pages)
		}
	}
	size := int64(i.meta.pages) * int64(i.pageSize)
	if err := checkFile(bytes.NewReader(i.bytes[:size]), size); err != nil {
		t.Errorf("a file without spare pages: %v", err)
	}
}

// TestCheckPassesWhatIsWritten: after any sequence of writes the file is valid.
func TestCheckPassesWhatIsWritten(t *testing.T) {
	s := openNew(t)
	s.db.NoSync = true // this is about what bbolt writes, not about the disk
	var rsvps [][]byte
	token, _ := newEvent(t, s, time.Unix(0, 0))
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		err := s.write(t.Context(), func(c *change) error {
			n, err := counterOf(c.Tx, token)
			for range random.IntN(200) {
				key := rsvpKey(token, event.NewToken().Hash())
				c.put(itemsBucket, key, rsvp{name: make([]byte, random.IntN(400))}.encode())
				rsvps = append(rsvps, key)
				n.rsvps++
			}
			c.put(itemsBucket, counterKey(token), n.encode())
			random.Shuffle(len(rsvps), func(i, j int) { rsvps[i], rsvps[j] = rsvps[j], rsvps[i] })
			gone := random.IntN(min(len(rsvps), 220) + 1)
			if gone > 0 {
				err = errors.Join(err, c.deleteRSVPs(token, rsvps[:gone]...))
			}
			rsvps = rsvps[gone:]
			for _, key := range rsvps[:len(rsvps)/4] { // some were removed before
				err = errors.Join(err, c.removeRSVP(token, key))
			}
			return errors.Join(err, c.err)
		})
		newEvent(t, s, time.Unix(int64(round), 0))
		if err = errors.Join(err, check(s.db.Path())); err != nil {
			t.Fatalf("after %d rounds: %v", round, err)
		}
	}
}
