package check

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/vm"
)

// Config says what to analyse and which kinds of assumptions may be made. Its zero value allows all
// kinds.
type Config struct {
	// Off are the kinds of assumptions that are not made.
	Off map[AssumptionKind]bool
	// Lossy adds assertions that conversions between integer types do not change the value.
	Lossy bool
	// External are verification results of other tools. They add to the premises of assertions.
	External *ExternalFacts
}

// Program analyses functions of one SSA program, and remembers facts about their callees. It may be
// used by several goroutines.
type Program struct {
	Fset   *token.FileSet
	Sizes  types.Sizes
	config Config

	notes      contract.Reader
	inStandard func(path string) bool
	effects    effectsOf

	mu        sync.Mutex
	done      map[*ssa.Function]*Function
	contracts map[*ssa.Function]*ssa.Function
	changed   map[*ssa.Package]map[*ssa.Global]bool // variables, see constant
}

// New returns an analyser. The analysis depends only on the sizes of int, uint and uintptr.
func New(fset *token.FileSet, sizes types.Sizes, cfg Config) *Program {
	return &Program{Fset: fset, Sizes: sizes, config: cfg, done: map[*ssa.Function]*Function{}, contracts: map[*ssa.Function]*ssa.Function{}}
}

// Source sets the function that reads files for directives, for packages whose files differ from those
// on disk.
func (p *Program) Source(read func(name string) ([]byte, error)) { p.notes.Source = read }

// Standard says which packages, by their paths, belong to the standard library.
func (p *Program) Standard(is func(path string) bool) { p.inStandard = is }

// Contract says which function calls fn behind its contract; see package contract.
func (p *Program) Contract(fn, checked *ssa.Function) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.contracts[fn] = checked
}

func (p *Program) wrapper(fn *ssa.Function) *ssa.Function {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.contracts[fn]
}

// Function is the result of analysing one function.
type Function struct {
	Fn *ssa.Function
	// Assumptions are the assumptions that were made, in the order of the source. The premises of assertions
	// name assumptions by their index here.
	Assumptions []Assumption
	// Assertions are all assertions of the function, in the order of the source.
	Assertions []Assertion
	// GaveUp is the bound that ended the analysis early, or "" if none did. An analysis that gave up verifies
	// nothing.
	GaveUp string
	// Contract is the premise of the clauses that are checked when the function has returned. It is true if
	// there are no such clauses.
	Contract Premise

	Contracted bool // a contract restricts its inputs, or promises something of its results

	// Unmade are the identifiers that an assay.Verified of the function names and that no assumption of
	// the function has.
	Unmade []Unmade
}

// Unmade is an identifier that nothing in its function assumes.
type Unmade struct {
	ID  string    // "" if the identifiers are no constants
	Pos token.Pos // the position of the assertion
}

// Assumption is "assumed P as a".
type Assumption struct {
	ID    string // unique in its file: the kind, line and column
	Kind  AssumptionKind
	Pos   token.Pos
	Text  string // the assumed condition P in words
	Cond  Condition
	Instr ssa.Instruction // the instruction at which it is made; nil at the function's entry
}

// Condition is the assumed P in a form that a machine can evaluate.
type Condition struct {
	Kind  vm.CondKind
	X     ssa.Value
	Cells []Cell
	// Callee is the function whose contract CondPromised is about.
	Callee *ssa.Function
	// After says that the machine evaluates the condition after the instruction, not before.
	After bool
}

// Cell is a location and the value that the location is assumed to hold. If Value is nil the assumption
// cannot be evaluated.
type Cell struct{ Addr, Value ssa.Value }

// Assertion is "assert P verified A".
type Assertion struct {
	Kind    Kind
	Pos     token.Pos
	Text    string
	Instr   ssa.Instruction
	Premise Premise
	// Foreign says that the premise also relies on verification results of others: on assay.Verified, or on a
	// file of facts.
	Foreign bool
	// Fails says that every execution which reaches the assertion breaks it.
	Fails bool
	// Clause is the text of a contract's clause: requires, ensures or invariant.
	Clause string
}

// Premise is a condition over a function's assumptions: a disjunction of conjunctions, each a list of
// indices. Without any conjunction it is false, and the assertion is unverified. With an empty conjunction it
// is true, and the assertion is fully verified.
type Premise [][]int

// Verified reports whether an assertion holds without any assumption.
func (p Premise) Verified() bool {
	return slices.ContainsFunc(p, func(c []int) bool { return len(c) == 0 })
}

// Unverified reports whether nothing is known of an assertion.
func (p Premise) Unverified() bool { return len(p) == 0 }

// assertionKey identifies an assertion of a function.
type assertionKey struct {
	ins  ssa.Instruction
	kind Kind
}

// position returns where an assertion is in the source. The position of a clause is that of its condition.
func (k assertionKey) position() token.Pos {
	if c, ok := k.ins.(*ssa.Call); ok && (k.kind == Ensures || k.kind == Invariant) {
		if cond, ok := c.Call.Args[1].(ssa.Instruction); ok && cond.Pos().IsValid() {
			return cond.Pos()
		}
	}
	return Position(k.ins)
}

// recorder notes, in the last pass, the assertions and assumptions that the analysis meets.
type recorder struct {
	order    []assertionKey
	holds    map[assertionKey]bool
	clauses  map[assertionKey]string
	fails    map[assertionKey]bool
	places   []place
	conds    map[place]Condition
	texts    map[place]string
	withText bool
	work     int   // see maxWork
	mute     int   // if positive, the assertions met are not the function's own
	failed   *bool // set by an assertion that does not hold
}

func newRecorder() *recorder {
	return &recorder{holds: map[assertionKey]bool{}, clauses: map[assertionKey]string{}, fails: map[assertionKey]bool{}, conds: map[place]Condition{}, texts: map[place]string{}}
}

func (r *recorder) assertion(ins ssa.Instruction, kind Kind, holds bool) {
	if r.mute > 0 {
		if r.failed != nil && !holds {
			*r.failed = true
		}
		return
	}
	r.add(assertionKey{ins: ins, kind: kind}, holds)
}

func (r *recorder) add(k assertionKey, holds bool) {
	old, ok := r.holds[k]
	if !ok {
		r.order = append(r.order, k)
		old = true
	}
	r.holds[k] = old && holds
}

func (r *recorder) assume(p place, c Condition, text func() string) {
	if _, ok := r.conds[p]; ok {
		return
	}
	r.places = append(r.places, p)
	r.conds[p] = c
	if r.withText {
		r.texts[p] = text()
	}
}

// unreachable records that the assertions of an instruction hold because no execution reaches it. The
// instruction is stepped through with a state without facts, only to find its assertions.
func (r *recorder) unreachable(a *analysis, ins ssa.Instruction) {
	silent := newRecorder()
	saved := a.rec
	a.rec = silent
	enabled := a.enabled
	a.enabled = func(place) bool { return false }
	a.step(a.newState(), ins)
	a.rec, a.enabled = saved, enabled
	for _, k := range silent.order {
		r.add(k, true)
		if c, ok := silent.clauses[k]; ok {
			r.clauses[k] = c
		}
	}
}

// maxBlocks is how many blocks a function may have to be analysed.
const maxBlocks = 2000

// once analyses a function under the assumptions that enabled allows. It returns nil if the analysis gave up. If the old values
// of its contract need something, its promises are about calls for which that holds, and its own assertions are about all.
func (p *Program) once(fn *ssa.Function, pre prepared, enabled func(place) bool, texts bool) *recorder {
	a := newAnalysis(p, fn, pre, enabled)
	rec := a.record(texts)
	if rec == nil || !a.oldsMayFail {
		return rec
	}
	a = newAnalysis(p, fn, pre, enabled)
	a.noOlds = true
	own := a.record(texts)
	if own == nil {
		return nil
	}
	own.takePromises(rec, p.wrapper(fn))
	return own
}

// takePromises takes what another recorder notes of the assertions of a contract's function.
func (r *recorder) takePromises(from *recorder, run *ssa.Function) {
	r.work += from.work
	for _, k := range from.order {
		if k.ins.Parent() == run {
			r.holds[k] = from.holds[k]
		}
	}
	for _, pl := range from.places {
		r.assume(pl, from.conds[pl], func() string { return from.texts[pl] })
	}
}

// record runs the analysis and notes what it meets, or returns nil if it gave up.
func (a *analysis) record(texts bool) *recorder {
	fn := a.fn
	entry, ok := a.run()
	if !ok {
		return nil
	}
	a.rec = newRecorder()
	a.rec.withText = texts
	defer func() { a.rec.work = a.work }()
	a.start() // records the assumptions about parameters
	for _, b := range fn.Blocks {
		if entry[b.Index] != nil {
			a.through(b, entry[b.Index])
		} else {
			a.through(b, &state{a: a, bottom: true})
		}
	}
	return a.rec
}

// Analyse analyses a function with a body. It makes premises small by leaving out one assumption at a time
// and seeing which assertions are still verified.
func (p *Program) Analyse(fn *ssa.Function) *Function {
	p.mu.Lock()
	f, ok := p.done[fn]
	p.mu.Unlock()
	if ok {
		return f
	}
	f = p.analyse(fn)
	p.mu.Lock()
	defer p.mu.Unlock()
	if g, ok := p.done[fn]; ok {
		return g
	}
	p.done[fn] = f
	return f
}

// AnalyseAll analyses a function and the function literals in it. It returns nothing for a function without a
// body.
func (p *Program) AnalyseAll(fn *ssa.Function) []*Function {
	if len(fn.Blocks) == 0 {
		return nil
	}
	out := []*Function{p.Analyse(fn)}
	for _, anon := range fn.AnonFuncs {
		out = append(out, p.AnalyseAll(anon)...)
	}
	return out
}

// maxLeftOut bounds how often a function is analysed without some of its assumptions, to find out which
// assertions depend on them; a function that takes much work is analysed fewer times. An assumption that was
// never left out counts as needed. If there are at least minTogether assumptions, several are left out at
// once.
const (
	maxLeftOut  = 48
	minTogether = 4
)

// analyse does the work of Analyse: a run with all assumptions, one without any, and those of dependence.
func (p *Program) analyse(fn *ssa.Function) *Function {
	f := &Function{Fn: fn, Contract: Premise{{}}, Contracted: p.wrapper(fn) != nil}
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxBlocks {
		f.GaveUp = fmt.Sprintf("it has %d blocks", len(fn.Blocks))
		p.unverified(f)
		return f
	}
	pre := p.prepare(fn)
	allowed := func(pl place) bool { return !p.config.Off[pl.kind] }
	all := p.once(fn, pre, allowed, true)
	none := p.once(fn, pre, func(place) bool { return false }, false)
	if all == nil || none == nil {
		f.GaveUp = "its loops did not settle"
		p.unverified(f)
		return f
	}
	premises := (&dependence{p: p, fn: fn, pre: pre, all: all, none: none, index: map[place]int{}, need: map[assertionKey][]int{}}).premises()
	own := p.unhelped(fn, pre, all, none)
	for _, k := range all.order {
		pr := premises[k]
		if none.holds[k] {
			pr = Premise{{}}
		}
		if own != nil && k.kind.Written() {
			pr = own[k]
		}
		f.Assertions = append(f.Assertions, Assertion{Kind: k.kind, Pos: k.position(), Text: p.text(k, all.clauses[k]), Instr: k.ins, Premise: pr, Clause: all.clauses[k], Fails: none.fails[k]})
	}
	p.keepUsed(f, all)
	p.declared(f)
	p.sort(f)
	p.config.External.apply(p, f)
	f.absorb()
	f.Contract = f.contract(f.Contracted)
	return f
}

// dependence finds out on which assumptions the assertions of a function depend.
type dependence struct {
	p     *Program
	fn    *ssa.Function
	pre   prepared
	all   *recorder              // the run with all assumptions
	none  *recorder              // the run without any
	index map[place]int          // the numbers of the assumptions in all.places
	runs  int                    // how many runs have left out assumptions
	need  map[assertionKey][]int // the assumptions that an assertion needs, by their numbers
}

// run analyses the function under the assumptions for which on holds, by their numbers in d.all.places.
func (d *dependence) run(on func(i int) bool) *recorder {
	return d.p.once(d.fn, d.pre, func(pl place) bool { i, ok := d.index[pl]; return ok && on(i) }, false)
}

// premises returns the premises of the assertions that hold under some assumptions, and not without any.
func (d *dependence) premises() map[assertionKey]Premise {
	premises := map[assertionKey]Premise{}
	if !slices.ContainsFunc(d.all.order, func(k assertionKey) bool { return d.all.holds[k] && !d.none.holds[k] }) {
		return premises
	}
	for i, pl := range d.all.places {
		d.index[pl] = i
	}
	base := d.run(func(int) bool { return true })
	if base == nil {
		return premises
	}
	var depend []assertionKey
	for _, k := range d.all.order {
		if base.holds[k] && !d.none.holds[k] {
			depend = append(depend, k)
		}
	}
	d.leaveOut(depend, 0, len(d.all.places))
	every := make([]int, len(d.all.places))
	for i := range every {
		every[i] = i
	}
	proved := map[string]*recorder{}
	for _, k := range depend {
		key := fmt.Sprint(d.need[k])
		r, ok := proved[key]
		if !ok {
			r = d.run(func(i int) bool { return slices.Contains(d.need[k], i) })
			proved[key] = r
		}
		if r != nil && r.holds[k] {
			premises[k] = Premise{slices.Clone(d.need[k])}
		} else {
			premises[k] = Premise{slices.Clone(every)}
		}
	}
	return premises
}

// leaveOut finds which of some assertions need which of the assumptions from i to j. Most assertions need few
// assumptions, so many are left out together first, and halves of these only if some assertion fails.
func (d *dependence) leaveOut(keys []assertionKey, i, j int) {
	if len(keys) == 0 || i == j {
		return
	}
	var without *recorder
	if d.runs < maxLeftOut && d.runs*d.all.work < maxWork && (j-i == 1 || j-i >= minTogether) {
		d.runs++
		without = d.run(func(n int) bool { return n < i || n >= j })
	}
	var failed []assertionKey
	for _, k := range keys {
		if without == nil || !without.holds[k] {
			failed = append(failed, k)
		}
	}
	if j-i > 1 {
		d.leaveOut(failed, i, (i+j)/2)
		d.leaveOut(failed, (i+j)/2, j)
		return
	}
	for _, k := range failed {
		d.need[k] = append(d.need[k], i)
	}
}

// contract returns the premise of all clauses that are checked behind a function's return.
func (f *Function) contract(any bool) Premise {
	out, found := []int{}, false
	for _, as := range f.Assertions {
		if as.Kind != Ensures && as.Kind != Invariant {
			continue
		}
		found = true
		if len(as.Premise) != 1 {
			return Premise{}
		}
		out = append(out, as.Premise[0]...)
	}
	if any && !found {
		return Premise{}
	}
	slices.Sort(out)
	return Premise{slices.Compact(out)}
}

// text says what an assertion asserts.
func (p *Program) text(k assertionKey, clause string) string {
	if clause != "" {
		return clause
	}
	if c, ok := k.ins.(*ssa.Call); ok && k.kind == Assert {
		if text := p.conditionText(c); text != "" {
			return text
		}
	}
	return DescribeAssertion(k.ins, k.kind)
}

// keepUsed removes the assumptions that no premise names, except those that the code declares, and renumbers
// the others.
func (p *Program) keepUsed(f *Function, all *recorder) {
	used := make([]bool, len(all.places))
	for _, as := range f.Assertions {
		for _, c := range as.Premise {
			for _, i := range c {
				used[i] = true
			}
		}
	}
	renumber := make([]int, len(all.places))
	taken := map[string]bool{}
	for i, pl := range all.places {
		if !used[i] && pl.kind != Declared {
			continue
		}
		renumber[i] = len(f.Assumptions)
		as := Assumption{Kind: pl.kind, Text: p.config.External.given(all.texts[pl]), Cond: all.conds[pl], Instr: pl.ins, Pos: f.Fn.Pos()}
		if pl.ins != nil {
			as.Pos = Position(pl.ins)
		} else if pl.n > 0 && pl.n < len(f.Fn.Params)+1 {
			as.Pos = f.Fn.Params[pl.n-1].Pos()
		}
		at := p.Fset.Position(as.Pos)
		as.ID = fmt.Sprintf("%s@%d:%d", pl.kind, at.Line, at.Column)
		if name := declaredName(pl); name != "" {
			as.ID = name
		}
		for n := 2; taken[as.ID]; n++ {
			as.ID = fmt.Sprintf("%s@%d:%d#%d", pl.kind, at.Line, at.Column, n)
		}
		taken[as.ID] = true
		f.Assumptions = append(f.Assumptions, as)
	}
	for _, as := range f.Assertions {
		for _, c := range as.Premise {
			for k, i := range c {
				c[k] = renumber[i]
			}
		}
	}
}

// unverified lists the assertions of a function, all unverified, if the analysis gave up.
func (p *Program) unverified(f *Function) {
	if len(f.Fn.Blocks) == 0 {
		return
	}
	a := newAnalysis(p, f.Fn, p.prepare(f.Fn), func(place) bool { return false })
	a.rec = newRecorder()
	for _, b := range f.Fn.Blocks {
		for _, ins := range b.Instrs {
			a.step(a.newState(), ins)
		}
	}
	for _, k := range a.rec.order {
		f.Assertions = append(f.Assertions, Assertion{Kind: k.kind, Pos: k.position(), Text: p.text(k, a.rec.clauses[k]), Instr: k.ins, Clause: a.rec.clauses[k]})
	}
	p.declared(f)
	p.sort(f)
	p.config.External.apply(p, f)
	f.absorb()
}

// sort puts assertions in the order of the source.
func (p *Program) sort(f *Function) {
	slices.SortStableFunc(f.Assertions, func(x, y Assertion) int {
		if x.Pos != y.Pos {
			return int(x.Pos) - int(y.Pos)
		}
		return 0
	})
}

// harmless reports whether a function literal, and the literals inside it, have only verified
// assertions.
func (p *Program) harmless(fn *ssa.Function) bool {
	for _, as := range p.Analyse(fn).Assertions {
		if !as.Premise.Verified() {
			return false
		}
	}
	return true
}

// annotation returns which annotation of package assay a call is.
func (p *Program) annotation(fn *ssa.Function) contract.Annotation {
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil && fn.Signature.Recv() == nil {
		return p.notes.Of(p.Fset, obj)
	}
	return contract.None
}
