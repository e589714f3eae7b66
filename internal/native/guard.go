package native

import (
	"encoding/json"
	"os"

	"github.com/goassay/assay/internal/native/rt"
)

// guardEnv is the environment variable that makes a process of this program the
// shim that confines itself and becomes the harness. Its value is a guardSpec.
const guardEnv = "ASSAY_GUARD"

// guardSpec is what the shim is told.
type guardSpec struct {
	Bin    string   // the harness
	Args   []string // its arguments, the name first
	Dir    string   // where it may write
	Write  []string // further such directories
	Read   []string // files and directories that it may read
	Memory uint64   // bytes of data that it may allocate
	Status int      // descriptor for a frame that says how it was confined
}

// GuardMain makes the process the shim, if it was started as one: it confines
// itself, executes the harness or a test binary, and never returns. Otherwise it does nothing. Call
// it first thing in main, and in the TestMain of packages whose tests run
// harnesses, before anything else looks at arguments or environment.
func GuardMain() {
	if text := os.Getenv(confinedEnv); text != "" {
		confineTests(text)
	}
	text := os.Getenv(guardEnv)
	if text == "" {
		return
	}
	var spec guardSpec
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		guardFailed("guard: " + err.Error())
	}
	how := confine(&spec)
	out := os.NewFile(uintptr(spec.Status), "status")
	w := assayrt.Writer{Buf: []byte{0, 0, 0, 0, msgGuard}}
	w.Str(how)
	if _, err := out.Write(frame(w.Buf)); err != nil {
		guardFailed("guard: " + err.Error())
	}
	guardFailed("guard: exec: " + become(&spec, without(os.Environ(), guardEnv)).Error())
}

// msgGuard is the first message of a process that was started by way of the shim.
const msgGuard = 'G'

func guardFailed(msg string) {
	os.Stderr.WriteString(msg + "\n")
	os.Exit(guardExit)
}

// guardExit is the exit status of a shim that could not do its work.
const guardExit = 98
