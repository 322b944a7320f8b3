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
	"turnout/internal/portable"
)

// commands are the operators' commands by name. Each finds its events at a place.
var commands = map[string]func(arguments []string, at place) error{
	"erase": eraseEvents, "export": exportEvents, "import": importEvents, "health": checkHealth,
	"restore": restoreFile, "help": printHelp,
}

// version is set with -ldflags "-X main.version=...", for a build outside a clone.
var version string

// currentVersion returns version, or else the version that Go has derived from the commit.
func currentVersion() string {
	info, _ := debug.ReadBuildInfo()
	return cmp.Or(version, info.Main.Version)
}

// usage prints the flags and the environment variables.
func usage() {
	fmt.Fprintln(flag.CommandLine.Output(), `usage: turnout [-dynamodb] [-version]
       turnout COMMAND

  health                 status 0 if the server at LISTEN and PORT is healthy
  export [-from BACKUP] [-o FILE]
                         write all events, with the server stopped or from a backup, to a new file or standard output
  import [FILE]          store the events of an export, or of standard input; with the server stopped
  restore [FILE]         put a backup, or standard input, in place of the data; with the server stopped
  erase [-yes] [-name NAME [-all]] EVENT…
                         erase events, or from each the guest of that name, or with -all every such guest; with the
                         server stopped. An EVENT is a token or a link; - reads them from standard input
  -table NAME erase|export|import …
                         the same in a table of DynamoDB

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

// printHelp runs turnout help. It prints the text of turnout -h to the standard output, as for a pager.
func printHelp(arguments []string, at place) error {
	parse(flag.NewFlagSet("help", flag.ExitOnError), arguments, 0)
	if at.table != "" {
		return errUsage
	}
	flag.CommandLine.SetOutput(os.Stdout)
	usage()
	return nil
}

// parse ends the program with the usage if the arguments do not match it.
func parse(flags *flag.FlagSet, arguments []string, most int) {
	flags.Usage = usage
	_ = flags.Parse(arguments) // Parse ends the program at an error
	if flags.NArg() > most {
		usage()
		os.Exit(2)
	}
}

// checkHealth runs turnout health: it asks the server that LISTEN and PORT name. Container images without a shell need
// this command.
func checkHealth(arguments []string, at place) error {
	parse(flag.NewFlagSet("health", flag.ExitOnError), arguments, 0)
	if at.table != "" {
		return errUsage
	}
	c, err := configFrom(at.getenv, false)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second} // a client without a proxy
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

// exportEvents runs turnout export. If it is interrupted, it removes the unfinished file.
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
	isNew := ""
	if data.isNew {
		isNew = ", which is new. If the server has its data elsewhere, set DATA_DIR."
	}
	fmt.Fprintf(os.Stderr, "Data: %s%s\n", data.place, isNew)
	if at.table != "" {
		fmt.Fprintln(os.Stderr, "Nobody may use it yet: point the domain at it once the import has ended.")
	}
	return errors.Join(portable.Import(context.Background(), data.store, from, os.Stderr), data.close())
}

// restoreFile runs turnout restore.
func restoreFile(arguments []string, at place) error {
	flags := flag.NewFlagSet("restore", flag.ExitOnError)
	parse(flags, arguments, 1)
	if at.table != "" {
		return errUsage
	}
	c, err := configFrom(at.getenv, false)
	if err != nil {
		return err
	}
	from := os.Stdin
	if flags.NArg() > 0 {
		if from, err = os.Open(flags.Arg(0)); err != nil {
			return err
		}
		defer from.Close()
	}
	r, err := bolt.Restore(c.file(), from, time.Now())
	if errors.Is(err, bolt.ErrInUse) {
		return cannotOpen(c, err, "")
	}
	if err != nil {
		return fmt.Errorf("nothing was restored from %s: %w", from.Name(), err)
	}
	fmt.Printf("restored: events %d, RSVPs %d, in %s\n", r.Events, r.RSVPs, c.file())
	if r.Replaced != "" {
		fmt.Printf("the former data was kept as %s\n", r.Replaced)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// eraseEvents runs turnout erase. In a file it also wipes the bytes. Then it offers to delete the copies of the file,
// even if it found nothing to erase, because an earlier call may have left the copies. It closes the file, and so
// releases its lock, at the end.
func eraseEvents(arguments []string, at place) (err error) {
	command, err := parseErase(arguments, os.Stdin)
	if err != nil {
		return err
	}
	data, err := at.openExisting()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, data.close()) }()
	fmt.Printf("Data: %s\n", data.place)
	answers := bufio.NewScanner(os.Stdin)
	erased, err := command.run(context.Background(), data.store, at.table != "", time.Now(), answers, os.Stdout)
	if data.wipe == nil {
		return err
	}
	if left := data.wipe(); left != nil {
		left = fmt.Errorf("free pages of %s may hold erased data until the next start: %w", data.place, left)
		return errors.Join(err, left)
	}
	if err != nil && !isMissing(err) {
		return err
	}
	ever := erased > 0 || errors.Is(err, bolt.ErrErased)
	return errors.Join(err, deleteCopies(data.place, command.Yes, ever, answers))
}

// deleteCopies deletes the copies beside a file if the operator confirms it. If yes is true it does not ask, and
// deletes the copies only if an event or RSVP was erased.
func deleteCopies(file string, yes, erased bool, answers *bufio.Scanner) (err error) {
	copies := bolt.Copies(file)
	if len(copies) == 0 {
		return nil
	}
	confirmed := erased
	if !yes {
		fmt.Printf("Delete %s, too? [y/N] ", strings.Join(copies, " and "))
		confirmed = answers.Scan() && strings.EqualFold(strings.TrimSpace(answers.Text()), "y")
	}
	for _, path := range copies {
		var failed error
		if confirmed {
			failed = os.Remove(path)
		}
		if confirmed && failed == nil {
			fmt.Printf("deleted: %s\n", path)
		} else {
			fmt.Printf("%s may still hold erased data\n", path)
		}
		err = errors.Join(err, failed)
	}
	return err
}
