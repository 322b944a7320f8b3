package bolt

import (
	"bytes"
	"errors"
	"io"
	"os"

	"go.etcd.io/bbolt"
)

// Wipe overwrites the bytes of deleted items in an intact file with zeros: its free pages, and the bytes
// behind its last page. The file must not be open for writing, because a backup may be reading pages
// that have become free since the backup began.
func Wipe(path string) error {
	return inspect(path, os.O_RDWR, func(c *checker, m meta, _ *bbolt.Tx) error {
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
	})
}
