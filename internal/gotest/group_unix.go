//go:build unix

package gotest

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts the command and the processes that it starts into a process group of their own. The
// user's interrupt then does not reach them, and cancelling ends all of them.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
