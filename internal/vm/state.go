package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// State is one path of the exploration: goroutines, heap and path condition. Forking it is cheap; see
// heap.go and Frame for what forks share.
type State struct {
	m     *Machine
	owner uint32 // the tag of the things that this state may change in place; new at each fork
	id    int    // number in the order of creation

	heap  heap
	spare []*page // capacity for a list of pages, see recycler
	mine  []int32 // the pages that the state owns, see recycler
	gs    []*goroutine
	cur   int // index of the running goroutine
	pc    *solver.PathCond

	driver  *Driver
	call    int       // index of the driver's call under way
	results [][]Value // of the calls that returned
	ret     []Value   // memory for the result of the last call, see finalCall
	list    [][]Value // and memory for results
	args    [][]Value // of the calls that began

	lazies  lazyTable
	objects []inputObject // the objects that inputs were made of, see inputs.go

	trail      trail  // the decisions of branches
	way        uint64 // stands for all branches that the target's call took, see Path.Way
	news       []int  // what this path was the first to cover, by number
	leaves     []leaf // symbolic scalars and lengths, for preferences
	addrs      []addrOf
	sides      []side
	phantoms   int
	hasPhantom bool
	kept       int        // how many states are kept for exact text, see exactText
	exact      bool       // the next text must be exact
	prefers    []term.ID  // conditions of Prefer
	calls      []mathCall // calls of functions beyond the solver, see host_math.go
	nCalls     int
	picked     bool // one of several values or orders of goroutines was picked; the others were not followed
	fresh      bool // the last decision took a side that no path had taken
	seeded     bool // the state is on the path that the driver's seeds take

	panicked   *panicRec // the panic that left the driver's call
	stop       Stop
	reason     string    // detail of the stop
	init       bool      // the state runs a package initialiser, and allocates in the image
	approx     bool      // a result may differ from Go's (map order, formatted text, ...): no prediction
	finalizers bool      // finalizers were set
	slept      int64     // nanoseconds that the clock has jumped
	steps      int64     // instructions executed along this path
	turn       int       // the number of forks at which other states get their turn
	forks      int       // decisions where both sides were feasible
	novelty    int64     // step at which new code was last covered
	assumes    []term.ID // conditions of AssumeOrExecuteConcretely along the path
	regardless bool      // an Assume does not hold: see Config.Regardless
	handed     bool      // an assumption was given up: see handOver
	hard       []term.ID // conditions that Assume added to the path condition
	weighed    []term.ID // decisions that were made while the condition of an Assume was computed
	past       []term.ID // conditions of later branches that went the only way which such decisions leave

	// The fields for a Guide, see guide.go.
	met      *metNode   // the assertions that were met, newest first
	violated *violation // the assertion that was broken last
	failed   []string   // the assertions that the path has passed although they fail, see Driver.PastAsserts
	deferred bool       // the state is to be pushed behind all others
	tried    *Instr     // the TryFirst that has put the state off
	promise  promise    // the promise of the guided function that returned last
}

// goroutine is a thread of execution.
type goroutine struct {
	id      int
	top     *Frame
	panics  []*panicRec // innermost last
	blocked bool
	wake    *wakeRec
	seq     uint32 // the number of the wait; registrations with another number are stale
	until   int64  // when its sleep ends, see host_clock.go; 0 if it does not sleep
	sema    Value  // the address of the semaphore that it waits for
	done    bool
}

// wakeRec is what another goroutine delivered to a blocked one.
type wakeRec struct {
	kase   int
	val    []Value
	ok     bool
	closed bool // the channel was closed while the goroutine was sending on it
}

// panicRec is a panic that is not recovered yet.
type panicRec struct {
	value     [2]Value // the value as an interface
	kind      string   // testcase.Panic.Kind
	runtime   bool
	message   string // the text of a run-time error
	recovered bool
	goexit    bool
	site      int32 // the instruction that panicked: an index in Machine.sites, or -1
	stack     []stackEntry
}

// frameMode says what happens when the callee of a frame returns.
type frameMode uint8

const (
	frameRuns      frameMode = iota
	frameDefers              // its deferred calls run because of RunDefers or a return
	framePanics              // its deferred calls run because of a panic
	frameRecovered           // a panic was recovered in it; next it returns to its caller
)

// Frame is an activation of a function. A frame whose owner is not the state's is
// shared with other states and is cloned before it runs on.
type Frame struct {
	parent   *Frame
	fn       *Func
	owner    uint32
	pc       int32
	dst      int32 // where the caller wants the results; -1 if it wants none
	mode     frameMode
	viaDefer bool // the defer mechanism has called it, so it may recover
	serial   uint32
	depth    int32
	refs     int32 // how many goroutines run it and how many frames it has called, at least; see leaveTo
	escaped  bool  // something refers to it (a stack of deferred calls), so it is not recycled
	regs     []Value
	defers   *deferRec
	deferred *deferRec // if viaDefer: the deferred call that the frame executes
}

// deferRec is a deferred call in an immutable list.
type deferRec struct {
	next *deferRec
	call callee
	data *callData
	args []Value
}

// stackEntry is a frame of a panic's stack.
type stackEntry struct {
	fn *Func
	pc int32
}

// fork returns a copy of the state. Both get new owner tags, so each copies shared things before it
// writes to them; the running frame is copied now.
func (st *State) fork() *State {
	m := st.m
	c := m.recycler.state()
	gs, spare, mine, ret, list := c.gs, c.spare, c.mine, c.ret, c.list
	*c = *st
	c.spare, c.mine, c.ret, c.list = spare, mine[:0], ret, list
	st.mine = st.mine[:0]
	c.heap = st.heap.fork()
	st.owner = m.newOwner()
	c.owner = m.newOwner()
	m.states++
	c.id = m.states
	c.pc = st.pc.Fork()
	c.gs = gs[:0]
	for i, g := range st.gs {
		var d *goroutine
		if i < cap(gs) {
			d = gs[:i+1][i]
		}
		if d == nil {
			d = new(goroutine)
		}
		*d = *g
		if d.top != nil && i != c.cur {
			d.top.refs++
		}
		d.panics = append([]*panicRec(nil), g.panics...)
		c.gs = append(c.gs, d)
	}
	c.trail.share()
	c.lazies = st.lazies.fork()
	c.objects = st.objects[:len(st.objects):len(st.objects)]
	c.results = st.results[:len(st.results):len(st.results)]
	c.args = st.args[:len(st.args):len(st.args)]
	c.assumes = st.assumes[:len(st.assumes):len(st.assumes)]
	c.hard = st.hard[:len(st.hard):len(st.hard)]
	c.weighed, c.past = st.weighed[:len(st.weighed):len(st.weighed)], st.past[:len(st.past):len(st.past)]
	g := c.gs[c.cur]
	if g.top != nil {
		g.top = g.top.clone(c.owner)
		st.gs[st.cur].top.owner = st.owner
	}
	return c
}

func (f *Frame) clone(owner uint32) *Frame {
	if n := len(f.fn.free); n > 0 {
		c := f.fn.free[n-1]
		f.fn.free = f.fn.free[:n-1]
		regs := c.regs
		*c = *f
		c.owner, c.regs, c.refs = owner, regs, 1
		copy(regs, f.regs)
		if c.parent != nil {
			c.parent.refs++
		}
		return c
	}
	c := *f
	c.owner, c.refs = owner, 1
	c.regs = append(make([]Value, 0, len(f.regs)), f.regs...)
	if c.parent != nil {
		c.parent.refs++
	}
	return &c
}

// own returns the running goroutine's frame, cloned first if it is shared.
func (st *State) own() *Frame {
	g := st.gs[st.cur]
	if g.top != nil && g.top.owner != st.owner {
		g.top = g.top.clone(st.owner)
	}
	return g.top
}

func (st *State) g() *goroutine { return st.gs[st.cur] }

// Steps returns the number of instructions executed along the path.
func (st *State) Steps() int64 { return st.steps }

// leaf is a symbolic scalar of an input. The field typ is nil for a length.
type leaf struct {
	term term.ID
	typ  *Type
}
