//go:build unix

package workers

import (
	"os"
	"os/exec"
	"syscall"
)

// interrupt asks a process to end.
func interrupt(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// detach keeps a terminal's interrupt from the process. Its parent decides when it ends, so that an
// interrupted coordinator can collect the results that are ready.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
