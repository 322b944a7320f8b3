//go:build unix

package dynamodblocal

import (
	"os/exec"
	"syscall"
)

// detach keeps a Ctrl-C in the terminal from stopping the database while the
// process that uses it still finishes requests.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
