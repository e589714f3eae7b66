package guard

import (
	"context"
	"errors"
	"os/exec"
	"strings"
)

// GoTest makes go test, run in dir, start its test binaries confined. It returns a flag for go test and an
// addition to its environment.
func GoTest(p Policy, dir string) (flag, variable string, err error) {
	self, variable, err := shim(spec{Policy: p, Env: p.Environ(dir)})
	if err != nil {
		return "", "", err
	}
	quote := ""
	switch { // the go command splits the flag at spaces outside of quotes
	case !strings.ContainsAny(self, " \t\n'\""):
	case !strings.Contains(self, "'"):
		quote = "'"
	case !strings.Contains(self, `"`):
		quote = `"`
	default:
		return "", "", errors.New("the path of this program has both kinds of quotes: " + self)
	}
	return "-exec=" + quote + self + quote, variable, nil
}

// Command returns a command that runs a test binary in dir, confined in the way of GoTest.
func Command(ctx context.Context, p Policy, dir, binary string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = dir, p.Environ(dir)
	if err := Start(cmd, p, 0); err != nil {
		return nil, err
	}
	return cmd, nil
}
