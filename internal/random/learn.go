package random

import (
	"context"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// learn evaluates the outcomes of a batch.
func (e *engine) learn(ctx context.Context, trials []trial, probes []native.Probe) error {
	slow := 0
	for i, t := range trials {
		if e.stopped {
			return nil
		}
		p := probes[i]
		e.countRun(t, p)
		if t.act().op.Kind == testcase.OpCheck {
			if err := e.judge(ctx, t, p); err != nil {
				return err
			}
			continue
		}
		if p.Status != testcase.Returned || p.Violated != "" {
			whole := t
			if t = e.upTo(t, min(p.At, t.seq.Len()-1)); t.steps == nil {
				if price := price(p.Outcome); price > 0 {
					e.chargeEnd(price)
					whole.tooLarge()
					slow++
				}
				continue
			}
		}
		if (p.Status == testcase.Hung || p.Status == testcase.Died) && (calledBack(t.seq) || giver.PassesPanic(t.seq)) {
			// If a callback changes the object that is being walked over, the walk may never end. That
			// is not the function's fault, and making such a sequence smaller would mean to wait for it
			// many times.
			e.chargeEnd(hangOps)
			e.endless++
			slow++
			continue
		}
		if p.At >= t.seq.Len() {
			// A contract hung, or ended the process: it is not to blame on the code.
			e.chargeEnd(hangOps)
			e.checks.noteEnded(t.seq)
			t.spoil()
			slow++
			continue
		}
		switch p.Status {
		case testcase.NotRun:
			continue
		case testcase.Refused:
			if observer.Receives(t.act().op) { // nothing came, for which the harness has waited
				e.chargeEnd(sleepOps)
				t.act().slept++
			}
			continue
		case testcase.Discarded:
			e.res.Discarded++
			continue
		}
		if slept(p.Outcome) {
			e.noteSlept(t, p)
			continue
		}
		if finding.Denied(p.Outcome) {
			continue // it is no test, and what it covers is left to those whose requests are answered
		}
		if price := price(p.Outcome); price > 0 {
			e.chargeEnd(price)
			t.slow()
			slow++
		}
		if err := e.learnFrom(ctx, t, p); err != nil {
			return err
		}
	}
	if slow > 2 {
		e.batches = 0 // begin again with smaller batches
	}
	return e.lookAtRefusals(ctx, 1)
}

// refusal is a trial that the code refuses by a panic of its own.
type refusal struct {
	t trial
	p native.Probe
	g goal
}

// eachRefusal is how many sequences are run for each refusal that is looked at.
const eachRefusal = 100

// isRefusal reports whether a failure is a panic that the code asks for, where to look at one takes half a dozen processes, since functions
// change the package's variables. Most such panics are what the documentation says, so that they have time: in a short run nothing
// but a few of them would be seen.
func (e *engine) isRefusal(g goal) bool {
	return e.cfg.Stateful && g.violated == "" && strings.HasPrefix(g.failure, "panic explicit ")
}

// noteRefusal keeps a refusal, the shortest for each cause.
func (e *engine) noteRefusal(r refusal) {
	cause := e.cause(r.g, r.t)
	i := slices.IndexFunc(e.refusals, func(o refusal) bool { return e.cause(o.g, o.t) == cause })
	switch {
	case i < 0:
		e.refusals = append(e.refusals, r)
	case r.t.seq.Len() < e.refusals[i].t.seq.Len():
		e.refusals[i] = r
	}
}

// lookAtRefusals makes cases of at most so many of the noted refusals of which the cause is not known yet, if enough else has run
// since the last one; of all with a number below 0.
func (e *engine) lookAtRefusals(ctx context.Context, most int) error {
	for len(e.refusals) > 0 && most != 0 && !e.stopped && (most < 0 || e.res.Sequences >= e.nextRefusal) {
		r := e.refusals[0]
		e.refusals = e.refusals[1:]
		if e.broken[e.cause(r.g, r.t)] {
			continue
		}
		most--
		e.nextRefusal = e.res.Sequences + eachRefusal
		r.g.blocks = nil
		if err := e.found(ctx, r.t, r.p, r.g, true); err != nil {
			return err
		}
	}
	return nil
}

// learnFrom makes cases of a trial that covered something new or failed, and keeps what it made otherwise.
func (e *engine) learnFrom(ctx context.Context, t trial, p native.Probe) error {
	returned := p.Status == testcase.Returned && p.Violated == "" && !t.act().private
	broken := false // whether an object of the trial is not valid
	if returned {
		blamed, err := e.invariants(ctx, t, p)
		if err != nil || blamed == broke {
			return err // the call shows no behaviour worth testing, so what it covers is left to others
		}
		broken = blamed == given
	}
	g := goal{failure: e.failure(p.Outcome, t.act()), violated: violation(p.Outcome), blocks: e.uncovered(p.Cover)}
	fails := (g.failure != "" || g.violated != "") && !e.broken[e.cause(g, t)]
	if fails && e.isRefusal(g) {
		e.noteRefusal(refusal{t, p, g})
		fails = false
	}
	if g.blocks != nil || fails {
		if err := e.found(ctx, t, p, g, fails); err != nil {
			return err
		}
	}
	if !returned {
		return nil
	}
	if err := e.objects(ctx, t, p); err != nil || broken {
		return err // an invalid object must not be used further
	}
	e.keep(t, p)
	e.noteSuccess(t, p)
	return nil
}

// countRun counts a run of a trial, and its effort.
func (e *engine) countRun(t trial, p native.Probe) {
	e.res.Sequences++
	n := calls(t.seq, p) + e.pauses(t.seq, p) + files(t.seq, p)
	e.res.Ops += n
	for _, s := range t.steps {
		s.act.idle++
		s.act.runs++
	}
	a := t.act()
	a.cost += (float64(n) - a.cost) / 16
}

// pauses returns what an execution costs because its calls sleep. Without that a package whose constructor sleeps for two
// milliseconds takes all the time that there is.
func (e *engine) pauses(s *testcase.Sequence, p native.Probe) int {
	if e.wait == nil {
		return 0
	}
	ran := min(s.Len(), p.At+1)
	if price(p.Outcome) > 0 {
		ran-- // the call that was ended has its price, and has not slept for as long as it would have
	}
	n := 0
	for i := range ran {
		if a := e.byOp[s.At(i).Op]; a != nil {
			n += a.pause
		}
	}
	return n
}

// files returns what an execution costs because helpers make files for it, and its calls open these. A file is made, read and
// removed in the time of dozens of other operations.
func files(s *testcase.Sequence, p native.Probe) int {
	const each = 40
	n := 0
	for i := range min(s.Len(), p.At+1) {
		if h := s.At(i).Op.Via; h != nil && h.OfTest && h.Method != "Setenv" && !giver.AnswersRequests(s.At(i).Op) && !giver.SetsCommandLine(s.At(i).Op) && !observer.Receives(s.At(i).Op) {
			n += each
		}
	}
	return n
}

// noteSlept notes that a trial slept for too long. How long a call sleeps is up to the caller, so that is no failure, and
// the values that the trial used may be as good as others.
func (e *engine) noteSlept(t trial, p native.Probe) {
	e.chargeEnd(price(p.Outcome) * min(1+t.act().slept, 4))
	t.act().slept++
	e.slept++
	if t.from != nil {
		t.from.slow++
	}
}

// judge evaluates a sequence that checks a contract. Only the verdict on the contract counts here:
// panics of methods are found when the methods are called for their own sake.
func (e *engine) judge(ctx context.Context, t trial, p native.Probe) error {
	e.chargeEnd(price(p.Outcome))
	if p.Status == testcase.Hung || p.Status == testcase.Died {
		t.act().slow++
		t.spoil()
	}
	g := goal{status: p.Status, violated: p.Violated}
	if p.Status != testcase.Returned || !strings.HasPrefix(g.violated, "contract ") || e.broken[e.cause(g, t)] {
		return nil
	}
	cause := e.cause(g, t)
	e.broken[cause] = true
	cases := e.res.Cases
	if err := e.emit(ctx, t, p.Outcome, g, true); err != nil {
		return err
	}
	if e.res.Cases == cases && e.checks.elusive[cause] < maxElusive {
		// The smaller sequence broke the contract by chance only; another sequence may break it every
		// time.
		e.checks.elusive[cause]++
		e.broken[cause] = false
	}
	return nil
}

// maxElusive is how often a contract may turn out to be broken by chance only before it is given up.
const maxElusive = 5

// The cost, in operations, of a case that has to be killed, and of a case that ends the process
// otherwise: about the number of operations that could have run in the same time.
const (
	hangOps  = 20_000
	deathOps = 4_000
	sleepOps = 1_000
)

// slept reports whether an execution did not end in time because it slept.
func slept(o *testcase.Outcome) bool {
	return o.Status == testcase.Hung && o.Message == testcase.Slept
}

// price returns the cost of an execution in addition to its operations, or 0 if it did not end its process.
// Exhausted memory costs as much as exhausted time: if both would happen the machine decides which comes
// first, and the effort must not depend on that.
func price(o *testcase.Outcome) int {
	switch {
	case slept(o):
		return sleepOps
	case o.Exhausted():
		return hangOps
	case o.Status == testcase.Exited, o.Status == testcase.Deadlock, o.Status == testcase.Died:
		return deathOps
	}
	return 0
}

// calledBack reports whether a sequence has a closure.
func calledBack(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if s.At(i).Op.Kind == testcase.OpClosure {
			return true
		}
	}
	return false
}

// slow notes that a trial hung or ended the process: from now on its action gets smaller numbers, and
// the values that the trial used are not used again.
func (t trial) slow() {
	t.act().slow++
	t.spoil()
	if t.from != nil {
		t.from.slow++
	}
}

// tooLarge notes that an argument of a trial hung or ended the process while it was made, as an image of a million lines does. That
// is not the action's fault, but from now on it gets smaller numbers.
func (t trial) tooLarge() {
	for _, s := range t.steps {
		s.act.large++
	}
	t.spoil()
	if t.from != nil {
		t.from.slow++
	}
}

// spoil marks the values that a trial used, so that they are not used again.
func (t trial) spoil() {
	for _, in := range t.used {
		in.seq.bad = true
	}
}

// violation returns what an execution broke. Assertions have no names, so they are told apart by their places.
func violation(o *testcase.Outcome) string {
	if strings.HasPrefix(o.Violated, "assert") {
		return o.Violated + " " + o.ViolatedAt.String()
	}
	return o.Violated
}

// cause returns the key of a failure. Of several failures with one key only the first becomes a case.
func (e *engine) cause(g goal, t trial) string {
	if g.violated != "" {
		key := g.violated + " of " + t.act().name
		if strings.HasPrefix(g.violated, "contract ") && !e.broken[key] && e.byHand(t.seq) {
			key += " by hand" // an object that no function makes excuses the code, and must not hide another one
		}
		return key
	}
	if g.failure != "" && t.act().private {
		return g.failure + " inside" // a failure that users can cause is worse, even in the same place, and must not be hidden by this one
	}
	if g.failure != "" && giver.PassesPanic(t.seq) {
		return g.failure + " of a function that panics" // to pass such a function is no misuse, and a test shows what comes of it
	}
	if g.failure != "" && passesNil(t.seq) {
		return g.failure + " of a nil argument" // a failure without a nil argument is another one
	}
	return g.failure
}

// byHand reports whether a sequence writes down an object of a type that has a constructor, or a field of one.
func (e *engine) byHand(s *testcase.Sequence) bool {
	for i := range s.Len() {
		st := s.At(i)
		t := st.Op.Type
		switch st.Op.Kind {
		case testcase.OpComposite, testcase.OpZero:
		case testcase.OpSetField:
			t = e.slotType(s.At(st.Args[0].Stmt).Op, st.Args[0].Result)
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
		default:
			continue
		}
		if t != nil && finding.HasConstructor(e.pkg, t) {
			return true
		}
	}
	return false
}

// passesNil reports whether the last call has nil itself as an argument for a function or an interface.
func passesNil(s *testcase.Sequence) bool {
	return slices.ContainsFunc(s.Last().Args, func(a testcase.Ref) bool {
		op := s.At(a.Stmt).Op
		if op.Kind != testcase.OpZero {
			return false
		}
		_, isFunc := op.Type.Underlying().(*types.Signature)
		return isFunc || types.IsInterface(op.Type)
	})
}

// calls counts the calls into the code under test: those of the statements that began to run, and those
// that closures made.
func calls(s *testcase.Sequence, p native.Probe) int {
	n := p.Called
	for i := range min(p.At+1, s.Len()) {
		switch s.At(i).Op.Kind {
		case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue, testcase.OpCheck:
			n++
		}
	}
	return n
}

// noteSuccess keeps the shortest sequence in which a function that can fail did not. It may cover nothing
// new, where one statement returns both.
func (e *engine) noteSuccess(t trial, p native.Probe) {
	a := t.act()
	n := len(a.results)
	if a.name == "" || n == 0 || !gosyntax.IsError(a.results[n-1]) || n > len(p.Results) || p.Results[n-1] != e.nilHash {
		return
	}
	a.accept(t.seq)
	if !a.report {
		return
	}
	weight := func(s *testcase.Sequence) int {
		const global = 100 // a variable of the package that is passed may be written to
		n := s.Len()
		for _, arg := range s.Last().Args {
			if s.At(arg.Stmt).Op.Kind == testcase.OpGlobal {
				n += global
			}
		}
		return n
	}
	if old := e.successes[a]; old == nil || weight(t.seq) < weight(old) {
		e.successes[a] = t.seq
	}
}

// maxAccepted bounds how many constants are kept that a parameter was given in calls which returned no error.
const maxAccepted = 12

// accept notes the constants that a call was given which could have returned an error and did not. Each of
// several parameters is seldom right by chance, and only together do they show what else the function can do:
// an amount needs a currency and a number that are both known.
func (a *action) accept(s *testcase.Sequence) {
	args := s.Last().Args
	constants := 0
	for _, ref := range args {
		if s.At(ref.Stmt).Op.Kind == testcase.OpLiteral {
			constants++
		}
	}
	if constants < 2 {
		return
	}
	if a.accepted == nil {
		a.accepted = make([][]testcase.Literal, len(a.params))
	}
	for k := range min(len(args), len(a.accepted)) {
		op := s.At(args[k].Stmt).Op
		if op.Kind == testcase.OpLiteral && len(op.Lit.Str) <= maxLiteral && len(a.accepted[k]) < maxAccepted && !slices.Contains(a.accepted[k], op.Lit) {
			a.accepted[k] = append(a.accepted[k], op.Lit)
		}
	}
}

// Accepted are the constants of calls of a function that could have returned an error and did not: what is known of the
// language that the function accepts.
type Accepted struct {
	Func   string               // as in load.Target.Name
	Types  []string             // of the parameters; those whose types have changed are forgotten
	Values [][]testcase.Literal // for each parameter, at most maxAccepted
}

// collectAccepted notes what functions have accepted, for a later run.
func (e *engine) collectAccepted() {
	seen := make(map[string]bool)
	for _, a := range e.actions {
		if a.accepted != nil && a.name != "" && !seen[a.name] {
			seen[a.name] = true
			known := Accepted{Func: a.name, Values: a.accepted}
			for _, t := range a.params {
				known.Types = append(known.Types, e.pool.keys.of(t))
			}
			e.res.Accepted = append(e.res.Accepted, known)
		}
	}
}

// recallAccepted begins with what functions have accepted in an earlier run.
func (e *engine) recallAccepted() {
	for _, known := range e.cfg.Accepted {
		for _, a := range e.actions {
			if a.name != known.Func {
				continue
			}
			a.accepted = make([][]testcase.Literal, len(a.params))
			for i, t := range a.params {
				if i < len(known.Values) && i < len(known.Types) && known.Types[i] == e.pool.keys.of(t) {
					a.accepted[i] = slices.Clone(known.Values[i][:min(len(known.Values[i]), maxAccepted)])
				}
			}
		}
	}
}

// keep puts the values that a sequence made into the pool.
func (e *engine) keep(t trial, p native.Probe) {
	if setsVariable(t.seq) {
		return // what is made of its values should not depend on the setting
	}
	last := t.seq.Len() - 1
	a := t.act()
	var m *made // most make nothing new
	put := func(typ types.Type, hash uint64, ref testcase.Ref) bool {
		if !e.pool.fresh(typ, hash) {
			return false
		}
		if m == nil {
			m = e.pooled(t.seq)
		}
		v := entry{m, ref}
		e.pool.put(typ, v)
		e.consider(typ, v)
		return true
	}
	failed := false
	for i, r := range a.results {
		if gosyntax.IsError(r) && i < len(p.Results) && p.Results[i] != e.nilHash {
			failed = true // after an error later calls do not use the other results
		}
	}
	for i, r := range a.results {
		if i >= len(p.Results) || p.Results[i] == e.nilHash || failed && !gosyntax.IsError(r) {
			continue
		}
		if _, ok := r.Underlying().(*types.Tuple); ok {
			continue
		}
		hash := p.Results[i]
		switch r.Underlying().(type) {
		case *types.Signature, *types.Chan:
			hash ^= e.hash(t.seq) // all look the same
		}
		if put(r, hash, testcase.Ref{Stmt: last, Result: i}) {
			e.learnType(r)
			e.noteVeiled(r, hash, entry{m, testcase.Ref{Stmt: last, Result: i}})
		}
	}
	if failed {
		return
	}
	e.keepWritten(t.seq)
	// The arguments that the call changed are new values, too.
	for i, ref := range t.seq.Last().Args {
		if i >= len(p.Args) || i >= len(a.params) {
			break
		}
		param := a.params[i]
		switch param.Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		default:
			continue
		}
		if t.seq.At(ref.Stmt).Op.Kind == testcase.OpZero {
			continue
		}
		if st := e.slotType(t.seq.At(ref.Stmt).Op, ref.Result); st != nil && !types.IsInterface(st) {
			// If a method of a pointer was called on a variable, the variable itself is kept.
			if ptr, ok := types.Unalias(param).(*types.Pointer); types.Identical(st, param) || ok && types.Identical(st, ptr.Elem()) {
				put(st, p.Args[i], ref)
			}
		}
	}
}

// slotType returns the type of a statement's result, or nil if it depends on the statement's arguments.
func (e *engine) slotType(op *testcase.Operation, result int) types.Type {
	switch op.Kind {
	case testcase.OpFunc, testcase.OpMethod:
		if rs := e.resultsOf(op); result < len(rs) {
			return rs[result]
		}
		return nil
	case testcase.OpGlobal:
		return op.Var.Type()
	}
	return op.Type
}

// minus returns the blocks of a that are not in b, or nil if there are none.
func minus(a, b testcase.Cover) testcase.Cover {
	var out testcase.Cover
	for i, w := range a {
		if i < len(b) {
			w &^= b[i]
		}
		if w != 0 {
			for len(out) < len(a) {
				out = append(out, 0)
			}
			out[i] = w
		}
	}
	return out
}

// failure returns a key for the way in which an action failed: the status and, for a panic, the
// innermost frame and the innermost frame in the package under test. It is "" if the outcome is no
// failure, or no code under test was involved.
func (e *engine) failure(o *testcase.Outcome, a *action) string {
	switch o.Status {
	case testcase.Panicked:
		if len(o.Panic.Stack) == 0 {
			return "" // a statement of ours, say a field of a nil pointer
		}
		place := func(f testcase.Frame) string { return f.Func + ":" + strconv.Itoa(f.Pos.Line) }
		key := "panic " + o.Panic.Kind + " " + place(o.Panic.Stack[0])
		for _, f := range o.Panic.Stack {
			if strings.HasPrefix(f.Func, e.pkg.Path+".") {
				return key + " " + place(f)
			}
		}
		return key
	case testcase.Hung, testcase.Died, testcase.Exited, testcase.Deadlock, testcase.Goexit:
		if o.Exhausted() {
			return exhausted + a.name
		}
		kind := ""
		if o.Panic != nil {
			kind = o.Panic.Kind
		}
		return o.Status.String() + " " + kind + " in " + a.name
	}
	return ""
}
