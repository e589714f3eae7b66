package random

import (
	"context"
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// found turns a trial that covered something new or failed into cases.
func (e *engine) found(ctx context.Context, t trial, p native.Probe, g goal, broken bool) error {
	g.status = p.Status
	if p.Status != testcase.Returned && len(t.steps) > 1 {
		// Blocks that the earlier steps cover become cases of their own.
		if err := e.steps(ctx, t.cut(len(t.steps)-2)); err != nil || e.stopped {
			return err
		}
		if g.blocks = e.uncovered(p.Cover); g.blocks == nil && !broken {
			return nil
		}
	}
	key := e.cause(g, t)
	if broken && e.cfg.Stateful {
		shown, err := e.failsByItself(ctx, t, g, key)
		if err != nil || !shown && g.blocks == nil {
			return err
		}
		broken = shown
	}
	switch p.Status {
	case testcase.Returned:
	case testcase.Panicked:
		if g.failure == "" || giver.PassedThrough(t.seq, p.Panic) {
			return nil
		}
	default:
		if !broken {
			return nil
		}
		g.blocks = nil // where the process ended, the coverage is not known
	}
	e.broken[key] = e.broken[key] || broken
	if broken && g.failure != "" {
		g.blocks = nil // the shortest sequence that fails in this way
	}
	if p.Status == testcase.Returned && g.violated == "" {
		return e.steps(ctx, t)
	}
	return e.emit(ctx, t, p.Outcome, g, broken)
}

// maxLeaked is how often a failure may turn out to come from what other sequences left in variables, before it is given up.
const maxLeaked = 30

// failsByItself reports whether a trial fails in a process in which nothing ran before. Where functions change the package's
// variables, many trials of a batch fail for what others have left there, and only one that makes all of the calls that it takes
// can be a finding.
func (e *engine) failsByItself(ctx context.Context, t trial, g goal, key string) (bool, error) {
	if e.leaked[key] >= maxLeaked {
		return false, nil
	}
	g.blocks = nil
	out, err := e.h.RunWith(ctx, []*testcase.Sequence{t.seq}, native.Options{Fresh: true})
	if err != nil {
		return false, err
	}
	e.res.Ops += calls(t.seq, native.Probe{Outcome: out[0]})
	if !e.met(g, t.act(), out[0]) {
		e.leaked[key]++
		return false, nil
	}
	return true, nil
}

// uncovered returns the blocks of a set that no case covers and that have not been given up, or nil if there
// are none.
func (e *engine) uncovered(c testcase.Cover) testcase.Cover {
	c = minus(c, e.covered)
	if c == nil {
		return nil
	}
	return minus(c, e.given)
}

// findSought finds the blocks that cases are wanted for: those of the wanted functions and of all that these may call,
// and with a method those of its type's methods, because what an object is when the method is called comes from these.
// If a wanted function calls functions that it was given, the whole package may be behind them.
func (e *engine) findSought() {
	all := e.cfg.Targets == nil
	names := make(map[string]bool)
	for _, t := range e.pkg.Targets {
		if all || t.Func == nil || !e.wantsLike(t) {
			continue
		}
		reached := purity.Reached(e.pkg, t.Func)
		all = reached == nil
		maps.Copy(names, reached)
	}
	for i, b := range e.h.Blocks() {
		if all || names[b.Func] {
			e.sought.Set(i)
		}
	}
}

// wantsLike reports whether cases are wanted for a function, or for another method of its type.
func (e *engine) wantsLike(t *load.Target) bool {
	if e.cfg.Targets(t.Name) {
		return true
	}
	named := load.NamedOf(t.Recv)
	return named != nil && slices.ContainsFunc(e.pkg.Targets, func(o *load.Target) bool {
		other := load.NamedOf(o.Recv)
		return other != nil && other.Obj() == named.Obj() && e.cfg.Targets(o.Name)
	})
}

// elusive notes that a sequence did not cover blocks again when it was observed. Such blocks depend on
// state left by earlier sequences, or on chance, and are given up after a few attempts.
func (e *engine) elusive(blocks testcase.Cover) {
	const attempts = 3
	for i := range len(blocks) * 64 {
		if blocks.Has(i) {
			if e.misses[i]++; e.misses[i] >= attempts {
				e.given.Set(i)
			}
		}
	}
}

// steps emits a case for each step of a trial that covers something new.
func (e *engine) steps(ctx context.Context, t trial) error {
	cands := make([]*testcase.Sequence, len(t.steps))
	for i := range t.steps {
		cands[i] = t.cut(i).seq
	}
	probes, err := e.h.Probe(ctx, cands)
	if err != nil {
		return err
	}
	for i, p := range probes {
		e.res.Ops += calls(cands[i], p)
		g := goal{status: testcase.Returned, blocks: e.uncovered(p.Cover)}
		if p.Status != testcase.Returned || p.Violated != "" || g.blocks == nil {
			continue
		}
		if err := e.emit(ctx, t.cut(i), p.Outcome, g, false); err != nil || e.stopped {
			return err
		}
	}
	return nil
}

// steadyRuns is how often a broken contract has to be broken again, in two runs each time.
const steadyRuns = 4

// shrinkFailing makes a trial smaller. If it fails, and the smaller one fails only for what others have left in the package's
// variables, the trial is made smaller once more where nothing is left there. This is dear, because each candidate takes a process.
func (e *engine) shrinkFailing(ctx context.Context, t trial, g goal, broken bool) (*testcase.Sequence, error) {
	s, err := e.shrink(ctx, t, g, false)
	if err != nil || !broken || !e.cfg.Stateful || s.Len() == t.seq.Len() {
		return s, err
	}
	out, err := e.h.RunWith(ctx, []*testcase.Sequence{s}, native.Options{Fresh: true})
	if err != nil || e.met(g, t.act(), out[0]) {
		return s, err
	}
	return e.shrink(ctx, t, g, true)
}

// emit makes a trial as small as its goal allows, has it observed, and yields it as a case.
func (e *engine) emit(ctx context.Context, t trial, o *testcase.Outcome, g goal, broken bool) error {
	if !t.act().report {
		return nil
	}
	s, err := e.shrinkFailing(ctx, t, g, broken)
	if err != nil {
		return err
	}
	c := &testcase.Case{Package: e.pkg.Path, Target: t.act().name, Engine: "random", Seq: s}
	if o.Exhausted() {
		c.Observed = o // observing it again would take as long again
		c.Observed.At = s.Len() - 1
	} else {
		out, err := e.h.RunWith(ctx, []*testcase.Sequence{s}, native.Options{Twice: true, Fresh: broken && e.cfg.Stateful})
		if err != nil {
			return err
		}
		if out[0].Unstable && (o.Status != testcase.Returned || !e.met(g, t.act(), out[0])) {
			// The outcome may depend on state that earlier sequences left, so it is observed in a new
			// process.
			out, err = e.h.RunWith(ctx, []*testcase.Sequence{s}, native.Options{Twice: true, Fresh: true})
			if err != nil {
				return err
			}
		}
		c.Observed = out[0]
		for range steadyRuns {
			if t.act().op.Kind != testcase.OpCheck || !e.met(g, t.act(), c.Observed) {
				break
			}
			// Code with a random source of its own may break a contract by chance. Whatever else it makes of
			// its objects, like the levels of a skip list, may differ.
			if out, err = e.h.RunTwice(ctx, []*testcase.Sequence{s}); err != nil {
				return err
			}
			if out[0].Wavers || !e.met(g, t.act(), out[0]) {
				return nil
			}
		}
	}
	e.res.Ops += 2 * calls(s, native.Probe{Outcome: c.Observed})
	if !e.met(g, t.act(), c.Observed) {
		e.elusive(g.blocks)
		return nil // the outcome depended on earlier sequences, so it is no test
	}
	// A call that breaks an object shows no behaviour worth testing, so what it covers is left to others.
	if !g.breaks && !e.covered.Union(c.Observed.Cover) && !broken {
		return nil
	}
	t.act().idle = 0
	e.lastFind = e.effort()
	if t.act().op.Kind != testcase.OpCheck && price(o) == 0 { // another constant would end the process as well
		e.finds[t.act()] = append(e.finds[t.act()], &find{seq: s, act: t.act()})
	}
	e.res.Cases++
	if last := s.Last().Op; last.Kind == testcase.OpCheck && last.Check.Contract == testcase.InvariantContract {
		c.Target = "" // the function that made the object invalid counts, not the method that says so
	}
	if c.Target == "" {
		c.Target = targetOf(e.pkg.Types, s)
	}
	if c.Target == "" {
		c.Target = t.act().name
	}
	if g.breaks {
		c.Observed.Violated = "contract " + testcase.InvariantContract
	}
	e.stopped = !e.yield(c)
	return nil
}

// targetOf returns the name of the package's function or method that made the object of the last call;
// if there is none, the name of the last function or method that the sequence calls.
func targetOf(pkg *types.Package, s *testcase.Sequence) string {
	at := s.Len() - 1
	for {
		st := s.At(at)
		if callsOf(st.Op, pkg) {
			return testcase.TargetName(st.Op.Func)
		}
		if k := st.Op.Kind; k != testcase.OpMethod && k != testcase.OpCallValue {
			break
		}
		at = st.Args[0].Stmt
	}
	for i := s.Len() - 1; i >= 0; i-- {
		if callsOf(s.At(i).Op, pkg) {
			return testcase.TargetName(s.At(i).Op.Func)
		}
	}
	return ""
}

// callsOf reports whether an operation calls a function or method of a package.
func callsOf(op *testcase.Operation, pkg *types.Package) bool {
	return (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && op.Func.Pkg() == pkg
}
