package random

import (
	"context"
	"go/types"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Config says how much to try and of what. The zero value tries everything with the
// default effort.
type Config struct {
	Seed uint64
	// Ops is the effort: executed operations, those of replayed prefixes included;
	// 0 is DefaultOps.
	Ops int
	// Targets selects, by Target.Name, what cases are wanted of; nil is all. The
	// others are still called to make values.
	Targets func(name string) bool
}

// DefaultOps is the default effort: about half a second of one processor.
const DefaultOps = 300_000

// Result says what was done.
type Result struct {
	Ops       int            // executed operations, those of cutting down included
	Sequences int            // that were made and run
	Discarded int            // by assumptions
	Cases     int            // yielded
	Covered   testcase.Cover // by cases and before
}

// engine is the state of a run.
type engine struct {
	prog *load.Program
	pkg  *load.Package
	h    *native.Harness
	cfg  Config
	rnd  *rand.Rand

	actions  []*action
	onType   map[string][]*action // those with a receiver of a type
	batches  int
	weights  []float64 // sums of the actions' weights
	now      string    // the target that values are made for
	limit    int64     // how large numbers may be for it
	pool     *pool
	finds    []find
	covered  testcase.Cover
	lastFind int                         // Ops when something was found last
	broken   map[string]bool             // failures that were seen
	seen     map[uint64]bool             // sequences that were made
	bad      map[*testcase.Sequence]bool // whose values are not to be used
	nilHash  uint64

	res     Result
	yield   func(*testcase.Case) bool
	stopped bool

	// What was found out about types.
	named       []types.Type
	errors      []*types.Var
	funcs       map[string]bool
	enums       map[*types.TypeName][]testcase.Literal
	factories   map[string][]*maker
	makers      map[string][]*maker
	constructed map[string]bool
	impls       map[string][]types.Type
	literals    map[literalKey]*testcase.Operation
	typed       map[opKey]*testcase.Operation
	numbers     map[*testcase.Operation]uint64
	resultTypes map[*testcase.Operation][]types.Type
}

// Run makes sequences over a package and runs them in its harness until the effort
// is spent. Each that covers something that is not in covered, or fails in a new
// way, is cut down and yielded as a case with its outcome observed twice; yield
// returns false to stop. The error is for failures of the harness and the end of
// the context; what was yielded by then is good.
func Run(ctx context.Context, prog *load.Program, pkg *load.Package, h *native.Harness, cfg Config, covered testcase.Cover, yield func(*testcase.Case) bool) (Result, error) {
	if cfg.Ops <= 0 {
		cfg.Ops = DefaultOps
	}
	sum := fnv.New64a()
	sum.Write([]byte(pkg.Path)) // never fails
	e := &engine{
		prog: prog, pkg: pkg, h: h, cfg: cfg, yield: yield,
		rnd:  rand.New(rand.NewPCG(cfg.Seed, sum.Sum64())),
		pool: newPool(), covered: slices.Clone(covered),
		broken: map[string]bool{}, seen: map[uint64]bool{}, bad: map[*testcase.Sequence]bool{}, nilHash: native.NilHash(),
		funcs: map[string]bool{}, onType: map[string][]*action{}, enums: map[*types.TypeName][]testcase.Literal{},
		factories: factoryOps(pkg.Types), makers: map[string][]*maker{}, constructed: map[string]bool{},
		impls: map[string][]types.Type{}, literals: map[literalKey]*testcase.Operation{},
		typed: map[opKey]*testcase.Operation{}, numbers: map[*testcase.Operation]uint64{}, resultTypes: map[*testcase.Operation][]types.Type{},
	}
	for _, a := range e.collect() {
		e.addAction(a)
	}
	e.globals()
	if len(e.actions) == 0 {
		return e.res, nil
	}
	err := e.loop(ctx)
	e.res.Covered = e.covered
	return e.res, err
}

// globals puts the package's exported variables into the pool, and finds its named
// types.
func (e *engine) globals() {
	scope := e.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			if isError(o.Type()) {
				if o.Exported() || !e.pkg.ExternalTests {
					e.errors = append(e.errors, o)
				}
			} else if o.Exported() {
				seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpGlobal, Var: o}})
				s := e.pool.shelf(o.Type())
				s.entries = append(s.entries, entry{seq, testcase.Ref{}})
				e.learnFunc(o.Type())
			}
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && o.Exported() && n.TypeParams().Len() == 0 && !types.IsInterface(n) {
				e.named = append(e.named, n)
			}
		}
	}
}

// trial is a sequence on its way to the harness.
type trial struct {
	seq   *testcase.Sequence
	steps []step               // its actions, in order; the last is its last statement
	used  []*testcase.Sequence // whose values it uses
}

// act returns the action that the trial ends with.
func (t trial) act() *action { return t.steps[len(t.steps)-1].act }

// cut returns the trial up to its i-th step.
func (t trial) cut(i int) trial {
	stmts := make([]testcase.Statement, t.steps[i].stmt+1)
	for j := range stmts {
		stmts[j] = t.seq.At(j)
	}
	return trial{testcase.NewSequence(stmts...), t.steps[:i+1], t.used}
}

// upTo returns the trial up to the step that contains statement at; a trial that
// ended earlier than in one of its steps, in what was done before, is returned as it
// is.
func (t trial) upTo(at int) trial {
	for i, s := range t.steps {
		if s.stmt == at {
			return t.cut(i)
		}
	}
	return t
}

// answer is what the harness said of a batch.
type answer struct {
	probes []native.Probe
	err    error
}

// batchSize is how many sequences are made before what they did is looked at. It
// decides what is made, so it does not depend on the machine. The first batches are
// smaller: they show which actions are slow.
func batchSize(n int) int { return min(40*(n+1), 400) }

// loop makes batches. One is made while the one before runs; what a batch did is
// looked at in the order in which it was made, so that nothing depends on time.
func (e *engine) loop(ctx context.Context) error {
	var running []trial
	var done chan answer
	start := func(trials []trial) {
		running = trials
		done = make(chan answer, 1)
		seqs := make([]*testcase.Sequence, len(trials))
		for i, t := range trials {
			seqs[i] = t.seq
		}
		out := done
		go func() {
			probes, err := e.h.Probe(ctx, seqs)
			out <- answer{probes, err}
		}()
	}
	empty := 0
	for e.res.Ops < e.cfg.Ops && !e.stopped && empty < 20 && !e.done() {
		e.weigh()
		next := e.batch()
		if len(next) == 0 {
			empty++
		} else {
			empty = 0
		}
		before, prev := running, done
		if prev == nil {
			start(next)
			continue
		}
		a := <-prev
		if a.err != nil {
			return a.err
		}
		start(next)
		if err := e.learn(ctx, before, a.probes); err != nil {
			<-done
			return err
		}
	}
	if done == nil {
		return nil
	}
	a := <-done
	if a.err != nil || e.stopped {
		return a.err
	}
	return e.learn(ctx, running, a.probes)
}

// done reports whether all blocks of what cases are wanted of are covered, and
// nothing new, not a failure either, was found for a while.
func (e *engine) done() bool {
	if e.res.Ops-e.lastFind < e.cfg.Ops/8 {
		return false
	}
	for _, a := range e.actions {
		for _, b := range a.blocks {
			if a.report && !e.covered.Has(b) {
				return false
			}
		}
	}
	return true
}

// batch makes sequences that were not made before.
func (e *engine) batch() []trial {
	var out []trial
	size := batchSize(e.batches)
	risks := 0
	e.batches++
	for range size * 2 {
		if len(out) == size {
			break
		}
		var t trial
		if e.rnd.IntN(3) == 0 {
			t = e.mutate()
		}
		if t.seq == nil {
			t = e.make(e.choose())
		}
		if t.seq == nil {
			continue
		}
		if t.risky() {
			if risks == maxRisks {
				continue
			}
			risks++
		}
		if h := e.hash(t.seq); !e.seen[h] {
			e.seen[h] = true
			out = append(out, t)
		}
	}
	return out
}

// maxRisks is how many sequences of a batch may be risky.
const maxRisks = 3

// risky reports whether a trial has an action that hung or ended the process before,
// or a very large number: those find overflows, but as sizes and counts they take
// all the memory or time there is.
func (t trial) risky() bool {
	const large = 1 << 16
	for _, s := range t.steps {
		if s.act.slow > 1 {
			return true
		}
	}
	s := t.seq
	for i := range s.Len() {
		op := s.At(i).Op
		if op.Kind != testcase.OpLiteral {
			continue
		}
		switch l := op.Lit; l.Kind {
		case testcase.LitInt:
			if i := int64(l.Bits); i > large || i < -large {
				return true
			}
		case testcase.LitUint:
			if l.Bits > large {
				return true
			}
		}
	}
	return false
}

// hash returns a hash of what a sequence does.
func (e *engine) hash(s *testcase.Sequence) uint64 {
	h := uint64(14695981039346656037)
	mix := func(x uint64) { h = (h ^ x) * 1099511628211 }
	for i := range s.Len() {
		st := s.At(i)
		n, ok := e.numbers[st.Op]
		if !ok {
			n = uint64(len(e.numbers)) + 1
			e.numbers[st.Op] = n
		}
		mix(n)
		for _, a := range st.Args {
			mix(uint64(a.Stmt)<<8 | uint64(a.Result))
		}
		mix(0)
	}
	return h ^ h>>31
}

// learn looks at what a batch did.
func (e *engine) learn(ctx context.Context, trials []trial, probes []native.Probe) error {
	slow := 0
	for i, t := range trials {
		if e.stopped {
			return nil
		}
		p := probes[i]
		e.res.Sequences++
		e.res.Ops += calls(t.seq, p.At)
		for _, s := range t.steps {
			s.act.idle++
		}
		if p.Status != testcase.Returned {
			t = t.upTo(p.At)
		}
		switch p.Status {
		case testcase.NotRun, testcase.Refused:
			continue
		case testcase.Discarded:
			e.res.Discarded++
			continue
		case testcase.Exited, testcase.Deadlock, testcase.Died:
			e.res.Ops += deathOps
			t.slow(e)
			slow++
		case testcase.Hung:
			e.res.Ops += hangOps
			t.slow(e)
			slow++
		}
		g := goal{failure: e.failure(p.Outcome, t.act()), violated: p.Violated != "", blocks: without(p.Cover, e.covered)}
		fresh := g.blocks != nil
		broken := (g.failure != "" || g.violated) && !e.broken[e.cause(g, t)]
		if fresh || broken {
			if err := e.found(ctx, t, p, g, broken); err != nil {
				return err
			}
		}
		if p.Status == testcase.Returned && !g.violated && !t.act().private {
			e.keep(t, p)
		}
	}
	if slow > 2 {
		e.batches = 0 // look at what is made in smaller portions
	}
	return nil
}

// What a case costs, in operations, that has to be killed, and one that ends the
// process otherwise: about what could have been executed in the time.
const (
	hangOps  = 20_000
	deathOps = 4_000
)

// slow notes that a trial hung or ended the process: its action gets smaller numbers
// from now on, and the values that it used are not used again.
func (t trial) slow(e *engine) {
	t.act().slow++
	for _, s := range t.used {
		e.bad[s] = true
	}
}

// cause returns what a failure is known by, so that one of each is a case.
func (e *engine) cause(g goal, t trial) string {
	if g.violated {
		return "violated " + t.act().name
	}
	return g.failure
}

// calls counts the calls into the code under test among the statements that began.
func calls(s *testcase.Sequence, at int) int {
	n := 0
	for i := range min(at+1, s.Len()) {
		switch s.At(i).Op.Kind {
		case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue:
			n++
		}
	}
	return n
}

// keep puts into the pool what a sequence made.
func (e *engine) keep(t trial, p native.Probe) {
	last := t.seq.Len() - 1
	a := t.act()
	failed := false
	for i, r := range a.results {
		if isError(r) && i < len(p.Results) && p.Results[i] != e.nilHash {
			failed = true // then the other results are nothing to go on with
		}
	}
	for i, r := range a.results {
		if i >= len(p.Results) || p.Results[i] == e.nilHash || failed && !isError(r) {
			continue
		}
		if _, ok := r.Underlying().(*types.Tuple); ok {
			continue
		}
		if e.pool.put(e.pool.shelf(r), p.Results[i], entry{t.seq, testcase.Ref{Stmt: last, Result: i}}) {
			e.learnFunc(r)
		}
	}
	if failed {
		return
	}
	// What the call changed is a new value, too.
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
		if st := e.slotType(t.seq, ref); st != nil && !types.IsInterface(st) {
			// Of a variable that a pointer's method was called on, the variable.
			if ptr, ok := types.Unalias(param).(*types.Pointer); types.Identical(st, param) || ok && types.Identical(st, ptr.Elem()) {
				e.pool.put(e.pool.shelf(st), p.Args[i], entry{t.seq, ref})
			}
		}
	}
}

// slotType returns the type of a statement's result, nil if that depends on what it
// was applied to.
func (e *engine) slotType(s *testcase.Sequence, ref testcase.Ref) types.Type {
	op := s.At(ref.Stmt).Op
	switch op.Kind {
	case testcase.OpFunc, testcase.OpMethod:
		rs, ok := e.resultTypes[op]
		if !ok {
			rs = op.Results(nil)
			e.resultTypes[op] = rs
		}
		if ref.Result < len(rs) {
			return rs[ref.Result]
		}
		return nil
	case testcase.OpGlobal:
		return op.Var.Type()
	}
	return op.Type
}

// without returns the blocks of a that are not in b, nil if there are none.
func without(a, b testcase.Cover) testcase.Cover {
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

// failure returns what tells a failing outcome of an action apart from others: how
// it failed, and of panics where: the innermost frame, and the innermost one in the
// package under test. It is "" if it did not fail, or if it failed in no code under
// test.
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
		kind := ""
		if o.Panic != nil {
			kind = o.Panic.Kind
		}
		return o.Status.String() + " " + kind + " in " + a.name
	}
	return ""
}
