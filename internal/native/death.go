package native

import (
	"fmt"
	"go/token"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/contract"
	assayrt "github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// death is how a process ended in the middle of a case.
type death struct {
	status  testcase.Status
	message string
	kind    string // as in Finding.Kind; "" for an exit
	stack   []testcase.Frame
	// contract is where the innermost function that checks a contract was; it becomes testcase.Panic.Contract.
	contract token.Position
}

// death classifies the end of a process that was waited for, by the reason why it was killed, by its
// exit status and by the output of the Go runtime.
func (h *Harness) death(p *process) death {
	text := p.stderr.text()
	why := p.killed.Load()
	switch {
	case why != nil && (*why == killHung || *why == killIdle):
		d := hang(text, h.builder.read, sleep{idle: *why == killIdle, clocked: h.clocked})
		d.contract = contractPlace(text)
		return d
	case why != nil && *why == killMemory:
		return death{status: testcase.Died, message: killMemory, kind: "fatal", stack: h.memoryPlace(traceOf("\n" + text))}
	case why != nil && (*why == killDisk || *why == killGarbled):
		return death{status: testcase.Refused, message: *why}
	case why != nil:
		return death{status: testcase.NotRun, message: *why}
	}
	code := p.state.ExitCode()
	switch {
	case code == assayrt.ExitLost:
		return death{status: testcase.Refused, message: "it closed the harness's file descriptors"}
	case code == 66 && strings.Contains(text, "WARNING: DATA RACE"):
		return death{status: testcase.Died, message: "data race", kind: "fatal"}
	case code == 2:
		if d, ok := crash(text); ok {
			d.contract = contractPlace(text)
			if d.message == testcase.OutOfMemory {
				d.stack = h.memoryPlace(traceOf("\n" + text))
			}
			return d
		}
	case code < 0:
		return death{status: testcase.Died, message: p.state.String(), kind: "fatal"}
	}
	return death{status: testcase.Exited, message: fmt.Sprintf("exit status %d", code)}
}

// endless is the form of a report on code that does not return.
func endless() death {
	return death{status: testcase.Hung, message: "it did not return in time", kind: "hang"}
}

// hang reads the goroutines of a process that did not answer in time. The runtime does not report every
// deadlock itself: it reports none in programs with cgo, and none while a goroutine waits for a signal. If a
// stack is very deep, the process was killed shortly before the stack overflowed.
func hang(text string, source func(name string) ([]byte, error), s sleep) death {
	d := endless()
	trace := traceOf(text)
	stack := allFrames(trace)
	d.stack = firstFrames(stack)
	if c, ok := crash(text); ok && c.kind == "stack-overflow" {
		return c // the process was about to report the crash itself
	}
	if m := elided.FindStringSubmatch(text); m != nil && len(m[1]) >= 6 {
		d.status, d.kind, d.message = testcase.Died, "stack-overflow", "stack overflow"
		d.stack = firstFrames(recursionPlace(stack))
		return d
	}
	if isStuck(text) {
		return death{status: testcase.Refused, message: stuckBubble}
	}
	m := goroutineState.FindStringSubmatch(trace)
	if s.idle && s.clocked && m != nil && waitsForTimer(m[2]) {
		d.message = testcase.Slept
		d.stack = firstFrames(hangPlace(stack, source))
		return d
	}
	if allWait(text) {
		d.status, d.kind, d.message = testcase.Deadlock, "deadlock", "all goroutines are asleep - deadlock!"
		return d
	}
	switch {
	case !s.idle || m == nil:
	case waitsOutside(m[2]):
		d.message = testcase.WaitedOutside
	case !waitsForGoroutine(m[2]):
		// In a process that does not compute the goroutine sleeps again and again, and may just be between two sleeps.
		d.message = testcase.Slept
	}
	d.stack = firstFrames(hangPlace(stack, source))
	return d
}

// sleep says what is known of a process that did not answer in time: whether it computed nothing in most of its
// time, and whether the package under test waits for the clock at all.
type sleep struct{ idle, clocked bool }

// waitsForTimer reports whether a goroutine in this state may wait for the clock, where the package does so. If
// no timer were set, the runtime would have reported a deadlock itself.
func waitsForTimer(state string) bool {
	return state == "sleep" || strings.HasPrefix(state, "select") || strings.HasPrefix(state, "chan receive")
}

var elided = regexp.MustCompile(`\.\.\.(?:additional|(\d+)) frames elided`)

// goroutineState matches the head of a goroutine in a dump.
var goroutineState = regexp.MustCompile(`(?m)^goroutine (\d+) (?:gp=.* )?\[([^\],]*)`)

// allWait reports whether every goroutine of a dump waits for another one.
func allWait(text string) bool {
	list := goroutineState.FindAllStringSubmatch(text, -1)
	for _, m := range list {
		state := m[2]
		switch {
		case m[1] == "0": // a goroutine of the scheduler
		case waitsForGoroutine(state):
		case strings.Contains(state, "GC "), strings.Contains(state, "finalizer"), strings.Contains(state, "cleanup"),
			strings.Contains(state, "force gc"), strings.Contains(state, "debug call"):
		default:
			return false
		}
	}
	return len(list) > 0
}

// waitsForGoroutine reports whether a goroutine in this state waits for another one.
func waitsForGoroutine(state string) bool {
	return strings.HasPrefix(state, "chan ") || strings.HasPrefix(state, "select") || strings.HasPrefix(state, "sync.") || state == "semacquire"
}

// waitsOutside reports whether a goroutine in this state waits for the world outside of its process.
func waitsOutside(state string) bool { return state == "IO wait" || state == "syscall" }

// crash reads the Go runtime's report of a crash.
func crash(text string) (death, bool) {
	text = "\n" + text
	at, marker := -1, ""
	for _, m := range []string{"\nfatal error: ", "\npanic: ", "\nruntime: out of memory", "\nSIG"} {
		if i := strings.LastIndex(text, m); i > at {
			at, marker = i, m
		}
	}
	if at < 0 {
		return death{}, false
	}
	report := text[at+len(marker):]
	message, _, _ := strings.Cut(report, "\n")
	if d, ok := bubbleDeath(message, report); ok {
		return d, true
	}
	d := death{status: testcase.Died, message: message, kind: "fatal"}
	switch {
	case marker == "\npanic: ":
		message, _, _ = strings.Cut(report, "\n\ngoroutine ")
		if i := strings.LastIndex(message, "\n[signal "); i >= 0 {
			message = message[:i]
		}
		message, _, _ = strings.Cut(message, " [recovered")
		d.message = "panic: " + message
		d.kind = testcase.PanicKind(testcase.IsRuntimePanic(message), message)
		d.stack = firstStack(report)
	case strings.HasPrefix(message, "all goroutines are asleep"):
		d.status, d.kind = testcase.Deadlock, "deadlock"
		if d.stack = caseStack(report); d.stack == nil {
			d.stack = firstStack(report)
		}
	case strings.Contains(message, "stack overflow"):
		d.kind = "stack-overflow"
		trace, _ := firstTrace(report)
		d.stack = firstFrames(recursionPlace(allFrames(trace)))
	case strings.Contains(marker, "out of memory"), strings.Contains(message, "out of memory"), strings.Contains(message, "cannot allocate memory"):
		d.message = testcase.OutOfMemory
		d.stack = firstStack(report)
	default:
		d.stack = firstStack(report)
	}
	return d, true
}

// firstStack returns the frames of the first goroutine of a report.
func firstStack(report string) []testcase.Frame {
	trace, _ := firstTrace(report)
	return frames(trace)
}

// firstTrace returns the part of a report about its first goroutine.
func firstTrace(report string) (trace string, ok bool) {
	i := strings.Index(report, "\ngoroutine ")
	if i < 0 {
		return "", false
	}
	trace, _, _ = strings.Cut(report[i+1:], "\n\n")
	return trace, true
}

// caseStack returns the frames of the goroutine that executes the case.
func caseStack(report string) []testcase.Frame {
	trace, _ := caseTrace(report)
	return frames(trace)
}

// caseTrace returns the part of a report about the goroutine that executes the case.
func caseTrace(report string) (trace string, ok bool) {
	for _, trace := range strings.Split(report, "\n\n") {
		if strings.Contains(trace, "goroutine ") && strings.Contains(trace, "assayrt.(*executor).exec(") {
			return trace, true
		}
	}
	return "", false
}

// traceOf returns the part of a report about the goroutine that executes the case, or otherwise about the first one.
func traceOf(report string) string {
	trace, ok := caseTrace(report)
	if !ok {
		trace, _ = firstTrace(report)
	}
	return trace
}

// contractPlace returns where the innermost function that checks a contract was, according to a report on the end of a
// process. The result is zero if there is no such function.
func contractPlace(report string) token.Position {
	for _, f := range parseFrames(traceOf("\n" + report)) {
		if contract.Generated(f.Func) {
			return f.Pos
		}
	}
	return token.Position{}
}

var framePlace = regexp.MustCompile(`^\t(.*):(\d+)(?: .*)?$`)

// maxFrames is how many frames of an overflowing stack are kept.
const maxFrames = 30

// frames returns the innermost frames of a goroutine's stack.
func frames(trace string) []testcase.Frame {
	return firstFrames(allFrames(trace))
}

// firstFrames returns the innermost frames of a list, as many as are kept.
func firstFrames(stack []testcase.Frame) []testcase.Frame { return stack[:min(len(stack), maxFrames)] }

// allFrames returns the frames of a goroutine's stack without the runtime's own frames and the harness's.
func allFrames(trace string) []testcase.Frame {
	var out []testcase.Frame
	for _, f := range parseFrames(trace) {
		if !contract.Runs(f.Func) {
			f.Func = sourceName(f.Func)
			out = append(out, f)
		}
	}
	for len(out) > 0 && strings.HasPrefix(out[len(out)-1].Func, "reflect.Value.") {
		out = out[:len(out)-1]
	}
	return out
}

// parseFrames parses a goroutine's stack as the runtime prints it, up to the frames of the harness. It leaves out what the
// runtime calls, and keeps the functions that check contracts.
func parseFrames(trace string) []testcase.Frame {
	lines := strings.Split(trace, "\n")
	var out []testcase.Frame
	for i := 0; i+1 < len(lines); i++ {
		m := framePlace.FindStringSubmatch(lines[i+1])
		if m == nil {
			continue
		}
		name := strings.TrimPrefix(lines[i], "created by ")
		if name != lines[i] {
			break // the line "created by" is not a frame
		}
		if j := strings.LastIndex(name, "("); j > 0 {
			name = name[:j]
		}
		i++
		if strings.HasPrefix(name, "assayrt.(*executor)") {
			break
		}
		if strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "assayrt.") || strings.HasPrefix(name, "internal/runtime/") || name == "panic" {
			continue
		}
		line, err := strconv.Atoi(m[2])
		if err != nil {
			continue // the pattern has digits only; a number with too many digits is no line number
		}
		out = append(out, testcase.Frame{Func: name, Pos: token.Position{Filename: m[1], Line: line}})
	}
	return out
}

// outcome makes the death the outcome of a case.
func (d death) outcome(at int) *testcase.Outcome {
	o := &testcase.Outcome{Status: d.status, At: at, Message: d.message}
	if d.kind != "" {
		o.Panic = &testcase.Panic{Kind: d.kind, Message: strings.TrimPrefix(d.message, "panic: "), Stack: d.stack, Contract: d.contract}
		o.Panic.Runtime = testcase.IsRuntimePanic(o.Panic.Message)
	}
	return o
}

// sourceName returns the name of a function with the path of its package as the source has it. The linker
// escapes some characters of a path, among them dots in its last element: gopkg.in/yaml%2ev3.Unmarshal.
func sourceName(symbol string) string {
	if !strings.Contains(symbol, "%") {
		return symbol
	}
	name, err := url.PathUnescape(symbol)
	if err != nil {
		return symbol // the linker has not escaped it
	}
	return name
}

// maxDumb is how often a case that hangs in an unknown place runs again.
const maxDumb = 3

// ending says how a process ended.
type ending struct {
	left    []*prepared // the cases that were sent to the process and have no outcome
	level   int         // how much the process captured of a case
	orderly bool        // the process ended itself, because goroutines were left over
	strikes int         // how many processes in a row have ended without an outcome
}

// bury finds out which case ended a process, and gives it its outcome or puts it into the queue to be run
// again. It returns the queue.
func (h *Harness) bury(p *process, queue []*prepared, e ending) []*prepared {
	p.wait()
	begun, stmt, phase := p.page.read()
	if !hasPage {
		begun, phase = p.acked+1, assayrt.PhaseRun
	}
	d := h.death(p)
	running := int(begun) - int(p.acked) // which case of e.left ran, counted from 1
	first := begun == 1
	p.end()
	if d.message == killGarbled {
		running, stmt, phase, first = 1, 0, assayrt.PhaseRun, p.acked == 0 // the process went on with other cases meanwhile
	}
	if e.orderly || d.status == testcase.NotRun {
		return queue
	}
	if phase != assayrt.PhaseRun && phase != assayrt.PhaseSend || running < 1 || running > len(e.left) {
		// The process died between cases, because of state that an earlier one left behind.
		if e.strikes < 3 {
			return queue
		}
		running, stmt = 1, 0
	}
	c := e.left[running-1]
	if d.status == testcase.Hung && h.bubbles.MayWait(c.seq) {
		// It has taken all of its time with the ticks of a clock that goes on and on. Outside of a bubble it would sleep.
		d.message = testcase.Slept
	}
	// The Go runtime sometimes cannot say where a process hangs.
	dumb := d.status == testcase.Hung && d.stack == nil && hasPage && c.dumb < maxDumb
	if (!first && !c.suspect || dumb) && !c.once && !probing(e.level) {
		// An earlier case may be to blame, so this one runs again by itself.
		c.suspect = true
		if dumb {
			c.dumb++
		}
		h.logf("%s: process %d ended (%s: %s); its case is tried again", h.pkg.Path, h.starts, d.status, d.message)
	} else {
		c.suspect = false
		c.out.Outcome = d.outcome(int(stmt))
		h.logf("%s: process %d ended (%s: %s): %s", h.pkg.Path, h.starts, d.status, d.message, c.seq)
		if c.hasty || probing(e.level) {
			h.hung.note(c.seq, int(stmt), d.status)
		}
	}
	next := make([]*prepared, 0, len(queue))
	if c.out.Outcome == nil {
		next = append(next, c)
	}
	for _, q := range queue {
		if q != c {
			next = append(next, q)
		}
	}
	h.suspects.note(c.seq, d.status)
	h.suspects.last(next)
	return next
}
