package random

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// exhausted begins the failure of what used up its time or its memory.
const exhausted = "exhausted in "

// goal is what a sequence must still do when it is cut down.
type goal struct {
	failure  string         // see (*engine).failure
	violated string         // the contract that is broken
	blocks   testcase.Cover // to be covered, nil for any
	status   testcase.Status
}

// met reports whether an outcome does what the goal asks for.
func (e *engine) met(g goal, a *action, o *testcase.Outcome) bool {
	return o.Status == g.status && e.failure(o, a) == g.failure && o.Violated == g.violated && without(g.blocks, o.Cover) == nil
}

// shrinkRuns is how many runs cutting one sequence down may take.
const shrinkRuns = 250

// shrinker cuts one sequence down.
type shrinker struct {
	e    *engine
	ctx  context.Context
	g    goal
	act  *action
	runs int
}

// shrink returns a sequence that still does what g asks for: with as few statements
// and as simple constants as a greedy search finds.
func (e *engine) shrink(ctx context.Context, t trial, g goal) (*testcase.Sequence, error) {
	s := t.seq
	k := &shrinker{e: e, ctx: ctx, g: g, act: t.act(), runs: shrinkRuns}
	switch g.status {
	case testcase.Returned:
		if t.act().op.Kind == testcase.OpCheck && t.act().op.Check.Twins {
			k.runs = 0 // they must stay alike
		}
	case testcase.Hung:
		k.runs = 0 // each run would take the whole time limit
	case testcase.Panicked, testcase.Goexit:
	default:
		k.runs = 10 // each takes a new process
		if strings.Contains(g.failure, "fatal") || strings.HasPrefix(g.failure, exhausted) {
			k.runs = 0
		}
	}
	for {
		n := k.runs
		next, err := k.statements(prune(s))
		if err == nil {
			next, err = k.scalars(next)
		}
		if err == nil {
			next, err = k.readyMade(next)
		}
		if err == nil {
			next, err = k.constants(next)
		}
		if err != nil {
			return nil, err
		}
		if next == s || k.runs <= 0 || n == k.runs {
			return next, nil
		}
		s = next
	}
}

// firstThatMeets runs candidates and returns the first that meets the goal, or nil.
func (k *shrinker) firstThatMeets(cands []*testcase.Sequence) (*testcase.Sequence, error) {
	if len(cands) > k.runs {
		cands = cands[:max(k.runs, 0)]
	}
	if len(cands) == 0 {
		return nil, nil
	}
	k.runs -= len(cands)
	// What hangs takes a second or more each, and most candidates are alike: one of the first will
	// tell, and the rest is not run.
	for _, part := range [][]*testcase.Sequence{cands[:min(len(cands), scouts)], cands[min(len(cands), scouts):]} {
		if len(part) == 0 {
			break
		}
		probes, err := k.e.h.Probe(k.ctx, part)
		if err != nil {
			return nil, err
		}
		hung := false
		for i, p := range probes {
			k.e.res.Ops += calls(part[i], p) + price(p.Outcome)
			hung = hung || p.Exhausted()
		}
		for i, p := range probes {
			if k.e.met(k.g, k.act, p.Outcome) {
				return part[i], nil
			}
		}
		if hung {
			k.runs = 0
			break
		}
	}
	return nil, nil
}

// scouts is how many candidates are run before the others.
const scouts = 2

// prune drops statements that make values which nothing uses.
func prune(s *testcase.Sequence) *testcase.Sequence {
	keep := make([]bool, s.Len())
	all := true
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		switch st.Op.Kind {
		case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue:
			keep[i] = true
		}
		if i == s.Len()-1 || st.Op.Kind.Assigns() {
			keep[i] = true
		}
		if keep[i] {
			for _, a := range st.Args {
				keep[a.Stmt] = true
			}
		} else {
			all = false
		}
	}
	if all {
		return s
	}
	out, _ := s.Keep(keep)
	return out
}

// statements drops statements one by one, from the end: with all that needs them,
// or, of a call on a receiver that later statements use, alone.
func (k *shrinker) statements(s *testcase.Sequence) (*testcase.Sequence, error) {
	for i := s.Len() - 2; i >= 0; i-- {
		if i >= s.Len()-1 {
			continue
		}
		keep := make([]bool, s.Len())
		for j := range keep {
			keep[j] = j != i
		}
		// What uses it must go, too; if that is the last statement, nothing is gained.
		for j := i + 1; j < s.Len(); j++ {
			for _, a := range s.At(j).Args {
				keep[j] = keep[j] && keep[a.Stmt]
			}
		}
		if !keep[s.Len()-1] {
			continue
		}
		c, ok := s.Keep(keep)
		if !ok {
			continue
		}
		c = prune(c)
		good, err := k.firstThatMeets([]*testcase.Sequence{c})
		if err != nil {
			return nil, err
		}
		if good != nil {
			s = good
		}
	}
	return k.elements(s)
}

// elements drops elements of slices and maps, and optional arguments.
func (k *shrinker) elements(s *testcase.Sequence) (*testcase.Sequence, error) {
	for i := 0; i < s.Len(); i++ {
		st := s.At(i)
		step := 1
		switch {
		case st.Op.Kind == testcase.OpComposite && st.Op.Elems == nil:
			switch st.Op.Type.Underlying().(type) {
			case *types.Slice:
			case *types.Map:
				step = 2
			default:
				continue
			}
		case st.Op.Kind == testcase.OpComposite:
			if _, ok := st.Op.Type.Underlying().(*types.Struct); !ok {
				continue
			}
		case st.Op.Kind == testcase.OpStubFunc && len(st.Op.Stub) > 1:
			// A function of one scripted call returns the same always.
			o := *st.Op
			last := o.Stub[len(o.Stub)-1]
			o.Stub = o.Stub[:len(o.Stub)-1]
			c := prune(replace(s, i, testcase.Statement{Op: &o, Args: st.Args[:last.From]}))
			good, err := k.firstThatMeets([]*testcase.Sequence{c})
			if err != nil {
				return nil, err
			}
			if good != nil {
				return k.elements(good)
			}
			continue
		case (st.Op.Kind == testcase.OpFunc || st.Op.Kind == testcase.OpMethod) && st.Op.Signature().Variadic() && !st.Op.Spread:
		default:
			continue
		}
		first := 0
		if st.Op.Kind != testcase.OpComposite {
			first = st.Op.Signature().Params().Len() - 1
			if st.Op.Kind == testcase.OpMethod {
				first++
			}
		}
		for j := len(st.Args) - step; j >= first; j -= step {
			op := st.Op
			if op.Kind == testcase.OpComposite {
				o := *op
				if op.Elems != nil {
					o.Elems = append(append([]int{}, op.Elems[:j]...), op.Elems[j+1:]...)
				} else if op.N > 0 && step == 1 {
					o.N--
				}
				op = &o
			}
			args := append(append([]testcase.Ref{}, st.Args[:j]...), st.Args[j+step:]...)
			c := prune(replace(s, i, testcase.Statement{Op: op, Args: args}))
			good, err := k.firstThatMeets([]*testcase.Sequence{c})
			if err != nil {
				return nil, err
			}
			if good != nil {
				// Numbers may have changed: begin again with what is left.
				return k.elements(good)
			}
		}
	}
	return s, nil
}

// scalars puts constants in the place of arguments that other calls made.
func (k *shrinker) scalars(s *testcase.Sequence) (*testcase.Sequence, error) {
	for i := s.Len() - 1; i >= 0 && i < s.Len(); i-- {
		st := s.At(i)
		for j, a := range st.Args {
			from := s.At(a.Stmt).Op
			if from.Kind == testcase.OpLiteral || from.Kind == testcase.OpZero {
				continue
			}
			t := k.e.slotType(s.At(a.Stmt).Op, a.Result)
			if t == nil {
				continue
			}
			b, ok := t.Underlying().(*types.Basic)
			if !ok {
				continue
			}
			var cands []*testcase.Sequence
			for _, v := range []int64{0, 1, 2, -1} {
				l, ok := plain(b, v)
				if !ok {
					break
				}
				stmts := make([]testcase.Statement, 0, s.Len()+1)
				for n := range i {
					stmts = append(stmts, s.At(n))
				}
				stmts = append(stmts, testcase.Statement{Op: k.e.literalOp(t, l)})
				for n := i; n < s.Len(); n++ {
					args := slices.Clone(s.At(n).Args)
					for m := range args {
						if args[m].Stmt >= i {
							args[m].Stmt++
						}
					}
					if n == i {
						args[j] = testcase.Ref{Stmt: i}
					}
					stmts = append(stmts, testcase.Statement{Op: s.At(n).Op, Args: args})
				}
				cands = append(cands, prune(testcase.NewSequence(stmts...)))
			}
			good, err := k.firstThatMeets(cands)
			if err != nil {
				return nil, err
			}
			if good != nil {
				return k.scalars(good) // numbers have changed
			}
		}
	}
	return s, nil
}

// plain returns the constant that is like the number v in a basic type.
func plain(b *types.Basic, v int64) (testcase.Literal, bool) {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return testcase.Literal{Kind: testcase.LitBool, Bits: uint64(v & 1)}, v >= 0 && v < 2
	case info&types.IsString != 0:
		return testcase.Literal{Kind: testcase.LitString, Str: strings.Repeat("a", max(int(v), 0))}, v >= 0
	case info&types.IsUnsigned != 0:
		return testcase.Literal{Kind: testcase.LitUint, Bits: uint64(v)}, v >= 0
	case info&types.IsInteger != 0:
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(v)}, true
	case info&types.IsFloat != 0:
		return floatLiteral(float64(v), b), true
	}
	return testcase.Literal{}, false
}

// replace returns s with statement i replaced.
func replace(s *testcase.Sequence, i int, st testcase.Statement) *testcase.Sequence {
	stmts := make([]testcase.Statement, s.Len())
	for j := range stmts {
		stmts[j] = s.At(j)
	}
	stmts[i] = st
	return testcase.NewSequence(stmts...)
}

// constants makes each constant as simple as it can be.
func (k *shrinker) constants(s *testcase.Sequence) (*testcase.Sequence, error) {
	for i := 0; i < s.Len(); i++ {
		for {
			op := s.At(i).Op
			if op.Kind != testcase.OpLiteral {
				break
			}
			var cands []*testcase.Sequence
			for _, l := range simpler(op) {
				cands = append(cands, replace(s, i, testcase.Statement{Op: k.e.likeLiteral(op, l)}))
			}
			good, err := k.firstThatMeets(cands)
			if err != nil {
				return nil, err
			}
			if good == nil {
				break
			}
			s = good
		}
	}
	return s, nil
}
