package assayrt

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Main serves sequences until the parent closes its end of the connection. It returns at once if the process
// was not started by package native.
func Main(r *Registry) {
	spec := os.Getenv(Env)
	if spec == "" {
		return
	}
	os.Unsetenv(Env)
	// Go allows 1 GB of stack, which takes long to fill and exceeds the memory limit.
	debug.SetMaxStack(32 << 20)
	conn := openConn(spec)
	h := &server{conn: conn}
	cover := newCoverage(r)
	h.x = &executor{reg: r, cover: cover, cap: newCapturer(r, cover), progress: &conn.progress, locks: findLocks(r)}
	h.x.watch = newWatch(r)
	h.x.home, _ = syscall.Getwd() // without its name, the directory is not watched
	h.x.progress.phase(PhaseIdle)
	var w Writer
	w.Byte(MsgHello)
	w.Str(r.ID)
	w.Num(max(len(r.Cover), len(r.Cover32)))
	h.send(w.Buf)
	h.flush()
	h.goroutines = runtime.NumGoroutine() + 1
	// The worker is a goroutine of its own, because the code under test may end it.
	for !h.closed {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer h.leave()
			h.x.worker = goroutine()
			h.serve()
		}()
		<-done
	}
}

// server reads messages and executes them.
type server struct {
	conn       *conn
	x          *executor
	out        []byte // bytes to be sent
	closed     bool
	goroutines int    // as many as there are between cases
	stacks     []byte // see allBlocked

	// The batch being executed. It is kept here because a case may end the goroutine.
	batch   Reader
	left    int
	open    bool // the end of the batch was not announced yet
	running bool // a case has begun, and its outcome is not sent yet
	leaves  bool // the bubble of the case had goroutines at its end
	level   int
	each    bool
	buf     Writer
	stmts   []statement
}

// flushAt is how many bytes are collected before they are sent.
const flushAt = 1 << 16

// serve executes the rest of the batch, then further batches.
func (h *server) serve() {
	for {
		for h.left > 0 {
			h.left--
			h.next()
		}
		if h.open {
			h.open = false
			h.send([]byte{MsgDone})
			h.flush()
		}
		h.x.progress.phase(PhaseIdle)
		msg := h.conn.readFrame()
		if msg == nil {
			h.closed = true
			return
		}
		h.batch = Reader{Buf: msg}
		if msg[0] == MsgSearch {
			h.batch.Off = 1
			h.search(&h.batch)
			continue
		}
		h.define()
	}
}

// define reads the head of a batch.
func (h *server) define() {
	r := &h.batch
	if r.Byte() != MsgBatch {
		panic("bug: assayrt: unknown message")
	}
	h.level = int(r.Byte())
	h.each = r.Bool()
	for range r.Count() {
		t := h.x.readType(r)
		if _, ok := h.x.cap.known[t]; !ok {
			h.x.cap.known[t] = len(h.x.types)
		}
		h.x.types = append(h.x.types, t)
	}
	for range r.Count() {
		id := r.Num()
		for id >= len(h.x.ops) {
			h.x.ops = append(h.x.ops, make([]operation, id+1-len(h.x.ops)+len(h.x.ops)/4)...)
		}
		h.x.ops[id] = h.x.readOp(r)
	}
	h.left = r.Num()
	h.open = true
	if r.Bad {
		panic("bug: assayrt: malformed batch")
	}
}

// next executes the next sequence of the batch.
func (h *server) next() {
	r := &h.batch
	if h.x.reg.Variant != nil {
		*h.x.reg.Variant = r.Num()
		*h.x.reg.Fuel = r.Num()
		descending = descends != r.Bool()
	}
	h.x.bubbled = enterBubble != nil && r.Bool()
	n := r.Count()
	for len(h.stmts) < n {
		h.stmts = append(h.stmts, statement{})
	}
	stmts := h.stmts[:n]
	for i := range stmts {
		s := &stmts[i]
		s.op = r.Num()
		s.args = s.args[:0]
		for range r.Count() {
			a := r.Num()
			result := 0
			if a&1 != 0 {
				result = r.Num()
			}
			s.args = append(s.args, [2]int{a >> 1, result})
		}
	}
	if r.Bad {
		panic("bug: assayrt: malformed sequence")
	}
	h.x.progress.begin()
	h.buf.Buf = append(h.buf.Buf[:0], MsgOutcome)
	h.running = true
	if h.x.bubbled {
		h.leaves = h.inBubble(stmts)
	} else {
		h.x.runCase(stmts, h.level, &h.buf)
	}
	h.letRun()
	h.finishCase()
}

// enterBubble and settle are Run and Wait of internal/synctest in harnesses of packages whose tests may use bubbles, and nil in
// others: the file that sets them is compiled only there, because older standard libraries have no such package.
var (
	enterBubble func(f func())
	settle      func()
)

// inBubble executes a case in a bubble, as synctest.Test does with a test. The clock of a bubble begins at midnight of the first
// of January 2000, and goes on only while all goroutines of the bubble wait, by as much as they wait for. The result says whether
// goroutines of the case were left that nothing can wake any more. If the case itself waits for ever, the process ends with
// the runtime's report.
func (h *server) inBubble(stmts []statement) (leaves bool) {
	worker, ended := h.x.worker, false
	defer func() {
		h.x.worker = worker
		if !ended {
			debug.SetTraceback("all") // the report shows where the case waits
			return
		}
		if v := recover(); v != nil {
			if err, ok := v.(error); !ok || !strings.HasPrefix(err.Error(), "deadlock: ") {
				panic(v)
			}
			leaves = true
		}
	}()
	enterBubble(func() {
		defer func() { ended = true }()
		h.x.worker = goroutine()
		h.x.runCase(stmts, h.level, &h.buf)
	})
	return false
}

// leave runs at the end of the worker. The worker may end in the middle of a case that ends its goroutine;
// then the outcome of the case is there. A panic at that point is ours, and is not recovered.
func (h *server) leave() {
	if h.running && exiting() {
		h.finishCase()
	}
}

// letRun gives goroutines that the case has started a moment before its outcome is sent. If one of them panics, the process
// dies of this case, and not of one of those behind it, and the case becomes no test that fails now and then.
//
// It yields and does not sleep: the shortest sleep of a process in which nothing else runs is a millisecond, five times as long as what is wanted.
func (h *server) letRun() {
	const moment = 200 * time.Microsecond
	begin := time.Now()
	for range settleYields {
		if h.leaves || runtime.NumGoroutine() <= h.goroutines {
			return
		}
		runtime.Gosched()
	}
	for time.Since(begin) < moment {
		runtime.Gosched()
	}
}

// finishCase sends the outcome of a case and cleans up after the case.
func (h *server) finishCase() {
	h.running = false
	leaves := h.leaves
	h.leaves = false
	if enterBubble != nil {
		h.buf.Bool(leaves)
	}
	h.send(h.buf.Buf)
	if h.each || len(h.out) >= flushAt {
		h.flush()
	}
	h.conn.tidy()
	n := runtime.NumGoroutine()
	switch {
	case h.x.homeless: // the parent makes another directory
		h.restart()
	case n <= h.goroutines:
	case leaves && n < maxBlocked:
		h.goroutines = n // nothing wakes the goroutines of a bubble that has ended
	default:
		h.settle()
	}
}

// Goroutines that outlive their case share the process with later ones. They are given a moment to end. A
// number of blocked goroutines may stay. If one still runs or sleeps, the process is replaced, because the
// goroutine would disturb the observation of later cases.
const (
	maxBlocked   = 200
	settleYields = 20
	settleSleeps = 10
)

func (h *server) settle() {
	for range settleYields {
		runtime.Gosched()
		if runtime.NumGoroutine() <= h.goroutines {
			return
		}
	}
	for range settleSleeps {
		if n := runtime.NumGoroutine(); n <= h.goroutines {
			return
		} else if n < maxBlocked && h.allBlocked() {
			h.goroutines = n
			return
		}
		time.Sleep(200 * time.Microsecond)
	}
	h.restart()
}

// restart asks the parent for another process in the place of this one, and ends this one.
func (h *server) restart() {
	h.send([]byte{MsgRestart})
	h.flush()
	os.Exit(0)
}

// allBlocked reports whether all goroutines but this one wait for one another. The buffer for their stacks is kept: with a new
// one for each case the collector would look through what goroutines have left after every few cases.
func (h *server) allBlocked() bool {
	if h.stacks == nil {
		h.stacks = make([]byte, 1<<20)
	}
	buf := h.stacks[:runtime.Stack(h.stacks, true)]
	first := true
	for len(buf) > 0 {
		g, rest, _ := bytes.Cut(buf, []byte("\n\n"))
		buf = rest
		if first {
			first = false
			continue
		}
		head, _, _ := bytes.Cut(g, []byte("\n"))
		line := string(head)
		_, state, _ := strings.Cut(line, "[")
		if strings.Contains(state, "synctest bubble") {
			continue // its bubble has ended, and nothing wakes it
		}
		state = strings.TrimRight(state, "]:")
		state, _, _ = strings.Cut(state, ",")
		switch {
		case strings.HasPrefix(state, "chan "), strings.HasPrefix(state, "select"),
			strings.HasPrefix(state, "sync."), state == "semacquire":
		default:
			return false
		}
	}
	return true
}

// send queues a message.
func (h *server) send(msg []byte) {
	h.out = binary.LittleEndian.AppendUint32(h.out, uint32(len(msg)))
	h.out = append(h.out, msg...)
}

// flush writes the queued bytes. That the parent is slow to read them is no fault of the case that runs.
func (h *server) flush() {
	was := h.x.progress.current()
	h.x.progress.phase(PhaseSend)
	h.conn.write(h.out)
	h.x.progress.phase(was)
	h.out = h.out[:0]
}

// progress is a page of memory in which the parent can see which case is running, even after this
// process has died. It may be absent.
type progress struct{ cases, stmts, phases *uint64 }

func (p *progress) begin() {
	if p.cases != nil {
		atomic.StoreUint64(p.stmts, 0)
		atomic.StoreUint64(p.phases, PhaseRun)
		atomic.AddUint64(p.cases, 1)
	}
}

func (p *progress) stmt(i int) {
	if p.stmts != nil {
		atomic.StoreUint64(p.stmts, uint64(i))
	}
}

func (p *progress) current() uint64 {
	if p.phases == nil {
		return PhaseIdle
	}
	return atomic.LoadUint64(p.phases)
}

func (p *progress) phase(ph uint64) {
	if p.phases != nil {
		atomic.StoreUint64(p.phases, ph)
	}
}

// descriptors parses the value of Env: numbers separated by commas.
func descriptors(spec string) []int {
	var out []int
	for f := range strings.SplitSeq(spec, ",") {
		n, err := strconv.Atoi(f)
		if err != nil {
			panic("bug: assayrt: " + Env + "=" + spec)
		}
		out = append(out, n)
	}
	return out
}
