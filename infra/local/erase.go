package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"turnout/infra/erase"
	"turnout/internal/bolt"
	"turnout/internal/event"
)

// eraseEvents runs turnout erase. It erases from the database, then offers to delete its backups, also if
// it found nothing: an earlier call may have left them.
func eraseEvents(arguments []string, c config) error {
	command, _, err := erase.Parse(arguments, 0)
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.file()); err != nil { // Open would create it
		return cannotOpen(c, err)
	}
	store, err := bolt.Open(c.file())
	if err != nil {
		return cannotOpen(c, err)
	}
	answers := bufio.NewScanner(os.Stdin)
	err = command.Run(context.Background(), store, time.Now(), answers, os.Stdout)
	if err := store.Close(); err != nil {
		return err
	}
	if left := bolt.Wipe(c.file()); left != nil {
		return errors.Join(err, fmt.Errorf("free pages of %s may hold what was erased until the next start: %w", c.file(), left))
	}
	nothing := errors.Is(err, event.ErrEventNotFound) || errors.Is(err, event.ErrNoGuest)
	if err != nil && !nothing {
		return err
	}
	erased := !nothing || errors.Is(err, bolt.ErrErased)
	for _, backup := range []string{store.BackupPath(), store.BackupPath() + ".new"} {
		if _, missing := os.Lstat(backup); missing == nil {
			err = errors.Join(err, deleteBackup(backup, command.Yes, erased, answers))
		}
	}
	return err
}

// deleteBackup deletes a backup if the operator confirms it; with yes, if something was erased.
func deleteBackup(path string, yes, erased bool, answers *bufio.Scanner) (err error) {
	confirmed := erased
	if !yes {
		fmt.Printf("Delete %s, too? [y/N] ", path)
		confirmed = answers.Scan() && strings.EqualFold(strings.TrimSpace(answers.Text()), "y")
	}
	if confirmed {
		if err = os.Remove(path); err == nil {
			fmt.Printf("deleted: %s\n", path)
			return nil
		}
	}
	fmt.Printf("%s still holds everything that was erased since it was written.\n", path)
	return err
}
