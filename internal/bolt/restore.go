package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// restoring returns the path of a copy that Restore has not put in place yet.
func restoring(file string) string { return file + ".restoring" }

// Restored is the result of a Restore.
type Restored struct {
	Contents        // of the copy
	Replaced string // the path of the old file, or "" if that was missing or empty
}

// Restore puts a copy in the place of the file at path, whole or not at all. It checks the copy first, as Open does.
// The copy gets the owner of the folder, because an operator may be another user than the server. Restore keeps the old
// file, even if it is damaged, under a name with the time; see dropReplaced. Restore keeps no empty file. Restore
// replaces no link: the file of the link would stay where no command looks for copies.
//
// Restore holds the lock of the file from the first to the last step. If a server or a command has the file open, the
// error is ErrInUse; if it is another Restore, ErrRestoring.
func Restore(path string, from io.Reader, now time.Time) (r Restored, err error) {
	folder := filepath.Dir(path)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return r, fmt.Errorf("%s is a link or a folder: move it aside, or set DATA_DIR to the folder of its file", path)
	}
	isNew, err := reserve(path)
	if err != nil {
		return r, err
	}
	old, err := lockFile(path)
	if err != nil {
		err = explain(path, err)
		if isNew && !errors.Is(err, ErrInUse) {
			_ = os.Remove(path)
		}
		return r, err
	}
	defer old.Close()
	r.Contents, err = receive(restoring(path), from)
	defer os.Remove(restoring(path))
	if err == nil && !isEmpty(path) {
		r.Replaced, err = keep(path, now)
	}
	if runtime.GOOS == "windows" { // which neither replaces nor removes an open file
		_ = old.Close()
	}
	if err == nil {
		err = os.Rename(restoring(path), path)
	}
	if err != nil {
		if isNew {
			_ = os.Remove(path)
		}
		if r.Replaced != "" {
			_ = os.Remove(r.Replaced)
		}
		return r, err
	}
	syncFolder(folder)
	dropReplaced(path, r.Replaced)
	return r, nil
}

// reserve makes an empty file, for the lock, if there is no file. It reports whether it has made the file. If the
// restore is killed, the empty file stays. Open refuses an empty file, so no server starts without the data.
func reserve(path string) (made bool, err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return false, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = errors.Join(f.Close(), giveToOwnerOf(folder, path))
	if err != nil {
		_ = os.Remove(path)
	}
	return true, err
}

// receive writes a copy to a new file at path, checks it, and returns its contents.
func receive(path string, from io.Reader) (c Contents, err error) {
	_ = os.Remove(path) // an interrupted restore may have left a copy, and somebody may have made a link
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return c, err
	}
	_, err = io.Copy(f, from)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return c, err
	}
	if c, err = check(path); err == nil {
		err = giveToOwnerOf(filepath.Dir(path), path)
	}
	_, unreadable := errors.AsType[*fs.PathError](err)
	switch {
	case err == nil || unreadable:
		return c, err
	case errors.Is(err, errLater):
		return c, fmt.Errorf("the copy %w", err)
	}
	return c, fmt.Errorf("the copy is damaged or not a Turnout file (%w)", err)
}

// The files that restores have replaced.
const (
	beforeRestore = ".before-restore"
	replacedTime  = "-20060102T150405Z" // the time of the restore, in UTC
	maxReplaced   = 3

	// replacedFor is how long a replaced file is kept, like the backups of DynamoDB: it has names of guests.
	replacedFor = 35 * 24 * time.Hour
)

// replaced returns the paths of the files that restores have replaced, the oldest first.
func replaced(file string) (paths []string) {
	entries, _ := os.ReadDir(filepath.Dir(file)) // sorted by name
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(file)+beforeRestore) {
			paths = append(paths, filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
	return paths
}

// keep gives a file a second name, with the time of a restore. On a file system without links, it copies the file. An
// error may come with the name of an unfinished copy.
func keep(path string, now time.Time) (as string, err error) {
	for ; as == "" || exists(as); now = now.Add(time.Second) {
		as = path + beforeRestore + now.UTC().Format(replacedTime)
	}
	if os.Link(path, as) == nil {
		return as, nil
	}
	from, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.OpenFile(as, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	err = errors.Join(err, to.Sync(), to.Close())
	if err == nil {
		err = giveToOwnerOf(filepath.Dir(path), as)
	}
	return as, err
}

// dropReplaced deletes replaced files until maxReplaced are left. The first file of a day stays as long as others can
// go: somebody who tries several backups needs the data from before the first try. The file at path newest stays.
func dropReplaced(file, newest string) {
	paths := replaced(file)
	for len(paths) > maxReplaced {
		drop, day := 0, ""
		if paths[0] == newest { // the clock was set back
			drop = 1
		}
		for i, path := range paths {
			today, _, _ := strings.Cut(timeOf(path), "T")
			if path != newest && today == day {
				drop = i
				break
			}
			day = today
		}
		_ = os.Remove(paths[drop])
		paths = slices.Delete(paths, drop, drop+1)
	}
}

// timeOf returns the time in the name of a replaced file.
func timeOf(path string) string {
	_, time, _ := strings.Cut(filepath.Base(path), beforeRestore)
	return time
}

// dropOldReplaced deletes the files that restores have replaced more than replacedFor before a time.
func dropOldReplaced(file string, now time.Time) (err error) {
	for _, path := range replaced(file) {
		at, unknown := time.Parse(replacedTime, timeOf(path))
		if unknown == nil && at.Before(now.Add(-replacedFor)) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}
