package bolt

import (
	"bytes"
	"errors"
	"io"
	"os"

	"go.etcd.io/bbolt"
)

// Wipe overwrites the bytes of deleted items with zeros: the free pages of the file, and the bytes behind its last
// page. No other call may be under way, because a backup may be reading pages that have become free since the backup
// began.
func (s *Store) Wipe() error {
	return inspect(s.db, s.file, wipe)
}

// wipeFile wipes an intact file that is not open.
func wipeFile(path string) error {
	db, f, err := openLocked(path, bbolt.Options{ReadOnly: true}, os.O_RDWR)
	if err != nil {
		return err
	}
	return errors.Join(inspect(db, f, wipe), db.Close())
}

func wipe(c *checker, m meta, _ *bbolt.Tx) error {
	if err := c.file.Sync(); err != nil { // the disk must have the commit that freed the pages
		return err
	}
	content, zeros := make([]byte, c.pageSize), make([]byte, c.pageSize)
	wipe := func(id uint64) error {
		n, err := c.file.ReadAt(content, int64(id)*c.pageSize)
		if n > 0 && !bytes.Equal(content[:n], zeros[:n]) {
			_, written := c.file.WriteAt(zeros[:n], int64(id)*c.pageSize)
			err = errors.Join(err, written)
		}
		return err
	}
	for _, id := range c.freelist(m.Freelist) {
		if err := wipe(id); err != nil {
			return err
		}
	}
	var err error
	for id := m.Pages; err == nil; id++ {
		err = wipe(id)
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return c.file.Sync()
}
