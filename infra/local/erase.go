package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"turnout/infra/erase"
	"turnout/internal/bolt"
	"turnout/internal/event"
)

const eraseUsage = `usage:
  turnout erase [-yes] EVENT_TOKEN
        shows an event, and erases it with all its RSVPs when its title is typed, or
        at once with -yes
  turnout erase [-yes] -name NAME [-all] EVENT_TOKEN
        erases the RSVP of a guest; -all where several have that name
The server must be stopped. DATA_DIR is its folder.
`

// eraseMain runs turnout erase, and returns its exit status.
func eraseMain(arguments []string) int {
	err := eraseData(context.Background(), arguments, os.Getenv, os.Stdin, os.Stdout)
	if errors.Is(err, erase.ErrUsage) {
		fmt.Fprint(os.Stderr, eraseUsage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "turnout:", err)
		return 1
	}
	return 0
}

// eraseData erases from the database, then offers to delete its backups, also if it found nothing:
// an earlier call may have left them.
func eraseData(ctx context.Context, arguments []string, getenv func(string) string, in io.Reader, out io.Writer) error {
	command, _, err := erase.Parse(arguments, 0)
	if err != nil {
		return err
	}
	config, err := configFrom(getenv, false)
	if err != nil {
		return err
	}
	if _, err := os.Stat(config.file()); err != nil { // Open would create it
		return cannotOpen(config, err)
	}
	store, err := bolt.Open(config.file())
	if err != nil {
		return cannotOpen(config, err)
	}
	answers := bufio.NewScanner(in)
	err = command.Run(ctx, store, time.Now(), answers, out)
	if err := store.Close(); err != nil {
		return err
	}
	if left := bolt.Wipe(config.file()); left != nil {
		return errors.Join(err, fmt.Errorf("free pages of %s may hold what was erased until the next start: %w", config.file(), left))
	}
	nothing := errors.Is(err, event.ErrEventNotFound) || errors.Is(err, event.ErrNoGuest)
	if err != nil && !nothing {
		return err
	}
	erased := !nothing || errors.Is(err, bolt.ErrErased)
	for _, backup := range []string{store.BackupPath(), store.BackupPath() + ".new"} {
		if _, missing := os.Lstat(backup); missing == nil {
			err = errors.Join(err, deleteBackup(backup, command.Yes, erased, answers, out))
		}
	}
	return err
}

// deleteBackup deletes a backup if the operator confirms it; with yes, if something was erased.
func deleteBackup(path string, yes, erased bool, answers *bufio.Scanner, out io.Writer) (err error) {
	confirmed := erased
	if !yes {
		fmt.Fprintf(out, "Delete %s, too? [y/N] ", path)
		confirmed = answers.Scan() && strings.EqualFold(strings.TrimSpace(answers.Text()), "y")
	}
	if confirmed {
		if err = os.Remove(path); err == nil {
			fmt.Fprintf(out, "deleted: %s\n", path)
			return nil
		}
	}
	fmt.Fprintf(out, "%s still holds everything that was erased since it was written.\n", path)
	return err
}
