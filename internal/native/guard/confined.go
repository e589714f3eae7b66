package guard

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// confinedEnv is the environment variable that makes a process of this program confine
// itself and become the test binary that its arguments name, as "go test -exec" has it.
// Its value is a list of directories.
const confinedEnv = "ASSAY_CONFINED"

// GoTest has go test run its test binaries confined: they may read everything, for
// tests read what their authors put there, but write only to the directories of the
// binary and to those given; they reach no network, start no process, and have a limit of
// memory. It returns a flag for go test and an addition to its environment, both empty on
// systems that have no such means.
func GoTest(write ...string) (flag, env string, err error) {
	if !Available {
		return "", "", nil
	}
	self, env, err := confinedSelf(write)
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
	return "-exec=" + quote + self + quote, env, nil
}

// Command returns a command that runs a test binary in the same way.
func Command(ctx context.Context, binary string, args, write []string) (*exec.Cmd, error) {
	if !Available {
		return exec.CommandContext(ctx, binary, args...), nil
	}
	self, env, err := confinedSelf(write)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{binary}, args...)...)
	cmd.Env = append(os.Environ(), env)
	return cmd, nil
}

// confinedSelf returns the name of this program, and the variable that confines it.
func confinedSelf(write []string) (self, env string, err error) {
	if os.Getenv(confinedEnv) != "" || os.Getenv(specEnv) != "" {
		// This is a shim of a program that forgot to be one: it must not start another.
		return "", "", ErrNoShim
	}
	if self, err = os.Executable(); err != nil {
		return "", "", err
	}
	text, err := json.Marshal(write)
	return self, confinedEnv + "=" + string(text), err
}

// confineTests makes this process the test binary that its arguments name, confined. It
// does not return.
func confineTests(text string) {
	var write []string
	if err := json.Unmarshal([]byte(text), &write); err != nil {
		failed("guard: " + err.Error())
	}
	if len(os.Args) < 2 {
		failed("guard: no test binary is named")
	}
	bin, err := filepath.Abs(os.Args[1])
	if err != nil {
		failed("guard: " + err.Error())
	}
	spec := Spec{
		Bin: bin, Args: os.Args[1:], Dir: filepath.Dir(bin), Write: write, Read: []string{"/"},
		Memory: testMemory,
	}
	confine(&spec)
	failed("guard: exec: " + become(&spec, without(os.Environ(), confinedEnv)).Error())
}

// testMemory is how many bytes of data a test binary may allocate.
const testMemory = 512 << 20

// without returns the environment without a variable.
func without(env []string, name string) []string {
	var out []string
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			out = append(out, e)
		}
	}
	return out
}
