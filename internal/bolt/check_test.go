package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

// The pages of a crafted file. The expiry bucket has branches of two levels, the
// items lie in a page with overflow, and the state is an inline bucket.
const (
	freePage = iota + 2 // the list of the free pages
	rootPage
	topBranch
	leftBranch
	rightBranch
	leafA // and leafB of leftBranch, leafC and leafD of rightBranch
	leafB
	leafC
	leafD
	itemsLeaf

	bucketSize    = 16 // root page 8, sequence 8
	itemsOverflow = 1
	firstFree     = itemsLeaf + itemsOverflow + 1
	freePages     = 3
	craftedPages  = firstFree + freePages
)

// The positions of a meta's numbers, and those of a page's header.
const (
	magicAt    = 0
	versionAt  = 4
	pageSizeAt = 8
	rootAt     = 16
	freelistAt = 32
	pagesAt    = 40
	txAt       = 48

	flagsAt    = 8
	countAt    = 10
	overflowAt = 12
)

// A crafted file is written page by page, not by bbolt, so that a test can give it
// any damage.
type crafted struct {
	bytes    []byte
	pageSize int
	spare    int            // free pages at the end that are not in bytes: they are not read
	sizes    map[uint64]int // of the pages that write has laid out
}

// An element of a branch page has a child, one of a leaf page flags and a value.
type element struct {
	child uint64
	flags uint32
	key   []byte
	value []byte
}

// craft writes a valid file of few events: meta page 0 is the newer one.
func craft(pageSize int) *crafted {
	c := &crafted{bytes: make([]byte, craftedPages*pageSize), pageSize: pageSize, sizes: map[uint64]int{}}
	var items, expiry []element
	for n := range 8 {
		e := event.Event{
			Token: event.Token{byte(n)}, Title: fmt.Sprint("Picnic ", n), DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC",
			ExpiresAt: time.Unix(int64(n), 0),
		}
		for _, item := range []struct{ key, content []byte }{
			{detailsKey(e.Token), details{Event: e, organizer: e.Token.Hash()}.encode()},
			{counterKey(e.Token), counter{}.encode()},
		} {
			items = append(items, element{key: item.key, value: appendChecksum(item.key, item.content)})
		}
		key := expiryKey(e.ExpiresAt, e.Token)
		expiry = append(expiry, element{key: key, value: appendChecksum(key, nil)})
	}
	for n, pair := range slices.Collect(slices.Chunk(expiry, 2)) {
		c.write(leafA+uint64(n), leafFlag, pair...)
	}
	c.write(leftBranch, branchFlag, element{child: leafA, key: expiry[0].key}, element{child: leafB, key: expiry[2].key})
	c.write(rightBranch, branchFlag, element{child: leafC, key: expiry[4].key}, element{child: leafD, key: expiry[6].key})
	c.write(topBranch, branchFlag, element{child: leftBranch, key: expiry[0].key}, element{child: rightBranch, key: expiry[4].key})
	c.write(itemsLeaf, leafFlag, items...)
	order.PutUint32(c.page(itemsLeaf)[overflowAt:], itemsOverflow)
	probe := element{key: probeKey, value: appendChecksum(probeKey, nil)}
	c.state(probe)
	c.write(freePage, freelistFlag)
	c.free(firstFree, firstFree+1, firstFree+2)
	for n := range 2 {
		c.head(n, func(b []byte) {
			order.PutUint32(b[magicAt:], metaMagic)
			order.PutUint32(b[versionAt:], metaVersion)
			order.PutUint32(b[pageSizeAt:], uint32(pageSize))
			order.PutUint64(b[rootAt:], rootPage)
			order.PutUint64(b[freelistAt:], freePage)
			order.PutUint64(b[pagesAt:], craftedPages)
			order.PutUint64(b[txAt:], uint64(2-n))
		})
		order.PutUint64(c.page(uint64(n)), uint64(n))
		order.PutUint16(c.page(uint64(n))[flagsAt:], 0x04) // a meta page, for bbolt
	}
	return c
}

func (c *crafted) check() error {
	return checkFile(bytes.NewReader(c.bytes), int64(len(c.bytes)+c.spare*c.pageSize))
}

// page returns a page and all that follows it.
func (c *crafted) page(id uint64) page { return c.bytes[id*uint64(c.pageSize):] }

// write lays out a page; it may reach into the pages that follow.
func (c *crafted) write(id uint64, flags uint16, elements ...element) {
	p := layOut(flags, elements...)
	order.PutUint64(p, id)
	copy(c.page(id), p)
	c.sizes[id] = len(p)
}

// layOut returns the bytes of a page without an id, and without spare bytes.
func layOut(flags uint16, elements ...element) page {
	data := headerSize + len(elements)*elementSize
	p := make(page, data)
	order.PutUint16(p[flagsAt:], flags)
	order.PutUint16(p[countAt:], uint16(len(elements)))
	for n, e := range elements {
		b := p[headerSize+n*elementSize:]
		position := uint32(len(p) - headerSize - n*elementSize)
		if flags == branchFlag {
			order.PutUint32(b, position)
			order.PutUint32(b[4:], uint32(len(e.key)))
			order.PutUint64(b[8:], e.child)
		} else {
			order.PutUint32(b, e.flags)
			order.PutUint32(b[4:], position)
			order.PutUint32(b[8:], uint32(len(e.key)))
			order.PutUint32(b[12:], uint32(len(e.value)))
		}
		p = slices.Concat(p, e.key, e.value)
	}
	return p
}

// buckets writes the root page; a nil bucket is left out.
func (c *crafted) buckets(expiry, items, state []byte) {
	var elements []element
	for _, b := range []element{
		{key: expiryBucket, value: expiry},
		{key: itemsBucket, value: items},
		{key: stateBucket, value: state},
	} {
		if b.flags = bucketFlag; b.value != nil {
			elements = append(elements, b)
		}
	}
	c.write(rootPage, leafFlag, elements...)
}

// state writes the root page with these entries of the state.
func (c *crafted) state(entries ...element) {
	c.buckets(bucketAt(topBranch), bucketAt(itemsLeaf), inlineBucket(layOut(leafFlag, entries...)))
}

// bucketAt returns the value of a bucket with pages of its own.
func bucketAt(root uint64) []byte {
	return order.AppendUint64(make([]byte, 0, bucketSize), root)[:bucketSize]
}

// inlineBucket returns the value of a bucket that lies in it.
func inlineBucket(p page) []byte { return append(make([]byte, bucketSize), p...) }

// head changes a meta page, and its checksum with it.
func (c *crafted) head(n int, change func([]byte)) {
	b := c.bytes[n*c.pageSize+headerSize:][:metaSize]
	change(b)
	sumMeta(b)
}

// set changes a number of a meta page, and heads that of both.
func (c *crafted) set(n, at int, value uint64) {
	c.head(n, func(b []byte) { order.PutUint64(b[at:], value) })
}

func (c *crafted) heads(at int, value uint64) {
	c.set(0, at, value)
	c.set(1, at, value)
}

// sumMeta writes the checksum of a meta page.
func sumMeta(b []byte) {
	sum := fnv.New64a()
	sum.Write(b[:metaSize-8])
	order.PutUint64(b[metaSize-8:], sum.Sum64())
}

// free writes the list of free pages.
func (c *crafted) free(ids ...uint64) {
	p := c.page(freePage)
	order.PutUint16(p[countAt:], uint16(len(ids)))
	for n, id := range ids {
		order.PutUint64(p[headerSize+8*n:], id)
	}
}

// grow adds pages at the end, and returns the id of the first.
func (c *crafted) grow(pages int) (first uint64) {
	first = uint64(len(c.bytes) / c.pageSize)
	c.bytes = append(c.bytes, make([]byte, pages*c.pageSize)...)
	c.heads(pagesAt, first+uint64(pages))
	return first
}

// key returns the bytes of a branch's key, or of a leaf's key and its value.
func (c *crafted) key(id uint64, n int) []byte {
	p := c.page(id)
	e := p[headerSize+n*elementSize:]
	position, size := order.Uint32(e), order.Uint32(e[4:])
	if p.flags() == leafFlag {
		position, size = order.Uint32(e[4:]), order.Uint32(e[8:])+order.Uint32(e[12:])
	}
	return e[position:][:size]
}

// replace gives an element of a leaf another content, of the same size unless the
// element is the last one.
func (c *crafted) replace(id uint64, n int, content []byte) {
	e := c.page(id).element(n)
	key := c.key(id, n)[:order.Uint32(e[8:])]
	value := appendChecksum(key, content)
	order.PutUint32(e[12:], uint32(len(value)))
	copy(c.key(id, n)[len(key):], value)
}

// resize writes the file with larger pages and without overflow.
func (c *crafted) resize(pageSize int) {
	*c = *craft(pageSize)
	order.PutUint32(c.page(itemsLeaf)[overflowAt:], 0)
	c.free(itemsLeaf+itemsOverflow, firstFree, firstFree+1, firstFree+2)
}

// deepen puts branches with one child each above the items.
func (c *crafted) deepen(branches int) {
	child, key := uint64(itemsLeaf), detailsKey(event.Token{})
	for range branches {
		id := c.grow(1)
		c.write(id, branchFlag, element{child: child, key: key})
		child = id
	}
	c.setRoot(1, child)
}

// setRoot sets the root of a bucket that is not inline.
func (c *crafted) setRoot(bucket int, root uint64) {
	b := c.key(rootPage, bucket)
	order.PutUint64(b[len(b)-bucketSize:], root)
}

// moveItems moves the leaf of the items to the end, with overflow of any size.
func (c *crafted) moveItems(overflow int) (id uint64) {
	id = c.grow(1 + overflow)
	copy(c.page(id), c.page(itemsLeaf)[:(1+itemsOverflow)*c.pageSize])
	order.PutUint64(c.page(id), id)
	order.PutUint32(c.page(id)[overflowAt:], uint32(overflow))
	c.setRoot(1, id)
	c.free(itemsLeaf, itemsLeaf+1, firstFree, firstFree+1, firstFree+2)
	return id
}

// moveFreelist moves the list of free pages to the end, with any size in pages, of a
// file that has more pages.
func (c *crafted) moveFreelist(pages, size int) {
	id := c.grow(size)
	c.spare = pages - craftedPages - size
	c.heads(pagesAt, uint64(pages))
	c.write(id, freelistFlag)
	p := c.page(id)
	order.PutUint32(p[overflowAt:], uint32(size-1))
	list := p[headerSize:headerSize]
	for _, free := range []uint64{freePage, firstFree, firstFree + 1, firstFree + 2} {
		list = order.AppendUint64(list, free)
	}
	for free := id + uint64(size); free < uint64(pages); free++ {
		list = order.AppendUint64(list, free)
	}
	order.PutUint16(p[countAt:], uint16(len(list)/8))
	c.heads(freelistAt, id)
}

// TestCraftedDamage: each damage is refused with its sentence, and what is at a
// bound passes.
func TestCraftedDamage(t *testing.T) {
	const (
		pageSize   = minPageSize
		pass       = "<nil>"
		invalid    = "a page is invalid"
		disordered = "its keys are out of order"
		freeList   = "its list of free pages is invalid"
		meta       = "a meta page is invalid"
		truncated  = "it is truncated"
		contradict = "its contents contradict each other"
		largest    = maxPageSize/pageSize - 1                // overflow
		largeFile  = (largest + 2) * pageSize / freelistSize // pages
	)
	page := func(id uint64, problem string) string { return fmt.Sprintf("page %d is %s", id, problem) }
	for _, test := range []struct {
		name string
		edit func(c *crafted)
		want string
	}{
		{"no damage", func(*crafted) {}, pass},

		{"a file that ends in its first meta page", func(c *crafted) { c.bytes = c.bytes[:headerSize+4] }, meta},
		{"a meta page whose sum is right and whose magic number is not", func(c *crafted) { c.head(0, func(b []byte) { b[magicAt]++ }) }, meta},
		{"a meta page whose sum is right and whose version is not", func(c *crafted) { c.head(1, func(b []byte) { b[versionAt]++ }) }, meta},
		{"smaller pages than bbolt looks for", func(c *crafted) { *c = *craft(minPageSize - 8) }, meta},
		{"the largest pages", func(c *crafted) { c.resize(maxPageSize) }, pass},
		{"larger pages", func(c *crafted) { c.resize(maxPageSize + 8) }, meta},
		{"pages without a size", func(c *crafted) { c.head(0, func(b []byte) { order.PutUint32(b[pageSizeAt:], 0) }) }, meta},
		{"two meta pages of different page sizes", func(c *crafted) { c.head(1, func(b []byte) { order.PutUint32(b[pageSizeAt:], 2*pageSize) }) }, meta},
		{"a root that only the older meta page has wrong", func(c *crafted) { c.set(1, rootAt, craftedPages) }, pass},
		{"the older meta page is the one with the higher transaction", func(c *crafted) {
			c.set(1, rootAt, craftedPages)
			c.set(1, txAt, 3)
		}, page(craftedPages, "invalid")},
		{"two meta pages of one transaction, the second wrong", func(c *crafted) {
			c.heads(txAt, 2) // bbolt takes the first
			c.set(1, rootAt, craftedPages)
		}, pass},
		{"two meta pages of one transaction, the first wrong", func(c *crafted) {
			c.heads(txAt, 2)
			c.set(0, rootAt, craftedPages)
		}, page(craftedPages, "invalid")},
		{"as many pages as a file has at least", func(c *crafted) {
			c.bytes = c.bytes[:4*pageSize]
			empty := inlineBucket(layOut(leafFlag))
			c.buckets(empty, empty, empty)
			c.free()
			c.heads(pagesAt, 4)
		}, pass},
		{"fewer pages", func(c *crafted) { c.heads(pagesAt, 3) }, truncated},
		{"one page more than the file has", func(c *crafted) { c.heads(pagesAt, craftedPages+1) }, truncated},
		{"a last page that is cut short", func(c *crafted) { c.bytes = c.bytes[:len(c.bytes)-1] }, truncated},

		{"a meta page as a branch", func(c *crafted) { c.setRoot(1, 1) }, page(1, "invalid")},
		{"a page beyond the end", func(c *crafted) { c.setRoot(1, craftedPages) }, page(craftedPages, "invalid")},
		{"an overflow up to the end", func(c *crafted) { c.moveItems(itemsOverflow) }, pass},
		{"an overflow beyond the end", func(c *crafted) { c.page(c.moveItems(itemsOverflow))[overflowAt]++ }, page(craftedPages, "invalid")},
		{"an overflow as large as a page may be", func(c *crafted) { c.moveItems(largest) }, pass},
		{"an overflow larger than a page may be", func(c *crafted) { c.moveItems(largest + 1) }, page(craftedPages, "invalid")},
		{"a list of free pages as large as all pages need", func(c *crafted) { c.moveFreelist(largeFile, largest+2) }, pass},
		{"a list of free pages larger than all pages need", func(c *crafted) { c.moveFreelist(largeFile, largest+3) }, page(craftedPages, "invalid")},

		{"a leaf under the most branches", func(c *crafted) { c.deepen(32) }, pass},
		{"one branch more", func(c *crafted) { c.deepen(33) }, invalid},
		{"a branch whose last key is the next of its parent", func(c *crafted) { copy(c.key(leftBranch, 1), c.key(topBranch, 1)) }, invalid},
		{"two keys of a branch alike", func(c *crafted) { copy(c.key(leftBranch, 1), c.key(leftBranch, 0)) }, invalid},
		{"a key of a branch that begins in the elements", func(c *crafted) { order.PutUint32(c.page(topBranch).element(1), elementSize-1) }, invalid},
		{"a key of a branch that ends beyond the page", func(c *crafted) { order.PutUint32(c.page(topBranch).element(1)[4:], pageSize) }, invalid},

		{"a leaf whose last key is the next of its parent", func(c *crafted) { copy(c.key(leafA, 1), c.key(leafB, 0)) }, disordered},
		{"two keys of a leaf alike", func(c *crafted) { copy(c.key(leafA, 1), c.key(leafA, 0)) }, disordered},
		{"a key of a leaf that begins in the elements", func(c *crafted) { order.PutUint32(c.page(leafD).element(1)[4:], elementSize-1) }, invalid},
		{"a value that ends beyond the page", func(c *crafted) { order.PutUint32(c.page(leafD).element(1)[12:], pageSize) }, invalid},
		{"a value that ends before its key", func(c *crafted) { order.PutUint32(c.page(leafD).element(1)[12:], 1<<32-1) }, invalid},

		{"a bucket missing", func(c *crafted) { c.buckets(nil, bucketAt(itemsLeaf), inlineBucket(layOut(leafFlag))) }, "a bucket is missing"},
		{"an inline bucket without a whole header", func(c *crafted) { c.buckets(bucketAt(topBranch), bucketAt(itemsLeaf), bucketAt(0)) }, invalid},
		{"an inline bucket that ends before its element", func(c *crafted) {
			b := inlineBucket(layOut(leafFlag))
			b[bucketSize+countAt] = 1
			c.buckets(bucketAt(topBranch), bucketAt(itemsLeaf), b)
		}, invalid},
		{"an inline bucket that ends with its element", func(c *crafted) {
			c.state(element{})
		}, errDamaged.Error()}, // it has no value

		{"a free page listed twice", func(c *crafted) { c.free(firstFree, firstFree, firstFree+2) }, freeList},
		{"a free page beyond the end", func(c *crafted) { c.free(firstFree, firstFree+1, firstFree+2, craftedPages) }, freeList},
		{"a free page that is a meta page", func(c *crafted) { c.free(1, firstFree, firstFree+1, firstFree+2) }, freeList},
		{"as many free pages as the list holds", func(c *crafted) {
			ids := make([]uint64, (pageSize-headerSize)/8)
			for n := range ids {
				ids[n] = firstFree + uint64(n)
			}
			c.grow(len(ids) - freePages)
			c.free(ids...)
		}, pass},
		{"more free pages than the list holds", func(c *crafted) { order.PutUint16(c.page(freePage)[countAt:], (pageSize-headerSize)/8+1) }, invalid},

		{"an event with fewer RSVPs than its counter has", func(c *crafted) { c.replace(itemsLeaf, 1, counter{rsvps: 1}.encode()) }, contradict},
		{"a last event with fewer RSVPs than its counter has", func(c *crafted) { c.replace(itemsLeaf, 15, counter{rsvps: 1}.encode()) }, contradict},
		{"an expiry of another moment than its event's", func(c *crafted) {
			entry := c.key(leafD, 1)
			key := entry[:len(entry)-4]
			key[7]++
			copy(entry[len(key):], appendChecksum(key, nil))
		}, contradict},
		{"an expiry with content", func(c *crafted) { c.replace(leafA, 1, []byte{0}) }, contradict},
		{"a state with flags", func(c *crafted) {
			c.state(element{flags: bucketFlag, key: probeKey, value: appendChecksum(probeKey, nil)})
		}, contradict},
		{"a state of an unknown name", func(c *crafted) { c.state(element{key: stateBucket, value: appendChecksum(stateBucket, nil)}) }, contradict},
		{"a state whose sum is wrong", func(c *crafted) { c.state(element{key: probeKey, value: appendChecksum(sweepsKey, nil)}) }, errDamaged.Error()},

		{"a first page that nothing refers to", func(c *crafted) {
			id := c.grow(1)
			copy(c.page(id), c.page(freePage)[:pageSize])
			order.PutUint64(c.page(id), id)
			c.heads(freelistAt, id)
		}, page(freePage, "not referenced")},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := craft(pageSize)
			test.edit(c)
			if got := fmt.Sprint(c.check()); got != test.want {
				t.Errorf("refused with %q, want %q", got, test.want)
			}
		})
	}
}

// TestEveryByteIsChecked: another byte, wherever bbolt or the store reads one, is refused.
func TestEveryByteIsChecked(t *testing.T) {
	c := craft(minPageSize)
	check := func(id uint64, from, to int) {
		p := c.page(id)
		for at := from; at < to; at++ {
			old := p[at]
			for _, b := range []byte{old ^ 1, old ^ 0x80, old + 1, old - 1, 0, 0xFF} {
				if p[at] = b; b != old && c.check() == nil {
					t.Errorf("byte %d of page %d passes as %x instead of %x", at, id, b, old)
				}
			}
			p[at] = old
		}
	}
	check(0, headerSize, headerSize+metaSize)
	check(1, headerSize, headerSize+metaSize)
	for id, size := range c.sizes {
		if id != rootPage {
			check(id, 0, size)
		}
	}
	// The sequences of buckets and the id of an inline page are not read. A longer
	// value of a bucket is the same bucket.
	data := headerSize + 3*elementSize
	check(rootPage, 0, data-3*elementSize+12)
	for _, bucket := range [][]byte{expiryBucket, itemsBucket, stateBucket} {
		check(rootPage, data, data+len(bucket)+8)
		data += len(bucket) + bucketSize
	}
	check(rootPage, data+flagsAt, data+countAt)
}

// TestCheckReturnsReadErrors: what cannot be read is not called damaged.
func TestCheckReturnsReadErrors(t *testing.T) {
	f, err := os.Open(t.TempDir())
	must(t, err, f.Close())
	if err := checkFile(f, 1<<20); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
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
