//go:build unix

package workers

import (
	"os"
	"os/exec"
	"syscall"
)

// interrupt asks a process to end.
func interrupt(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// detach has a terminal's interrupt not reach the process: whoever started it says when it ends, so
// that a coordinator which is interrupted can collect what is ready.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
