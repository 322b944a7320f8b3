package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/portable"
)

// ofTable are the commands of -table. Nothing else of the server's configuration concerns them.
var ofTable = map[string]func(arguments []string, table string) error{
	"erase": eraseFromTable, "export": exportTable, "import": importIntoTable,
}

func eraseFromTable(arguments []string, table string) error {
	command, err := parseErase(arguments)
	if err != nil {
		return err
	}
	store, place, err := openTable(table, os.Getenv)
	if err != nil {
		return err
	}
	fmt.Printf("This changes the %s.\n", place)
	return command.run(context.Background(), store, time.Now(), bufio.NewScanner(os.Stdin), os.Stdout)
}

func exportTable(arguments []string, table string) error {
	flags := flag.NewFlagSet("export", flag.ExitOnError)
	to := flags.String("o", "", "")
	parse(flags, arguments, 0)
	store, _, err := openTable(table, os.Getenv)
	if err != nil {
		return err
	}
	return portable.ExportFile(untilInterrupt(), store, *to, os.Stdout, os.Stderr)
}

func importIntoTable(arguments []string, table string) error {
	flags := flag.NewFlagSet("import", flag.ExitOnError)
	parse(flags, arguments, 1)
	store, place, err := openTable(table, os.Getenv)
	if err != nil {
		return err
	}
	from, err := portable.Open(flags.Args(), os.Stdin)
	if err != nil {
		return err
	}
	defer from.Close()
	fmt.Fprintf(os.Stderr, "This changes the %s. Nobody may use it yet: "+
		"let the domain lead to it once the import has ended.\n", place)
	return portable.Import(context.Background(), store, from, os.Stderr)
}

// openTable opens a table with the environment's credentials and region, and returns where it is, for people. Unlike
// for a function, AWS_DEFAULT_REGION suffices, and the table is an argument.
func openTable(table string, getenv func(string) string) (_ *dynamo.Store, place string, _ error) {
	env := environment.New(func(name string) string {
		switch name {
		case "TABLE_NAME":
			return table
		case "AWS_REGION":
			return cmp.Or(getenv(name), getenv("AWS_DEFAULT_REGION"))
		}
		return getenv(name)
	})
	config := dynamo.ConfigFrom(env)
	if err := env.Err(); err != nil {
		return nil, "", fmt.Errorf(`%w; for credentials: eval "$(aws configure export-credentials --format env)"`, err)
	}
	return dynamo.Open(config), placeOf(config), nil
}

// placeOf says where a table is: in a region, or at another endpoint.
func placeOf(c dynamo.Config) string {
	if c.Endpoint != "" {
		return fmt.Sprintf("table %s at %s", c.Table, c.Endpoint)
	}
	return fmt.Sprintf("table %s in %s", c.Table, c.Region)
}
