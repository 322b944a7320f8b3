package bolt

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"os"
	"runtime/debug"
	"slices"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"turnout/internal/event"
)

// The layout of bbolt's file, in the byte order of the machine. A page has a header and
// as many elements as its count says; keys and values follow. A page that is too small
// continues in its overflow pages.
const (
	headerSize  = 16 // id 8, flags 2, count 2, overflow 4
	elementSize = 16 // branch: position 4, key size 4, page 8; leaf: flags 4, position 4, key size 4, value size 4
	bucketSize  = 16 // bucket header, before the page of an inline bucket
	metaSize    = 64 // size of a meta; the last 8 bytes are its checksum
	metaMagic   = 0xED0CDAED
	metaVersion = 2

	branchFlag, leafFlag, freelistFlag = 0x01, 0x02, 0x10
)

var (
	order       = binary.NativeEndian
	errMeta     = errors.New("a meta page is invalid")
	errEmpty    = errors.New("it is empty")
	errShort    = errors.New("it is truncated")
	errPage     = errors.New("a page is invalid")
	errBuckets  = errors.New("it has unknown buckets")
	errContents = errors.New("its contents contradict each other")
	errLater    = errors.New("was written by a later version of Turnout")
)

// Contents are the numbers of events and RSVPs in a file, without what was erased or withdrawn.
type Contents struct{ Events, RSVPs int }

// check verifies a whole file, and returns its contents, or the first damage that it finds. Memory is bounded by a
// page of each level, and some bytes for each page of the file.
//
// First check walks over the pages of all buckets, because bbolt's cursors would follow a cycle forever.
// Then the cursors read all keys and values. They do so before tx.Check: here an address outside the
// file panics, and inspect recovers. In the goroutine of tx.Check it would end the program.
func check(path string) (c Contents, err error) {
	db, file, err := openLocked(path, bbolt.Options{ReadOnly: true}, os.O_RDONLY) // keeps writers out
	if err != nil {
		if !errors.Is(err, bbolterrors.ErrTimeout) && isEmpty(path) { // bbolt has failed to initialize the file
			err = errEmpty
		}
		return c, err
	}
	defer db.Close()
	err = inspect(db, file, func(f *checker, m meta, tx *bbolt.Tx) error {
		names := f.buckets(m.Root, tx)
		f.freelist(m.Freelist)
		if err := checkVersion(tx); err != nil {
			return err
		}
		if !slices.EqualFunc(names, buckets, bytes.Equal) {
			return errBuckets
		}
		var err error
		if c, err = checkContents(tx); err != nil {
			return err
		}
		for range tx.Check() { // its errors contain keys, and so tokens
			err = errPage
		}
		return err
	})
	return c, err
}

func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == 0
}

// inspect calls do with the newest meta page of an open file. If a checker, bbolt, or an address outside the file
// panics, the error is errPage.
func inspect(db *bbolt.DB, f *os.File, do func(*checker, meta, *bbolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errPage
		}
	}()
	c := &checker{file: f, pageSize: int64(db.Info().PageSize)}
	m, err := c.newest()
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if m.Pages > uint64(info.Size()/c.pageSize) {
		return errShort
	}
	c.visited = make([]bool, m.Pages)
	return db.View(func(tx *bbolt.Tx) error { return do(c, m, tx) })
}

// A checker visits each page at most once. Its methods panic at a page that is damaged.
type checker struct {
	file     *os.File
	pageSize int64
	visited  []bool // for each page, whether it was visited
}

// A meta is a meta page. It says where the trees of a commit begin.
type meta struct {
	Magic, Version, PageSize, _              uint32
	Root, _, Freelist, Pages, TxID, Checksum uint64
}

// newest returns the newer meta page. Both must be valid and of successive commits: if an
// older page were in place of the newer, the last commit would be lost. bbolt writes even
// commits to page 0. But a backup always has the newer page there: if its commit was odd, the next
// commit replaces it, and page 1 is two commits behind.
func (c *checker) newest() (meta, error) {
	first, err := c.meta(0)
	if err != nil {
		return meta{}, err
	}
	second, err := c.meta(1)
	if err != nil {
		return meta{}, err
	}
	switch {
	case second.TxID == first.TxID+1:
		return second, nil
	case first.TxID == second.TxID+1:
		return first, nil
	case first.TxID == second.TxID+2 && second.TxID%2 == 0:
		return first, nil
	}
	return meta{}, errMeta
}

// meta reads the meta page with a number, 0 or 1.
func (c *checker) meta(page int64) (m meta, err error) {
	b := make([]byte, metaSize)
	if _, err := c.file.ReadAt(b, page*c.pageSize+headerSize); err != nil {
		return m, err
	}
	_, _ = binary.Decode(b, order, &m) // b has the size of a meta, so this never fails
	sum := fnv.New64a()
	sum.Write(b[:metaSize-8])
	isMeta := m.Magic == metaMagic && m.Version == metaVersion && int64(m.PageSize) == c.pageSize
	if !isMeta || m.Checksum != sum.Sum64() {
		return m, errMeta
	}
	return m, nil
}

// buckets visits the pages of all buckets, whose names and roots are in a leaf, and returns the
// names.
func (c *checker) buckets(id uint64, tx *bbolt.Tx) (names [][]byte) {
	root := c.page(id, leafFlag)
	for i := range root.count() {
		root.value(i) // value panics if the bytes lie outside the page; bbolt may copy a root of any size
	}
	for i := range root.count() {
		name := root.key(i)
		names = append(names, name)
		b := tx.Bucket(name)
		switch {
		case b == nil:
			panic(errPage)
		case b.Root() != 0:
			c.tree(uint64(b.Root()), nil)
		case len(root.value(i)) != bucketSize+b.Stats().InlineBucketInuse:
			panic(errPage) // the root of an inline bucket has no page of its own, and has no branches
		}
	}
	return names
}

func (c *checker) visit(id uint64) {
	if id < 2 || c.visited[id] {
		panic(errPage)
	}
	c.visited[id] = true
}

// page reads a page, which must be of one of these kinds, and visits it and its overflow pages.
func (c *checker) page(id uint64, kinds ...uint16) page {
	c.visit(id)
	p := make(page, c.pageSize)
	if _, err := c.file.ReadAt(p, int64(id)*c.pageSize); err != nil {
		panic(err)
	}
	if !slices.Contains(kinds, p.flags()) {
		panic(errPage)
	}
	for i := range p.overflow() {
		c.visit(id + 1 + i)
	}
	return p
}

// tree visits the pages below id. Their first key must be key, because bbolt looks up a page in its parent by this key
// when it writes. A root has no such key.
func (c *checker) tree(id uint64, key []byte) {
	p := c.page(id, branchFlag, leafFlag)
	if key != nil && !bytes.Equal(p.key(0), key) {
		panic(errPage)
	}
	if p.flags() == branchFlag {
		for i := range max(1, p.count()) { // panics if the page has no element
			c.tree(order.Uint64(p.element(i)[8:]), p.key(i))
		}
	}
}

// freelist visits and returns the free pages. A list that is too long meets a page that was visited, and panics.
func (c *checker) freelist(id uint64) (free []uint64) {
	p := c.page(id, freelistFlag)
	list := bufio.NewReader(io.NewSectionReader(c.file, int64(id)*c.pageSize+headerSize, math.MaxInt64))
	next := func() (id uint64) {
		if err := binary.Read(list, order, &id); err != nil {
			panic(err)
		}
		return id
	}
	const many = 0xFFFF // this count means that the number of ids is in place of the first id
	count := uint64(p.count())
	if count == many {
		count = next()
	}
	for range count {
		free = append(free, next())
		c.visit(free[len(free)-1])
	}
	return free
}

// A page is a page of the file without its overflow. Access outside of it panics.
type page []byte

func (p page) flags() uint16    { return order.Uint16(p[8:]) }
func (p page) count() int       { return int(order.Uint16(p[10:])) }
func (p page) overflow() uint64 { return uint64(order.Uint32(p[12:])) }

func (p page) element(i int) page {
	if i >= p.count() {
		panic(errPage)
	}
	return p[headerSize+i*elementSize:]
}

func (p page) key(i int) page {
	e, position := p.element(i), 0
	if p.flags() == leafFlag {
		position = 4
	}
	return e[order.Uint32(e[position:]):][:order.Uint32(e[position+4:])]
}

// value returns a value of a leaf.
func (p page) value(i int) page {
	e := p.element(i)
	return e[order.Uint32(e[4:]):][order.Uint32(e[8:]):][:order.Uint32(e[12:])]
}

// checkVersion refuses a file of a later version, because its contents may have another form.
func checkVersion(tx *bbolt.Tx) error {
	v, err := versionOf(tx)
	if err == nil && v > version {
		err = errLater
	}
	return err
}

// checkContents compares the items of each event with each other and with its expiry.
func checkContents(tx *bbolt.Tx) (c Contents, err error) {
	events, items, expiry := 0, tx.Bucket(itemsBucket).Cursor(), tx.Bucket(expiryBucket)
	key, value := items.First()
	for key != nil {
		d, err := checkDetails(key, value)
		if err != nil {
			return c, err
		}
		token := event.Token(key)
		if expiry.Get(expiryKey(d.ExpiresAt, token)) == nil {
			return c, errContents
		}
		rsvps := 0
		key, value, rsvps, err = checkRSVPs(token, items)
		if err != nil {
			return c, err
		}
		events++
		c.RSVPs += rsvps
		if !d.Erased {
			c.Events++
		}
	}
	expiries := 0
	err = expiry.ForEach(func(key, value []byte) error {
		if !bytes.Equal(value, appendChecksum(key, nil)) {
			return errDamaged
		}
		expiries++
		return nil
	})
	if err != nil {
		return c, err
	}
	if expiries != events {
		return c, errContents
	}
	return c, tx.Bucket(stateBucket).ForEach(func(key, value []byte) error {
		_, err := verifyChecksum(key, value)
		return err
	})
}

// checkDetails reads the first item of an event: its details.
func checkDetails(key, value []byte) (details, error) {
	if !bytes.Equal(key, detailsKey(event.Token(key))) {
		return details{}, errContents
	}
	return decodeDetails(key, value)
}

// checkRSVPs reads the next item, the counter of an event, and compares it with the RSVPs behind it. It
// returns the item after them, and their number.
func checkRSVPs(token event.Token, items *bbolt.Cursor) (key, value []byte, rsvps int, err error) {
	key, value = items.Next()
	if !bytes.Equal(key, counterKey(token)) {
		return nil, nil, 0, errContents
	}
	n, err := decodeCounter(key, value)
	if err != nil {
		return nil, nil, 0, err
	}
	prefix := append(token[:], rsvpKind)
	key, value = items.Next()
	for bytes.HasPrefix(key, prefix) {
		r, err := decodeRSVP(key, value)
		if err != nil {
			return nil, nil, 0, err
		}
		if r.Name != "" {
			rsvps++
		}
		key, value = items.Next()
	}
	if uint64(rsvps) != n.rsvps {
		return nil, nil, 0, errContents
	}
	return key, value, rsvps, nil
}
