package random

import (
	"context"
	"go/types"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// goal is what a sequence must still do when it is cut down.
type goal struct {
	failure  string // see (*engine).failure
	violated bool
	blocks   testcase.Cover // to be covered, nil for any
	status   testcase.Status
}

// met reports whether an outcome does what the goal asks for.
func (e *engine) met(g goal, a *action, o *testcase.Outcome) bool {
	return o.Status == g.status && e.failure(o, a) == g.failure && (o.Violated != "") == g.violated && without(g.blocks, o.Cover) == nil
}

// found deals with a trial that covered something new or failed.
func (e *engine) found(ctx context.Context, t trial, p native.Probe, g goal, broken bool) error {
	g.status = p.Status
	key := e.cause(g, t)
	switch p.Status {
	case testcase.Returned:
	case testcase.Panicked:
		if g.failure == "" {
			return nil
		}
	default:
		if !broken {
			return nil
		}
		g.blocks = nil // unknown where the process ended
	}
	e.broken[key] = e.broken[key] || broken
	if broken && g.failure != "" {
		g.blocks = nil // the shortest that fails so
	}
	if p.Status == testcase.Returned && !g.violated {
		return e.steps(ctx, t)
	}
	return e.emit(ctx, t, p.Outcome, g, broken)
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
		e.res.Ops += calls(cands[i], p.At)
		g := goal{status: testcase.Returned, blocks: without(p.Cover, e.covered)}
		if p.Status != testcase.Returned || p.Violated != "" || g.blocks == nil {
			continue
		}
		if err := e.emit(ctx, t.cut(i), p.Outcome, g, false); err != nil || e.stopped {
			return err
		}
	}
	return nil
}

// emit cuts a trial down to the goal, has it observed, and yields it.
func (e *engine) emit(ctx context.Context, t trial, o *testcase.Outcome, g goal, broken bool) error {
	if !t.act().report {
		return nil
	}
	s, err := e.shrink(ctx, t, g)
	if err != nil {
		return err
	}
	c := &testcase.Case{Package: e.pkg.Path, Target: t.act().name, Engine: "random", Seq: s}
	if o.Status == testcase.Hung {
		c.Observed = o // once more would take as long again
		c.Observed.At = s.Len() - 1
	} else {
		out, err := e.h.RunTwice(ctx, []*testcase.Sequence{s})
		if err != nil {
			return err
		}
		c.Observed = out[0]
	}
	e.res.Ops += 2 * calls(s, s.Len())
	if !e.met(g, t.act(), c.Observed) {
		return nil // it depended on what ran before: no test
	}
	if !e.covered.Union(c.Observed.Cover) && !broken {
		return nil
	}
	t.act().idle = 0
	e.lastFind = e.res.Ops
	e.finds = append(e.finds, find{s, t.act()})
	e.res.Cases++
	if c.Target == "" {
		c.Target = targetOf(s)
	}
	e.stopped = !e.yield(c)
	return nil
}

// targetOf returns the name of the last function or method that a sequence calls by
// its name.
func targetOf(s *testcase.Sequence) string {
	for i := s.Len() - 1; i >= 0; i-- {
		op := s.At(i).Op
		if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod {
			continue
		}
		recv := op.Func.Signature().Recv()
		if recv == nil {
			return op.Func.Name()
		}
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			return n.Obj().Name() + "." + op.Func.Name()
		}
	}
	return ""
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
	case testcase.Hung:
		k.runs = 0 // each run would take the whole time limit
	case testcase.Returned, testcase.Panicked, testcase.Goexit:
	default:
		k.runs = 10 // each takes a new process
		if strings.Contains(g.failure, "fatal") {
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

// ok runs candidates and returns the first that meets the goal, or nil.
func (k *shrinker) ok(cands []*testcase.Sequence) (*testcase.Sequence, error) {
	if len(cands) > k.runs {
		cands = cands[:max(k.runs, 0)]
	}
	if len(cands) == 0 {
		return nil, nil
	}
	k.runs -= len(cands)
	probes, err := k.e.h.Probe(k.ctx, cands)
	if err != nil {
		return nil, err
	}
	for i, p := range probes {
		k.e.res.Ops += calls(cands[i], p.At)
	}
	for i, p := range probes {
		if k.e.met(k.g, k.act, p.Outcome) {
			return cands[i], nil
		}
	}
	return nil, nil
}

// prune drops statements that make values which nothing uses.
func prune(s *testcase.Sequence) *testcase.Sequence {
	keep := make([]bool, s.Len())
	all := true
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		switch st.Op.Kind {
		case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue, testcase.OpSetField, testcase.OpSetGlobal, testcase.OpStore:
			keep[i] = true
		}
		if i == s.Len()-1 {
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
		good, err := k.ok([]*testcase.Sequence{c})
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
			good, err := k.ok([]*testcase.Sequence{c})
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
				} else if op.N > 0 {
					o.N--
				}
				op = &o
			}
			args := append(append([]testcase.Ref{}, st.Args[:j]...), st.Args[j+step:]...)
			c := prune(replace(s, i, testcase.Statement{Op: op, Args: args}))
			good, err := k.ok([]*testcase.Sequence{c})
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
			t := k.e.slotType(s, a)
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
			good, err := k.ok(cands)
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
				cands = append(cands, replace(s, i, testcase.Statement{Op: k.e.literalOp(op.Type, l)}))
			}
			good, err := k.ok(cands)
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

// simpler returns constants that read better than an operation's, the best first.
// Each is smaller in a fixed order, so that the search ends.
func simpler(op *testcase.Operation) []testcase.Literal {
	l := op.Lit
	b := op.Type.Underlying().(*types.Basic)
	var out []testcase.Literal
	switch l.Kind {
	case testcase.LitBool:
		if l.Bits != 0 {
			out = append(out, testcase.Literal{Kind: l.Kind})
		}
	case testcase.LitInt:
		v := int64(l.Bits)
		for _, n := range []int64{0, 1, 2, 3, 5, 10, -1, 100, v / 10, v / 2, v - 1, v + 1, -v} {
			if magnitude(n) < magnitude(v) && wrapInt(n, b) == n {
				out = append(out, testcase.Literal{Kind: l.Kind, Bits: uint64(n)})
			}
		}
	case testcase.LitUint:
		v := l.Bits
		for _, n := range []uint64{0, 1, 2, 3, 5, 10, 100, v / 10, v / 2, v - 1} {
			if n < v {
				out = append(out, testcase.Literal{Kind: l.Kind, Bits: n})
			}
		}
	case testcase.LitFloat:
		v := math.Float64frombits(l.Bits)
		if b.Kind() == types.Float32 {
			v = float64(math.Float32frombits(uint32(l.Bits)))
		}
		for _, f := range []float64{0, 1, 2, -1, 0.5, 10, 100, math.Trunc(v), math.Round(v*4) / 4, -v} {
			if ease(f) < ease(v) {
				out = append(out, floatLiteral(f, b))
			}
		}
	case testcase.LitString:
		for _, s := range simplerStrings(l.Str) {
			out = append(out, testcase.Literal{Kind: l.Kind, Str: s})
		}
	}
	return out
}

// magnitude orders integers: 0, 1, -1, 2, -2, ...
func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(-v)*2 + 1
	}
	return uint64(v) * 2
}

// ease orders floats: whole ones before others, small before large, positive before
// negative; NaN and infinities last.
func ease(f float64) float64 {
	switch {
	case f != f:
		return math.Inf(1)
	case math.IsInf(f, 0):
		return math.MaxFloat64
	}
	e := math.Abs(f) * 2
	if math.Signbit(f) {
		e += 1
	}
	if f != math.Trunc(f) {
		e = e*4 + 1000
	}
	return e
}

// simplerStrings returns strings that are shorter, or as long with plainer letters.
func simplerStrings(s string) []string {
	if s == "" {
		return nil
	}
	out := []string{""}
	if len(s) > 1 {
		out = append(out, "a", s[:len(s)/2], s[len(s)/2:])
		for i := range min(len(s), 40) {
			out = append(out, s[:i]+s[i+1:])
		}
	}
	for i := range min(len(s), 40) {
		var plain byte
		switch c := s[i]; {
		case c >= 0x80 || c < ' ':
			plain = 'a'
		case c >= 'b' && c <= 'z' || c >= 'A' && c <= 'Z':
			plain = 'a'
		case c >= '1' && c <= '9':
			plain = '0'
			if c > '1' {
				out = append(out, s[:i]+"1"+s[i+1:])
			}
		default:
			continue
		}
		if rank(s[i]) > rank(plain) {
			out = append(out, s[:i]+string(plain)+s[i+1:])
		}
	}
	var better []string
	valid := utf8.ValidString(s)
	for _, c := range out {
		if valid && !utf8.ValidString(c) {
			continue // half a letter
		}
		if len(c) < len(s) || len(c) == len(s) && c != s {
			better = append(better, c)
		}
	}
	return better
}

// rank orders bytes by how plain they are.
func rank(c byte) int {
	const order = "a01bcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ23456789"
	if i := strings.IndexByte(order, c); i >= 0 {
		return i
	}
	return len(order) + int(c)
}
