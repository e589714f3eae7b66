//go:build !unix

package native

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// hasPage says whether the parent can see which case is running. Here it cannot, so every outcome is sent at
// once, and the case behind the last outcome is the running one.
const hasPage = false

type progressPage struct{}

func newProgressPage(string) (*progressPage, error) { return &progressPage{}, nil }

func (*progressPage) vector(int) []int32 { return nil }

func (*progressPage) read() (cases, stmt, phase uint64) { return 0, 0, 0 }

func (*progressPage) close() {}

func inherit(cmd *exec.Cmd, in, out *os.File, _ *progressPage) [3]int {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	fds := [3]int{int(in.Fd()), int(out.Fd()), 0}
	passHandles(cmd.SysProcAttr, in, out)
	return fds
}

func isolate(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill() // it is no error if the process has ended already
	}
}

func quit(*exec.Cmd) {}

func usage(int) (time.Duration, int64, bool) { return 0, 0, false }

// wanting reports whether some thread of a process wants the processor. It is called only if usage returned a
// result.
func wanting(int) bool { return false }
