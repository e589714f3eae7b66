package random

import (
	"context"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/native"
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
	// alone says that each candidate runs in a process of its own, because it may fail only for what another one has left in the
	// package's variables.
	alone bool
	left  int // how many candidates may still be proposed, whether they run or not

	slept int // how many candidates slept for too long
	ended int // how many candidates ended their process in another way
	tough int // how many batches were dear although a candidate was accepted: the time or memory of another one gave out
}

// maxTough: shrinking ends after so many batches in which the time or the memory of a candidate gave out although
// another one was accepted. A candidate that runs out of either costs a process. Where a call needs much memory for
// a large size, and shrinking makes the size smaller by one in each batch, that would be two hundred processes.
const maxTough = 3

// maxSlept: shrinking ends when so many candidates have slept for too long. Fewer are cheap, because
// native.Harness.ProbeBriefly cuts them off, and they may sleep only because they have lost the statement that
// set a short time-out.
const maxSlept = 3

// shrink returns a sequence that still meets the goal, with as few statements and as simple constants as
// a greedy search finds. At most shrinkRuns candidates are run, and those that meet the goal once more. An error ends the engine's work, so nobody
// wants the sequence found so far then.
// If alone is set, each runs in a process of its own, and only aloneRuns do.
func (e *engine) shrink(ctx context.Context, t trial, g goal, alone bool) (*testcase.Sequence, error) {
	s := &shrinker{e: e, ctx: ctx, goal: g, act: t.act(), seq: t.seq, alone: alone, left: runsFor(g, t.act())}
	if alone {
		s.left = min(s.left, aloneRuns)
	}
	passes := []func() error{s.dropStatements, s.dropParts, s.putConstants, s.putReadyMade, s.simplifyConstants}
	for {
		before, left := s.seq, s.left
		s.seq = prune(withoutReads(s.seq))
		for _, pass := range passes {
			if err := pass(); err != nil {
				return nil, err
			}
		}
		nothingProposed := s.left == left
		if s.seq == before || s.left <= 0 || nothingProposed {
			return s.seq, nil
		}
	}
}

// Bounds of the runs that making one sequence smaller may take.
const (
	shrinkRuns = 250
	// shrinkDiscount: the engine's call budget is meant for exploration, so calls made while shrinking are
	// charged at a quarter.
	shrinkDiscount = 4
	processRuns    = 10 // of candidates that end their process: each needs a new one
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
		return shrinkRuns
	case testcase.Panicked, testcase.Goexit:
		return shrinkRuns
	case testcase.Hung:
		return 0 // each run would take the whole time limit
	case testcase.Exited:
		return 0 // a call that ends the process is never a test, however short it is
	default: // Died, Deadlock: the process has ended
		if strings.Contains(g.failure, "fatal") || strings.HasPrefix(g.failure, exhausted) {
			return 0 // the fatal errors of the runtime, like a full stack, take long to come about
		}
		return processRuns
	}
}

// scouts is how many candidates are run before the others of a batch.
const scouts = 2

// accept runs candidates and makes the first that meets the goal the shrinker's sequence. It reports
// whether there was one. All candidates are charged, also those that need not run any more, so that what is
// left does not depend on which candidate was accepted.
func (s *shrinker) accept(candidates ...*testcase.Sequence) (bool, error) {
	if len(candidates) > s.left {
		candidates = candidates[:max(s.left, 0)]
	}
	s.left -= len(candidates)
	// A candidate that hangs takes a second or more, and if one of a batch hangs most others do, too.
	// So a few run first, and if one of these hangs, shrinking ends.
	first := min(len(candidates), scouts)
	for _, batch := range [][]*testcase.Sequence{candidates[:first], candidates[first:]} {
		accepted, gaveOut, err := s.run(batch)
		if err != nil {
			return false, err
		}
		if accepted {
			if gaveOut {
				s.tough++
			}
			if s.tough >= maxTough {
				s.left = 0
			}
			return true, nil // it does not matter what the other candidates did
		}
		if gaveOut {
			s.left = 0
			return false, nil
		}
	}
	return false, nil
}

// aloneRuns is how many candidates run that need a process of their own.
const aloneRuns = 60

// probe runs candidates.
func (s *shrinker) probe(batch []*testcase.Sequence) ([]native.Probe, error) {
	if !s.alone {
		return s.e.h.ProbeBriefly(s.ctx, batch)
	}
	outcomes, err := s.e.h.RunWith(s.ctx, batch, native.Options{Fresh: true})
	probes := make([]native.Probe, len(outcomes))
	for i, o := range outcomes {
		probes[i].Outcome = o
	}
	return probes, err
}

// run runs a batch of candidates at once. It reports whether one was accepted, and whether the time or the
// memory of one gave out.
func (s *shrinker) run(batch []*testcase.Sequence) (accepted, gaveOut bool, err error) {
	if len(batch) == 0 {
		return false, false, nil
	}
	probes, err := s.probe(batch)
	if err != nil {
		return false, false, err
	}
	made := 0
	for i, p := range probes {
		made += calls(batch[i], p)
		s.e.chargeEnd(price(p.Outcome))
		switch {
		case slept(p.Outcome):
			s.slept++
			gaveOut = gaveOut || s.slept >= maxSlept
		case p.Exhausted():
			gaveOut = true
		case price(p.Outcome) > 0:
			s.ended++
			gaveOut = gaveOut || s.ended >= processRuns
		}
	}
	s.e.res.Ops += (made + shrinkDiscount - 1) / shrinkDiscount
	for i, p := range probes {
		if !s.e.met(s.goal, s.act, p.Outcome) {
			continue
		}
		failed, err := s.usesFailed(batch[i])
		if err != nil {
			return false, gaveOut, err
		}
		if failed {
			continue
		}
		if s.goal.breaks {
			breaks, err := s.e.breaks(s.ctx, batch[i])
			if err != nil {
				return false, gaveOut, err
			}
			if !breaks {
				continue
			}
		}
		s.seq = batch[i]
		return true, gaveOut, nil
	}
	return false, gaveOut, nil
}

// usesFailed reports whether a candidate uses a result that was returned together with a non-nil error. The
// original never does, because the engine does not keep such results; shrinking must not introduce it.
//
// A probe does not say what calls returned, so the candidate is run once more. This is not charged, because
// only candidates run again that meet the goal, which are few.
func (s *shrinker) usesFailed(seq *testcase.Sequence) (bool, error) {
	if !seq.MayFail() {
		return false, nil
	}
	out, err := s.e.h.Run(s.ctx, []*testcase.Sequence{seq})
	if err != nil {
		return false, err
	}
	return seq.UsesFailed(out[0]), nil
}

// dropStatements leaves out statements one by one, from the end, each with all statements that need it.
func (s *shrinker) dropStatements() error {
	for i := s.seq.Len() - 2; i >= 0; i-- {
		if i >= s.seq.Len()-1 {
			continue // an accepted candidate has become much shorter
		}
		c := withoutStatement(s.seq, i)
		if c == nil || len(s.e.defaults.Lacks(c)) > len(s.e.defaults.Lacks(s.seq)) {
			continue
		}
		if _, err := s.accept(prune(c)); err != nil {
			return err
		}
	}
	return nil
}

// dropParts leaves out parts of statements one by one (see withoutPart).
func (s *shrinker) dropParts() error {
	return s.repeat(func() (bool, error) {
		for i := range s.seq.Len() {
			for _, st := range withoutPart(s.seq.At(i)) {
				if ok, err := s.accept(prune(replace(s.seq, i, st))); ok || err != nil {
					return ok, err
				}
			}
		}
		return false, nil
	})
}

// putConstants replaces arguments that calls computed by constants.
func (s *shrinker) putConstants() error {
	return s.repeat(func() (bool, error) {
		for i := s.seq.Len() - 1; i >= 0; i-- {
			for j, a := range s.seq.At(i).Args {
				if ok, err := s.accept(s.withConstants(i, j, a)...); ok || err != nil {
					return ok, err
				}
			}
		}
		return false, nil
	})
}

// withConstants returns the sequence with a constant in place of argument j of statement i, for a few
// constants. It returns nothing if the argument is a constant already, or no value of a basic type.
func (s *shrinker) withConstants(i, j int, arg testcase.Ref) []*testcase.Sequence {
	from := s.seq.At(arg.Stmt).Op
	if from.Kind == testcase.OpLiteral || from.Kind == testcase.OpZero {
		return nil
	}
	t := s.e.slotType(from, arg.Result)
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
		constant := testcase.NewSequence(testcase.Statement{Op: s.e.literalOp(t, l)})
		out = append(out, prune(withArgument(s.seq, i, j, constant)))
	}
	return out
}

// putReadyMade replaces arguments that calls of the package made by ready-made values of their types,
// because a reader knows these.
func (s *shrinker) putReadyMade() error {
	return s.repeat(func() (bool, error) {
		for i := s.seq.Len() - 1; i >= 0; i-- {
			st := s.seq.At(i)
			firstParam := 0 // index of the first argument that is not the receiver
			switch st.Op.Kind {
			case testcase.OpFunc:
			case testcase.OpMethod:
				firstParam = 1
			default:
				continue
			}
			params := st.Op.Signature().Params()
			for j, a := range st.Args[firstParam:] {
				if j >= params.Len() || !callsOf(s.seq.At(a.Stmt).Op, s.e.pkg.Types) {
					continue
				}
				values := s.e.givers.Values(params.At(j).Type())
				if len(values) == 0 {
					continue
				}
				if ok, err := s.accept(prune(withArgument(s.seq, i, firstParam+j, values[0]))); ok || err != nil {
					return ok, err
				}
			}
		}
		return false, nil
	})
}

// simplifyConstants makes each constant as simple as possible (see simpler).
func (s *shrinker) simplifyConstants() error {
	for i := 0; i < s.seq.Len(); i++ {
		for {
			op := s.seq.At(i).Op
			if op.Kind != testcase.OpLiteral {
				break
			}
			var candidates []*testcase.Sequence
			for _, own := range s.ownBodies(i) {
				candidates = append(candidates, replace(s.seq, i, testcase.Statement{Op: own}))
			}
			for _, l := range s.simplerAt(i) {
				candidates = append(candidates, replace(s.seq, i, testcase.Statement{Op: s.e.likeLiteral(op, l)}))
			}
			if ok, err := s.accept(candidates...); err != nil {
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
func (s *shrinker) repeat(search func() (bool, error)) error {
	for {
		if ok, err := search(); !ok || err != nil {
			return err
		}
	}
}
