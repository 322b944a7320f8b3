package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// ErrInUse means that another process has the file open.
var ErrInUse = errors.New("is in use by another process")

// ErrRestoring is an ErrInUse: the other process is restoring the file.
var ErrRestoring = fmt.Errorf("%w, which restores it", ErrInUse)

const (
	lockWait  = time.Second // for a process that is about to exit
	lockRetry = 50 * time.Millisecond
)

// openLocked opens a file in bbolt, exclusively unless o is read-only. It also returns bbolt's file, opened with flag.
// If the file is replaced while openLocked waits for its lock, openLocked opens the new file.
func openLocked(path string, o bbolt.Options, flag int) (db *bbolt.DB, f *os.File, err error) {
	var info fs.FileInfo
	o.Timeout = lockWait
	o.OpenFile = func(path string, _ int, _ os.FileMode) (_ *os.File, err error) {
		if f, err = os.OpenFile(path, flag, 0); err == nil {
			info, err = f.Stat()
		}
		return f, err
	}
	for {
		db, err = bbolt.Open(path, 0, &o)
		if info == nil || isAt(info, path) {
			return db, f, err
		}
		if err == nil {
			_ = db.Close()
		}
		info = nil
	}
}

// isAt reports whether the file at path is this file. An error other than for a missing file counts as yes.
func isAt(info fs.FileInfo, path string) bool {
	now, err := os.Stat(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(info, now)
}

// lockFile takes the lock with which bbolt opens a file exclusively, even if the file is damaged. If the file is
// replaced meanwhile, it locks the new file. Closing the returned file releases the lock.
func lockFile(path string) (*os.File, error) {
	for until := time.Now().Add(lockWait); ; time.Sleep(lockRetry) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err == nil {
			err = tryLock(f)
		}
		if err == nil && isAt(info, path) {
			return f, nil
		}
		_ = f.Close()
		switch {
		case err != nil && !errors.Is(err, errLocked):
			return nil, err
		case err != nil && time.Now().After(until):
			return nil, bbolterrors.ErrTimeout
		}
	}
}

// explain turns the error of opening, checking or locking a file into one line with a remedy.
func explain(path string, err error) error {
	_, refused := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout) && exists(restoring(path)):
		return fmt.Errorf("%s %w", path, ErrRestoring)
	case errors.Is(err, bbolterrors.ErrTimeout):
		return fmt.Errorf("%s %w", path, ErrInUse)
	case errors.Is(err, errLater):
		return fmt.Errorf("%s %w: install that version, or restore a backup from before it", path, errLater)
	case lacksLocks(err):
		return fmt.Errorf("the file system of %s has no locks (%w), so nothing was changed there: "+
			"choose a folder on another file system", filepath.Dir(path), err)
	case refused:
		return err
	}
	return fmt.Errorf("%s is damaged or not a Turnout file (%w): "+
		"restore a backup, or move it aside to start empty", path, err)
}

// lacksLocks reports whether an error is a refused lock. NFS without its lock service, SMB and some other file systems
// refuse all locks. bbolt returns the error of the system call itself; an error with a path is from another call.
func lacksLocks(err error) bool {
	if _, other := errors.AsType[*fs.PathError](err); other {
		return false
	}
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EINVAL)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
