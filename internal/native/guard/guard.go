package guard

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
)

// specEnv is the environment variable that makes a process of this program the
// shim that confines itself and becomes the harness. Its value is a Spec.
const specEnv = "ASSAY_GUARD"

// Spec is what the shim is told.
type Spec struct {
	Bin    string   // the harness
	Args   []string // its arguments, the name first
	Dir    string   // where it may write
	Write  []string // further such directories
	Read   []string // files and directories that it may read
	Memory uint64   // bytes of data that it may allocate
	Status int      // descriptor for a frame that says how it was confined
}

// Main makes the process the shim, if it was started as one: it confines
// itself, executes the harness or a test binary, and never returns. Otherwise it does nothing. Call
// it first thing in main, and in the TestMain of packages whose tests run
// harnesses, before anything else looks at arguments or environment.
func Main() {
	if text := os.Getenv(confinedEnv); text != "" {
		confineTests(text)
	}
	text := os.Getenv(specEnv)
	if text == "" {
		return
	}
	var spec Spec
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		failed("guard: " + err.Error())
	}
	how := confine(&spec)
	out := os.NewFile(uintptr(spec.Status), "status")
	msg := binary.LittleEndian.AppendUint32([]byte{statusMark}, uint32(len(how)))
	if _, err := out.Write(append(msg, how...)); err != nil {
		failed("guard: " + err.Error())
	}
	failed("guard: exec: " + become(&spec, without(os.Environ(), specEnv)).Error())
}

// statusMark is the first byte of what the shim says. A harness begins with the length
// of a short message, which is another byte.
const statusMark = 0xAA

// ReadStatus reads from a process that was started by way of the shim how it was
// confined, in words. What the process itself writes follows.
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

// ErrNoShim says that this program was started where it should be the shim, and is not.
var ErrNoShim = errors.New("bug: guard: this program does not call guard.Main")

// Start has a command started by way of the shim: this program itself, which becomes
// the command's binary.
func Start(cmd *exec.Cmd, spec Spec) error {
	if os.Getenv(specEnv) != "" {
		// This is a shim of a program that forgot to be one: it must not start another.
		return ErrNoShim
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = self, []string{self}
	cmd.Env = append(cmd.Env, specEnv+"="+string(text))
	return nil
}

func failed(msg string) {
	os.Stderr.WriteString(msg + "\n")
	os.Exit(ExitFailed)
}

// ExitFailed is the exit status of a shim that could not do its work.
const ExitFailed = 98
