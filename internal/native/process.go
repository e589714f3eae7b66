package native

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goassay/assay/internal/native/guard"
	assayrt "github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// process is a running harness.
type process struct {
	cmd    *exec.Cmd
	dir    string // the process's working directory
	in     *os.File
	out    *bufio.Reader
	outEnd *os.File
	page   *progressPage
	stderr *tail
	dec    *decoder

	confinement string
	typesSent   int
	opsSent     []bool // whether the process knows an operation, by number
	acked       uint64 // how many outcomes were received

	killed atomic.Pointer[string]     // the reason why we killed the process
	last   atomic.Pointer[time.Timer] // kills the process for good if it does not react to being killed
	waited sync.Once
	state  *os.ProcessState
	drain  sync.WaitGroup // waits for the reader of stderr
}

// The reasons to kill a process.
const (
	killHung   = "hung"   // the case computes too long
	killIdle   = "asleep" // the case takes too long, and does not compute in most of that time
	killMemory = testcase.OutOfMemory
	killDisk   = "it fills the disk"
	killEnd    = "ended"
	// killGarbled says that the process sent no outcome where one was due.
	killGarbled = "what it returns changes while it is looked at"
)

// variation is a set of conditions that may differ between processes without effect on outcomes. All of them
// differ in the second run of RunTwice.
type variation struct {
	procs int
	zone  string
	order string // the order of loops over maps and the pace: assayrt.Ascending, Descending or Slowly
}

// startTimeout is how long a harness may take until it is ready, including package initialisation and
// TestMain.
const startTimeout = 20 * time.Second

// start starts a harness process.
func (h *Harness) start(ctx context.Context, v variation) (*process, error) {
	h.starts++
	p := &process{dir: filepath.Join(h.dir, fmt.Sprintf("run%d", h.starts)), stderr: &tail{}}
	here, temporary, err := p.makeDirs()
	if err != nil {
		return nil, err
	}
	ok := false
	defer func() {
		if !ok {
			p.end()
		}
	}()
	if p.page, err = newProgressPage(filepath.Join(h.dir, fmt.Sprintf("progress%d", h.starts))); err != nil {
		return nil, err
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer inR.Close()
	p.in = inW
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer outW.Close()
	p.outEnd, p.out = outR, bufio.NewReaderSize(outR, 1<<16)
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer errW.Close()
	p.drain.Add(1)
	go func() {
		defer p.drain.Done()
		p.stderr.readAll(errR)
	}()

	args := []string{h.bin, "-test.run=^Test_" + h.builder.prefix + "$"}
	p.cmd = exec.Command(h.bin, args[1:]...)
	p.cmd.Stderr = errW
	p.cmd.Dir = here
	fds := inherit(p.cmd, inR, outW, p.page)
	p.cmd.Env = h.environment(here, temporary, v, fds)
	guarded := h.cfg.Confine == guard.Require || h.cfg.Confine == guard.Best && guard.Available
	if guarded {
		policy := h.policy()
		policy.Read = append(slices.Clone(policy.Read), here)
		policy.Write = []string{temporary}
		if err := guard.Start(p.cmd, policy, fds[1], fds[0], fds[1], fds[2]); err != nil {
			return nil, err
		}
	}
	isolate(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the harness: %w", err)
	}
	// Our copies of the harness's ends must be closed. Otherwise our ends would never see an end of file.
	inR.Close()
	outW.Close()
	errW.Close()
	timer := time.AfterFunc(startTimeout, func() { p.kill(killHung) })
	stop := context.AfterFunc(ctx, func() { p.kill(killEnd) })
	err = p.hello(h, guarded)
	timer.Stop()
	stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	p.dec = &decoder{enc: h.enc, lookup: h.lookup}
	ok = true
	return p, nil
}

// makeDirs makes the process's directories: the one that it is in, and one for its files. It may write to the second one only.
// Tests run in the package's directory, where they must not write either, so a case that creates a file by its bare name
// fails here as its test would.
func (p *process) makeDirs() (here, temporary string, err error) {
	here, temporary = filepath.Join(p.dir, "package"), filepath.Join(p.dir, "tmp")
	for _, dir := range []string{p.dir, here, temporary} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return "", "", err
		}
	}
	return here, temporary, nil
}

// environment returns the variables that the code under test sees in a directory, with another one for its files. None of the
// user's variables is among them.
func (h *Harness) environment(here, temporary string, v variation, fds [3]int) []string {
	// Cases leave much garbage, but few live objects. Garbage is therefore collected rarely, except near the
	// memory limit.
	env := []string{
		"HOME=" + temporary, "TMPDIR=" + temporary, "TMP=" + temporary, "TEMP=" + temporary, "PATH=", "TZ=" + v.zone, "PWD=" + here,
		"GOMAXPROCS=" + strconv.Itoa(v.procs), "GOTRACEBACK=single", "GORACE=halt_on_error=1",
		"GOMEMLIMIT=" + strconv.FormatInt(h.cfg.memory()*3/4, 10), "GOGC=400",
		assayrt.Env + "=" + fmt.Sprintf("%d,%d,%d", fds[0], fds[1], fds[2]) + v.order,
	}
	if runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	return env
}

// policy returns the policy for the code under test, without the directory that it may write to.
func (h *Harness) policy() guard.Policy {
	return guard.Policy{
		Mode: h.cfg.Confine, Read: h.builder.prog.Readable(h.pkg), Memory: uint64(h.cfg.memory()), Race: h.cfg.Race,
	}
}

// patience is how long a process may take to end after it has closed its connection or was told to end.
const patience = 2 * time.Second

// hello waits for the first messages.
func (p *process) hello(h *Harness, guarded bool) error {
	if guarded {
		var err error
		if p.confinement, err = guard.ReadStatus(p.out); errors.Is(err, guard.ErrNoShim) {
			return err
		} else if err != nil {
			return h.startFailed(p)
		}
	}
	msg, err := p.receive()
	if err != nil {
		return h.startFailed(p)
	}
	r := assayrt.Reader{Buf: msg}
	if r.Byte() != assayrt.MsgHello || r.Str() != h.id {
		return errors.New("bug: native: the harness is of another build")
	}
	return nil
}

// StartError is a harness that ended before it was ready: package initialisation or
// TestMain panicked, exited or hung.
type StartError struct {
	Package string
	Message string // the panic's message, or how the process ended
}

func (e *StartError) Error() string {
	return e.Package + ": initialisation failed: " + e.Message
}

// startFailed says why a process ended before it was ready.
func (h *Harness) startFailed(p *process) error {
	p.wait()
	if p.state != nil {
		if msg, ok := guard.Failure(p.state.ExitCode(), p.stderr.text()); ok {
			return errors.New(msg)
		}
	}
	d := h.death(p)
	msg := d.message
	if d.stack != nil {
		msg += fmt.Sprintf(" at %s:%d", filepath.Base(d.stack[0].Pos.Filename), d.stack[0].Pos.Line)
	}
	return &StartError{Message: msg}
}

// receive returns the next message.
func (p *process) receive() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(p.out, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n == 0 || n > 1<<28 {
		return nil, io.ErrUnexpectedEOF
	}
	msg := make([]byte, n)
	_, err := io.ReadFull(p.out, msg)
	return msg, err
}

// kill ends the process. If it is called several times, the first reason is kept.
func (p *process) kill(why string) {
	if p.killed.CompareAndSwap(nil, &why) && (why == killHung || why == killIdle || why == killMemory) && hasPage {
		quit(p.cmd) // the process prints where it hangs or takes memory, and ends
		p.last.Store(time.AfterFunc(patience, func() { killGroup(p.cmd) }))
		return
	}
	killGroup(p.cmd)
}

// wait waits for the process to end. It does so once.
func (p *process) wait() {
	p.waited.Do(func() {
		if p.cmd != nil && p.cmd.Process != nil {
			// The process may have closed its connection without ending.
			timer := time.AfterFunc(patience, func() { p.kill(killHung) })
			defer timer.Stop()
			_ = p.cmd.Wait() // the process's state says how it ended
			killGroup(p.cmd) // the code under test may have started processes
			if t := p.last.Load(); t != nil {
				t.Stop()
			}
			p.state = p.cmd.ProcessState
		}
		p.drain.Wait()
	})
}

// end kills the process, if it is still running, and removes its files.
func (p *process) end() {
	if p.cmd != nil && p.cmd.Process != nil {
		p.kill(killEnd)
		p.wait()
	}
	for _, f := range []*os.File{p.in, p.outEnd} {
		if f != nil {
			f.Close()
		}
	}
	if p.page != nil {
		p.page.close()
	}
	_ = os.RemoveAll(p.dir) // the workspace is removed in the end, and that reports errors
}

// tail keeps the end of a process's output.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// maxTail is how many bytes of output are kept at least.
const maxTail = 1 << 18

func (t *tail) readAll(r io.ReadCloser) {
	defer r.Close()
	buf := make([]byte, 1<<15)
	for {
		n, err := r.Read(buf)
		t.mu.Lock()
		t.buf = append(t.buf, buf[:n]...)
		if len(t.buf) > 2*maxTail {
			t.buf = append(t.buf[:0], t.buf[len(t.buf)-maxTail:]...)
		}
		t.mu.Unlock()
		if err != nil {
			return // no process has the other end open any more
		}
	}
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

// longestSleep is how long a case may sleep where the package waits for the clock. Nobody wants a test that sleeps
// for longer, and all cases that come later would have to wait. The runs that only try a case end after a quarter of
// that, so that what a try accepts is accepted on a busier machine, too, and calls that wait for ever cost less.
const longestSleep = 500 * time.Millisecond

// briefSleep is how long a brief case may sleep, and one that is only tried where the package does not wait for the clock.
const briefSleep = 60 * time.Millisecond

// watch kills the process when a case computes for longer than the limit, is asleep for too long, takes too much
// memory, or the context ends. The result is a function that ends the watch.
func (h *Harness) watch(ctx context.Context, p *process, w watcher) (stop func()) {
	stopped := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		w.memory = h.cfg.memory()
		for {
			select {
			case <-stopped:
				return
			case <-ctx.Done():
				p.kill(killEnd)
				return
			case now := <-ticker.C:
				if why := w.look(p, now); why != "" {
					p.kill(why)
					return
				}
			}
		}
	}()
	return func() { close(stopped); <-ended }
}

// watcher is the state of a watch.
type watcher struct {
	limit  time.Duration
	asleep time.Duration           // how long a case may wait without computing
	sooner func(begun uint64) bool // reports whether a case has less time than others; nil means that none has
	memory int64
	ticks  int
	begun  uint64    // the case that was running at the last change
	since  time.Time // when the change was noticed
	cpu    time.Duration
	looked time.Time     // when the process was looked at last
	idle   time.Duration // for how long the case did not want the processor
}

// lookEvery is the time between two looks.
const lookEvery = 10 * time.Millisecond

// diskEvery is how many looks there are for one look at the disk. Between two looks at the disk a process may
// for a moment write more than it may keep.
const diskEvery = 16

// look returns the reason why the process has to be killed, or "".
func (w *watcher) look(p *process, now time.Time) string {
	w.ticks++
	begun, _, phase := p.page.read()
	if !hasPage {
		begun, phase = uint64(w.ticks/int(max(1, 2*w.limit/lookEvery))), assayrt.PhaseRun
	}
	if begun != w.begun || phase != assayrt.PhaseRun || w.since.IsZero() {
		w.begun, w.since, w.cpu, w.looked, w.idle = begun, now, -1, now, 0
		if w.ticks%8 != 0 {
			return ""
		}
	}
	cpu, rss, ok := usage(p.cmd.Process.Pid)
	if rss > w.memory {
		return killMemory
	}
	if w.ticks%diskEvery == 0 && (guard.Disk{Dirs: []string{p.dir}, Pid: p.cmd.Process.Pid}).Full() {
		return killDisk
	}
	wall := now.Sub(w.since)
	if !ok {
		if wall > 2*w.limit {
			return killHung
		}
		return ""
	}
	if w.cpu < 0 {
		w.cpu = cpu
	}
	used := cpu - w.cpu
	// On a busy machine the clock runs on while the case waits for the processor. That must not count,
	// because the results would otherwise depend on the other users of the machine.
	if !wanting(p.cmd.Process.Pid) {
		w.idle += min(now.Sub(w.looked), 2*lookEvery)
	}
	w.looked = now
	limit, asleep := w.limit, w.asleep
	if w.sooner != nil && w.sooner(begun) {
		limit, asleep = limit/soonerBy, asleep/soonerBy
	}
	switch {
	case used >= limit, // the case computes
		w.idle >= asleep && used <= w.limit/20, // the case waits
		w.idle+used >= 10*limit:                // the case does both
		if rss > w.memory*3/4 {
			return killMemory // the case computes because it collects garbage all the time
		}
		if w.idle > used {
			return killIdle
		}
		return killHung
	}
	return ""
}
