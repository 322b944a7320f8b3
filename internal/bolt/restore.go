package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// BeforeRestorePath returns the path at which Restore keeps the old file.
func BeforeRestorePath(file string) string { return file + ".before-restore" }

// restoring returns the path of a copy that Restore has not put in place yet.
func restoring(file string) string { return file + ".restoring" }

// Restore puts a copy in the place of the file at path, whole or not at all, and returns the contents of the
// copy. It checks the copy first, as Open does. The copy gets the owner of the folder, because an
// operator may be another user than the server. Restore keeps the old file at BeforeRestorePath, even if
// it is damaged, and replaces the file that was kept there before. It replaces no link: the file of the
// link would stay where no command looks for copies. A server must not be running with the file.
func Restore(path string, from io.Reader) (c Contents, err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return c, err
	}
	if err := notInUse(path); err != nil {
		return c, err
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return c, fmt.Errorf("%s is a link or a folder: move it aside, or set DATA_DIR to the folder of its file", path)
	}
	_ = os.Remove(restoring(path)) // an interrupted restore may have left a copy, and somebody may have made a link
	defer os.Remove(restoring(path))
	f, err := os.OpenFile(restoring(path), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return c, err
	}
	_, err = io.Copy(f, from)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return c, err
	}
	if c, err = check(restoring(path)); err != nil {
		return c, fmt.Errorf("the copy is damaged or not a Turnout file (%w)", err)
	}
	if err := giveToOwnerOf(folder, restoring(path)); err != nil {
		return c, err
	}
	if err := keep(path, BeforeRestorePath(path)); err != nil {
		return c, err
	}
	defer syncFolder(folder)
	return c, os.Rename(restoring(path), path)
}

// notInUse returns ErrInUse if a server has the file open. bbolt locks a file before it reads it, so a damaged file is
// not in use.
func notInUse(path string) error {
	db, err := openLocked(path, bbolt.Options{ReadOnly: true})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return fmt.Errorf("%s %w", path, ErrInUse)
	}
	if err == nil {
		return db.Close()
	}
	return nil
}

// keep gives an existing file a second name. On a file system without links, the file loses its first name.
func keep(path, as string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Remove(as); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(path, as); err != nil {
		return os.Rename(path, as)
	}
	return nil
}
