//go:build unix

package native

import (
	"errors"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/goassay/assay/internal/native/rt"
)

// hasPage says whether the parent can see which case is running.
const hasPage = true

// progressPage is the page that the harness writes its progress to.
type progressPage struct {
	file *os.File
	mem  []byte
}

func newProgressPage(name string) (*progressPage, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Truncate(assayrt.ProgressSize), os.Remove(name)); err != nil {
		f.Close()
		return nil, err
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, assayrt.ProgressSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &progressPage{f, mem}, nil
}

// read returns how many cases were begun, which statement runs, and the phase.
func (p *progressPage) read() (cases, stmt, phase uint64) {
	word := func(off int) uint64 {
		return atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.mem[off])))
	}
	return word(assayrt.ProgressCase), word(assayrt.ProgressStmt), word(assayrt.ProgressPhase)
}

// vector returns the candidate of a search, as far as the page shows it.
func (p *progressPage) vector(slots int) []int32 {
	if assayrt.ProgressSlots+2*slots > assayrt.ProgressSize {
		return nil
	}
	v := make([]int32, slots)
	for i := range v {
		v[i] = int32(*(*uint16)(unsafe.Pointer(&p.mem[assayrt.ProgressSlots+2*i])))
	}
	return v
}

func (p *progressPage) close() {
	if p.mem != nil {
		_ = syscall.Munmap(p.mem) // unmapping a mapping of ours cannot fail
		p.mem = nil
	}
	p.file.Close()
}

// inherit passes the harness's files to a command and returns their descriptors in the new process: requests,
// responses, progress.
func inherit(cmd *exec.Cmd, in, out *os.File, page *progressPage) [3]int {
	cmd.ExtraFiles = []*os.File{in, out, page.file}
	return [3]int{3, 4, 5}
}

// isolate puts the process into a process group of its own.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

// killGroup kills the process and the processes that it started. It is no error if they have ended already.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// quit has the Go runtime of the process print its goroutines and end. Only the thread that runs a goroutine
// can print the goroutine's stack. If the system has signals for threads, the signal therefore goes to such a
// thread.
func quit(cmd *exec.Cmd) {
	if !quitThread(cmd.Process.Pid) {
		_ = cmd.Process.Signal(syscall.SIGQUIT) // it is no error if the process has ended already
	}
}
