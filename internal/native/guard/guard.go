package guard

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// specEnv is an environment variable. If it is set, this program is the shim: the process confines itself and
// becomes another program. The value is a spec.
const specEnv = "ASSAY_GUARD"

// spec is the message to the shim.
type spec struct {
	Policy
	Bin  string   // the program; "" means the first argument of the shim, as for "go test -exec"
	Args []string // the program's arguments, its name first
	Env  []string // the program's environment
	// Status is the descriptor for a message that says how the process is confined; 0 means none.
	Status int
	Keep   []int  // descriptors besides 0, 1 and 2 that the program inherits
	Probe  string // a directory in which the confinement is tried, in place of executing a program
}

// init makes the process the shim if it was started as the shim: the process confines itself, executes the
// program that it was told, and never returns. That this happens here, and not in main, halves the time that a
// confined process takes to start: the packages that are initialised after this one are the greater part of the program.
func init() {
	text := os.Getenv(specEnv)
	if text == "" {
		return
	}
	s := new(spec)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		failed(err)
	}
	if err := s.complete(); err != nil {
		failed(err)
	}
	how, err := "not confined", error(nil)
	if s.Mode != Off {
		how, err = confine(s)
	}
	if s.Probe != "" {
		probe(s, how, err) // probe exits
	}
	if err != nil {
		if s.Mode == Require {
			failed(fmt.Errorf("this process cannot be confined: %w", err))
		}
		how = err.Error()
	}
	if s.Status != 0 {
		msg := binary.LittleEndian.AppendUint32([]byte{statusMark}, uint32(len(how)))
		if _, err := os.NewFile(uintptr(s.Status), "status").Write(append(msg, how...)); err != nil {
			failed(err)
		}
	}
	failed(fmt.Errorf("exec: %w", become(s)))
}

// complete fills in the parts that only the shim knows when go test runs a test binary through it.
func (s *spec) complete() error {
	if s.Bin != "" || s.Probe != "" {
		return nil
	}
	if len(os.Args) < 2 {
		return errors.New("no test binary is named")
	}
	bin, err := filepath.Abs(os.Args[1])
	if err != nil {
		return err
	}
	s.Bin, s.Args = bin, os.Args[1:]
	for _, a := range s.Args {
		// The go command expects the profile beside the binary.
		if strings.HasPrefix(a, "-test.coverprofile=") || strings.HasPrefix(a, "-test.gocoverdir=") {
			s.Write = append(s.Write, filepath.Dir(bin))
			break
		}
	}
	return nil
}

// statusMark is the first byte of the shim's message. A harness's output begins with the length of a
// short message, which is another byte.
const statusMark = 0xAA

// ReadStatus reads how a process is confined that was started through the shim, in words. The process's own
// output follows.
func ReadStatus(r io.Reader) (string, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:1]); err != nil {
		return "", err
	}
	if head[0] != statusMark {
		return "", ErrNoShim
	}
	if _, err := io.ReadFull(r, head[1:]); err != nil {
		return "", err
	}
	how := make([]byte, binary.LittleEndian.Uint32(head[1:]))
	_, err := io.ReadFull(r, how)
	return string(how), err
}

// ErrNoShim says that what was started has not answered as the shim does.
var ErrNoShim = errors.New("bug: guard: this program was started as the shim and is none")

// Start starts a command through the shim: this program, which confines itself and becomes the command's
// program. The program gets the command's environment, and inherits the descriptors in keep besides 0, 1 and
// 2. If status is one of these, the shim writes to it how the process is confined, for ReadStatus.
func Start(cmd *exec.Cmd, p Policy, status int, keep ...int) error {
	self, variable, err := shim(spec{Policy: p, Bin: cmd.Path, Args: cmd.Args, Env: cmd.Env, Status: status, Keep: keep})
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = self, []string{self}
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], variable)
	return nil
}

// shim returns the name of this program, and the variable that makes it the shim.
func shim(s spec) (self, variable string, err error) {
	if self, err = os.Executable(); err != nil {
		return "", "", err
	}
	text, err := json.Marshal(s)
	return self, specEnv + "=" + string(text), err
}

// failedMark begins the last line of a shim that could not confine itself.
const failedMark = "assay: guard: "

// exitFailed is the exit status of a shim that could not confine itself.
const exitFailed = 98

func failed(err error) {
	os.Stderr.WriteString(failedMark + err.Error() + "\n")
	os.Exit(exitFailed)
}

// Failure distinguishes a shim that could not confine itself from a program that failed. Given the exit
// status of a process and its output, it returns the shim's message. If there is such a message the program
// never ran.
func Failure(status int, output string) (message string, ok bool) {
	if status != exitFailed {
		return "", false
	}
	i := strings.LastIndex(output, failedMark)
	if i < 0 {
		return "", false
	}
	message, _, _ = strings.Cut(output[i+len(failedMark):], "\n")
	return "guard: " + message, true
}
