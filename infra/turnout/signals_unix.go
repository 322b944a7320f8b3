//go:build unix

package main

import (
	"os"
	"syscall"
)

// backupSignals make the server write a backup at once.
var backupSignals = []os.Signal{syscall.SIGUSR1}
