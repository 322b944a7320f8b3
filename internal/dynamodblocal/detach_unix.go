//go:build unix

package dynamodblocal

import (
	"os/exec"
	"syscall"
)

// detach keeps a Ctrl-C in the terminal from ending the database before the
// process that uses it has finished its requests.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
