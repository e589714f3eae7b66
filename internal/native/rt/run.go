package assayrt

import (
	"maps"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// flags of an outcome.
const (
	FlagPanic    = 1 << iota // a panic follows
	FlagViolated             // an assertion was violated
	FlagResults              // results follow
	FlagFinal                // the last statement's arguments after it follow
	FlagHashes               // hashes of results follow
	FlagMessage              // a message follows
	FlagDisliked             // preferences did not hold
	FlagCalled               // closures made calls
	FlagHeld                 // a lock of the package was held at the end
	FlagCost                 // the number of bytes follows that the last statement has allocated, and its time
)

// statement is one decoded statement of a case.
type statement struct {
	op   int
	args [][2]int // for each argument the statement and the result
}

// runCase executes a sequence and writes its outcome to w. If the code under test ends the goroutine,
// the outcome is still written, and runCase does not return.
func (x *executor) runCase(stmts []statement, level int, w *Writer) {
	x.slots, x.base, x.at, x.refused = x.slots[:0], x.base[:0], 0, ""
	x.discarded.Store(false)
	x.endless.Store(false)
	turns.Store(0)
	x.violated.Store(0)
	x.ended.Store(false)
	x.disliked.Store(0)
	x.called.Store(0)
	x.held, x.cost, x.took = false, 0, 0
	x.cap.begin()
	mark := len(w.Buf)
	results := &x.results
	results.Buf = results.Buf[:0]
	x.captured, x.capturing, x.cap.hashing, x.final = 0, false, false, x.final[:0]
	level = x.mode(level)
	finished := false
	begin := x.numbers()
	defer func() {
		if finished {
			return
		}
		running.Store(nil)
		if len(w.Buf) > mark {
			// The panic occurred while a value was being described. Numbers that were given out meanwhile are
			// taken back, because they are not sent.
			w.Buf = w.Buf[:mark]
			x.forget(x.numbered)
		}
		v := recover()
		if v == nil && !exiting() {
			v = nilPanic
		}
		x.broken(v, begin, level, w)
		x.restore()
	}()

	x.cover.clear()
	running.Store(x)
	waits := x.pausesFrom(stmts, level)
	for i := range stmts {
		s := &stmts[i]
		x.at = i
		x.progress.stmt(i)
		x.findArguments(s)
		if i == len(stmts)-1 {
			x.final = append(x.final, x.args...)
		}
		x.base = append(x.base, len(x.slots))
		if i > 0 && i >= waits {
			x.letTimePass(s)
		}
		x.execCounting(&x.ops[s.op], level == CaptureCost && i == len(stmts)-1)
		if x.bubbled && x.ops[s.op].sleeps {
			settle() // others wake at the same moment, and tests wait for them, too
		}
		if level == CaptureAll {
			x.capturing = true
			x.cap.values(results, x.slots[x.base[i]:])
			x.capturing = false
			x.captured++
		}
		if x.violated.Load() != 0 {
			break // the case ends here, because later statements say nothing about the cause of a broken assertion
		}
	}
	running.Store(nil)
	status := StatusReturned
	if x.discarded.Load() {
		status = StatusDiscarded // another goroutine has violated an assumption
	}
	if x.strays() {
		status = StatusRefused
	}
	x.held = x.unlock()
	x.outcome(w, status, level, nil, results.Buf)
	finished = true
	x.restore()
}

// findArguments finds the slots of a statement's arguments.
func (x *executor) findArguments(s *statement) {
	x.args = x.argbuf[:0]
	for _, a := range s.args {
		x.args = append(x.args, x.base[a[0]]+a[1])
	}
	x.argbuf = x.args[:0]
}

// mode sets what is asked of a case beside what is captured, and returns how that is captured.
func (x *executor) mode(level int) int {
	x.watching, x.inCheck, x.inside = level == CaptureCheck, false, level == CaptureInside
	switch {
	case x.watching:
		return CaptureHash
	case x.inside:
		x.entered = make(map[int]bool)
		return CaptureNone
	}
	return level
}

// pausesFrom returns the number of the statement from which on time passes before each call of a case.
func (x *executor) pausesFrom(stmts []statement, level int) int {
	if x.bubbled && descends && level == CaptureAll {
		return 0
	}
	if x.bubbled || !slowly || level != CaptureAll {
		return len(stmts)
	}
	n := 0
	for i := len(stmts) - 1; i >= 0; i-- {
		if x.ops[stmts[i].op].isCall() {
			if n++; n == mostPauses {
				return i
			}
		}
	}
	return 0
}

// letTimePass lets some time pass before a statement that is a call. In a bubble the time would be part of what the case does.
// There the goroutines of the case go on until all of them wait, which is the other extreme to first runs, where they have
// only gone on when the case waited.
func (x *executor) letTimePass(s *statement) {
	switch {
	case !x.ops[s.op].isCall():
	case x.bubbled:
		settle()
	default:
		time.Sleep(between)
	}
}

// execCounting executes an operation. If asked to, it counts the bytes that the operation allocates.
func (x *executor) execCounting(o *operation, wanted bool) {
	if !wanted {
		x.exec(o)
		return
	}
	before := allocated()
	start := time.Now()
	x.exec(o)
	x.took = time.Since(start) // 0 where the clock stands still while code runs
	x.cost = allocated() - before
}

// allocated returns how many bytes the process has allocated so far, including freed ones.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// broken writes the outcome of a sequence that was not completed: The parameter v is the value of the panic,
// or nil if the code has ended the goroutine. If describing fails, numbers given out since begin are not
// sent.
func (x *executor) broken(v any, begin numbers, level int, w *Writer) {
	switch r := v.(type) {
	case nil: // the goroutine has called runtime.Goexit
		if x.endless.Load() {
			x.hangs(w)
			return
		}
		status := StatusGoexit
		if x.inCheck {
			status, x.refused = StatusRefused, "a contract ends the goroutine"
		}
		if x.discarded.Load() {
			status = StatusDiscarded
		}
		if x.ended.Load() && status == StatusGoexit {
			status = StatusReturned
		}
		x.held = x.unlock()
		x.outcome(w, status, level, nil, x.results.Buf)
	case refusal:
		x.refused = string(r)
		x.outcome(w, StatusRefused, level, nil, x.results.Buf)
	default:
		_, fault := v.(runtime.Error)
		if s, ok := v.(string); ok && strings.HasPrefix(s, "bug: assayrt") || x.capturing && !fault {
			panic(v) // the panic is ours, not that of the code under test
		}
		x.held = x.unlock()
		if x.capturing {
			// The code has used unsafe to make a value that is not valid for its type.
			x.capturing, x.cap.hashing = false, false
			x.forget(begin)
			x.refused = "what it made cannot be read"
			x.outcome(w, StatusRefused, CaptureNone, nil, nil)
		} else if x.strays() {
			x.outcome(w, StatusRefused, level, nil, x.results.Buf)
		} else {
			x.outcome(w, StatusPanicked, level, v, x.results.Buf)
		}
	}
}

// hangs writes the outcome of a sequence that was ended because it took too many turns, in its last statement
// or in the contract that is checked behind it.
func (x *executor) hangs(w *Writer) {
	x.held = x.unlock()
	if x.inCheck {
		x.inCheck = false
		x.at++ // as if the process had been ended at the check behind the statement
	}
	x.outcome(w, StatusHung, CaptureNone, "it took too many turns", nil)
}

// numbers says how many sets of blocks, types and stacks have numbers. Each of them is described when it gets
// its number.
type numbers struct{ covers, types, stacks int }

func (x *executor) numbers() numbers {
	return numbers{len(x.cover.seen), len(x.cap.types), len(x.stacks.seen)}
}

// forget takes back the numbers that were given out since there were n.
func (x *executor) forget(n numbers) {
	forget(x.cover.seen, n.covers)
	forget(x.cap.types, n.types)
	forget(x.stacks.seen, n.stacks)
}

func forget[K comparable](numbered map[K]int, n int) {
	maps.DeleteFunc(numbered, func(_ K, id int) bool { return id >= n })
}

// nilPanic is the value of a panic with nil. In modules with a version of Go before 1.21, recover returns nil
// for such a panic, as if there were none.
const nilPanic = "panic called with nil argument"

// exiting is called by a deferred function. It reports whether the function runs because of runtime.Goexit
// and not because of a panic.
func exiting() bool {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.Goexit":
			return true
		case f.Function == "runtime.gopanic" || !more:
			return false
		}
	}
}

// strays reports whether the case has changed the working directory, which all cases and tests share,
// and changes it back. Such a case is not used.
func (x *executor) strays() bool {
	if wd, err := syscall.Getwd(); x.home == "" || err == nil && wd == x.home {
		return false
	}
	x.refused = "it changes the working directory"
	if err := syscall.Chdir(x.home); err != nil {
		x.refused, x.homeless = "it removes the working directory", true
	}
	return true
}

// outcome writes the outcome of the case. If the status is a panic, its value follows.
func (x *executor) outcome(w *Writer, status, level int, panicked any, results []byte) {
	x.numbered = x.numbers()
	w.Byte(byte(status))
	w.Num(x.at)
	// The coverage is sent before methods of the code under test are called to describe values.
	x.cover.send(w)
	flags := x.flags(status, level)
	w.Num(flags)
	// The parts follow the flags as they were read once, because another goroutine may set these facts
	// meanwhile.
	if flags&FlagViolated != 0 {
		w.Num(int(x.violated.Load() - 1))
	}
	if flags&FlagDisliked != 0 {
		w.Num(int(x.disliked.Load()))
	}
	if flags&FlagCalled != 0 {
		w.Num(int(x.called.Load()))
	}
	if flags&FlagMessage != 0 {
		w.Str(x.refused)
	}
	if flags&FlagCost != 0 {
		w.Bits(x.cost)
		w.Bits(uint64(x.took))
	}
	// Parts are sent in the order in which they were captured, because later parts refer to types that
	// earlier ones describe.
	if flags&FlagHashes != 0 {
		results := x.slots[x.base[x.at]:]
		x.hashbuf = x.hashbuf[:0]
		x.capturing = true
		x.hashes(w, results)
		x.hashes(w, x.finals())
		x.capturing = false
		x.check(w, results)
	}
	switch {
	case flags&FlagResults == 0:
	case level == CaptureAll:
		w.Num(0) // the number of the first statement with results
		w.Num(x.captured)
		w.Buf = append(w.Buf, results...)
	default:
		w.Num(x.at)
		w.Num(1)
		x.capturing = true
		x.cap.values(w, x.slots[x.base[x.at]:])
		x.capturing = false
	}
	if flags&FlagPanic != 0 {
		x.panicked(w, panicked)
	}
	if flags&FlagFinal != 0 {
		x.capturing = true
		x.cap.values(w, x.finals())
		x.capturing = false
	}
}

// flags says which parts of an outcome follow.
func (x *executor) flags(status, level int) int {
	flags := 0
	add := func(flag int, when bool) {
		if when {
			flags |= flag
		}
	}
	add(FlagPanic, status == StatusPanicked || status == StatusHung)
	add(FlagViolated, x.violated.Load() != 0 && (status != StatusPanicked || !x.late.Load()))
	add(FlagDisliked, x.disliked.Load() != 0)
	add(FlagCalled, x.called.Load() != 0 && level == CaptureHash)
	final := len(x.base) > 0 && (status == StatusReturned || status == StatusPanicked)
	add(FlagResults, level == CaptureAll || level == CaptureLast && status == StatusReturned)
	add(FlagFinal, level == CaptureAll && final || level == CaptureLast && status == StatusReturned)
	add(FlagHashes, level == CaptureHash && status == StatusReturned)
	add(FlagMessage, x.refused != "")
	add(FlagHeld, x.held)
	add(FlagCost, level == CaptureCost && status == StatusReturned)
	return flags
}

// finals returns the arguments of the last statement as they are now.
func (x *executor) finals() []reflect.Value {
	x.finalbuf = x.finalbuf[:0]
	for _, s := range x.final {
		x.finalbuf = append(x.finalbuf, x.slots[s])
	}
	return x.finalbuf
}

// hashes writes a hash of each value. Values with equal observations have equal hashes.
func (x *executor) hashes(w *Writer, vs []reflect.Value) {
	w.Num(len(vs))
	for _, v := range vs {
		h := x.cap.hash(v)
		x.hashbuf = append(x.hashbuf, h)
		w.Bits(h)
	}
}

// check writes which contracts are broken by the results and the last statement's arguments. Their hashes are
// in hashbuf. If the process ends meanwhile, the parent sees it by the number of the statement, which is one
// behind the last.
func (x *executor) check(w *Writer, results []reflect.Value) {
	x.watch.found = x.watch.found[:0]
	if x.watching {
		x.inCheck = true
		x.progress.stmt(x.at + 1)
		for i, h := range x.hashbuf {
			v := reflect.Value{}
			if i < len(results) {
				v = results[i]
			} else {
				v = x.finalbuf[i-len(results)]
			}
			x.watch.object(i, v, h)
		}
		x.inCheck = false
	}
	w.Num(len(x.watch.found))
	for _, b := range x.watch.found {
		w.Num(b.value)
		w.Num(b.fn)
	}
}

// panicked describes the panic that is being recovered. Only the deferred function may call it, because the
// panic's stack is gone afterwards.
func (x *executor) panicked(w *Writer, v any) {
	rt, isRuntime := v.(runtime.Error)
	w.Bool(isRuntime)
	if isRuntime {
		w.Str(rt.Error())
	} else {
		w.Str(panicMessage(v))
	}
	x.stacks.send(w)
	e := reflect.New(reflect.TypeFor[any]()).Elem()
	if v != nil {
		e.Set(reflect.ValueOf(v))
	}
	x.cap.values(w, []reflect.Value{e})
}

// restore undoes the changes that the case's own statements made to globals, gives back what its helpers were lent, and
// releases the case's values.
func (x *executor) restore() {
	for i := len(x.undo) - 1; i >= 0; i-- {
		x.undo[i].varp.Set(x.undo[i].old)
	}
	x.undo = x.undo[:0]
	lent.giveBack()
	clear(x.slots)
}
