//go:build !unix

package workers

import (
	"os"
	"os/exec"
)

// interrupt ends a process, because no signal asks it to end here.
func interrupt(p *os.Process) error { return p.Kill() }

// detach does nothing, because there are no process groups here.
func detach(*exec.Cmd) {}
