//go:build !unix

package main

import "os"

// backupSignals are those of Unix: others have the daily backup alone.
var backupSignals []os.Signal
