package random

import (
	"context"
	"go/types"
	"math"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// checks are the contracts to check of the values that the engine makes.
type checks struct {
	byType  map[string][]*checker // of values of a type
	funcs   []*checker            // contracts of functions; values are made for each check
	objects []*checker            // the contracts in byType, in their order and each once
	actions map[*testcase.Check]*action
	pending []pendingCheck
	elusive map[string]int // how often a contract was broken by chance only, by cause
	// watched are the types whose objects the harness checks. ended is how often a check hung or ended the process, for each
	// of them that had an object in the sequence, and lost how often where there was none.
	watched map[*types.TypeName]bool
	ended   map[*types.TypeName]int
	lost    int
	// valid are the methods by which objects say whether they are valid, and doubted is how often a call was asked
	// whether it broke one.
	valid   finding.Predicates
	doubted map[string]int
}

// checker is a contract with how often it was checked.
type checker struct {
	act *action
	met int // objects met that it could have been checked of
	ran int // objects that it was checked of
}

// hopeless reports whether a contract hung, or ended the process, so often that it is checked no more.
func (k *checker) hopeless() bool { return k.act.slow >= maxHangs }

// pendingCheck is a new object and a contract to be checked of it.
type pendingCheck struct {
	c *checker
	v entry
}

// maxPending is how many objects may wait to be checked. Later objects are dropped, since earlier ones
// are as good.
const maxPending = 2000

// addChecks makes the contracts known.
func (e *engine) addChecks() {
	e.checks.byType = map[string][]*checker{}
	e.checks.elusive = map[string]int{}
	e.checks.valid, e.checks.doubted = finding.PredicatesOf(e.pkg), map[string]int{}
	e.checks.actions = map[*testcase.Check]*action{}
	e.checks.watched, e.checks.ended = map[*types.TypeName]bool{}, map[*types.TypeName]int{}
	if e.h != nil {
		e.h.Watch(e.cfg.Checks)
	}
	for _, c := range e.cfg.Checks {
		if c.Asked {
			continue
		}
		a := &action{
			name: c.Target, op: &testcase.Operation{Kind: testcase.OpCheck, Check: c}, params: c.Params,
			report: e.cfg.Targets == nil || e.cfg.Targets(c.Target),
		}
		if !a.report && c.Contract != testcase.InvariantContract { // the call that breaks it is what is reported
			continue
		}
		e.checks.actions[c] = a
		if len(c.Params) == 1 && c.OfObjects() {
			if named := load.NamedOf(c.Params[0]); named != nil {
				e.checks.watched[named.Origin().Obj()] = true
			}
			continue // the harness checks it of each object by itself
		}
		k := &checker{act: a}
		if c.Free {
			e.checks.funcs = append(e.checks.funcs, k)
			continue
		}
		e.checks.objects = append(e.checks.objects, k)
		// An object in the pool may be known by its pointer, or as a variable.
		t := types.Unalias(c.Params[0])
		key := e.pool.keys.of(t)
		e.checks.byType[key] = append(e.checks.byType[key], k)
		other := types.Type(types.NewPointer(t))
		if p, ok := t.(*types.Pointer); ok {
			other = p.Elem()
		}
		key = e.pool.keys.of(other)
		e.checks.byType[key] = append(e.checks.byType[key], k)
	}
}

// maxHangs is how often a contract that relates several objects may hang, or end the process, before it
// is checked no more. Six hangs cost an eighth of the last phase's effort; fewer say little, because
// only some objects may make the contract wait for another goroutine.
const maxHangs = 6

// maxEnded is how often checks of a type's objects may hang or end the process before the harness checks no sequence any
// more that has such an object.
const maxEnded = 3

// checkedTypes returns the types with objects in a sequence that the harness checks, each once.
func (c *checks) checkedTypes(s *testcase.Sequence) []*types.TypeName {
	var out []*types.TypeName
	for _, results := range s.ResultTypes() {
		for _, t := range results {
			if named := load.NamedOf(t); named != nil && c.watched[named.Origin().Obj()] && !slices.Contains(out, named.Origin().Obj()) {
				out = append(out, named.Origin().Obj())
			}
		}
	}
	return out
}

// noteEnded notes that a check of an object in a sequence hung or ended the process.
func (c *checks) noteEnded(s *testcase.Sequence) {
	checked := c.checkedTypes(s)
	for _, t := range checked {
		c.ended[t]++
	}
	if len(checked) == 0 {
		c.lost++
	}
}

// givenUp reports whether the harness is not to check the objects of a sequence.
func (c *checks) givenUp(s *testcase.Sequence) bool {
	if c.lost >= maxEnded {
		return true
	}
	return len(c.ended) > 0 && slices.ContainsFunc(c.checkedTypes(s), func(t *types.TypeName) bool { return c.ended[t] >= maxEnded })
}

// maxDoubted is how often a call is asked whether it has broken an object, or was given a broken one.
const maxDoubted = 200

// blame says what a trial has to do with an object that is not valid.
type blame int

const (
	innocent blame = iota // there is no such object
	given                 // the trial was given one, or has one beside an error
	broke                 // the trial's call is the first after which the object is not valid
)

// invariants looks at the objects of a trial that are not valid, and emits a case for each invariant that the trial's call
// breaks.
func (e *engine) invariants(ctx context.Context, t trial, p native.Probe) (blame, error) {
	found := innocent
	for _, b := range p.Broken {
		if e.checks.actions[b.Check] == nil || b.Check.Contract != testcase.InvariantContract {
			continue
		}
		found = max(found, given)
		if n := len(p.Results); b.Value < n && n > 1 && gosyntax.IsError(t.act().results[n-1]) && p.Results[n-1] != e.nilHash {
			continue
		}
		breaks, err := e.invalid(ctx, t, p, b.Check)
		if err != nil {
			return found, err
		}
		if breaks {
			found = broke
		}
	}
	return found, nil
}

// invalid emits a case for a trial whose call breaks an invariant which held before it. It reports whether the call does,
// or is known to.
func (e *engine) invalid(ctx context.Context, t trial, p native.Probe, c *testcase.Check) (bool, error) {
	key := c.Key() + " by " + t.act().name
	if e.broken[key] || !t.act().report || e.checks.doubted[key] >= maxDoubted {
		return e.broken[key], nil
	}
	e.checks.doubted[key]++
	breaks, err := e.breaks(ctx, t.seq)
	if err != nil || !breaks {
		return false, err
	}
	cases := e.res.Cases
	if err := e.emit(ctx, t, p.Outcome, goal{status: testcase.Returned, breaks: true}, true); err != nil {
		return true, err
	}
	e.broken[key] = e.res.Cases > cases
	return true, nil
}

// breaks reports whether the last call of a sequence is the first after which an object says that it is not valid.
func (e *engine) breaks(ctx context.Context, s *testcase.Sequence) (bool, error) {
	out, err := e.h.Run(ctx, []*testcase.Sequence{s})
	if err != nil || out[0] == nil || out[0].Status != testcase.Returned {
		return false, err
	}
	inquiries := e.checks.valid.Questions(e.pkg, s, out[0])
	asked := make([]*testcase.Sequence, len(inquiries))
	for i, q := range inquiries {
		asked[i] = q.Seq
	}
	answers, err := e.h.Run(ctx, asked)
	if err != nil {
		return false, err
	}
	for i, o := range answers {
		if o != nil && finding.SaysBroken(asked[i], o) {
			return inquiries[i].At == s.Len()-1, nil
		}
	}
	return false, nil
}

// objects looks at the other contracts that the objects of a trial break, and emits a case for each. The method is wrong
// then and not the object.
func (e *engine) objects(ctx context.Context, t trial, p native.Probe) error {
	for _, b := range p.Broken {
		a := e.checks.actions[b.Check]
		if a == nil || b.Check.Contract == testcase.InvariantContract {
			continue
		}
		if e.broken[e.cause(goal{violated: "contract " + b.Check.Contract}, trial{seq: t.seq, steps: []step{{act: a}}})] {
			continue
		}
		v := entry{e.pooled(t.seq), testcase.Ref{Stmt: t.seq.Len() - 1, Result: b.Value}}
		if b.Value >= len(p.Results) {
			v.ref = t.seq.Last().Args[b.Value-len(p.Results)]
		}
		d := &draft{}
		var args []testcase.Ref
		for _, param := range a.params {
			r, ok := e.asParam(d, v, param, true)
			if !ok {
				break
			}
			args = append(args, r)
		}
		if len(args) < len(a.params) {
			continue
		}
		d.add(a.op, args...)
		c := e.checked(d, a)
		if c.seq == nil {
			continue
		}
		probes, err := e.h.Probe(ctx, []*testcase.Sequence{c.seq})
		if err != nil {
			return err
		}
		e.res.Ops += calls(c.seq, probes[0])
		if err := e.judge(ctx, c, probes[0]); err != nil {
			return err
		}
	}
	return nil
}

// enough reports whether a contract has been checked often enough to skip this object. The more often
// it was checked, the more objects are skipped.
func (k *checker) enough() bool {
	k.met++
	n := int(math.Sqrt(float64(k.met) / 200))
	return n > 1 && k.met%n != 0
}

// enoughChecks is how often a contract is checked before the engine may stop early.
const enoughChecks = 100

// unchecked reports whether an object waits for a contract that was rarely checked.
func (e *engine) unchecked() bool {
	for _, p := range e.checks.pending {
		if p.c.ran < enoughChecks {
			return true
		}
	}
	return false
}

// consider has the contracts of a new object checked.
func (e *engine) consider(t types.Type, v entry) {
	for _, k := range e.checks.byType[e.pool.keys.of(t)] {
		if len(e.checks.pending) < maxPending && !k.hopeless() && !k.enough() {
			e.checks.pending = append(e.checks.pending, pendingCheck{k, v})
		}
	}
}

// free returns the contracts whose values are made for each check: contracts of functions, and of types
// that no call returns or changes, since values of these never come into the pool.
func (c *checks) free() []*checker {
	var out []*checker
	for _, k := range c.funcs {
		if !k.hopeless() {
			out = append(out, k)
		}
	}
	for _, k := range c.objects {
		if k.met == 0 && !k.act.op.Check.Twins && !k.hopeless() {
			out = append(out, k)
		}
	}
	return out
}

// check makes a sequence that checks a contract. It has no statements if there is nothing to check.
func (e *engine) check() trial {
	if len(e.checks.pending) == 0 || e.rnd.IntN(8) == 0 {
		if list := e.checks.free(); len(list) > 0 {
			return e.checkFunc(list[e.rnd.IntN(len(list))].act)
		}
	}
	if len(e.checks.pending) == 0 {
		return trial{}
	}
	p := e.checks.pending[0]
	e.checks.pending = e.checks.pending[1:]
	p.c.ran++
	if p.c.hopeless() {
		return trial{}
	}
	d := &draft{stmts: make([]testcase.Statement, 0, 24)}
	a := p.c.act
	var args []testcase.Ref
	for i, t := range a.params {
		v, share := p.v, true
		switch {
		case a.op.Check.Twins:
			share = false
		case i > 0 && e.rnd.IntN(4) == 0:
			// The same object once more: it has to be equal to itself, and also to another object made
			// alike.
			share = e.rnd.IntN(2) == 0
		case i > 0 && e.rnd.IntN(3) == 0:
			// An object that differs in one or two constants. It may still be equal.
			e.limit = a.limit()
			if s := e.changed(p.v.seq.Sequence); s != nil {
				v = entry{e.pooled(s), p.v.ref}
			}
		case i > 0:
			if w, ok := e.pickFor(t); ok {
				v = w
			}
		}
		r, ok := e.asParam(d, v, t, share)
		if !ok {
			return trial{}
		}
		args = append(args, r)
	}
	d.add(a.op, args...)
	return e.checked(d, a)
}

// checkFunc makes a sequence that checks a contract of a call, with arguments made for it.
func (e *engine) checkFunc(a *action) trial {
	f, _ := a.op.Check.Object.(*types.Func)
	onReceiver := f != nil && f.Signature().Recv() != nil
	d := &draft{}
	e.now, e.limit = a.name, math.MaxInt64
	var args []testcase.Ref
	for i, t := range a.params {
		if i > 0 && types.Identical(t, a.params[i-1]) && e.rnd.IntN(6) == 0 {
			args = append(args, args[i-1])
			continue
		}
		// Functions that compare for order often fail on values that differ only a little.
		if i > 0 && types.Identical(t, a.params[i-1]) && e.rnd.IntN(2) == 0 {
			if last := d.stmts[len(d.stmts)-1].Op; last.Kind == testcase.OpLiteral && args[i-1].Stmt == len(d.stmts)-1 {
				args = append(args, d.add(e.literalOp(last.Type, e.mutateLiteral(last)))) // t may be an interface
				continue
			}
		}
		var r testcase.Ref
		var ok bool
		if i == 0 && onReceiver {
			// An object that is needed only for the check is mostly a new one, because the objects in the pool
			// have soon been checked.
			if len(a.params) == 1 && e.rnd.IntN(4) > 0 {
				r, ok = e.construct(d, t, 0)
			}
			if !ok {
				r, ok = e.receiver(d, t)
			}
		} else {
			r, ok = e.value(d, t, 0)
		}
		if !ok {
			return trial{}
		}
		args = append(args, r)
	}
	d.add(a.op, args...)
	return e.checked(d, a)
}

// checked returns the draft as a trial, empty if no contract applies to its values. NaN is not equal to
// itself, and no contract says that it should be. The same holds for a stub that returns different
// values one after the other.
func (e *engine) checked(d *draft, a *action) trial {
	if len(d.stmts) > maxStmts {
		return trial{}
	}
	for _, s := range d.stmts {
		if fickle(s.Op) {
			return trial{}
		}
		if l := s.Op.Lit; l.Kind == testcase.LitFloat {
			f := math.Float64frombits(l.Bits)
			if b, ok := s.Op.Type.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
				f = float64(math.Float32frombits(uint32(l.Bits)))
			}
			if f != f || math.IsInf(f, 0) {
				return trial{} // computing with infinities yields NaN
			}
		}
	}
	seq := testcase.NewSequence(d.stmts...)
	if c := a.op.Check; c.Severity != testcase.Error && !finding.AnswersPlainly(seq) || c.Contract == "ends" && finding.MayTakeLong(seq) {
		return trial{} // if the contract broke here that would be no finding, and for a contract that was broken once no further finding is looked for
	}
	return trial{seq: seq, steps: []step{{len(d.stmts) - 1, a}}, used: d.in}
}

// fickle reports whether an operation makes a stub that returns something else the next time.
func fickle(op *testcase.Operation) bool {
	seen := map[string]bool{}
	for _, c := range op.Stub {
		if seen[c.Method] {
			return true
		}
		seen[c.Method] = true
	}
	return false
}

// pickFor returns a value of the pool for a parameter of a contract: a value of the parameter's type,
// of the type that it points to, or a pointer to it.
func (e *engine) pickFor(t types.Type) (entry, bool) {
	t = types.Unalias(t)
	if v, ok := e.pick(t); ok {
		return v, true
	}
	if p, ok := t.(*types.Pointer); ok {
		return e.pick(p.Elem())
	}
	return e.pick(types.NewPointer(t))
}

// asParam includes a value for a parameter of type t. If necessary it passes the value's address, or
// the value behind the pointer.
func (e *engine) asParam(d *draft, v entry, t types.Type, share bool) (testcase.Ref, bool) {
	r := e.include(d, v, share)
	have := e.slotType(v.seq.At(v.ref.Stmt).Op, v.ref.Result)
	switch {
	case have == nil:
		return r, false
	case types.AssignableTo(have, t):
		return r, true
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok && types.Identical(have, p.Elem()) {
		return d.add(e.addrOp(p), r), true
	}
	if types.IsInterface(have) && !types.IsInterface(t) {
		if types.AssignableTo(t, have) {
			return d.add(&testcase.Operation{Kind: testcase.OpAssert, Type: t}, r), true
		}
		return r, false
	}
	if p, ok := types.Unalias(have).(*types.Pointer); ok && types.Identical(p.Elem(), t) {
		return d.add(&testcase.Operation{Kind: testcase.OpDeref, Type: t}, r), true
	}
	return r, false
}
