package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
)

// Open opens the file at path, and creates it and its folder if they are missing. The
// file stays locked until Close; other processes get ErrInUse. Open refuses a damaged file
// with an error of one line (see check), and wipes an intact file (see Wipe).
func Open(path string) (*Store, error) {
	if err := create(path); err != nil {
		return nil, err
	}
	s, err := openStore(path, bbolt.Options{FreelistType: bbolt.FreelistMapType, NoStatistics: true})
	if err != nil {
		return nil, err
	}
	for _, left := range []string{restoring(path), unfinished(path)} { // by processes that were killed
		_ = os.Remove(left)
	}
	if err := s.Wipe(); err != nil {
		return nil, errors.Join(explain(path, err), s.Close())
	}
	return s, nil
}

// OpenReadOnly opens a file that exists, such as a backup, and does not change it. Others may read
// it meanwhile.
func OpenReadOnly(path string) (*Store, error) {
	return openStore(path, bbolt.Options{ReadOnly: true})
}

func openStore(path string, o bbolt.Options) (*Store, error) {
	var written time.Time
	if info, err := os.Stat(path); err == nil {
		written = info.ModTime()
	}
	if _, err := check(path); err != nil {
		return nil, explain(path, err)
	}
	flag := os.O_RDWR
	if o.ReadOnly {
		flag = os.O_RDONLY
	}
	db, file, err := openLocked(path, o, flag)
	if err != nil {
		return nil, explain(path, err)
	}
	s := &Store{
		db:      db,
		file:    file,
		path:    path,
		written: written,
		writes:  make(chan *write),
		closing: make(chan struct{}),
		closed:  make(chan struct{}),
	}
	go s.run()
	return s, nil
}

// Close finishes pending writes and releases the file. Closing twice is harmless.
func (s *Store) Close() error {
	s.close.Do(func() { close(s.closing) })
	<-s.closed
	return s.db.Close()
}

// create makes a file without events if there is no file. It writes the file under another name first, so
// that a file left incomplete by a full disk or a crash is never taken for data.
func create(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	unfinished, err := os.CreateTemp(folder, filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(unfinished.Name())
	if err := unfinished.Close(); err != nil {
		return err
	}
	db, err := bbolt.Open(unfinished.Name(), 0o600, nil)
	if err == nil {
		err = errors.Join(db.Update(createContents), db.Close())
	}
	switch {
	case lacksLocks(err):
		return explain(path, err)
	case err != nil:
		return fmt.Errorf("cannot create %s: %w", path, err)
	}
	defer syncFolder(folder)
	// Unlike renaming, linking never replaces the file that another process has
	// made meanwhile. Some file systems cannot link.
	err = os.Link(unfinished.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(unfinished.Name(), path)
}

func createContents(tx *bbolt.Tx) (err error) {
	for _, name := range buckets {
		_, failed := tx.CreateBucket(name)
		err = errors.Join(err, failed)
	}
	if err != nil {
		return err
	}
	return tx.Bucket(stateBucket).Put(versionKey, appendChecksum(versionKey, []byte{firstVersion}))
}

// syncFolder flushes the name of a new file to the disk, and the names of the folders above it, which may also be new.
// Some systems cannot do this.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
	if parent := filepath.Dir(folder); parent != folder {
		syncFolder(parent)
	}
}
