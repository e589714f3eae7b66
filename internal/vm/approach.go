package vm

import (
	"cmp"
	"fmt"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// A number that branches count, such as the words of a text, is a constant on each path. No condition of a path can be
// flipped to make it seven. Paths come nearer, however: the numbers that the condition compares differ by less. Approach
// begins with the inputs of a path that came to the condition, and goes on from those inputs that bring the numbers
// nearer (Xie, Tillmann, de Halleux, Schulte, DSN 2009). New inputs come from decisions that are flipped, and from parts of texts and lists
// that are repeated. A part whose repetition brings the numbers nearer by two is repeated as often as the rest needs.

// Miss is an outcome that no path took of a comparison to which some path came.
type Miss struct {
	outcome int // numbered as in covered
	from    *arrival
}

// arrival is what is needed of the path that first took an outcome of a condition, to execute it again.
type arrival struct {
	driver  *Driver
	path    []term.ID
	objects []inputObject
	leaves  []leaf
	prefers []term.ID
}

// arrived notes the path that is the first to take an outcome in the target.
func (m *Machine) arrived(st *State, n int) {
	if n&3 > 1 || st.init || st.driver == nil || st.call < len(st.driver.Calls)-1 || !m.comparesIntegers(n>>2) {
		return
	}
	m.arrivals[n] = newArrival(st)
}

func newArrival(st *State) *arrival {
	return &arrival{
		driver: st.driver, path: st.pc.Conjuncts(), leaves: st.leaves, prefers: st.prefers,
		objects: st.objects[:len(st.objects):len(st.objects)],
	}
}

// comparesIntegers reports whether the condition at a site compares two whole numbers.
func (m *Machine) comparesIntegers(site int) bool {
	br, ok := m.sites[site].ins.(*ssa.If)
	if !ok {
		return false
	}
	op, ok := br.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	b, ok := op.X.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// Misses returns the outcomes that no path has taken of comparisons whose other outcome one has, in the order of the code.
func (m *Machine) Misses() []*Miss {
	var out []*Miss
	for n, a := range m.arrivals {
		if m.uncovered(n ^ 1) {
			out = append(out, &Miss{n ^ 1, a})
		}
	}
	slices.SortFunc(out, func(a, b *Miss) int { return cmp.Compare(a.outcome, b.outcome) })
	return out
}

// unreached is the distance of a path that does not come to the condition.
const unreached = math.MaxUint64

// measure notes how far the present path is from the outcome that is looked for: the path of given inputs, or any path if there are none.
func (m *Machine) measure(st *State, ins *Instr) {
	if m.seeds != nil && !st.seeded || !st.inTarget() {
		return
	}
	regs := st.gs[st.cur].top.regs
	a, b := regs[ins.A], regs[ins.D]
	if a.Lazy|b.Lazy != 0 {
		return
	}
	inputs := m.seeds
	if inputs == nil && a.Term|b.Term != 0 {
		if inputs = m.someInputs(st); inputs == nil {
			return
		}
	}
	number := func(v Value) uint64 {
		if v.Term != 0 {
			return m.ts.Eval(v.Term, inputs)
		}
		return v.Bits
	}
	if d := distance(ins, number(a), number(b), m.outcome&1 == 1); d < m.nearest {
		m.nearest = d
		if m.seeds == nil {
			m.closest = newArrival(st)
		}
	}
}

// someInputs returns inputs of the present path, or nil if there are none or enough questions have been asked: of all paths, or of this one, which may
// come to the condition in each turn of a loop.
func (m *Machine) someInputs(st *State) *term.Model {
	if m.measures >= measuresBefore || m.measuredOf[st.id] >= measuresOfPath {
		return nil
	}
	m.measures++
	m.measuredOf[st.id]++
	s := m.sctx.Solve(st.pc, nil, nil)
	if s.Verdict != solver.Sat {
		return nil
	}
	return s.Model
}

// distance returns by how much a comparison of two numbers misses an outcome.
func distance(ins *Instr, x, y uint64, wanted bool) uint64 {
	if ins.Op == opIfLtS || ins.Op == opIfLeS {
		// With the sign's bit turned, signed numbers are in the order of unsigned ones.
		sign := uint64(1) << (ins.W - 1)
		x, y = x^sign, y^sign
	}
	holds, gap := false, x-y
	if x < y {
		gap = y - x
	}
	switch ins.Op {
	case opIfEq:
		holds = x == y
	case opIfNe:
		holds = x != y
	case opIfLtS, opIfLtU:
		holds = x < y
	case opIfLeS, opIfLeU:
		holds = x <= y
	default:
		return unreached
	}
	if holds == wanted {
		return 0
	}
	return gap + 1
}

// attempt is an execution with given inputs.
type attempt struct {
	inputs   *term.Model
	distance uint64
	flips    []*term.Model // inputs of the paths that branch off
}

const (
	pathsBefore     = 300   // paths that are followed to find inputs to begin with
	statesBefore    = 5_000 // states that wait meanwhile
	measuresBefore  = 100   // questions are asked to see how near they come
	measuresOfPath  = 5     // of these are about one path
	attemptsPerMiss = 600   // executions for one outcome
	idleAttempts    = 300   // executions in a row that come no nearer
	flipsPerAttempt = 24
	longestEdited   = 20  // elements of a list whose parts are repeated
	longestRepeated = 512 // elements of a list in which a part was repeated
)

// approach is the search for one outcome.
type approach struct {
	m     *Machine
	miss  *Miss
	limit Limits
	stop  func() bool
	yield func(*Path) bool
	stats Stats
	seen  map[string]bool
	queue []*attempt // the nearest first
	best  uint64
	idle  int
	tries int
}

// Approach looks for a path that takes a missed outcome, at first in the order of a searcher. It yields paths that cover something new.
func (m *Machine) Approach(x *Miss, search Searcher, b Limits, stop func() bool, yield func(*Path) bool) (Stats, error) {
	a := &approach{m: m, miss: x, limit: b, stop: stop, seen: map[string]bool{}, best: unreached, stats: Stats{Stops: map[Stop]int{}}}
	a.yield = func(p *Path) bool { return len(p.New) == 0 || yield(p) }
	asked := m.sctx.Stats()
	a.limit.Queries += asked.Backend
	a.limit.Effort += asked.BackendEffort
	if err := a.begin(search); err != nil || a.done() {
		return a.stats, err
	}
	from := a.miss.from
	st := &State{m: m, pc: m.sctx.NewPath(), objects: from.objects, leaves: from.leaves, prefers: from.prefers}
	for _, c := range from.path {
		m.sctx.Assume(st.pc, c)
	}
	first := a.solve(st, nil)
	st.pc.Release()
	if first == nil {
		return a.stats, nil
	}
	if _, err := a.try(first); err != nil {
		return a.stats, err
	}
	for len(a.queue) > 0 && !a.done() {
		at := a.queue[0]
		a.queue = a.queue[1:]
		if err := a.expand(at); err != nil {
			return a.stats, err
		}
	}
	return a.stats, nil
}

// begin follows some paths and makes the search begin with the one on which the numbers were nearest. The path that came to the condition first may be one
// from which nothing leads nearer: a text without any of the words that are counted.
func (a *approach) begin(search Searcher) error {
	m := a.m
	m.watched, m.outcome, m.nearest, m.closest, m.measures = int32(a.miss.outcome>>2)+1, a.miss.outcome, unreached, nil, 0
	m.measuredOf = make(map[int]int)
	defer func() { m.watched, m.closest, m.measuredOf = 0, nil, nil }()
	asked := m.sctx.Stats() // the limits of questions are those of all that were asked so far
	b := Limits{Steps: a.limit.Steps/8 + 1, Paths: pathsBefore, PathSteps: a.limit.Steps/8 + 1, PathForks: a.limit.PathForks, States: statesBefore,
		Queries: (a.limit.Queries-asked.Backend)/8 + 1, Effort: (a.limit.Effort-asked.BackendEffort)/8 + 1}
	stats, err := m.ExploreFrom(m.newState(a.miss.from.driver), search, b, a.stop, a.yield)
	a.add(stats)
	if m.closest != nil {
		a.miss.from = m.closest
	}
	return err
}

// add counts what was executed.
func (a *approach) add(stats Stats) {
	a.stats.Steps += stats.Steps
	a.stats.Paths += stats.Paths
	a.stats.States += stats.States
	for s, n := range stats.Stops {
		a.stats.Stops[s] += n
	}
}

// done reports whether the search has come to its end, by a path that takes the outcome or by a limit.
func (a *approach) done() bool {
	asked := a.m.sctx.Stats()
	return !a.m.uncovered(a.miss.outcome) || a.tries >= attemptsPerMiss || a.idle >= idleAttempts || a.stop() ||
		a.stats.Steps > a.limit.Steps || asked.Backend > a.limit.Queries || asked.BackendEffort > a.limit.Effort
}

// solve returns inputs for a path, like others as far as possible.
func (a *approach) solve(st *State, like *term.Model) *term.Model {
	m := a.m
	var soft []term.ID
	if like == nil {
		soft = m.preferences(st)
	} else {
		for _, o := range a.lists() {
			for i, v := range a.content(o, like) {
				soft = append(soft, m.ts.Eq(m.ts.Read(m.inputArray(o.name, o.elem.width()), m.ts.Const(64, uint64(i))), m.ts.Const(o.elem.width(), v)))
			}
		}
		for _, l := range a.miss.from.leaves {
			if w := m.ts.Width(l.term); w <= 64 && like.Has(l.term) {
				soft = append(soft, m.ts.Eq(l.term, m.ts.Const(w, m.ts.Eval(l.term, like))))
			}
		}
	}
	s := m.sctx.Solve(st.pc, soft, nil)
	if s.Verdict != solver.Sat {
		return nil
	}
	inputs := s.Model.Clone()
	m.fill(st, inputs)
	return inputs
}

// lists returns the inputs that are texts, or lists of numbers or truth values.
func (a *approach) lists() []inputObject {
	var out []inputObject
	for _, o := range a.miss.from.objects {
		if o.array && o.elem != nil && o.elem.scalar() && o.length.Term != 0 && a.m.ts.Op(o.length.Term) == term.OpVar {
			out = append(out, o)
		}
	}
	return out
}

// content returns the elements of a list.
func (a *approach) content(o inputObject, inputs *term.Model) []uint64 {
	arr := a.m.inputArray(o.name, o.elem.width())
	out := make([]uint64, min(a.m.ts.Eval(o.length.Term, inputs), longestRepeated))
	for i := range out {
		out[i] = a.m.ts.Eval(a.m.ts.Read(arr, a.m.ts.Const(64, uint64(i))), inputs)
	}
	return out
}

// with returns inputs in which a list has other elements.
func (a *approach) with(o inputObject, elems []uint64, inputs *term.Model) *term.Model {
	out := inputs.Clone()
	arr := a.m.inputArray(o.name, o.elem.width())
	for i, v := range elems {
		out.Set(a.m.ts.Read(arr, a.m.ts.Const(64, uint64(i))), v)
	}
	out.Set(o.length.Term, uint64(len(elems)))
	return out
}

// key tells inputs from others.
func (a *approach) key(inputs *term.Model) string {
	var b strings.Builder
	for _, o := range a.lists() {
		fmt.Fprintln(&b, o.name, a.content(o, inputs))
	}
	for _, l := range a.miss.from.leaves {
		if a.m.ts.Width(l.term) <= 64 {
			fmt.Fprintln(&b, a.m.ts.Eval(l.term, inputs))
		}
	}
	return b.String()
}

// try executes the target with inputs, and puts the attempt into the queue. It returns nil if it has executed the target
// with these inputs before.
func (a *approach) try(inputs *term.Model) (*attempt, error) {
	k := a.key(inputs)
	if a.seen[k] || a.done() {
		return nil, nil
	}
	a.seen[k] = true
	a.tries++
	m := a.m
	m.seeds, m.lengths = inputs, map[term.ID]int{}
	m.watched, m.outcome, m.nearest = int32(a.miss.outcome>>2)+1, a.miss.outcome, unreached
	defer func() { m.seeds, m.lengths, m.watched = nil, nil, 0 }()
	for _, o := range a.lists() {
		if n := m.ts.Eval(o.length.Term, inputs); n > 0 && n <= maxFill {
			m.lengths[o.length.Term] = int(n)
		}
	}
	st := m.newState(a.miss.from.driver)
	st.seeded = true
	line := &oneLine{m: m}
	b := Limits{Steps: a.limit.Steps/8 + 1, PathSteps: a.limit.Steps/8 + 1, PathForks: a.limit.PathForks}
	stats, err := m.ExploreFrom(st, line, b, a.stop, a.yield)
	a.add(stats)
	at := &attempt{inputs: inputs, distance: m.nearest}
	for _, s := range line.aside {
		if a.done() || err != nil {
			m.discard(s)
			continue
		}
		if in := a.solve(s, inputs); in != nil {
			at.flips = append(at.flips, in)
		}
		m.discard(s)
	}
	if a.idle++; at.distance < a.best {
		a.best, a.idle = at.distance, 0
	}
	i, _ := slices.BinarySearchFunc(a.queue, at, func(x, y *attempt) int {
		if x.distance <= y.distance {
			return -1
		}
		return 1
	})
	a.queue = slices.Insert(a.queue, i, at)
	return at, err
}

// expand executes what is next to an attempt.
func (a *approach) expand(at *attempt) error {
	for _, o := range a.lists() {
		if elems := a.content(o, at.inputs); len(elems) > 0 && len(elems) <= longestEdited {
			if err := a.repeat(at, o, elems); err != nil {
				return err
			}
		}
	}
	for _, in := range at.flips {
		if _, err := a.try(in); err != nil {
			return err
		}
	}
	return nil
}

// repeat tries the inputs of an attempt with parts of one list repeated: each part of it, and two elements at a time, as
// what is nested needs.
func (a *approach) repeat(at *attempt, o inputObject, elems []uint64) error {
	n := len(elems)
	for size := 1; size <= n; size++ {
		for i := 0; i+size <= n; i++ {
			if err := a.often(at, o, elems, func(times int) []uint64 {
				out := append([]uint64(nil), elems[:i+size]...)
				for range times {
					out = append(out, elems[i:i+size]...)
				}
				return append(out, elems[i+size:]...)
			}); err != nil {
				return err
			}
		}
	}
	for i := 0; i < n && n <= longestEdited/2; i++ {
		for j := i + 1; j < n; j++ {
			if err := a.often(at, o, elems, func(times int) (out []uint64) {
				for k, e := range elems {
					out = append(out, e)
					for t := 0; t < times && (k == i || k == j); t++ {
						out = append(out, e)
					}
				}
				return out
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// often tries what an edit makes of a list if it is applied once, and as often as the distance asks for if it has come nearer.
func (a *approach) often(at *attempt, o inputObject, elems []uint64, edited func(times int) []uint64) error {
	once := edited(1)
	got, err := a.try(a.with(o, once, at.inputs))
	if err != nil || got == nil || at.distance == unreached || got.distance >= at.distance {
		return err
	}
	nearer, more := at.distance-got.distance, uint64(len(once)-len(elems))
	times := at.distance/nearer + 1
	if times < 3 || times > (longestRepeated-uint64(len(elems)))/more {
		return nil
	}
	for t := times - 2; t <= times; t++ {
		if _, err := a.try(a.with(o, edited(int(t)), at.inputs)); err != nil {
			return err
		}
	}
	return nil
}

// oneLine is a searcher that follows the path of the seeds alone. What branches off is put aside.
type oneLine struct {
	m     *Machine
	next  *State
	aside []*State
}

// Push adds a state.
func (l *oneLine) Push(st *State) {
	switch {
	case st.seeded:
		l.next = st
	case len(l.aside) < flipsPerAttempt:
		l.aside = append(l.aside, st)
	default:
		l.m.discard(st)
	}
}

// Pop takes the state on the path.
func (l *oneLine) Pop() (*State, bool) {
	st := l.next
	l.next = nil
	return st, st != nil
}

// Len returns how many states wait.
func (l *oneLine) Len() int {
	if l.next != nil {
		return 1
	}
	return 0
}
