//go:build !unix

package guard

import (
	"errors"
	"os"
	"os/exec"
)

// become runs the program and exits with its status, because this system has no exec.
func become(s *spec) error {
	cmd := exec.Command(s.Bin, s.Args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err == nil {
		os.Exit(0)
	} else if errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	}
	return err
}
