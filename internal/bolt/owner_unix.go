//go:build unix

package bolt

import (
	"os"
	"syscall"
)

// giveToOwnerOf gives a file to the owner and the group of a folder, unless it has that owner already.
func giveToOwnerOf(folder, file string) error {
	have, err := os.Stat(file)
	if err != nil {
		return err
	}
	want, err := os.Stat(folder)
	if err != nil {
		return err
	}
	owner := want.Sys().(*syscall.Stat_t)
	if have.Sys().(*syscall.Stat_t).Uid == owner.Uid {
		return nil
	}
	return os.Chown(file, int(owner.Uid), int(owner.Gid))
}
