//go:build !unix

package main

import "os"

// backupSignals is empty, because this system lacks Unix's signals. It has only the daily backup.
var backupSignals []os.Signal
