package gotest

import (
	"bytes"
	"os/exec"
	"testing"
)

// A command with a terminal knows that it has one, and what it writes is read without carriage returns.
func TestTerminal(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(sh, "-c", "[ -t 1 ] && [ -t 2 ] && echo one && echo two >&2")
	var out bytes.Buffer
	end, err := terminal(cmd, &out)
	if err != nil {
		t.Skip(err)
	}
	err = cmd.Run()
	end()
	if err != nil || out.String() != "one\ntwo\n" {
		t.Errorf("the command wrote %q, %v", out.String(), err)
	}
}
