package random

import (
	"context"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// This file makes the sequence of a case smaller while it still shows what the case is for: the same
// failure, the same broken contract, or the same blocks. Readers understand a short test, and the mutator
// of sequences works better on short ones.
//
// The shrinker holds the smallest sequence found so far. Its passes propose candidates, each smaller in
// one place. A candidate is run, and takes the sequence's place if it still meets the goal:
//
//  1. dropStatements leaves out statements that the last one does not need;
//  2. dropParts leaves out elements, fields and optional arguments;
//  3. putConstants puts constants in place of values that calls computed;
//  4. putReadyMade puts ready-made values of the standard library in place of others;
//  5. simplifyConstants makes numbers and texts simpler.
//
// The passes are repeated until a whole round changes nothing, or the runs are used up.

// goal is what a sequence must still do when it is made smaller.
type goal struct {
	failure  string         // how it fails, see (*engine).failure
	violated string         // the contract that it breaks
	blocks   testcase.Cover // blocks that it covers, nil for none in particular
	status   testcase.Status
	breaks   bool // whether the last call breaks an object that was valid before it
}

// met reports whether an outcome of an action does what the goal asks for.
func (e *engine) met(g goal, a *action, o *testcase.Outcome) bool {
	return o.Status == g.status && e.failure(o, a) == g.failure && violation(o) == g.violated && minus(g.blocks, o.Cover) == nil
}

// shrinker makes one sequence smaller.
type shrinker struct {
	e    *engine
	ctx  context.Context
	goal goal
	act  *action
	seq  *testcase.Sequence // the smallest so far that meets the goal
	runs int                // how many candidates may still be run

	slept int // how many candidates slept for too long
}

// maxSlept is how many candidates may sleep for too long before shrinking ends.
const maxSlept = 3

// shrink returns a sequence that still meets the goal, with as few statements and as simple constants as
// a greedy search finds. It runs at most shrinkRuns candidates.
func (e *engine) shrink(ctx context.Context, t trial, g goal) (*testcase.Sequence, error) {
	k := &shrinker{e: e, ctx: ctx, goal: g, act: t.act(), seq: t.seq, runs: runsFor(g, t.act())}
	passes := []func() error{k.dropStatements, k.dropParts, k.putConstants, k.putReadyMade, k.simplifyConstants}
	for {
		before, runs := k.seq, k.runs
		k.seq = prune(k.seq)
		for _, pass := range passes {
			if err := pass(); err != nil {
				return nil, err
			}
		}
		if k.seq == before || k.runs <= 0 || k.runs == runs {
			return k.seq, nil
		}
	}
}

// Bounds of the runs that making one sequence smaller may take.
const (
	shrinkRuns = 250
	// shrinkDiscount is by how much less the calls count that make a sequence smaller: each would otherwise be
	// taken from those that look for something new.
	shrinkDiscount = 4
	processRuns    = 10 // for a sequence that ends its process: each run needs a new one
)

// exhausted begins the failure of a sequence that used up its time or its memory.
const exhausted = "exhausted in "

// runsFor returns how many candidates may be run for a goal.
func runsFor(g goal, act *action) int {
	switch g.status {
	case testcase.Returned:
		if act.op.Kind == testcase.OpCheck && act.op.Check.Twins {
			return 0 // the check needs two objects that are made alike, and a change of one would make them differ
		}
	case testcase.Hung:
		return 0 // each run would take the whole time limit
	case testcase.Panicked, testcase.Goexit:
	default:
		if strings.Contains(g.failure, "fatal") || strings.HasPrefix(g.failure, exhausted) {
			return 0 // such errors, like a full stack, take long to come about
		}
		return processRuns
	}
	return shrinkRuns
}

// scouts is how many candidates are run before the others of a batch.
const scouts = 2

// accept runs candidates and makes the first that meets the goal the shrinker's sequence. It reports
// whether there was one.
func (k *shrinker) accept(candidates ...*testcase.Sequence) (bool, error) {
	if len(candidates) > k.runs {
		candidates = candidates[:max(k.runs, 0)]
	}
	k.runs -= len(candidates)
	// A candidate that hangs takes a second or more, and if one of a batch hangs most others do, too.
	// So a few run first, and if one of these hangs, shrinking ends.
	first := min(len(candidates), scouts)
	for _, batch := range [][]*testcase.Sequence{candidates[:first], candidates[first:]} {
		accepted, hung, err := k.run(batch)
		if err != nil || accepted {
			return accepted, err
		}
		if hung {
			k.runs = 0
			return false, nil
		}
	}
	return false, nil
}

// run runs a batch of candidates at once. It reports whether one was accepted, and whether one of them
// used up its time or its memory.
func (k *shrinker) run(batch []*testcase.Sequence) (accepted, hung bool, err error) {
	if len(batch) == 0 {
		return false, false, nil
	}
	probes, err := k.e.h.ProbeBriefly(k.ctx, batch)
	if err != nil {
		return false, false, err
	}
	for i, p := range probes {
		k.e.res.Ops += calls(batch[i], p)/shrinkDiscount + price(p.Outcome)
		if slept(p.Outcome) {
			k.slept++
		}
		hung = hung || p.Exhausted() && (!slept(p.Outcome) || k.slept >= maxSlept)
	}
	for i, p := range probes {
		if !k.e.met(k.goal, k.act, p.Outcome) {
			continue
		}
		failed, err := k.usesFailed(batch[i])
		if err != nil {
			return false, hung, err
		}
		if !failed && k.goal.breaks {
			breaks, err := k.e.breaks(k.ctx, batch[i])
			if err != nil {
				return false, hung, err
			}
			failed = !breaks
		}
		if !failed {
			k.seq = batch[i]
			return true, hung, nil
		}
	}
	return false, hung, nil
}

// usesFailed reports whether a candidate goes on with an object that came with an error. The sequence that is made
// smaller does not, since such objects do not get into the pool.
func (k *shrinker) usesFailed(s *testcase.Sequence) (bool, error) {
	if !s.MayFail() {
		return false, nil
	}
	out, err := k.e.h.Run(k.ctx, []*testcase.Sequence{s})
	if err != nil {
		return false, err
	}
	return s.UsesFailed(out[0]), nil
}

// dropStatements leaves out statements one by one, from the end, each with all statements that need it.
func (k *shrinker) dropStatements() error {
	for i := k.seq.Len() - 2; i >= 0; i-- {
		if i >= k.seq.Len()-1 {
			continue // an accepted candidate has become much shorter
		}
		c := withoutStatement(k.seq, i)
		if c == nil {
			continue
		}
		if _, err := k.accept(prune(c)); err != nil {
			return err
		}
	}
	return nil
}

// dropParts leaves out parts of statements one by one (see withoutPart).
func (k *shrinker) dropParts() error {
	return k.repeat(func() (bool, error) {
		for i := range k.seq.Len() {
			for _, st := range withoutPart(k.seq.At(i)) {
				if ok, err := k.accept(prune(replace(k.seq, i, st))); ok || err != nil {
					return ok, err
				}
			}
		}
		return false, nil
	})
}

// putConstants replaces arguments that calls computed by constants.
func (k *shrinker) putConstants() error {
	return k.repeat(func() (bool, error) {
		for i := k.seq.Len() - 1; i >= 0; i-- {
			for j, a := range k.seq.At(i).Args {
				if ok, err := k.accept(k.withConstants(i, j, a)...); ok || err != nil {
					return ok, err
				}
			}
		}
		return false, nil
	})
}

// withConstants returns the sequence with a constant in place of argument j of statement i, for a few
// constants. It returns nothing if the argument is a constant already, or no value of a basic type.
func (k *shrinker) withConstants(i, j int, arg testcase.Ref) []*testcase.Sequence {
	from := k.seq.At(arg.Stmt).Op
	if from.Kind == testcase.OpLiteral || from.Kind == testcase.OpZero {
		return nil
	}
	t := k.e.slotType(from, arg.Result)
	if t == nil {
		return nil
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	var out []*testcase.Sequence
	for _, v := range []int64{0, 1, 2, -1} {
		l, ok := literalLike(b, v)
		if !ok {
			break
		}
		constant := testcase.NewSequence(testcase.Statement{Op: k.e.literalOp(t, l)})
		out = append(out, prune(withArgument(k.seq, i, j, constant)))
	}
	return out
}

// putReadyMade replaces arguments that calls of the package made by ready-made values of their types,
// because a reader knows these.
func (k *shrinker) putReadyMade() error {
	return k.repeat(func() (bool, error) {
		for i := k.seq.Len() - 1; i >= 0; i-- {
			st := k.seq.At(i)
			receiver := 0 // how many of the arguments are one
			switch st.Op.Kind {
			case testcase.OpFunc:
			case testcase.OpMethod:
				receiver = 1
			default:
				continue
			}
			params := st.Op.Signature().Params()
			for j, a := range st.Args[receiver:] {
				if j >= params.Len() || !callsOf(k.seq.At(a.Stmt).Op, k.e.pkg.Types) {
					continue
				}
				values := k.e.givers.Values(params.At(j).Type())
				if len(values) == 0 {
					continue
				}
				if ok, err := k.accept(prune(withArgument(k.seq, i, receiver+j, values[0]))); ok || err != nil {
					return ok, err
				}
			}
		}
		return false, nil
	})
}

// simplifyConstants makes each constant as simple as possible (see simpler).
func (k *shrinker) simplifyConstants() error {
	for i := 0; i < k.seq.Len(); i++ {
		for {
			op := k.seq.At(i).Op
			if op.Kind != testcase.OpLiteral {
				break
			}
			var candidates []*testcase.Sequence
			for _, l := range simpler(op) {
				candidates = append(candidates, replace(k.seq, i, testcase.Statement{Op: k.e.likeLiteral(op, l)}))
			}
			if ok, err := k.accept(candidates...); err != nil {
				return err
			} else if !ok {
				break
			}
		}
	}
	return nil
}

// repeat calls a search for a smaller sequence until it finds none. A search ends at the first candidate
// that is accepted, because the candidate's statements have other numbers.
func (k *shrinker) repeat(search func() (bool, error)) error {
	for {
		if ok, err := search(); !ok || err != nil {
			return err
		}
	}
}
