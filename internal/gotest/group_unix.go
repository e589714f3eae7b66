//go:build unix

package gotest

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command and what it starts into a process group of their own, so
// that the user's interrupt does not reach it and cancelling ends all of it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
