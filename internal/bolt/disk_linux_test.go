package bolt

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"turnout/internal/event"
)

// inChild runs the test in a child process, which may limit the size of files. The parent process must not do this,
// because go test writes files too. inChild reports whether the child process has run the test.
func inChild(t *testing.T) bool {
	t.Helper()
	const variable = "BOLT_TEST_CHILD"
	if os.Getenv(variable) != "" {
		return false
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), variable+"=1")
	output, err := child.CombinedOutput()
	skipped := strings.Contains(string(output), "--- SKIP")
	switch {
	case err != nil || skipped && os.Getenv("CI") == "true":
		t.Errorf("%v\n%s", err, output)
	case skipped:
		t.Skipf("%s", output)
	}
	return true
}

// limitFiles limits the size of the files that this process writes, as if the disk were full.
func limitFiles(t *testing.T, size uint64) {
	t.Helper()
	must(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: unix.RLIM_INFINITY}))
}

// fillDisk prevents a store's file from growing beyond its current size, and returns this size.
func fillDisk(t *testing.T, s *Store) (size int64) {
	t.Helper()
	info, err := os.Stat(s.db.Path())
	must(t, err)
	limitFiles(t, uint64(info.Size()))
	return info.Size()
}

// refuse makes a system call of this process fail from now on, as on a file system that does not support the call.
func refuse(t *testing.T, call uint32, with syscall.Errno) {
	t.Helper()
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(with)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	_, _, err := unix.Syscall(
		unix.SYS_SECCOMP,
		unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)),
	)
	if err != 0 {
		t.Skipf("seccomp is missing (%v): it needs a kernel that has it and a container that allows it", err)
	}
}

// TestFirstStartWithoutLinks: the first start succeeds on a file system without hard links.
func TestFirstStartWithoutLinks(t *testing.T) {
	if inChild(t) {
		return
	}
	refuse(t, unix.SYS_LINKAT, unix.ENOTSUP)
	folder := t.TempDir()
	if err := os.Link(folder, folder+"-link"); !errors.Is(err, unix.ENOTSUP) {
		t.Fatal(err)
	}
	createEvent(t, open(t, filepath.Join(folder, "turnout.db")), time.Now())
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}

// TestRestoreWithoutLinks: on a file system without hard links, a restore keeps a copy of the file.
func TestRestoreWithoutLinks(t *testing.T) {
	if inChild(t) {
		return
	}
	s := openNew(t)
	must(t, backup(s), s.Close(), os.WriteFile(s.path, []byte("old"), 0o600))
	copied, err := os.Open(BackupPath(s.path))
	must(t, err)
	defer copied.Close()
	refuse(t, unix.SYS_LINKAT, unix.EPERM)
	r, err := Restore(s.path, copied, time.Now())
	must(t, err, damageOf(s.path))
	if kept, err := os.ReadFile(r.Replaced); err != nil || string(kept) != "old" {
		t.Errorf("kept is %q, %v", kept, err)
	}
}

// TestRestoreThatFails: if the last step of a restore fails, the folder is as before.
func TestRestoreThatFails(t *testing.T) {
	if inChild(t) {
		return
	}
	s := openNew(t)
	must(t, backup(s), s.Close())
	whole, err := os.ReadFile(s.path)
	must(t, err)
	refuse(t, unix.SYS_RENAMEAT, unix.EIO)
	for path, want := range map[string]int{s.path: 2, filepath.Join(t.TempDir(), "turnout.db"): 0} {
		_, err := Restore(path, bytes.NewReader(whole), time.Now())
		left, _ := os.ReadDir(filepath.Dir(path))
		if !errors.Is(err, unix.EIO) || len(left) != want {
			t.Errorf("%v; left are %v", err, left)
		}
	}
}

// TestWithoutLocks: on a file system without locks, nothing is changed. The error says so of the file system. It calls
// neither the file nor a copy damaged, because operators throw damaged files away.
func TestWithoutLocks(t *testing.T) {
	if inChild(t) {
		return
	}
	s := openNew(t)
	createEvent(t, s, time.Now())
	must(t, backup(s), s.Close())
	before, err := os.ReadFile(s.path)
	must(t, err)
	folder, missing := filepath.Dir(s.path), filepath.Join(t.TempDir(), "turnout.db")
	for _, refusal := range []syscall.Errno{unix.ENOLCK, unix.EOPNOTSUPP, unix.ENOSYS, unix.EINVAL} {
		refuse(t, unix.SYS_FLOCK, refusal)
		restoreTo := func(path string) error {
			_, err := Restore(path, bytes.NewReader(before), time.Now())
			return err
		}
		_, opened := Open(s.path)
		_, created := Open(missing)
		_, exported := OpenReadOnly(s.path)
		for call, err := range map[string]error{
			"Open": opened, "Open of a new file": created, "OpenReadOnly": exported,
			"Restore": restoreTo(s.path), "Restore to a new file": restoreTo(missing),
		} {
			if err == nil || !regexp.MustCompile("^the file system of /[^:]* has no locks").MatchString(err.Error()) ||
				!errors.Is(err, refusal) || strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s with %v: %v", call, refusal, err)
			}
		}
		after, err := os.ReadFile(s.path)
		left, _ := os.ReadDir(folder)
		leftOfMissing, _ := os.ReadDir(filepath.Dir(missing))
		if err != nil || !bytes.Equal(after, before) || len(left) != 2 || len(leftOfMissing) != 0 {
			t.Errorf("after %v: %d bytes, %v, %v", refusal, len(after), left, leftOfMissing)
		}
	}
}

// TestFirstStartOnFullDisk: if the disk is full at any step of the first start, a later start with enough room
// succeeds.
func TestFirstStartOnFullDisk(t *testing.T) {
	if inChild(t) {
		return
	}
	for size := uint64(0); size <= 1<<15; size += 2048 {
		folder := t.TempDir()
		path := filepath.Join(folder, "turnout.db")
		limitFiles(t, size)
		s, err := Open(path)
		limitFiles(t, unix.RLIM_INFINITY)
		switch {
		case err == nil:
			_ = s.Close()
			if size < 1<<14 {
				t.Errorf("opened within %d bytes", size)
			}
		case strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "\n"):
			t.Errorf("%d bytes: %v", size, err)
		default:
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Errorf("%d bytes: %v is left", size, left)
			}
		}
		open(t, path)
	}
}

// TestFullDisk: a failed write leaves nothing behind, before and after a restart, and earlier writes stay. After a
// failed commit, the store is unhealthy until a commit has reached the disk.
func TestFullDisk(t *testing.T) {
	if inChild(t) {
		return
	}
	s := openNew(t)
	token, organizer := createEvent(t, s, time.Now().Add(time.Hour))
	must(t, s.Health(t.Context()))
	fillDisk(t, s)
	written := 0
	var err error
	for ; err == nil && written < 10_000; written++ {
		r := event.RSVP{ID: event.NewToken().RSVPID(), Name: strings.Repeat("x", 400), CreatedAt: time.Now()}
		err = s.CreateRSVP(t.Context(), token, r)
	}
	if !errors.Is(err, event.ErrUnavailable) {
		t.Fatal(err)
	}
	// A write without changes does not prove that the disk has room.
	must(t, s.CancelRSVP(t.Context(), token, event.RSVPID{}, time.Now()))
	for range 2 {
		if err := s.Health(t.Context()); !errors.Is(err, event.ErrUnavailable) {
			t.Errorf("Health on a full disk: %v", err)
		}
	}
	wantGuests(t, s, token, organizer, written-1)
	limitFiles(t, unix.RLIM_INFINITY)
	for range 2 {
		if err := s.Health(t.Context()); err != nil {
			t.Errorf("Health with room: %v", err)
		}
	}
	createRSVP(t, s, token, "Ada", time.Now())
	path := s.db.Path()
	must(t, s.Close())
	wantGuests(t, open(t, path), token, organizer, written)
}

// TestFailedCommitDecidesNothing: a write may be refused because of another write in the same commit. This refusal is
// not returned if the commit does not reach the disk.
func TestFailedCommitDecidesNothing(t *testing.T) {
	if inChild(t) {
		return
	}
	s := openNew(t)
	token, _ := createEvent(t, s, time.Now().Add(time.Hour))
	size := fillDisk(t, s)
	errs := s.batch(
		func(c *change) error {
			d, err := detailsOf(c.Tx, token)
			d.Cancelled = true
			c.put(itemsBucket, detailsKey(token), d.encode())
			c.put(stateBucket, probeKey, make([]byte, size))
			return errors.Join(err, c.err)
		},
		func(c *change) error {
			d, err := detailsOf(c.Tx, token)
			return errors.Join(err, d.AcceptsRSVP(time.Now()))
		},
	)
	for i, err := range errs {
		if !errors.Is(err, event.ErrUnavailable) || errors.Is(err, event.ErrEventCancelled) {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if e, err := s.GetEvent(t.Context(), token); err != nil || e.Cancelled {
		t.Error(e, err)
	}
}
