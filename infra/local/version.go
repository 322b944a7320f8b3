package main

import (
	"cmp"
	"flag"
	"fmt"
	"runtime/debug"
)

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
       turnout health    (status 0 if the server at LISTEN and PORT is healthy)

Flags:`)
	flag.PrintDefaults()
	fmt.Fprintln(flag.CommandLine.Output(), `
Environment:
  PORT      the port, 3000 by default; 0 for any free one
  LISTEN    the IP address to listen on, 127.0.0.1 by default; any other than a loopback address needs SITE_URL
  SITE_URL  the address of the site behind a proxy, such as https://turnout.example.org
  DATA_DIR  the folder of the data, .local by default
With -dynamodb, instead of DATA_DIR:
  AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY`)
}
