package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"
)

// compactFrom is the size from which a file is worth compacting.
const compactFrom = 1 << 20

// compact returns db or, where more than half of its file is free, the same data in a
// smaller file that has replaced it. Where that fails, as on a full disk, the file stays
// as it is.
//
// The smaller file is locked before it gets the name of the other one, and the other
// one is unlocked after that. So no two processes ever hold a file of that name, and one
// that waits for the lock of the replaced file notices it, see lock.
func compact(db *bbolt.DB, path string) *bbolt.DB {
	if runtime.GOOS == "windows" { // where an open file cannot be replaced
		return db
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil || !mostlyFree(target) {
		return db
	}
	smaller, err := replace(target, db)
	if err != nil {
		return db
	}
	_ = db.Close()
	return smaller
}

// mostlyFree reports whether more than half of a checked file is free.
func mostlyFree(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < compactFrom {
		return false
	}
	c := &checker{file: f}
	m, err := c.head(info.Size())
	if err != nil {
		return false
	}
	c.visited = make([]bool, m.pages)
	if err := c.freelist(m.freelist); err != nil {
		return false
	}
	free := 0
	for _, listed := range c.visited {
		if listed {
			free++
		}
	}
	return free > len(c.visited)/2
}

// replace replaces the file at path by one with the same data as db, and returns it open.
func replace(path string, db *bbolt.DB) (*bbolt.DB, error) {
	unfinished := path + ".compact"
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, os.ErrNotExist) { // of a start that was interrupted
		return nil, err
	}
	defer os.Remove(unfinished)
	o := options
	o.NoSync = true // until all is there
	smaller, err := bbolt.Open(unfinished, 0o600, &o)
	if err != nil {
		return nil, err
	}
	const commitSize = 1 << 20 // bytes
	err = errors.Join(bbolt.Compact(smaller, db, commitSize), smaller.Sync(), check(unfinished))
	if err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		return nil, errors.Join(err, smaller.Close())
	}
	syncFolder(filepath.Dir(path))
	smaller.NoSync = false
	return smaller, nil
}
