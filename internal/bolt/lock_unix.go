//go:build unix && !aix && !android && !solaris

package bolt

import (
	"os"
	"syscall"
)

const errLocked = syscall.EWOULDBLOCK

// tryLock takes bbolt's exclusive lock of a file, or returns errLocked. Closing the file releases the lock.
func tryLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
