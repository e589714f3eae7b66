package native

import (
	"context"
	"errors"
	"go/types"

	assayrt "github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// Capture says how much is observed of a case. Status, panic and coverage are always observed.
type Capture uint8

// How much is observed of a case.
const (
	CaptureAll    Capture = iota // the results of each statement, and the last statement's arguments after it
	CaptureLast                  // the results of the last statement, and its arguments after it
	CaptureNone                  // only status, panic and coverage
	CaptureCost                  // in addition to these, how many bytes the last statement allocates, and how long it takes
	CaptureInside                // as CaptureNone, and calls inside the package go by the contracts of what they call
)

func (c Capture) level() int {
	return [...]int{assayrt.CaptureAll, assayrt.CaptureLast, assayrt.CaptureNone, assayrt.CaptureCost, assayrt.CaptureInside}[c]
}

// Options says how sequences are run. The zero value observes everything once.
type Options struct {
	Capture Capture
	// Twice makes every sequence run again, in another process, in the opposite order, with another
	// number of processors, in another time zone, and with loops over maps that go the other way. If the
	// package asks for the time, some time passes between the calls.
	// Values that differ become Opaque, and the outcome Unstable.
	Twice bool
	// Fresh makes every sequence run in a process of its own, so that it sees no state of earlier sequences.
	Fresh bool
	// Hasty gives each sequence a tenth of the time. A sequence that ended the process is not run again,
	// although an earlier one may be to blame. It is meant for proposals, which are dropped unless they
	// return.
	Hasty bool
}

// Run runs the sequences and returns an outcome for each, in their order. An error means that the
// harness itself failed or the context ended; the outcomes so far are returned with it, and the others
// are NotRun.
func (h *Harness) Run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	return h.RunWith(ctx, seqs, Options{})
}

// RunTwice does the same as RunWith with the option Twice.
func (h *Harness) RunTwice(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	return h.RunWith(ctx, seqs, Options{Twice: true})
}

// RunWith runs the sequences as the options say.
func (h *Harness) RunWith(ctx context.Context, seqs []*testcase.Sequence, opt Options) ([]*testcase.Outcome, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	cases, err := h.prepare(ctx, unprepared(seqs))
	if err != nil {
		return outcomes(cases), err
	}
	for _, c := range cases {
		c.hasty, c.brief, c.once = opt.Hasty, opt.Hasty, c.once || opt.Hasty
	}
	err = h.runAll(ctx, &h.main, cases, conditions{firstRun(), opt.Capture.level(), opt.Fresh})
	first := outcomes(cases)
	if err != nil || !opt.Twice {
		return first, err
	}
	again := make([]*prepared, len(cases))
	for i, c := range cases {
		again[len(cases)-1-i] = c.asBeforeRun()
	}
	err = h.runAll(ctx, &h.other, again, conditions{h.secondRun(), opt.Capture.level(), opt.Fresh})
	if err != nil {
		return first, err
	}
	mergeAgain(first, again)
	return first, nil
}

// Probe is what a generator needs to know about a case: how it ended, what it covered, and hashes of
// its results.
type Probe struct {
	*testcase.Outcome
	// Results are hashes of the last statement's results. Args are hashes of its arguments after the call.
	// Values whose observations are equal have the same hash in every process. Both fields are nil unless the
	// case returned.
	Results, Args []uint64
	// Broken are the contracts that the results and arguments break. Objects that equal an earlier
	// object are not checked. It is nil unless ProbeChecked was called.
	Broken []Broken
	// Called is how many calls of methods the case's closures made.
	Called int
}

// Broken is a contract that an object does not keep.
type Broken struct {
	Value int // the object's number among the results, then the arguments, of the last statement
	Check *testcase.Check
}

// NilHash is the hash of a nil pointer, slice, map, channel, function or interface.
func NilHash() uint64 { return assayrt.Hash([]byte{assayrt.KNil}) }

// probing reports whether cases at this level run for a generator.
func probing(level int) bool { return level == assayrt.CaptureHash || level == assayrt.CaptureCheck }

// haste is how many times less time a probed or hasty case has.
const haste = 10

// Probe runs the sequences for a generator. It is faster than Run: a case has a tenth of the time, and
// a case that ended the process is not run again, although an earlier case may be to blame.
func (h *Harness) Probe(ctx context.Context, seqs []*testcase.Sequence) ([]Probe, error) {
	return h.probe(ctx, seqs, assayrt.CaptureHash, false)
}

// ProbeBriefly does the same as Probe, but where the package waits for the clock a case may hardly sleep. It is meant
// for smaller forms of a sequence: without the setting that makes a wait short, the sequence would do the
// same and take far longer.
func (h *Harness) ProbeBriefly(ctx context.Context, seqs []*testcase.Sequence) ([]Probe, error) {
	return h.probe(ctx, seqs, assayrt.CaptureHash, true)
}

// Watch says which contracts ProbeChecked checks, in addition to those of Config.Checks.
func (h *Harness) Watch(checks []*testcase.Check) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range checks {
		h.reg.try(h.reg.registerCheck(c))
	}
}

// ProbeChecked does the same as Probe, and also checks contracts of each new object. If a check hangs or ends the process, the outcome says that the
// case ended at the statement behind its last one.
func (h *Harness) ProbeChecked(ctx context.Context, seqs []*testcase.Sequence) ([]Probe, error) {
	return h.probe(ctx, seqs, assayrt.CaptureCheck, false)
}

func (h *Harness) probe(ctx context.Context, seqs []*testcase.Sequence, level int, brief bool) ([]Probe, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	cases, err := h.prepare(ctx, unprepared(seqs))
	for _, c := range cases {
		c.brief = brief
	}
	if err == nil {
		err = h.runAll(ctx, &h.main, cases, conditions{variation: firstRun(), level: level})
	}
	out := make([]Probe, len(cases))
	for i, o := range outcomes(cases) {
		d := &cases[i].out
		out[i] = Probe{o, d.results, d.final, d.broken, d.called}
	}
	return out, err
}

// Fresh makes the sequences of the next call run in new processes, in which the code under test has no state
// from earlier sequences.
func (h *Harness) Fresh() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range []**process{&h.main, &h.other} {
		if *p != nil && (*p).acked > 0 {
			(*p).end()
			*p = nil
		}
	}
}

// prepared is a sequence on its way through the harness.
type prepared struct {
	seq     *testcase.Sequence
	body    []byte  // encoded
	ops     []int32 // the numbers of the operations in it
	results [][]types.Type
	args    []types.Type // the types of the last statement's arguments
	out     detail
	suspect bool // a process died while the case ran; it runs again, as the first case of a new process
	dumb    int  // how often the case hung in an unknown place

	variant, fuel int
	descending    bool // loops over maps go from the largest key to the smallest
	once          bool // the case is not run again
	hasty         bool // the case has less time than others
	brief         bool // the case may hardly sleep, where the package waits for the clock
}

// asBeforeRun returns c as it was before it ran. A sequence that was refused stays refused.
func (c *prepared) asBeforeRun() *prepared {
	n := &prepared{seq: c.seq, body: c.body, ops: c.ops, results: c.results, args: c.args, variant: c.variant, fuel: c.fuel, descending: c.descending, hasty: c.hasty, brief: c.brief, once: c.once}
	if c.body == nil {
		n.out = c.out
	}
	return n
}

// mergeAgain merges the outcomes of a second run, which went through the cases backwards, with those of the first. A case may have been left
// out of the second run.
func mergeAgain(first []*testcase.Outcome, again []*prepared) {
	for i, c := range again {
		if c.out.Outcome != nil {
			Merge(first[len(first)-1-i], c.out.Outcome)
		}
	}
}

func outcomes(cases []*prepared) []*testcase.Outcome {
	out := make([]*testcase.Outcome, len(cases))
	for i, c := range cases {
		out[i] = c.out.Outcome
		if out[i] == nil {
			out[i] = &testcase.Outcome{}
		}
	}
	return out
}

func unprepared(seqs []*testcase.Sequence) []*prepared {
	cases := make([]*prepared, len(seqs))
	all := make([]prepared, len(seqs)) // one allocation, because there are many sequences
	for i, s := range seqs {
		all[i].seq = s
		cases[i] = &all[i]
	}
	return cases
}

// prepare encodes the sequences, and rebuilds the harness if they need entries that it does not have.
func (h *Harness) prepare(ctx context.Context, cases []*prepared) ([]*prepared, error) {
	if h.closed {
		panic("bug: native: run on a closed harness")
	}
	for {
		h.encode(cases)
		if !h.stale() {
			return cases, nil
		}
		enc := h.enc
		if err := h.rebuild(ctx); err != nil {
			return cases, err
		}
		if h.enc == enc {
			return cases, nil
		}
		// An entry was withdrawn, so the sequences that need it have to be refused.
	}
}

func (h *Harness) encode(cases []*prepared) {
	var w assayrt.Writer
	var ops []int32
	var buf, results [][]types.Type
	var args []types.Type
	for _, c := range cases {
		mark, first := len(w.Buf), len(ops)
		if h.cfg.Rewriter != nil {
			w.Num(c.variant)
			w.Num(c.fuel)
			w.Bool(c.descending)
		}
		if h.bubbles != nil {
			w.Bool(h.bubbles.Hold(c.seq))
		}
		c.out = detail{}
		all, types, err := h.enc.sequence(&w, c.seq, ops, buf)
		ops = all
		if err != nil {
			c.body = nil
			c.out.Outcome = &testcase.Outcome{Status: testcase.Refused, Message: err.Error()}
			continue
		}
		c.body = w.Buf[mark:len(w.Buf):len(w.Buf)]
		c.ops = ops[first:len(ops):len(ops)]
		buf = types
		// The types of all cases are kept in a few allocations, because there are many cases.
		at := len(results)
		results = append(results, types...)
		c.results = results[at:len(results):len(results)]
		at = len(args)
		if n := c.seq.Len(); n > 0 {
			for _, a := range c.seq.Last().Args {
				args = append(args, types[a.Stmt][a.Result])
			}
		}
		c.args = args[at:len(args):len(args)]
	}
}

// The size of a batch: the bytes of its sequences, and their number.
const (
	batchBytes = 1 << 15
	batchCases = 1000
)

// conditions are the conditions under which cases run.
type conditions struct {
	variation
	level int  // how much of a case is captured
	fresh bool // each case has a process of its own
}

// runAll runs the cases that have no outcome yet, in the process *p or its
// successors.
func (h *Harness) runAll(ctx context.Context, p **process, cases []*prepared, how conditions) error {
	var queue []*prepared
	for _, c := range cases {
		if c.out.Outcome == nil {
			queue = append(queue, c)
		}
	}
	if how.fresh && len(queue) > 0 {
		defer func() { // what the last case has changed is not for the cases of the next call
			if *p != nil {
				(*p).end()
				*p = nil
			}
		}()
	}
	strikes := 0
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if *p == nil || how.fresh || queue[0].suspect && (*p).acked > 0 {
			if *p != nil {
				(*p).end()
				*p = nil
			}
			var err error
			if *p, err = h.begin(ctx, how.variation); err != nil {
				return err
			}
		}
		n := together(queue)
		if how.fresh {
			n = 1
		}
		left, err := h.converse(ctx, *p, queue[:n], how.level)
		done := n - len(left)
		if err == nil && len(left) == 0 {
			queue = queue[done:]
			strikes = 0
			continue
		}
		// The process has ended.
		queue = queue[done:]
		var bug *bugError
		if errors.As(err, &bug) {
			said := (*p).stderr.text()
			(*p).end() // further output belongs to no case
			*p = nil
			panic(bug.msg + "\n" + said)
		}
		strikes++
		if done > 0 {
			strikes = 0
		}
		queue = h.bury(*p, queue, ending{left: left, level: how.level, orderly: errors.Is(err, errRestart), strikes: strikes})
		*p = nil
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// together returns how many cases of a queue may run in one process. A case that may have ended a process because of an
// earlier one runs by itself.
func together(queue []*prepared) int {
	for i, c := range queue {
		if c.suspect {
			return max(1, i)
		}
	}
	return len(queue)
}

// errRestart says that the process ended itself because goroutines were left over.
var errRestart = errors.New("restart")

// errGarbled says that an outcome was no outcome. What a case returns may lie in memory that is not its own, as a slice made by
// unsafe code does, and change while it is sent.
var errGarbled = errors.New("garbled outcome")

// bugError says that the harness sent a malformed message.
type bugError struct{ msg string }

func (e *bugError) Error() string { return e.msg }

// converse sends cases in batches and reads their outcomes. If the process ends, it returns the cases without
// an outcome.
func (h *Harness) converse(ctx context.Context, p *process, cases []*prepared, level int) (left []*prepared, err error) {
	limit := h.cfg.timeout()
	hurried := probing(level) || len(cases) > 0 && cases[0].hasty
	if hurried {
		limit /= haste
	}
	asleep := 2 * limit
	switch {
	case h.clocked && len(cases) > 0 && cases[0].brief:
		asleep = briefSleep
	case h.clocked && hurried:
		asleep = min(longestSleep, h.cfg.timeout()) / 4
	case h.clocked:
		asleep = min(longestSleep, h.cfg.timeout())
	case hurried:
		asleep = briefSleep // nothing but the clock would wake the case, so it does not have to be waited for long
	}
	sooner := h.hung.in(cases, hurried)
	acked := p.acked
	stop := h.watch(ctx, p, watcher{limit: limit, asleep: asleep, sooner: func(begun uint64) bool {
		i := int(begun) - int(acked) - 1
		return 0 <= i && i < len(sooner) && sooner[i]
	}})
	defer stop()
	batches := h.batches(p, cases, level)
	// Another goroutine writes the batches ahead, because the pipe may be full.
	go func() {
		for _, b := range batches {
			if _, err := p.in.Write(b); err != nil {
				return // the process has ended, which the reader notices
			}
		}
	}()
	done := 0
	for open := len(batches); open > 0; {
		msg, err := p.receive()
		if err != nil {
			return cases[done:], err
		}
		r := &assayrt.Reader{Buf: msg}
		switch r.Byte() {
		case assayrt.MsgDone:
			open--
		case assayrt.MsgRestart:
			return cases[done:], errRestart
		case assayrt.MsgOutcome:
			if done == len(cases) {
				return nil, &bugError{"bug: native: more outcomes than cases"}
			}
			c := cases[done]
			c.out = p.dec.outcome(r, c.results, c.args)
			c.out.Outcome.Leaves = h.bubbles != nil && r.Bool()
			c.checked()
			h.suspects.note(c.seq, c.out.Status)
			if r.Bad || r.Off != len(msg) {
				h.logf("%s: malformed outcome (%d of %d bytes): %s", h.pkg.Path, r.Off, len(msg), c.seq)
				p.kill(killGarbled)
				return cases[done:], errGarbled
			}
			done++
			p.acked++
			c.suspect = false // the state that ended the process came from an earlier case
		default:
			return cases[done:], &bugError{"bug: native: unknown message"}
		}
	}
	return nil, nil
}

// checked notes that a contract is broken if the check at the end of the sequence says so.
func (c *prepared) checked() {
	o := c.out.Outcome
	if o.Status != testcase.Returned || o.Violated != "" || o.At != c.seq.Len()-1 || c.seq.Last().Op.Kind != testcase.OpCheck {
		return
	}
	switch {
	case len(c.out.results) > 0:
		if c.out.results[0] == NilHash() {
			return
		}
	case o.At < len(o.Results) && len(o.Results[o.At]) == 1:
		v := o.Results[o.At][0]
		if v.Kind == testcase.Nil {
			return
		}
		if v.Err != nil {
			o.Message = v.Err.Message
		}
	default:
		return // nothing was captured
	}
	o.Violated = "contract " + c.seq.Last().Op.Check.Contract
}

// batches splits cases into messages.
func (h *Harness) batches(p *process, cases []*prepared, level int) [][]byte {
	var out [][]byte
	for len(cases) > 0 {
		n, size := 0, 0
		for n < len(cases) && n < batchCases && size < batchBytes {
			size += len(cases[n].body)
			n++
		}
		msg := h.enc.batch(level, !hasPage, p.typesSent, p.unsent(cases[:n]), n)
		p.typesSent = len(h.enc.typeDefs)
		for _, c := range cases[:n] {
			msg = append(msg, c.body...)
		}
		out = append(out, frame(msg))
		cases = cases[n:]
	}
	return out
}

// unsent returns the operations in these cases that the process does not know yet, and marks them as known.
func (p *process) unsent(cases []*prepared) []int32 {
	var out []int32
	for _, c := range cases {
		for _, id := range c.ops {
			for int(id) >= len(p.opsSent) {
				p.opsSent = append(p.opsSent, make([]bool, int(id)+1)...)
			}
			if !p.opsSent[id] {
				p.opsSent[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}
