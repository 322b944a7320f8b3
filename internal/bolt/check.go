package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"

	"turnout/internal/event"
)

// The layout of bbolt's file, in the byte order of the machine. A page has a
// header, and then as many elements, of 16 bytes each, as its count says; keys and
// values follow. A page that is too small continues in its overflow pages.
const (
	headerSize  = 16 // id 8, flags 2, count 2, overflow 4
	elementSize = 16 // branch: position 4, key size 4, page 8; leaf: flags 4, position 4, key size 4, value size 4

	branchFlag   = 0x01
	leafFlag     = 0x02
	freelistFlag = 0x10

	bucketFlag = 0x01 // of a leaf's element: the value is a bucket

	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSize    = 64 // with its checksum, the last 8 bytes

	// minPageSize is the smallest that bbolt looks for. maxPageSize is larger than any
	// page with our values, overflow included. A list of free pages may be larger: it has
	// 8 bytes for each page of the file, and some to spare.
	minPageSize  = 1 << 10
	maxPageSize  = 1 << 20
	freelistSize = 16 // for each page of the file
)

var order = binary.NativeEndian

// check reads a whole file once, verifying everything in it, and returns the damage
// that it finds. It visits each page at most once, and what it holds in memory is
// bounded: a page of each level, and a few bytes for each page of the file.
func check(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return checkFile(f, info.Size())
}

func checkFile(f io.ReaderAt, size int64) error {
	c := &checker{file: f}
	m, err := c.head(size)
	if err != nil {
		return err
	}
	c.visited = make([]bool, m.pages)
	if err := c.bucket(m.root, c.rootEntry); err != nil {
		return err
	}
	if c.buckets != 3 {
		return errors.New("a bucket is missing")
	}
	if err := c.finish(); err != nil {
		return err
	}
	if c.events != 0 || c.sum != 0 {
		return errContents
	}
	if err := c.freelist(m.freelist); err != nil {
		return err
	}
	if page := slices.Index(c.visited[2:], false); page >= 0 {
		return fmt.Errorf("page %d is not referenced", page+2)
	}
	return nil
}

// A checker walks over a file.
type checker struct {
	file     io.ReaderAt
	pageSize int
	visited  []bool // by page
	buckets  int
	contents
}

// A meta is a meta page of the file: where the trees of one commit begin.
type meta struct {
	pageSize                    int
	root, freelist, pages, txID uint64
}

// head returns the newer of the two meta pages. Both must be valid.
func (c *checker) head(fileSize int64) (meta, error) {
	first, err := c.meta(0)
	if err != nil {
		return meta{}, err
	}
	second, err := c.meta(int64(first.pageSize))
	if err != nil {
		return meta{}, err
	}
	if second.pageSize != first.pageSize {
		return meta{}, errMeta
	}
	newer := first
	if second.txID > first.txID {
		newer = second
	}
	c.pageSize = newer.pageSize
	if newer.pages < 4 || newer.pages > uint64(fileSize)/uint64(newer.pageSize) {
		return meta{}, errors.New("it is truncated")
	}
	return newer, nil
}

func (c *checker) meta(offset int64) (meta, error) {
	b := make([]byte, metaSize)
	if _, err := c.file.ReadAt(b, offset+headerSize); err != nil && err != io.EOF {
		return meta{}, err
	}
	sum := fnv.New64a()
	sum.Write(b[:metaSize-8])
	if order.Uint32(b) != metaMagic || order.Uint32(b[4:]) != metaVersion || order.Uint64(b[metaSize-8:]) != sum.Sum64() {
		return meta{}, errMeta
	}
	pageSize := order.Uint32(b[8:])
	if pageSize < minPageSize || pageSize > maxPageSize {
		return meta{}, errMeta
	}
	return meta{
		pageSize: int(pageSize),
		root:     order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]),
		pages:    order.Uint64(b[40:]),
		txID:     order.Uint64(b[48:]),
	}, nil
}

var errMeta = errors.New("a meta page is invalid")

// page reads a page with its overflow, and marks both as visited.
func (c *checker) page(id uint64) (page, error) {
	wrong := fmt.Errorf("page %d is invalid", id)
	pages := uint64(len(c.visited))
	if id < 2 || id >= pages {
		return nil, wrong
	}
	header := make(page, headerSize)
	if _, err := c.file.ReadAt(header, int64(id)*int64(c.pageSize)); err != nil {
		return nil, err
	}
	overflow := uint64(order.Uint32(header[12:]))
	if order.Uint64(header) != id || overflow >= pages-id {
		return nil, wrong
	}
	size, limit := (overflow+1)*uint64(c.pageSize), uint64(maxPageSize)
	if header.flags() == freelistFlag {
		limit = max(limit, freelistSize*pages)
	}
	if size > limit {
		return nil, wrong
	}
	for i := id; i <= id+overflow; i++ {
		if c.visited[i] {
			return nil, fmt.Errorf("page %d is used twice", i)
		}
		c.visited[i] = true
	}
	p := make(page, size)
	_, err := c.file.ReadAt(p, int64(id)*int64(c.pageSize))
	return p, err
}

// An entry of a bucket, in the order of keys.
type entry func(flags uint32, key, value []byte) error

func (c *checker) bucket(root uint64, do entry) error { return c.tree(root, nil, nil, 0, do) }

// tree walks over the pages below id. If low is set, it must be their first key, by
// which bbolt finds a page in its parent. If high is set, all keys must be below it.
func (c *checker) tree(id uint64, low, high []byte, depth int, do entry) error {
	const maxDepth = 32 // at two keys per page, more than any disk holds
	p, err := c.page(id)
	if err != nil {
		return err
	}
	if p.flags() != branchFlag {
		return p.leaf(low, high, do)
	}
	if p.count() == 0 || depth == maxDepth {
		return errPage
	}
	child, key, err := p.branch(0)
	for i := range p.count() {
		if err != nil || i == 0 && low != nil && !bytes.Equal(key, low) || high != nil && bytes.Compare(key, high) >= 0 {
			return errPage
		}
		nextChild, next := uint64(0), high
		if i+1 < p.count() {
			nextChild, next, err = p.branch(i + 1)
			if err == nil && bytes.Compare(key, next) >= 0 {
				return errPage
			}
		}
		if err != nil {
			return err
		}
		if err := c.tree(child, key, next, depth+1, do); err != nil {
			return err
		}
		child, key = nextChild, next
	}
	return nil
}

var errPage = errors.New("a page is invalid")

// A page is read from the file, or part of a value.
type page []byte

func (p page) flags() uint16 { return order.Uint16(p[8:]) }
func (p page) count() int    { return int(order.Uint16(p[10:])) }

// part returns size bytes at a position that counts from the beginning of an element.
func (p page) part(element int, position, size uint32) ([]byte, error) {
	begin := uint64(headerSize) + uint64(element)*elementSize + uint64(position)
	end := begin + uint64(size)
	if begin < uint64(headerSize+p.count()*elementSize) || end > uint64(len(p)) {
		return nil, errPage
	}
	return p[begin:end], nil
}

// element returns the bytes of an element, nil where the page is too small for it.
func (p page) element(i int) []byte {
	begin := headerSize + i*elementSize
	if begin+elementSize > len(p) {
		return nil
	}
	return p[begin:]
}

func (p page) branch(i int) (child uint64, key []byte, err error) {
	e := p.element(i)
	if e == nil {
		return 0, nil, errPage
	}
	key, err = p.part(i, order.Uint32(e), order.Uint32(e[4:]))
	return order.Uint64(e[8:]), key, err
}

func (p page) leaf(low, high []byte, do entry) error {
	if p.flags() != leafFlag || low != nil && p.count() == 0 {
		return errPage
	}
	for i := range p.count() {
		e := p.element(i)
		if e == nil {
			return errPage
		}
		position, keySize, valueSize := order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])
		key, err := p.part(i, position, keySize)
		if err != nil {
			return err
		}
		value, err := p.part(i, position, keySize+valueSize)
		if err != nil || len(value) < len(key) {
			return errPage
		}
		wrong := i == 0 && low != nil && !bytes.Equal(key, low) || i > 0 && bytes.Compare(key, low) <= 0
		if wrong || high != nil && bytes.Compare(key, high) >= 0 {
			return errors.New("its keys are out of order")
		}
		if err := do(order.Uint32(e), key, value[len(key):]); err != nil {
			return err
		}
		low = key
	}
	return nil
}

// rootEntry walks over one of the buckets. A small one is stored in its value.
func (c *checker) rootEntry(flags uint32, key, value []byte) error {
	const bucketSize = 16 // root page 8, sequence 8
	do := map[string]entry{
		string(itemsBucket):  c.item,
		string(expiryBucket): c.expiry,
		string(stateBucket):  c.state,
	}[string(key)]
	if do == nil || flags != bucketFlag || len(value) < bucketSize {
		return errors.New("it has unknown buckets")
	}
	c.buckets++
	root, inline := order.Uint64(value), page(value[bucketSize:])
	switch {
	case root != 0:
		return c.bucket(root, do)
	case len(inline) < headerSize:
		return errPage
	}
	return inline.leaf(nil, nil, do)
}

// freelist marks the free pages as visited.
func (c *checker) freelist(id uint64) error {
	p, err := c.page(id)
	if err != nil {
		return err
	}
	const many = 0xFFFF // the number is the first of the ids
	count, ids := uint64(p.count()), p[headerSize:]
	if count == many {
		count, ids = order.Uint64(ids), ids[8:]
	}
	if p.flags() != freelistFlag || count > uint64(len(ids)/8) {
		return errPage
	}
	last := uint64(1)
	for ; count > 0; count-- {
		id := order.Uint64(ids)
		ids = ids[8:]
		if id <= last || id >= uint64(len(c.visited)) || c.visited[id] {
			return errors.New("its list of free pages is invalid")
		}
		c.visited[id] = true
		last = id
	}
	return nil
}

// contents compares the items of each event with each other and with the expiry.
type contents struct {
	token   event.Token
	missing uint64 // RSVPs that this event's counter counts and that the walk has not met yet
	kind    byte   // of the last item that is not an RSVP

	// The sums of a hash of each event's expiry in items, less those in expiry: both
	// are zero where the two have the same entries.
	events, sum uint64
}

var errContents = errors.New("its contents contradict each other")

func (c *contents) item(flags uint32, key, value []byte) error {
	if flags != 0 || len(key) <= len(c.token) {
		return errContents
	}
	token, kind := event.Token(key), key[len(c.token)]
	switch {
	case kind == detailsKind && len(key) == len(token)+1:
		if err := c.finish(); err != nil {
			return err
		}
		d, err := decodeDetails(key, value)
		if err != nil {
			return err
		}
		c.events++
		c.sum += expirySum(expiryKey(d.ExpiresAt, token))
		c.token, c.kind, c.missing = token, detailsKind, 1 // until the counter comes
		return nil
	case token != c.token:
		return errContents
	case kind == counterKind && len(key) == len(token)+1 && c.kind == detailsKind:
		n, err := decodeCounter(key, value)
		c.kind, c.missing = counterKind, n.rsvps
		return err
	case kind == rsvpKind && len(key) == len(token)+1+hashSize && c.kind == counterKind:
		r, err := decodeRSVP(key, value)
		if !r.removed() {
			c.missing--
		}
		return err
	}
	return errContents
}

// finish is called after the last item of an event.
func (c *contents) finish() error {
	if c.missing != 0 {
		return errContents
	}
	return nil
}

func (c *contents) expiry(flags uint32, key, value []byte) error {
	content, err := unseal(key, value, 0)
	if err == nil && (flags != 0 || len(key) != timeSize+len(c.token) || len(content) > 0) {
		err = errContents
	}
	c.events--
	c.sum -= expirySum(key)
	return err
}

func expirySum(key []byte) uint64 {
	sum := sha256.Sum256(key)
	return order.Uint64(sum[:])
}

func (c *contents) state(flags uint32, key, value []byte) error {
	_, err := unseal(key, value, 0)
	if known := bytes.Equal(key, sweepsKey) || bytes.Equal(key, probeKey); err == nil && (flags != 0 || !known) {
		err = errContents
	}
	return err
}
