package random

import (
	"context"
	"go/constant"
	"go/types"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/goassay/assay/internal/asked"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/purity/defaults"
	"github.com/goassay/assay/internal/testcase"
)

// Config says what to try, and how much. The zero value tries everything with the default effort.
type Config struct {
	Seed uint64
	// Ops is the effort in executed operations. Operations in replayed prefixes count, those of Known
	// do not; 0 means DefaultOps.
	Ops int
	// Targets selects, by Target.Name, the functions that cases are wanted for; nil means all. The
	// other functions are called only to make values.
	Targets func(name string) bool
	// Checks are the contracts to check of values. The harness should have been built with them.
	Checks []*testcase.Check
	// Covered are the blocks that other cases cover; covering them again is worth no case.
	Covered testcase.Cover
	// Known are sequences of other engines that return. They run first: their values go into the pool,
	// and their constants are mutated like those of the engine's own finds.
	Known []*testcase.Sequence
	// Accepted are constants that functions have accepted in an earlier run. Those that fit the parameters no more are left
	// out.
	Accepted []Accepted
	// Change has constants that a change of the package is about, nil if there is none. They are tried
	// first, and more often than others.
	Change *load.Literals
	// Stateful says that functions of the package change its variables. Then no process runs more than
	// one batch, so that changes made by sequences do not accumulate.
	Stateful bool
}

// DefaultOps is the default effort: about half a second of one processor.
const DefaultOps = 300_000

// Subject is the package to test, and the harness to run sequences in.
type Subject struct {
	Prog    *load.Program
	Pkg     *load.Package
	Harness *native.Harness
}

// Result says what the engine did.
type Result struct {
	Ops       int            // executed operations, those of shrinking included
	Sequences int            // how many sequences were made and run
	Discarded int            // how many of these an assumption has discarded
	Cases     int            // how many cases were yielded
	Covered   testcase.Cover // the blocks that the cases cover, and Config.Covered
	// Spare are at most MaxSpare sequences that cover nothing new but made a value that no other
	// sequence made. They may notice faults that coverage does not show. They were not observed.
	Spare []*testcase.Case
	// Opened are the calls with constants of Config.Change, whatever they came to. They were not observed.
	Opened []*testcase.Case
	// Accepted are the constants that functions have accepted, those of Config.Accepted included.
	Accepted []Accepted
}

// MaxSpare is how many spare cases there are at most.
const MaxSpare = 300

// engine is the state of a run.
type engine struct {
	prog *load.Program
	pkg  *load.Package
	h    *native.Harness
	cfg  Config
	rnd  *rand.Rand

	actions  []*action
	onType   map[string][]*action // actions with a receiver of the type
	byOp     map[*testcase.Operation]*action
	untried  []*action // in a large package, the actions that no batch has begun with yet
	openings []opening // that are still to be tried
	// documentedCalls are the constants that calls in the documentation pass, by parameter; nil until they are asked for.
	documentedCalls []map[string]constant.Value
	opening         *opening  // the one that is being made, or nil
	started         int       // batches that were started
	batches         int       // how many batches there were since their sizes were reset
	weights         []float64 // sums of the actions' weights
	now             string    // the target that values are made for
	limit           int64     // how large numbers may be for it
	row             []string  // the texts that the draft is about: they stand together in the tests
	pool            *pool
	checks          checks
	finds           map[*action][]*find
	covered         testcase.Cover
	places          *asked.Places   // nil without a harness
	awaited         []string        // the texts that lead to what is not covered yet
	words           map[string]bool // see isWord, nil until somebody asks
	asked           [][]string      // the texts that each function asks for that was entered
	given           testcase.Cover  // blocks that were given up
	sought          testcase.Cover  // the blocks that cases are wanted for
	misses          map[int]int     // how often a block was not covered again when a sequence was observed
	knownOps        int             // effort that known sequences took
	knownWork       int             // the part of it that calls took which ended by themselves
	lastFind        int             // the effort when something was found last
	ended           int             // the part of Ops that calls cost which ended their process
	wasted          int             // what sparse batches count as effort
	endless         int             // how often a sequence with a closure did not end
	broken          map[string]bool // failures that were seen
	refusals        []refusal       // panics of the code's own that are still to be looked at
	nextRefusal     int             // how many sequences have to have run before the next one is
	seen            map[uint64]bool // sequences that were made
	nilHash         uint64

	res     Result
	yield   func(*testcase.Case) bool
	stopped bool

	// Facts about types.
	named  []types.Type
	errors []*types.Var
	// foreignErrors are those of imported packages that a function mentions, by action's name.
	foreignErrors map[string][]*types.Var
	typesKnown    map[string]bool // types whose actions without a name are there
	enums         map[*types.TypeName][]testcase.Literal
	neighbours    []*types.Package
	notated       map[string][]string            // texts in the notations that functions ask for, by action's name
	documents     []string                       // texts of the formats that the package reads
	successes     map[*action]*testcase.Sequence // the shortest sequence in which an action returned no error
	funcValues    map[string][]*testcase.Operation
	factories     map[string][]*maker
	timed         bool // the package asks for the time, or waits for the clock
	defaults      *defaults.Objects
	renewals      map[*types.Var]*testcase.Operation // the assignments of new default objects
	wait          *testcase.Operation                // the call of time.Sleep, nil in a package that does not ask for the time
	fake          *fakeTime                          // how sequences let time pass in bubbles; nil where there are none
	slept         int                                // how many sequences slept for too long
	givers        *giver.Room
	commandLine   *testcase.Operation // sets the process's command line; nil where the package does not read it
	argLines      []string            // the lines worth setting
	leaked        map[string]int      // how often a failure showed only after other sequences, by cause
	written       written             // what the package's functions wrote into buffers
	paths         *purity.Paths
	decoded       []string // JSON texts of the types that the package decodes
	giversErr     error    // the reason why there are no givers
	makers        map[string][]*maker
	dynamic       *dynamic
	produce       map[string][]*action // by type: see producers
	constructed   map[string]bool
	hiding        map[string][]types.Type // by type: the interfaces that constructors return in its place
	among         map[string]bool         // by type: see isAmong
	veiled        []veiled                // values of interfaces whose types are to be seen
	unveiled      int                     // how many were looked at
	ready         map[*types.TypeName]bool
	impls         map[string][]types.Type
	literals      map[literalKey]*testcase.Operation
	alike         map[string][]string // the code's texts by their classes of characters; nil before the first question
	typed         map[opKey]*testcase.Operation
	numbers       map[*testcase.Operation]uint64
	resultTypes   map[*testcase.Operation][]types.Type
}

// Run makes sequences over a package and runs them in its harness until the effort is spent. A sequence
// that covers a block outside of cfg.Covered, or fails in a new way, is made as small as possible and
// yielded as a case whose outcome was observed twice; yield returns false to stop. An error means that
// the harness failed or the context ended; cases yielded before are good.
func Run(ctx context.Context, s Subject, cfg Config, yield func(*testcase.Case) bool) (Result, error) {
	e := newEngine(s, cfg, yield)
	e.nextRefusal = eachRefusal
	if e.giversErr != nil {
		return e.res, e.giversErr
	}
	if len(e.actions) == 0 {
		return e.res, nil
	}
	e.findSought()
	err := e.loop(ctx)
	e.res.Covered = e.covered
	e.collectSpare()
	e.collectAccepted()
	return e.res, err
}

// collectSpare takes the shortest success of each action, and sequences from the pool, the same number for
// each action, in the order in which their values came.
func (e *engine) collectSpare() {
	for _, a := range e.actions {
		if s := e.successes[a]; s != nil && len(e.res.Spare) < MaxSpare {
			e.res.Spare = append(e.res.Spare, &testcase.Case{Package: e.pkg.Path, Target: a.name, Engine: "random", Seq: s})
		}
	}
	byAction := map[*action][]*testcase.Sequence{}
	taken := map[*made]bool{}
	for _, s := range e.pool.order {
		for _, v := range s.entries {
			if a := e.byOp[v.seq.Last().Op]; a != nil && a.report && a.name != "" && !taken[v.seq] && !v.seq.bad {
				taken[v.seq] = true
				byAction[a] = append(byAction[a], v.seq.Sequence)
			}
		}
	}
	for round := 0; ; round++ {
		more := false
		for _, a := range e.actions {
			if round >= len(byAction[a]) {
				continue
			}
			if len(e.res.Spare) == MaxSpare {
				return
			}
			more = true
			e.res.Spare = append(e.res.Spare, &testcase.Case{Package: e.pkg.Path, Target: a.name, Engine: "random", Seq: byAction[a][round]})
		}
		if !more {
			return
		}
	}
}

// newEngine returns an engine that knows the actions of the package. Without a harness it can make
// sequences but not run them.
func newEngine(s Subject, cfg Config, yield func(*testcase.Case) bool) *engine {
	prog, pkg := s.Prog, s.Pkg
	if cfg.Ops <= 0 {
		cfg.Ops = DefaultOps
	}
	sum := fnv.New64a()
	sum.Write([]byte(pkg.Path)) // never fails
	decoded, found := encoded.Values(encoded.All(pkg, requests.JSON)), buffered(prog, pkg)
	e := &engine{
		prog: prog, pkg: pkg, h: s.Harness, cfg: cfg, yield: yield,
		rnd:  rand.New(rand.NewPCG(cfg.Seed, sum.Sum64())),
		pool: newPool(), covered: slices.Clone(cfg.Covered),
		finds: map[*action][]*find{}, broken: map[string]bool{}, misses: map[int]int{}, seen: map[uint64]bool{}, nilHash: native.NilHash(),
		typesKnown: map[string]bool{}, onType: map[string][]*action{}, byOp: map[*testcase.Operation]*action{}, enums: map[*types.TypeName][]testcase.Literal{},
		neighbours: neighbours(pkg.Types), notated: map[string][]string{}, documents: slices.Concat(decoded, documentsFor(pkg.Types)), decoded: decoded, successes: map[*action]*testcase.Sequence{}, funcValues: map[string][]*testcase.Operation{},
		factories: factoryOps(pkg, found), makers: map[string][]*maker{}, timed: purity.AsksTime(pkg), wait: waiter(pkg), dynamic: dynamicTypes(pkg), produce: map[string][]*action{}, constructed: map[string]bool{}, hiding: map[string][]types.Type{}, among: map[string]bool{}, ready: map[*types.TypeName]bool{},
		impls: map[string][]types.Type{}, literals: map[literalKey]*testcase.Operation{},
		typed: map[opKey]*testcase.Operation{}, numbers: map[*testcase.Operation]uint64{}, resultTypes: map[*testcase.Operation][]types.Type{},
		foreignErrors: map[string][]*types.Var{}, leaked: map[string]int{}, written: newWritten(pkg, found["bytes"]), renewals: map[*types.Var]*testcase.Operation{},
	}
	if n := len(pkg.Targets); n > manyActions {
		e.cfg.Ops = int(float64(e.cfg.Ops) * float64(n) / manyActions)
	}
	if e.h != nil {
		e.places = asked.Of(e.h.Blocks())
	}
	e.givers, e.giversErr = giver.New(prog, pkg)
	e.paths = purity.PathsOf(pkg)
	e.defaults = defaults.Of(pkg)
	for _, v := range e.defaults.Vars() {
		e.renewals[v] = &testcase.Operation{Kind: testcase.OpSetGlobal, Var: v}
	}
	e.commandLine, e.argLines = e.givers.CommandLine()
	if e.giversErr == nil {
		if e.fake, e.giversErr = newFakeTime(prog, pkg); e.fake != nil {
			e.wait = e.fake.Sleep
		}
	}
	for _, a := range e.collect() {
		e.addAction(a)
	}
	e.recallAccepted()
	e.learnCommands()
	e.findUntried()
	e.findOpenings()
	e.findPrinters()
	e.addChecks()
	e.globals()
	return e
}

// globals puts the package's exported variables into the pool, and finds its named
// types.
func (e *engine) globals() {
	scope := e.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			if gosyntax.IsError(o.Type()) {
				if o.Exported() || !e.pkg.ExternalTests {
					e.errors = append(e.errors, o)
				}
			} else if o.Exported() && !e.defaults.Is(o) {
				seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpGlobal, Var: o}})
				s := e.pool.shelf(o.Type())
				s.entries = append(s.entries, entry{&made{Sequence: seq}, testcase.Ref{}})
				e.learnType(o.Type())
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
	steps []step      // its actions, in order; the last is its last statement
	used  []inclusion // the sequences of the pool in it
	from  *find       // the find that it is a mutation of, or nil if it is none
}

// act returns the action that the trial ends with.
func (t trial) act() *action { return t.steps[len(t.steps)-1].act }

// cut returns the trial up to its i-th step.
func (t trial) cut(i int) trial {
	stmts := make([]testcase.Statement, t.steps[i].stmt+1)
	for j := range stmts {
		stmts[j] = t.seq.At(j)
	}
	return trial{testcase.NewSequence(stmts...), t.steps[:i+1], t.used, t.from}
}

// upTo returns the trial up to statement at, in which it failed; that may be a statement of an included
// sequence. The result has no steps if the statement is no action.
func (e *engine) upTo(t trial, at int) trial {
	for i, s := range t.steps {
		if s.stmt == at {
			return t.cut(i)
		}
	}
	a := e.byOp[t.seq.At(at).Op]
	if a == nil {
		return trial{seq: t.seq}
	}
	t.steps = []step{{at, a}}
	return t.cut(0)
}

// answer is the harness's answer to a batch.
type answer struct {
	probes   []native.Probe
	err      error
	panicked any // the harness's bug, for the caller's goroutine
}

// take returns the answer to a batch.
func take(done chan answer) ([]native.Probe, error) {
	a := <-done
	if a.panicked != nil {
		panic(a.panicked)
	}
	return a.probes, a.err
}

// renewAfter is after how many batches the harness's process is replaced.
const renewAfter = 64

// batchSize is how many sequences are made before the outcomes are evaluated. It affects what is made,
// so it does not depend on the machine. The first batches are smaller, because they show which actions
// are slow, and a few slow ones may take seconds.
func batchSize(n int) int { return min(8+40*n, 400) }

// If everything is covered that cases are wanted for, only part of the effort is spent, on failures, to which no
// uncovered block leads. It is the completePart-th of the effort, and for little code a number of operations for each
// block, because little code fails in few ways.
const (
	completePart  = 2
	completeBlock = 10_000
	completeLeast = 50_000
)

// complete returns the effort that is spent if everything is covered, see worked.
func (e *engine) complete() int {
	return min(e.cfg.Ops/completePart, max(completeLeast, completeBlock*e.sought.Count()))
}

// loop makes and runs batches. It makes a batch while the one before runs. Outcomes are evaluated in
// the order in which batches were made, so that nothing depends on time.
func (e *engine) loop(ctx context.Context) error {
	var running []trial
	var done chan answer
	start := func(trials []trial) {
		running = trials
		done = make(chan answer, 1)
		seqs := seqsOf(trials)
		out := done
		// State that the code keeps in its variables must not accumulate.
		renew := e.started%renewAfter == renewAfter-1 || e.cfg.Stateful
		e.started++
		probe := e.probe(seqs)
		go func() {
			var a answer
			defer func() {
				a.panicked = recover()
				out <- a
			}()
			if renew {
				e.h.Fresh()
			}
			a.probes, a.err = probe(ctx)
		}()
	}
	known := e.known()
	for len(known) > 0 {
		n := min(len(known), batchSize(e.batches))
		probes, err := e.probe(seqsOf(known[:n]))(ctx)
		if err != nil {
			return err
		}
		if err := e.learn(ctx, known[:n], probes); err != nil || e.stopped {
			return err
		}
		known = known[n:]
	}
	// The effort for sequences of other engines does not count. If their contracts hang, or there are
	// many sequences, no effort would be left.
	e.knownOps, e.knownWork, e.lastFind = e.effort(), e.work(), e.effort()
	empty := 0
	for e.spent() < e.cfg.Ops && !e.stopped && empty < 20 && !e.finished() {
		if e.worked() > e.complete() && e.covered.Contains(e.sought) && !e.unchecked() {
			break // only failures are left to find, and most of them are found early
		}
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
		probes, err := take(prev)
		if err == nil {
			err = e.unveil(ctx) // before the next batch runs, so that nothing depends on which is first
		}
		if err != nil {
			return err
		}
		start(next)
		if err := e.learn(ctx, before, probes); err != nil {
			<-done
			return err
		}
	}
	if done != nil {
		probes, err := take(done)
		if err != nil || e.stopped {
			return err
		}
		if err := e.learn(ctx, running, probes); err != nil {
			return err
		}
	}
	return e.lookAtRefusals(ctx, -1)
}

// spent returns how much of the effort is spent.
func (e *engine) spent() int { return e.effort() - e.knownOps }

// worked is how much of the effort is spent on calls that ended by themselves: after a dozen that hang, little else has been tried.
func (e *engine) worked() int { return e.work() - e.knownWork }

// work is the effort so far without what calls cost that ended their process.
func (e *engine) work() int { return e.res.Ops - e.ended + e.wasted }

// freeEnds is the most that calls which end their process may cost without counting as effort: fifty of them. In a package
// with many functions that exit, sleep or take a lock twice, a short run would otherwise see nothing else.
const freeEnds = 200_000

// effort is how much of the effort has been spent.
func (e *engine) effort() int { return e.res.Ops - min(e.ended, freeEnds) + e.wasted }

// chargeEnd counts what a call cost that ended its process, or nothing if the price is 0.
func (e *engine) chargeEnd(price int) {
	e.res.Ops += price
	e.ended += price
}

// probe returns the function that runs sequences: with checks of the contracts of the objects that they make, unless these
// checks hang.
func (e *engine) probe(seqs []*testcase.Sequence) func(context.Context) ([]native.Probe, error) {
	var checked, others []*testcase.Sequence
	apart := make([]bool, len(seqs))
	for i, s := range seqs {
		if apart[i] = e.checks.givenUp(s); apart[i] {
			others = append(others, s)
		} else {
			checked = append(checked, s)
		}
	}
	return func(ctx context.Context) ([]native.Probe, error) {
		if len(others) == 0 {
			return e.h.ProbeChecked(ctx, checked)
		}
		unchecked, err := e.h.Probe(ctx, others)
		if err != nil || len(checked) == 0 {
			return unchecked, err
		}
		probes, err := e.h.ProbeChecked(ctx, checked)
		if err != nil {
			return nil, err
		}
		out := make([]native.Probe, 0, len(seqs))
		for _, other := range apart {
			from := &probes
			if other {
				from = &unchecked
			}
			out, *from = append(out, (*from)[0]), (*from)[1:]
		}
		return out, nil
	}
}

// known returns the known sequences as trials, in which each call is an action of this engine.
// Sequences whose last call is no action are dropped.
func (e *engine) known() []trial {
	var out []trial
	for _, s := range e.cfg.Known {
		var t trial
		stmts := make([]testcase.Statement, s.Len())
		for i := range stmts {
			stmts[i] = s.At(i)
			if a := e.actionOf(stmts[i].Op); a != nil {
				stmts[i].Op = a.op
				t.steps = append(t.steps, step{i, a})
			}
		}
		if len(t.steps) == 0 || t.steps[len(t.steps)-1].stmt != len(stmts)-1 || len(e.defaults.Lacks(s)) > 0 {
			continue
		}
		t.seq = testcase.NewSequence(stmts...)
		if h := e.hash(t.seq); !e.seen[h] {
			e.seen[h] = true
			out = append(out, t)
			e.finds[t.act()] = append(e.finds[t.act()], &find{seq: t.seq, act: t.act()})
		}
	}
	return out
}

// actionOf returns the action of a call, or nil if the call is no action.
func (e *engine) actionOf(op *testcase.Operation) *action {
	if op.Func == nil || op.Spread {
		return nil
	}
	for _, a := range e.actions {
		if a.op.Kind == op.Kind && a.op.Func == op.Func && sameHelper(a.op.Via, op.Via) && slices.EqualFunc(a.op.TypeArgs, op.TypeArgs, types.Identical) {
			return a
		}
	}
	return nil
}

func seqsOf(trials []trial) []*testcase.Sequence {
	seqs := make([]*testcase.Sequence, len(trials))
	for i, t := range trials {
		seqs[i] = t.seq
	}
	return seqs
}

// barrenPart is which part of the effort may be spent without finding anything before the
// rest of it is saved.
const barrenPart = 2

// finished reports whether the engine may stop early: all blocks of the wanted functions are covered
// and nothing new, no failure either, was found for a while; or nothing new was found for very long.
func (e *engine) finished() bool {
	if e.effort()-e.lastFind > e.cfg.Ops/barrenPart {
		return true
	}
	if complete := e.complete(); e.effort()-e.lastFind < complete/4 || e.worked() < complete || e.unchecked() {
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
	risks := maxRisks
	if e.started > earlyBatches {
		risks = 1
	}
	e.batches++
	if e.places != nil {
		e.awaited, e.asked = e.places.Awaited(e.covered), e.places.ByFunction(e.places.Entered(e.covered))
	}
	naps := max(1, maxNaps-e.slept/4)
	for range size * 2 {
		if len(out) == size {
			break
		}
		var t trial
		if len(e.untried) == 0 && e.rnd.IntN(checkPart) == 0 {
			t = e.check()
		}
		if t.seq == nil && len(e.openings) > 0 && e.rnd.IntN(2) == 0 {
			t = e.open()
		}
		if t.seq == nil && len(e.untried) == 0 && e.rnd.IntN(3) == 0 {
			t = e.mutate()
		}
		if t.seq == nil {
			t = e.make(e.next())
		}
		if t.seq == nil {
			continue
		}
		if t.risky() {
			if risks == 0 {
				continue
			}
			risks--
		}
		if t.sleepy() {
			if naps == 0 {
				continue
			}
			naps--
		}
		if h := e.hash(t.seq); !e.seen[h] {
			e.seen[h] = true
			out = append(out, t)
		}
	}
	if len(out) < size/sparsePart {
		e.wasted += size - len(out)
	}
	return out
}

// sparsePart is which part of a batch has to be new. To find the last new sequences of a package that has few costs more
// than to run them, so that a batch with less counts as effort as if it were full. Otherwise the engine
// would look for them until the time is up, and find nothing.
const sparsePart = 4

// checkPart is which part of the sequences at most check contracts.
const checkPart = 5

// maxRisks is how many sequences of the first batches may be risky, of later ones one: to
// clear the memory that a large number asks for takes as long as all the rest of a batch.
const (
	maxRisks     = 3
	earlyBatches = 25
)

// maxNaps is how many sequences of a batch may have an action that is likely to sleep for too long, before any did. The
// number falls to one, because the sequences that sleep take the time of all others.
const maxNaps = 4

// sleepy reports whether a trial has an action that is likely to sleep for too long.
func (t trial) sleepy() bool {
	return slices.ContainsFunc(t.steps, func(s step) bool { return s.act.sleepy() })
}

// risky reports whether a trial has an action that hung or ended the process before, or a very large
// number. Large numbers find overflows, but as sizes and counts they may take all memory or time.
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

// hash returns a hash of a sequence's operations and arguments.
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
