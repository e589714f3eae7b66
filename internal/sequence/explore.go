package sequence

import (
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
	"github.com/goassay/assay/internal/vm/plan"
)

// state is a symbolic state of the receiver: a heap and the condition on the symbolic values in it.
type state struct {
	id    int
	depth int
	st    *vm.State // nil if the state is expanded, or is never going to be
	recv  vm.DriverArg
	cond  *condition
	call  string // the method whose call led to the state
	known int    // how many conjuncts its path has
	// broken says that the invariant cannot hold in the state.
	broken bool
	// narrowed says that the state has lost the values that break the invariant, and its condition does not say so yet.
	narrowed bool
	// handles are results of earlier calls that may be arguments.
	handles []vm.DriverArg
	peer    bool // another object of the type took part in the calls
	// retired says that a later state subsumes this one, and expanded says that its turn has come.
	retired, expanded bool
}

// explorer is one exploration.
type explorer struct {
	m      *vm.Machine
	ts     *term.Store
	sctx   *solver.Context
	prog   *load.Program
	pkg    *load.Package
	cfg    Config
	budget Budget
	yield  func(*testcase.Case) bool
	stop   func() bool
	sub    *subsumer
	order  *ordering
	res    Result

	named   *types.Named
	methods []*method
	makers  []*load.Target
	handles []types.Type // the types of pointers that methods take
	valid   finding.Predicates
	peers   bool       // some method takes another object of the type
	self    *donor     // stands for the receiver itself
	donors  [][]donor  // sequences that make other objects of the type, by the number of calls
	levels  [][]*state // if there are peers, the states of each depth, whether expanded or not

	seen   map[string][]*state // the states, by the key of their heap
	snap   vm.Snapshot
	broken map[string]bool // the pairs of a method and a broken promise that were reported
	// outcomes holds how calls of each method have ended, under keys made in key.
	outcomes map[string]bool
	key      []byte
	// depth and peer are properties of the states that the present call leads to.
	depth int
	peer  bool
	next  []*state // the states of the next iteration
	begin time.Time
	cut   bool   // the budget is used up
	left  string // the first thing that was left undone
	done  bool
	cases int
	last  string
	err   error
}

// run explores under the assumption that only the order of numbers matters, as long as this holds.
func (e *explorer) run() {
	e.begin = time.Now()
	e.res.Ordered = !e.order.broken
	e.search()
	if e.mustRestart() {
		e.res = Result{Stops: map[string]int{}, Instructions: e.res.Instructions, Violations: e.res.Violations, Graph: e.res.Graph}
		if e.cfg.Graph {
			e.res.Graph = &Graph{}
		}
		e.seen, e.next, e.donors, e.levels, e.left = map[string][]*state{}, nil, nil, nil, ""
		for _, m := range e.methods {
			m.stale = 0
		}
		e.m.Uncover()
		e.search()
	}
	e.res.Left = e.left
}

// mustRestart reports whether the exploration has to begin again, because more than the order of numbers was
// decided.
func (e *explorer) mustRestart() bool { return e.res.Ordered && e.order.broken }

// search explores breadth first.
func (e *explorer) search() {
	e.roots()
	e.iteration(0, 0, 0)
	for depth := 1; depth <= e.cfg.Depth && len(e.next) > 0 && !e.out(); depth++ {
		frontier := e.next
		e.next = nil
		pruned, retired := e.res.Pruned, e.res.Retired
		for _, s := range frontier {
			s.expanded = true
			for _, m := range e.methods {
				if e.out() || s.broken || s.retired {
					break // behaviour after a broken invariant does not matter
				}
				if s.narrowed && !m.invariant {
					e.narrow(s)
				}
				if e.takesPeers(m) && !s.recv.New {
					e.expand(s, m, e.self)
				}
				e.expand(s, m, nil)
			}
			if !e.peers {
				s.st.Release()
				s.st = nil
			}
		}
		e.levels = append(e.levels, frontier)
		e.expandPeers(depth)
		e.iteration(depth, pruned, retired)
	}
}

func (e *explorer) iteration(depth, pruned, retired int) {
	covered, branches := e.m.Coverage()
	e.res.Iterations = append(e.res.Iterations, Iteration{
		Depth: depth, States: e.res.States - e.res.Retired, Pruned: e.res.Pruned - pruned, Retired: e.res.Retired - retired,
		Paths: e.res.Paths, Covered: covered, Branches: branches, Elapsed: time.Since(e.begin),
	})
}

// roots makes the receivers on which no method was called: by the constructors or, if there are none,
// the zero value.
func (e *explorer) roots() {
	e.depth, e.peer = 0, false
	ptr := types.NewPointer(e.named)
	for _, c := range e.makers {
		p := plan.New(e.prog, e.pkg, nil)
		recv, ok := p.Receiver(&load.Target{Recv: ptr}, c)
		if !ok {
			e.last = p.Why
			continue
		}
		recv.Type = ptr
		for _, d := range e.variants(p.Driver, nil, nil) {
			e.explore(e.m.Start(d), maxRoots, func(p *vm.Path) { e.ended(p, nil, &method{t: c}, recv, 0) })
		}
	}
	if len(e.makers) == 0 {
		st := e.m.Root()
		e.keep(st, nil, "", vm.DriverArg{Call: -1, Type: ptr, Name: e.named.Obj().Name(), New: true, Zero: true})
	}
}

// staleObserver is after how many paths without anything new an observer is no longer called.
const staleObserver = 200

// expand calls a method on a state. If with is not nil, the donor's object is passed as an argument.
func (e *explorer) expand(s *state, m *method, with *donor) {
	if m.observer && !m.invariant && m.stale > staleObserver {
		return
	}
	d, recv, why := e.extend(s, m, with)
	if d == nil {
		e.last = why
		return
	}
	e.depth, e.peer = s.depth+1, s.peer
	if with != nil && with != e.self {
		e.depth, e.peer = s.depth+1+with.depth, true
	}
	for _, d := range e.variants(d, s, with) {
		if e.out() {
			return
		}
		st := e.m.Extend(s.st, d)
		if st == nil {
			continue // the state has nothing that the call needs
		}
		trail := s.st.Trail()
		var ends []end
		e.explore(st, maxPaths, func(p *vm.Path) {
			m.stale++
			if len(p.New) > 0 {
				m.stale = 0
			}
			kept := e.ended(p, s, m, recv, trail)
			if e.isAsked(p, m) {
				p.Keep()
				ends = append(ends, end{p.State, kept})
			}
		})
		e.askEnds(ends, m, trail)
	}
}

// out reports whether the budget is used up.
func (e *explorer) out() bool {
	b, q := &e.budget, e.sctx.Stats()
	switch {
	case e.cut:
	case e.res.Instructions > int64(b.Instructions):
		e.stopFor(fmt.Sprintf("%d instructions were executed", b.Instructions))
	case e.res.Paths >= b.Paths:
		e.stopFor(fmt.Sprintf("%d paths were followed", b.Paths))
	case e.res.States >= b.States:
		e.stopFor(fmt.Sprintf("%d states were kept", b.States))
	case q.Backend > int64(b.Queries):
		e.stopFor(fmt.Sprintf("%d queries were solved", b.Queries))
	case q.BackendEffort > int64(b.Effort):
		e.stopFor("the solver's effort was used up")
	case e.cases >= b.Cases:
		e.stopFor(fmt.Sprintf("%d cases were made", b.Cases))
	case e.done || e.stop():
		e.stopFor("it was stopped")
	}
	return e.cut || e.done || e.mustRestart()
}

// stopFor ends the exploration.
func (e *explorer) stopFor(why string) {
	e.cut, e.left = true, why
}

// leave notes the first work that is left undone.
func (e *explorer) leave(why string) {
	if e.left == "" {
		e.left = why
	}
}

// How many paths are followed for one call of a constructor, and for a method on one state. More paths
// come from numbers that are sizes, and a few sizes are enough.
const (
	maxRoots = 6
	maxPaths = 400
	maxVain  = 150
)

// explore runs a call along its paths, at most limit of them.
func (e *explorer) explore(st *vm.State, limit int, each func(*vm.Path)) {
	q := e.sctx.Stats()
	left := vm.Limits{
		Steps:   max(1, int64(e.budget.Instructions)-e.res.Instructions),
		Paths:   max(1, min(limit, e.budget.Paths-e.res.Paths)),
		Queries: max(1, int64(e.budget.Queries)-q.Backend),
		Effort:  max(1, int64(e.budget.Effort)-q.BackendEffort),
		States:  20_000, PathSteps: 1_000_000,
	}
	vain := 0 // paths in a row that led to no state and showed nothing new
	states := &fewest{base: st.Depth()}
	stats, err := e.m.ExploreFrom(st, states, left, e.stop, func(p *vm.Path) bool {
		kept := e.res.States
		each(p)
		if vain++; e.res.States > kept || len(p.New) > 0 {
			vain = 0
		}
		return !e.done && vain < maxVain && !e.mustRestart()
	})
	if err != nil && e.err == nil {
		e.err, e.done = err, true
	}
	e.res.Paths += stats.Paths
	e.res.Instructions += stats.Steps
	for k, n := range stats.Stops {
		e.res.Stops[string(k)] += n
	}
	if (states.dropped || !stats.Exhausted && stats.Paths > 0) && !e.out() {
		e.leave("a call has more paths than are followed")
	}
}

// ended treats the end of a path: the path becomes a case if it covered something new, and its end becomes a
// state if it returned. The parameter from is the state on which the call was made, or nil for a constructor. The result says
// whether the end has become a state.
func (e *explorer) ended(p *vm.Path, from *state, m *method, recv vm.DriverArg, trail int) (kept bool) {
	if !p.Last {
		return false
	}
	if p.Stop == vm.StopPanic {
		e.res.Panics++
	}
	if p.Stop == vm.StopAssert {
		e.violated(m.t.Name, p.Reason, p, m, trail)
		return false
	}
	// A zero value on which nothing was called need not satisfy its invariant.
	if m.invariant && from != nil && from.call != "" && e.m.Fails(p) {
		if !e.m.Restrict(from.st, e.ts.Not(e.ts.AndAll(p.State.Conjuncts()[from.known:]...))) {
			from.broken = true
		}
		from.narrowed = !from.broken
		e.violated(from.call, m.t.Obj.Name(), p, m, trail)
		return false
	}
	if p.Stop != vm.StopAssume && p.Stop != vm.StopSetup && !m.promoted {
		e.notice(p, m, trail)
	}
	if p.Stop != vm.StopReturn || m.observer || recv.New && from != nil {
		return false
	}
	if from == nil && !e.m.Usable(p.State, recv) {
		return false
	}
	if kept = e.keep(p.State, from, m.t.Obj.Name(), recv); kept {
		p.Keep()
	}
	return kept
}

// notice makes a case of a path that took a branch which no case takes yet, or whose last call is the first
// call of the method that ended in this way.
func (e *explorer) notice(p *vm.Path, m *method, trail int) {
	key, at, cond := e.m.AppendOutcome(append(append(e.key[:0], m.t.Name...), ' '), p)
	e.key = key
	first := func() bool {
		known := e.outcomes[string(key)]
		if !known {
			e.outcomes[string(key)] = true
		}
		return !known
	}
	reported := false
	if cond == 0 {
		if first() {
			e.report(p, m, trail)
			reported = true
		}
	} else {
		for i, c := range [2]term.ID{e.ts.Not(cond), cond} {
			key[at] = "01"[i]
			if e.outcomes[string(key)] {
				continue
			}
			if q := e.m.Narrow(p, c); q != nil {
				first()
				e.report(q, m, trail)
				q.State.Release()
				reported = true
			}
		}
	}
	if !reported && (len(p.New) > 0 || e.cfg.All) {
		e.report(p, m, trail)
	}
}

// violated makes a case of a path on which a method broke its promise, or the invariant of its
// receiver; one for each method and promise.
func (e *explorer) violated(method, promise string, p *vm.Path, m *method, trail int) {
	key := method + " " + promise
	if e.broken[key] {
		return
	}
	e.broken[key] = true
	e.res.Violations++
	e.report(p, m, trail)
}

// maxOpaque is how many states are kept that cannot be compared. Such states are never pruned.
const maxOpaque = 200

// maxAsks is how many earlier states a new state is compared with if order alone does not decide. After so
// many comparisons the state is kept.
const maxAsks = 40

// keep adds a state, unless an earlier state subsumes it. It reports whether the machine's state is still
// needed.
func (e *explorer) keep(st *vm.State, from *state, call string, recv vm.DriverArg) bool {
	e.order.off = true
	defer func() { e.order.off = false }()
	e.snap.Take(e.m, st, recv)
	handles := e.snap.Handles(e.results(st.Driver()), func(a vm.DriverArg) bool { return !types.Identical(a.Type, recv.Type) })
	if e.snap.Opaque != "" {
		e.res.Opaque++
		if e.snap.Opaque == vm.TooLarge || e.res.Opaque > maxOpaque {
			e.leave("states that cannot be compared: " + e.snap.Opaque)
			return false
		}
	}
	s := &state{recv: recv, call: call, known: st.Conditions(), handles: handles, depth: e.depth, peer: e.peer}
	path := pathCondition{all: st.Conjuncts(), ordered: e.res.Ordered}
	if from != nil {
		path.parent, path.known = from.cond, from.known
	}
	s.cond = condense(e.ts, path, e.snap.Terms, e.snap.Arrays)
	same := e.seen[string(e.snap.Key)]
	e.sub.left = maxAsks
	for _, old := range same {
		if old.retired {
			continue
		}
		if e.sub.covers(old.cond, s.cond) {
			e.res.Pruned++
			e.edge(from, old, call, true)
			return false
		}
	}
	s.cond.list()
	if e.cfg.Retire {
		for _, old := range same {
			if !old.retired && !old.expanded && e.sub.covers(s.cond, old.cond) {
				old.retired = true
				e.res.Retired++
			}
		}
		same = slices.DeleteFunc(same, func(s *state) bool { return s.retired })
	}
	s.id = e.res.States
	e.res.States++
	e.seen[string(e.snap.Key)] = append(same, s)
	if e.res.Graph != nil {
		e.res.Graph.Nodes = append(e.res.Graph.Nodes, Node{ID: s.id, Depth: s.depth, Text: e.describe(st, s)})
	}
	e.edge(from, s, call, false)
	e.donate(s, st.Driver())
	if s.depth >= e.cfg.Depth {
		return false
	}
	s.st = st
	e.next = append(e.next, s)
	return true
}

// narrow makes the condition of a state anew from what its path says now. Otherwise the invalid objects that led there first
// would cover those that other methods make, and nobody would be blamed for these.
func (e *explorer) narrow(s *state) {
	s.narrowed = false
	e.order.off = true
	defer func() { e.order.off = false }()
	e.snap.Take(e.m, s.st, s.recv)
	s.known = s.st.Conditions()
	s.cond = condense(e.ts, pathCondition{all: s.st.Conjuncts(), ordered: e.res.Ordered}, e.snap.Terms, e.snap.Arrays)
	s.cond.list()
}

// edge adds a call to the graph.
func (e *explorer) edge(from, to *state, call string, pruned bool) {
	if e.res.Graph == nil || from == nil {
		return
	}
	e.res.Graph.Edges = append(e.res.Graph.Edges, Edge{From: from.id, To: to.id, Call: call, Pruned: pruned})
}

// report makes a case of a path.
func (e *explorer) report(p *vm.Path, m *method, trail int) {
	off := e.order.off
	e.order.off = true
	defer func() { e.order.off = off }()
	sol, verdict := e.m.Solve(p)
	if verdict != solver.Sat {
		e.last = "the solver found no inputs for a path"
		return
	}
	e.m.Vary(p, sol)
	seq, err := e.m.Sequence(p, sol)
	if err != nil {
		e.last = err.Error()
		return
	}
	e.m.Claim(p)
	c := &testcase.Case{
		Package: e.pkg.Path, Target: testcase.TargetName(m.t.Obj), Engine: "sequence", Seq: seq,
		Path: e.m.ConditionsFrom(p, trail), Stop: string(p.Stop),
		Predicted: e.m.Predict(p, sol, seq.Len()),
	}
	if p.Reason != "" && p.Stop != vm.StopExit {
		c.Stop += ": " + p.Reason
	}
	e.cases++
	if !e.yield(c) || e.cases >= e.budget.Cases {
		e.done = true
	}
}
