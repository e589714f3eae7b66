//go:build !unix

package workers

import (
	"os"
	"os/exec"
)

// interrupt ends a process: there is no signal that asks it to.
func interrupt(p *os.Process) error { return p.Kill() }

// detach does nothing where there are no process groups.
func detach(*exec.Cmd) {}
