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

// eraseData erases from the database, then offers to delete its backups.
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
	err = errors.Join(command.Run(ctx, store, time.Now(), answers, out), store.Close())
	if err != nil {
		return err
	}
	for _, backup := range []string{store.BackupPath(), store.BackupPath() + ".new"} {
		if _, missing := os.Lstat(backup); missing == nil {
			err = errors.Join(err, deleteBackup(backup, command.Yes, answers, out))
		}
	}
	fmt.Fprintf(out, "Free pages of %s keep the erased texts until they are overwritten.\n", config.file())
	return err
}

// deleteBackup asks first, unless yes is set.
func deleteBackup(path string, yes bool, answers *bufio.Scanner, out io.Writer) (err error) {
	if !yes {
		fmt.Fprintf(out, "Delete %s, too? [y/N] ", path)
		yes = answers.Scan() && strings.EqualFold(strings.TrimSpace(answers.Text()), "y")
	}
	if yes {
		if err = os.Remove(path); err == nil {
			fmt.Fprintf(out, "deleted: %s\n", path)
			return nil
		}
	}
	fmt.Fprintf(out, "%s still holds everything that was erased since it was written.\n", path)
	return err
}
