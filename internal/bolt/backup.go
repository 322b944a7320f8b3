package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
)

const (
	backupInterval = 24 * time.Hour
	backupRetry    = time.Hour // the time between a failed backup and the next attempt
)

// BackupPath returns the path of the backup of a file, beside it.
func BackupPath(file string) string { return file + ".backup" }

// Copies returns the paths of the copies that a file has beside it: its backup, and the files that restores have
// replaced, the oldest first. Open removes unfinished copies.
func Copies(file string) (paths []string) {
	if exists(BackupPath(file)) {
		paths = append(paths, BackupPath(file))
	}
	return append(paths, replaced(file)...)
}

// unfinished returns the path of a backup that is being written.
func unfinished(file string) string { return BackupPath(file) + ".new" }

// A Backup describes a copy that Store.Backup has written.
type Backup struct {
	Contents
	Bytes int64 // the size of the copy
}

// BackupDaily writes a backup once a day, and whenever now receives, until ctx ends. It passes the result
// of each backup to report. An empty store is backed up only when now receives, so that a loss of data
// does not replace the last good backup.
func (s *Store) BackupDaily(ctx context.Context, now <-chan os.Signal, report func(Backup, error)) {
	next := time.Now()
	if info, err := os.Stat(BackupPath(s.path)); err == nil {
		if age := time.Since(info.ModTime()); age >= 0 && age < backupInterval {
			next = next.Add(backupInterval - age)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-now:
		case <-time.After(time.Until(next)):
			if s.empty() {
				next = time.Now().Add(backupRetry)
				continue
			}
		}
		b, err := s.Backup()
		report(b, err)
		next = time.Now().Add(backupInterval)
		if err != nil {
			next = time.Now().Add(backupRetry)
		}
	}
}

// empty reports whether there are no events.
func (s *Store) empty() (empty bool) {
	err := s.db.View(func(tx *bbolt.Tx) error {
		first, _ := tx.Bucket(itemsBucket).Cursor().First()
		empty = first == nil
		return nil
	})
	return empty || err != nil
}

// Backup writes a copy of the file, as of one commit, to its BackupPath. The copy is wiped, verified and on the disk
// before it replaces the last backup. Other calls continue meanwhile, unless the file outgrows its memory map, which
// doubles each time. Then the commit that needs a larger map waits for the copy, and all calls wait for that commit.
func (s *Store) Backup() (b Backup, err error) {
	unfinished := unfinished(s.path)
	defer os.Remove(unfinished)
	f, err := os.OpenFile(unfinished, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return b, err
	}
	err = s.db.View(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(f)
		return err
	})
	err = errors.Join(err, f.Close())
	if err == nil {
		err = wipeFile(unfinished)
	}
	if err == nil {
		b.Contents, err = check(unfinished)
	}
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(unfinished); err == nil {
			b.Bytes = info.Size()
		}
	}
	if err == nil {
		err = os.Rename(unfinished, BackupPath(s.path))
	}
	if err != nil {
		return b, fmt.Errorf("no backup was written: %w", err)
	}
	syncFolder(filepath.Dir(s.path))
	return b, nil
}
