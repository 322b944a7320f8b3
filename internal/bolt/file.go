package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// ErrInUse means that another process has the file open.
var ErrInUse = errors.New("is in use by another process")

// Open opens the file at path, and creates it and its folder if they are missing. The
// file stays locked until Close; other processes get ErrInUse. Open refuses a damaged file
// with an error of one line (see check), and wipes an intact file (see Wipe).
func Open(path string) (*Store, error) {
	if err := create(path); err != nil {
		return nil, err
	}
	return openStore(path, bbolt.Options{FreelistType: bbolt.FreelistMapType, NoStatistics: true})
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
	db, err := openChecked(path, o)
	_, unreadable := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s %w", path, ErrInUse)
	case errors.Is(err, errLater):
		return nil, fmt.Errorf("%s %w: install that version, or restore a backup from before it", path, errLater)
	case unreadable:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%s is damaged or not a Turnout file (%w): "+
			"restore a backup, or move it aside to start empty", path, err)
	}
	s := &Store{
		db:      db,
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

func openChecked(path string, o bbolt.Options) (*bbolt.DB, error) {
	if _, err := check(path); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		return openLocked(path, o)
	}
	if err := Wipe(path); err != nil {
		return nil, err
	}
	return openLocked(path, o)
}

// openLocked opens a file, exclusively unless it is read-only. It waits a moment for a process that
// is about to exit.
func openLocked(path string, o bbolt.Options) (*bbolt.DB, error) {
	o.Timeout = time.Second
	return bbolt.Open(path, 0, &o)
}

// create makes an empty file if there is none. It writes the file under another name first, so
// that a file left incomplete by a full disk or a crash is never taken for data.
func create(path string) (err error) {
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
	if err != nil {
		return fmt.Errorf("cannot create %s: %w", path, err)
	}
	if err := errors.Join(db.Update(createContents), db.Close()); err != nil {
		return fmt.Errorf("cannot create %s: %w", path, err)
	}
	defer syncFolder(folder)
	// Unlike renaming, linking never replaces the file that another process has
	// made meanwhile. Some file systems cannot link.
	if err := os.Link(unfinished.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(unfinished.Name(), path)
	}
	return nil
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
