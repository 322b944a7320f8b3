package bolt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func backup(s *Store) error {
	_, err := s.Backup()
	return err
}

// damageOf returns the first damage of a file.
func damageOf(path string) error {
	_, err := check(path)
	return err
}

// TestDamagedFileIsNotBackedUp: a backup of a damaged file fails, and the last good backup stays.
func TestDamagedFileIsNotBackedUp(t *testing.T) {
	s := openNew(t)
	createEvent(t, s, time.Now())
	must(t, backup(s))
	content, err := os.ReadFile(s.path)
	must(t, err)
	must(t, os.WriteFile(s.path, bytes.ReplaceAll(content, []byte("Picnic"), []byte("Panic!")), 0o600))
	if err := backup(s); !errors.Is(err, errDamaged) {
		t.Errorf("Backup: %v", err)
	}
	if err := damageOf(BackupPath(s.path)); err != nil {
		t.Errorf("the last backup: %v", err)
	}
}

// TestBackupDaily: a backup is written once a day, after a signal, and an hour after a failure. A restart does not
// write a further backup. An empty store does not replace a backup.
func TestBackupDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "turnout.db")
		now := make(chan os.Signal)
		var s *Store
		errs := make(chan error, 16) // the result of each backup
		run := func(during func()) {
			t.Helper()
			s = open(t, path)
			ctx, stop := context.WithCancel(t.Context())
			go s.BackupDaily(ctx, now, func(_ Backup, err error) { errs <- err })
			synctest.Wait()
			during()
			synctest.Wait()
			stop()
			synctest.Wait()
			must(t, s.Close())
		}
		want := func(backups int) {
			t.Helper()
			synctest.Wait()
			if len(errs) != backups {
				t.Errorf("%d backups, want %d", len(errs), backups)
			}
		}
		run(func() {
			want(0) // an empty store writes no backup
			createEvent(t, s, time.Now().Add(time.Hour))
			time.Sleep(backupRetry)
			want(1)
			time.Sleep(backupInterval - time.Second)
			want(1)
			now <- os.Interrupt
			want(2)
			time.Sleep(backupInterval)
			want(3)
			must(t, os.Chtimes(BackupPath(s.path), time.Time{}, time.Now()))
		})
		run(func() { want(3) })
		time.Sleep(backupInterval - time.Hour)
		run(func() {
			want(3)
			time.Sleep(time.Hour)
			want(4)
			must(t, os.Mkdir(BackupPath(s.path)+".new", 0o700)) // makes the backup fail
			time.Sleep(backupInterval)
			want(5)
			time.Sleep(backupRetry) // the failed backup has removed the folder
			want(6)
		})
		for i := range len(errs) {
			if err := <-errs; (err != nil) != (i == 4) {
				t.Errorf("backup %d: %v", i, err)
			}
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 2 {
			t.Errorf("left: %v, %v", left, err)
		}
	})
}
