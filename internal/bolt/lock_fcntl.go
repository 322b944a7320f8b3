//go:build aix || android || solaris

package bolt

import (
	"os"
	"syscall"
)

const errLocked = syscall.EAGAIN

// tryLock takes bbolt's exclusive lock of a file, or returns errLocked. Closing the file releases the lock.
func tryLock(f *os.File) error {
	return syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK})
}
