package bolt

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

const errLocked = windows.ERROR_LOCK_VIOLATION

// tryLock takes bbolt's exclusive lock of a file, or returns errLocked. Closing the file releases the lock.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	at := windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxUint32} // the byte that bbolt locks
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
}
