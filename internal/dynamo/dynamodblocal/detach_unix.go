//go:build unix

package dynamodblocal

import (
	"os/exec"
	"syscall"
)

// detach keeps a Ctrl-C in the terminal from reaching a program that is to outlive
// the one that starts it: a database while the last requests are answered.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
