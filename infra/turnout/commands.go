package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"turnout/internal/bolt"
	"turnout/internal/event"
	"turnout/internal/portable"
)

// commands are those of operators, each at a place.
var commands = map[string]func(arguments []string, at place) error{
	"erase": eraseEvents, "export": exportEvents, "import": importEvents, "health": checkHealth,
}

// version is set with -ldflags "-X main.version=...", for a build outside a clone.
var version string

// currentVersion returns version, or else the version that Go derived from the commit.
func currentVersion() string {
	info, _ := debug.ReadBuildInfo()
	return cmp.Or(version, info.Main.Version)
}

// usage prints the flags and the variables.
func usage() {
	fmt.Fprintln(flag.CommandLine.Output(), `usage: turnout [-dynamodb] [-version]
       turnout erase [-yes] [-name NAME [-all]] EVENT_TOKEN    (the event, or the RSVP of a guest, or
                     all of that name; once the event's title is typed, or at once with -yes)
       turnout export [-from BACKUP] [-o FILE]    (to a new file, or to standard output)
       turnout import [FILE]    (or from standard input; these with the server stopped)
       turnout -table NAME erase|export|import …    (the same in a table of DynamoDB)
       turnout health    (status 0 if the server at LISTEN and PORT is healthy)

Flags:`)
	flag.PrintDefaults()
	fmt.Fprintln(flag.CommandLine.Output(), `
Environment:
  PORT      the port, 3000 by default; 0 for any free one
  LISTEN    the IP address to listen on, 127.0.0.1 by default; any other than a loopback address needs SITE_URL
  SITE_URL  the address of the site behind a proxy, such as https://turnout.example.org
  ABOUT_URL the address of an imprint and a privacy notice, http(s) or mailto, to which every page links
  DATA_DIR  the folder of the data, .local by default
With -dynamodb, instead of DATA_DIR:
  AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
With -table:
  AWS_REGION or AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN`)
}

// parse ends the program with the usage if the arguments do not match it.
func parse(flags *flag.FlagSet, arguments []string, most int) {
	flags.Usage = usage
	_ = flags.Parse(arguments) // it ends the program
	if flags.NArg() > most {
		usage()
		os.Exit(2)
	}
}

// checkHealth asks the server that LISTEN and PORT name, for container images without a shell.
func checkHealth(arguments []string, at place) error {
	parse(flag.NewFlagSet("health", flag.ExitOnError), arguments, 0)
	if at.table != "" {
		return errUsage
	}
	c, err := configFrom(at.getenv, false)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second} // without a proxy
	response, err := client.Get("http://" + net.JoinHostPort(c.listen, c.port) + "/api/health")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	return nil
}

// exportEvents runs turnout export. Interrupted, it removes the file that it has begun.
func exportEvents(arguments []string, at place) error {
	flags := flag.NewFlagSet("export", flag.ExitOnError)
	from, to := flags.String("from", "", ""), flags.String("o", "", "")
	parse(flags, arguments, 0)
	data, err := at.openReadOnly(*from)
	if err != nil {
		return err
	}
	return errors.Join(portable.ExportFile(untilInterrupt(), data.store, *to, os.Stdout, os.Stderr), data.close())
}

// importEvents runs turnout import.
func importEvents(arguments []string, at place) error {
	flags := flag.NewFlagSet("import", flag.ExitOnError)
	parse(flags, arguments, 1)
	from, err := portable.Open(flags.Args(), os.Stdin)
	if err != nil {
		return err
	}
	defer from.Close()
	data, err := at.open()
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "This changes %s.\n", data.place)
	if at.table != "" {
		fmt.Fprintln(os.Stderr, "Nobody may use it yet: point the domain at it once the import has ended.")
	}
	return errors.Join(portable.Import(context.Background(), data.store, from, os.Stderr), data.close())
}

// eraseEvents runs turnout erase. Of a file it also wipes the bytes, then offers to delete its backups, even if it found
// nothing: an earlier call may have left them.
func eraseEvents(arguments []string, at place) error {
	command, err := parseErase(arguments)
	if err != nil {
		return err
	}
	data, err := at.openExisting()
	if err != nil {
		return err
	}
	fmt.Printf("This changes %s.\n", data.place)
	answers := bufio.NewScanner(os.Stdin)
	err = command.run(context.Background(), data.store, time.Now(), answers, os.Stdout)
	if closed := data.close(); closed != nil || at.table != "" {
		return errors.Join(err, closed)
	}
	file := data.place
	if left := bolt.Wipe(file); left != nil {
		left = fmt.Errorf("free pages of %s may hold what was erased until the next start: %w", file, left)
		return errors.Join(err, left)
	}
	nothing := errors.Is(err, event.ErrEventNotFound) || errors.Is(err, event.ErrNoGuest)
	if err != nil && !nothing {
		return err
	}
	erased := !nothing || errors.Is(err, bolt.ErrErased)
	for _, backup := range []string{bolt.BackupPath(file), bolt.BackupPath(file) + ".new"} {
		if _, missing := os.Lstat(backup); missing == nil {
			err = errors.Join(err, deleteBackup(backup, command.Yes, erased, answers))
		}
	}
	return err
}

// deleteBackup deletes a backup if the operator confirms it; with yes, if something was erased.
func deleteBackup(path string, yes, erased bool, answers *bufio.Scanner) error {
	confirmed := erased
	if !yes {
		fmt.Printf("Delete %s, too? [y/N] ", path)
		confirmed = answers.Scan() && strings.EqualFold(strings.TrimSpace(answers.Text()), "y")
	}
	var err error
	if confirmed {
		err = os.Remove(path)
	}
	if !confirmed || err != nil {
		fmt.Printf("%s still holds everything that was erased since it was written.\n", path)
		return err
	}
	fmt.Printf("deleted: %s\n", path)
	return nil
}
