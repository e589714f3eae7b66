package vm

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/testcase"
)

// Driver is a sequence of calls that the machine executes one after the other: calls that prepare
// (constructors, methods that change the receiver's state) and, last, the target. Their arguments are
// fresh symbolic inputs or results of earlier calls.
type Driver struct {
	Calls []DriverCall
	// PastAsserts has paths go on behind an assertion that fails, as code does without assay. What else of the code's
	// own assertions fails then is seen as well.
	PastAsserts bool
}

// DriverCall is a call of a function or method.
type DriverCall struct {
	Func *ssa.Function
	// Checked is executed in place of Func: it calls Func and checks its contract, or nil if Func has none.
	Checked *ssa.Function
	// Obj and TypeArgs name the function for the sequence: the origin, and the type arguments of the function
	// or of the method's receiver.
	Obj      *types.Func
	TypeArgs []types.Type
	// Args are the arguments, a method's receiver first.
	Args []DriverArg
	// Question says that the call only asks an object whether it is valid, and is no part of the sequence. Where the answer is
	// no and further calls are to follow, the path ends.
	Question bool
}

// executed returns the function that the machine enters for a call.
func (c *DriverCall) executed() *ssa.Function {
	if c.Checked != nil {
		return c.Checked
	}
	return c.Func
}

// DriverArg is an argument: result number Result of call Call or, if Call is negative, a fresh input of type
// Type.
type DriverArg struct {
	Call   int
	Result int
	// Addr passes the address of a variable that holds the value (for a method with a pointer receiver
	// on a constructor's struct result). Deref passes the value behind a pointer.
	Addr, Deref bool
	// Unbox passes the value of type Type that a result holds which is an interface.
	Unbox bool
	Type  types.Type
	Name  string
	// Zero passes the zero value of Type instead of a symbolic input.
	Zero bool
	// New passes a pointer to a fresh variable, which is never nil. With Zero the variable holds the
	// zero value.
	New bool
	// Any makes also those fields symbolic that users of the package cannot set. The argument is then any
	// value of the type. Without Any such fields are zero.
	Any bool
	// Of, if positive, passes argument number Result of call Of-1 once more or, with Deref, the value behind
	// it. Call is negative then.
	Of int
	// Lit, if not nil, passes this constant instead of a symbolic input.
	Lit *testcase.Literal
	// Len, if positive, passes text or a slice with this number of symbolic elements. Without Len the length
	// is symbolic, too.
	Len int
	// Box is the type of the result if the result is passed as the interface Type.
	Box types.Type
	// Seed, if not nil, is the value that a concrete execution passed here, a scalar or text that is
	// not empty. The argument is still symbolic, but a text has the seed's length, and the first path
	// is the one that the seeds of the driver take; see Seeded.
	Seed *testcase.Literal
	// given, if not nil, has the value that is passed; see Ask.
	given *givenCells
}

// Path is the end of an explored path.
type Path struct {
	State  *State
	Stop   Stop
	Reason string
	// New lists by number what the path covered first in the package under test.
	New []int
	// Last says that the driver's last call had begun.
	Last bool
	keep bool
}

// Limits bounds an exploration in deterministic units; zero means no bound.
type Limits struct {
	Steps     int64 // instructions
	Paths     int   // finished paths
	Queries   int64 // questions to the solver's last layer
	Effort    int64 // of the solver's last layer, in its own units
	States    int   // states that wait at a time; further states are dropped
	PathSteps int64 // instructions along one path
	PathForks int   // decisions along one path whose outcomes were both feasible
}

// Part returns the n-th part of the rest of a budget.
func (b Limits) Part(n int) Limits {
	b.Steps = b.Steps/int64(n) + 1
	b.Paths = b.Paths/n + 1
	b.Queries = b.Queries/int64(n) + 1
	b.Effort = b.Effort/int64(n) + 1
	return b
}

// Searcher is a searcher of package search for the machine's states.
type Searcher = search.Searcher[*State]

// Stats says what an exploration did.
type Stats struct {
	Paths, States int
	Steps         int64
	Stops         map[Stop]int
	last          Stop // how the last path ended; run counts how many paths in a row ended like this
	run           int
	Dropped       int  // states that were dropped because too many waited
	Exhausted     bool // no state was left
}

// ended counts the end of a path. The map is not touched as long as paths end alike.
func (s *Stats) ended(how Stop) {
	if how != s.last {
		s.flush()
		s.last = how
	}
	s.run++
}

func (s *Stats) flush() {
	if s.run > 0 {
		s.Stops[s.last] += s.run
		s.run = 0
	}
}

// quantum is how many instructions a state runs before other states get their turn.
const quantum = 20_000

// Explore executes a driver along all its paths, in the order of the searcher, until none is left, the budget
// is used up, yield returns false or stop does. It yields each path once, at its end.
func (m *Machine) Explore(d *Driver, search Searcher, b Limits, stop func() bool, yield func(*Path) bool) (Stats, error) {
	if len(d.Calls) == 0 {
		return Stats{}, errNoFunc
	}
	return m.ExploreFrom(m.newState(d), search, b, stop, yield)
}

// ExploreFrom does the same as Explore, from a state that is about to begin its driver's next call; see
// Extend.
func (m *Machine) ExploreFrom(st *State, search Searcher, b Limits, stop func() bool, yield func(*Path) bool) (Stats, error) {
	stats := Stats{Stops: map[Stop]int{}}
	first := m.states
	m.pending = func(st *State) {
		if b.States > 0 && search.Len() >= b.States {
			stats.Dropped++
			m.discard(st)
			return
		}
		search.Push(st)
	}
	m.stop = stop
	defer func() { m.pending, m.stop = nil, nil }()
	if sig := m.guarded(st, func() signal { return m.nextCall(st) }); sig == sigStop {
		m.finish(st, &stats, yield)
		stats.Exhausted = stats.Dropped == 0 && search.Len() == 0
		stats.flush()
		return stats, nil
	}
	m.pending(st)
	m.pathForks = b.PathForks
	asked := m.sctx.Stats()
	for {
		st, ok := search.Pop()
		if !ok {
			stats.Exhausted = stats.Dropped == 0
			break
		}
		st.fresh = false
		before, cells := st.steps, st.heap.cells
		if st.stop == StopNone {
			m.run(st, quantum)
		}
		if st.regardless {
			m.endPath(st, StopAssume, "")
		}
		stats.Steps += st.steps - before
		if m.program {
			st.steps += int64(st.heap.cells-cells) / 16 // large objects make work as well
			if st.heap.cells > collectCells || st.heap.live > m.cfg.maxObjects()/2 {
				m.collect(st)
			}
			if st.stop == StopNone && len(st.gs) > 1 {
				m.schedule(st) // a program may loop until another goroutine has done something
			}
		}
		if st.stop == StopNone && b.PathSteps > 0 && st.steps > b.PathSteps {
			m.endPath(st, StopBudget, "a path longer than the machine follows")
		}
		if st.stop == StopNone && b.PathForks > 0 && st.forks > b.PathForks {
			m.endPath(st, StopBudget, "a path with more branches than were asked for")
		}
		if st.stop == StopNone {
			m.pending(st)
		} else if !m.finish(st, &stats, yield) {
			break
		}
		if b.Steps > 0 && stats.Steps > b.Steps || b.Paths > 0 && stats.Paths >= b.Paths ||
			b.Queries > 0 && m.sctx.Stats().Backend-asked.Backend > b.Queries ||
			b.Effort > 0 && m.sctx.Stats().BackendEffort-asked.BackendEffort > b.Effort || stop != nil && stop() {
			break
		}
	}
	stats.States = m.states - first
	stats.flush()
	return stats, nil
}

// guarded runs a step outside the interpreter's loop.
func (m *Machine) guarded(st *State, f func() signal) (sig signal) {
	defer func() {
		if r := recover(); r != nil {
			sig = m.recovered(st, r)
		}
	}()
	return f()
}

// finish reports the end of a path.
func (m *Machine) finish(st *State, stats *Stats, yield func(*Path) bool) bool {
	if st.handed && st.stop == StopReturn {
		stats.ended(StopConcrete)
	} else {
		stats.ended(st.stop)
	}
	more := true
	if st.stop != StopInfeasible && st.stop != StopVerified && st.stop != StopReplaced {
		stats.Paths++
		p := m.spare
		if p == nil {
			p = new(Path)
		}
		m.spare = nil
		*p = Path{State: st, Stop: st.stop, Reason: st.reason, Last: st.call == len(st.driver.Calls)-1}
		for _, n := range st.news {
			if !hasBit(m.claimed, n) {
				p.New = append(p.New, n)
			}
		}
		more = yield(p)
		if p.keep {
			return more
		}
		m.spare = p
	}
	m.discard(st)
	return more
}

// Claim marks everything that a path covered as covered by a case, so that later paths are not new for
// it.
func (m *Machine) Claim(p *Path) {
	for _, n := range p.New {
		m.claimed = setBit(m.claimed, n)
	}
}

// maxDisclaimed is how many paths may cover something without becoming a case, before nobody looks for a further one.
const maxDisclaimed = 8

// Disclaim says that a path becomes no case, because its inputs cannot be found or written. What it was the first to cover is
// still to be covered by another path.
func (m *Machine) Disclaim(p *Path) {
	for _, n := range p.New {
		if m.disclaimed[n]++; m.disclaimed[n] <= maxDisclaimed {
			m.covered[n>>6] &^= 1 << (n & 63)
			m.epoch++
		}
	}
}

// nextCall begins the driver's next call, or ends the path.
func (m *Machine) nextCall(st *State) signal {
	if st.init {
		m.endPath(st, StopReturn, "")
		return sigStop
	}
	if st.call >= 0 && st.call < len(st.driver.Calls)-1 {
		if !m.usable(st) || st.driver.Calls[st.call].Question && !m.affirmed(st) {
			m.endPath(st, StopSetup, "a call that prepares did not succeed")
			return sigStop
		}
	}
	st.call++
	if st.call == len(st.driver.Calls) {
		st.call--
		m.endPath(st, StopReturn, "")
		return sigStop
	}
	c := &st.driver.Calls[st.call]
	var args []Value
	for i, a := range c.Args {
		if a.Call < 0 && a.Of-1 == st.call {
			// The repeated argument stands before this one in the same call.
			st.args = append(st.args[:st.call:st.call], args)
		}
		args = append(args, m.argument(st, a, i)...)
	}
	st.args = append(st.args[:st.call], args)
	f := m.fn(c.executed())
	if f.code == nil && f.intrinsic == nil && f.stop == "" {
		m.build(f)
	}
	if f.stop != "" {
		m.endPath(st, StopUnsupported, f.stop)
		return sigStop
	}
	if f.intrinsic != nil {
		res, sig := f.intrinsic(m, st, &call{fn: f, args: args, result: f.result})
		if sig != sigNext {
			return sig
		}
		st.results = append(st.results, res)
		return m.nextCall(st)
	}
	fr := m.newFrame(st, f)
	copy(fr.regs[f.args:], args)
	fr.dst = -1
	g := st.gs[0]
	g.done, g.top = false, fr
	st.cur = 0
	return sigFrame
}

// argument makes the cells of a call's argument.
func (m *Machine) argument(st *State, a DriverArg, i int) []Value {
	t := m.types.of(a.Type)
	if a.Call < 0 {
		switch {
		case a.given != nil:
			return a.given.passed(m, st)
		case a.Of > 0:
			return m.repeatedArgument(st, a, t)
		case a.Lit != nil:
			return m.literalCells(st, a.Lit, t)
		case a.Zero && a.New:
			return []Value{ptr(m.zeroInput(st, t.Elem), 0)}
		case a.Zero:
			return make([]Value, t.Size)
		}
		name := a.Name
		if name == "" || name == "_" {
			name = "arg" + itoa(i)
		}
		if st.call > 0 || len(st.driver.Calls) > 1 {
			name = "c" + itoa(st.call) + "." + name
		}
		if a.Seed != nil {
			return m.seeded(st, a.Seed, t, name)
		}
		if a.Len > 0 {
			return m.short(st, t, name, a.Len)
		}
		m.anyFields = a.Any
		defer func() { m.anyFields = false }()
		v := m.symbolic(st, t, name)
		if a.New {
			id := m.newInput(st, t.Elem, name)
			e := st.lazies.edit(v[0].Lazy)
			e.kind, e.val[0] = isValue, ptr(id, 0)
		}
		return v
	}
	c := &st.driver.Calls[a.Call]
	tuple := m.types.of(c.Func.Signature.Results())
	f := tuple.Fields[a.Result]
	v := st.results[a.Call][f.Off : f.Off+f.Type.Size]
	switch {
	case a.Addr:
		// All uses of one result share the variable.
		key := [2]int{a.Call, a.Result}
		for _, x := range st.addrs {
			if x.key == key {
				return []Value{ptr(x.obj, 0)}
			}
		}
		id := m.newVariable(st, f.Type)
		copy(st.mutable(id).cells, v)
		st.addrs = append(st.addrs[:len(st.addrs):len(st.addrs)], addrOf{key, id})
		return []Value{ptr(id, 0)}
	case a.Unbox:
		return append([]Value(nil), m.unbox(st, t, v[1])...)
	case a.Deref:
		out := make([]Value, t.Size)
		m.load(st, m.pointer(st, v[0], t), t, out)
		return out
	}
	if a.Box != nil && f.Type.Kind != KInterface {
		return m.box(st, f.Type, v)
	}
	return append([]Value(nil), v...)
}

// addrOf returns the variable that holds a result whose address is passed on.
type addrOf struct {
	key [2]int
	obj ObjID
}

// usable reports whether later calls can use the results: there is no error and no nil pointer among those
// that they need.
func (m *Machine) usable(st *State) bool {
	c := &st.driver.Calls[st.call]
	sig := c.Func.Signature
	res := st.results[st.call]
	tuple := m.types.of(sig.Results())
	needed := map[int]bool{}
	unboxed := map[int]*Type{}
	for _, later := range st.driver.Calls[st.call+1:] {
		for _, a := range later.Args {
			if a.Call != st.call {
				continue
			}
			needed[a.Result] = true
			if a.Unbox {
				unboxed[a.Result] = m.types.of(a.Type)
			}
		}
	}
	if len(needed) == 0 {
		return true
	}
	for i, f := range tuple.Fields {
		v := res[f.Off : f.Off+f.Type.Size]
		switch {
		case m.isError(f.Type) && f.Type.Kind == KInterface && !needed[i]:
			if v[0].Bits != 0 || v[0].Lazy != 0 {
				return false
			}
		case f.Type.Kind == KBool && !needed[i] && i == len(tuple.Fields)-1 && len(tuple.Fields) > 1:
			if v[0].Term != 0 {
				if yes, _ := m.sctx.Branch(st.pc, v[0].Term); yes != solver.Sat {
					return false
				}
				m.sctx.Assume(st.pc, v[0].Term)
			} else if v[0].Bits == 0 {
				return false
			}
		case needed[i] && f.Type.Kind == KPointer && isNilCell(v[0]):
			return false
		case needed[i] && f.Type.Kind == KInterface && isNilCell(v[0]):
			return false
		case unboxed[i] != nil && (v[0].Lazy != 0 || v[0].Term != 0 || v[0].Bits != uint64(unboxed[i].ID)):
			return false
		}
	}
	return true
}

// cover notes that something of the package under test was reached for the first
// time.
func (m *Machine) cover(st *State, n int) {
	if st.regardless {
		m.beyond = setBit(m.beyond, n)
		return
	}
	m.covered, m.reached = setBit(m.covered, n), setBit(m.reached, n)
	if m.sites[n>>2].own {
		m.epoch++
		st.news = append(st.news[:len(st.news):len(st.news)], n)
		st.novelty = st.steps
		m.arrived(st, n)
	}
}

// coverPanic notes that an instruction panicked.
func (m *Machine) coverPanic(st *State, site int32) {
	n := int(site)<<2 | 2
	if !hasBit(m.covered, n) {
		m.cover(st, n)
	}
}

// uncovered reports whether the other outcome of a decision, or a panic there, was not seen yet. Searchers
// ask it.
func (m *Machine) uncovered(n int) bool { return !hasBit(m.covered, n) }

// hasBit reports whether n is in a set of numbers.
func hasBit(set []uint64, n int) bool {
	w := n >> 6
	return w < len(set) && set[w]>>(n&63)&1 != 0
}

// setBit adds n to a set of numbers.
func setBit(set []uint64, n int) []uint64 {
	w := n >> 6
	for w >= len(set) {
		set = append(set, make([]uint64, w+64-len(set))...)
	}
	set[w] |= 1 << (n & 63)
	return set
}

// Promising reports whether the state's last decision took a side that no path had taken before.
func (st *State) Promising() bool { return st.fresh }

// HandedOver reports whether the path has given up an assumption of
// AssumeOrExecuteConcretely: its inputs are solved without it.
func (st *State) HandedOver() bool { return st.handed }

// GivenUp counts the sides of decisions that were not followed because they conflict with an assumption
// and enough others at their place had been followed.
func (m *Machine) GivenUp() int { return m.givenUp }

// Depth returns the number of decisions on the path whose sides were both feasible.
func (st *State) Depth() int { return st.forks }
