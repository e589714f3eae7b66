package vm

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// Config bounds a machine. The zero value is ready for use.
type Config struct {
	// Package is the import path of the package under test.
	Package string
	// MaxDepth is the deepest recursion that is followed; 0 means 2000 frames.
	MaxDepth int
	// MaxObjects is how many objects a path may allocate; 0 means a million.
	MaxObjects int
	// MaxStubCalls is how often one stub answers along a path; 0 means 4.
	MaxStubCalls int
	// MaxImplementations is how many implementations are tried for an interface
	// besides a stub; 0 means 2.
	MaxImplementations int
	// SplitResults follows both values of a boolean result that no branch has decided.
	SplitResults bool
	// TruthValues has Conditions name branches on a parameter, a variable, a field or an element that is a truth value,
	// too. Names of tests do without these, because the inputs say the same.
	TruthValues bool
	// Show is for showing every path to a reader. It has Conditions name branches whose conditions are no symbols but ask the input all
	// the same (whether a pointer is nil, which type an interface has), pointers to anything be the same pointer, and paths know their Way.
	Show bool
	// Regardless has a path on which an Assume does not hold go on until its next decision, so that Excluded knows which outcomes of conditions
	// without symbols the assumption excludes: p == nil, where p is nil on that path. Nothing else is learnt from the rest of such a path.
	Regardless bool
	// Args and Env are the process's arguments and environment, Env in the form of os.Environ. If Env is nil,
	// a path that asks for the environment ends.
	Args, Env []string
	// Guide, if not nil, is a verifier's knowledge about the package's functions.
	Guide *Guide
	// Stdout, if not nil, receives the output of println and the like.
	Stdout func(string)
}

func (c *Config) maxDepth() int32 {
	if c.MaxDepth > 0 {
		return int32(c.MaxDepth)
	}
	return 2000
}

func (c *Config) maxObjects() int {
	if c.MaxObjects > 0 {
		return c.MaxObjects
	}
	return 1 << 20
}

func (c *Config) maxStubCalls() int {
	if c.MaxStubCalls > 0 {
		return c.MaxStubCalls
	}
	return 4
}

func (c *Config) maxImplementations() int {
	if c.MaxImplementations > 0 {
		return c.MaxImplementations
	}
	return 2
}

// Machine executes the functions of one program symbolically. Only one goroutine may use it; several machines
// of the same program may run side by side.
type Machine struct {
	cfg  Config
	prog *load.Program
	pkg  *load.Package
	ts   *term.Store
	sctx *solver.Context

	types *typeTable
	msets typeutil.MethodSetCache
	funcs []*Func
	// frameless is the function for frames of deferred calls without code; see newFrameless.
	frameless *Func
	bySSA     map[*ssa.Function]*Func
	byFull    map[string]*Func

	static     []*Object
	statics    map[string]ObjID
	imageCells int       // cells of image's objects
	image      []*Object // objects of package initialisers; image[0] is not used
	imageSides []side    // of objects that initialisers use
	globals    map[string]*globalVar
	byObj      map[ObjID]*globalVar
	argsVar    ObjID // os.Args, if the arguments are not known
	inited     map[string]bool
	parted     map[string]bool // packages of which single variables were initialised
	models     *ssa.Package
	reflects   *ssa.Package // the models of package reflect, once they are needed
	descs      descriptors
	byteType   *Type

	sites         []site
	covered       []uint64    // bit 4*site+kind; see take and coverPanic
	reached       []uint64    // the same, also where paths became no case
	beyond        []uint64    // the same of paths on which an Assume does not hold: see Config.Regardless
	claimed       []uint64    // the same for what cases cover
	disclaimed    map[int]int // by outcome: paths that covered it and became no case; see Disclaim
	notes         contract.Reader
	phantomArrays map[term.Array]*exactText
	exclusions    map[int]exclusion       // by outcome, numbered as in covered: whether Assume alone excludes it
	goals         map[int][]*Goal         // by outcome, numbered as in covered; see wish
	lengths       map[term.ID]int         // the lengths that the present goal wants; see wantedLength
	arrivals      map[int]*arrival        // by outcome: the first path that took it; see Misses
	epoch         int                     // how often covered has grown; see Epoch
	ways          map[*Func]*uncoveredWay // of the functions in the package under test, as of measured
	measured      int                     // the epoch for which ways holds
	watched       int32                   // 1 + the site of the outcome that Approach looks for, or 0
	outcome       int                     // that outcome
	nearest       uint64                  // how near the present attempt came to it
	measures      int                     // how many questions were asked to see how near paths come
	measuredOf    map[int]int             // the same by the numbers of states
	closest       *arrival                // the path that came as near, where no inputs are given
	conceded      map[uint64]int          // how often an assumption was given up, by instruction
	givenUp       int                     // sides of decisions that were dropped instead of handed over
	byAssumption  bool                    // an assumption has closed a side of the last condition

	implCache map[[2]uint32]string
	texts     map[token.Pos]conditionText
	assuming  []span                      // the arguments of Assume in the package's source, once they were looked for
	truths    map[token.Pos]conditionText // expressions that are conditions by themselves
	tests     map[token.Pos]conditionText // what type assertions and the clauses of switches over types ask
	results   map[token.Pos][]ast.Expr    // the variables for several results of calls, lookups and receives
	implLists map[*Type][]*Type
	phantoms  map[term.ID]*exactText
	exacts    int

	recycler recycler
	spare    *Path // a Path for reuse
	memo     memo
	owner    uint32
	serial   uint32
	states   int
	pending  func(*State)
	stop     func() bool // reports whether the exploration is to end; nil if nothing ends it

	unknowns   int
	broken     map[BrokenAssertion]bool // see TakeBroken
	anyFields  bool                     // see DriverArg.Any
	interrupts int                      // states that the Guide has put off
	pathForks  int                      // the PathForks of the present exploration's Limits
	unlisted   []string
	// tainted says that the package's own initialiser was not completed. Its variables may then differ
	// from those in a native run, so nothing is predicted.
	tainted bool
	// program says that a whole program runs, see RunMain.
	program bool
	// huge says that there are variables whose size is not counted, see hugeVariable.
	huge bool
	// initGoroutines says that an initialiser has started goroutines, which do not run.
	initGoroutines bool
	// seeds are the values of inputs given by the seeds of drivers' arguments; nil without any.
	seeds *term.Model
	// seed is the state of the program's random numbers.
	seed uint64
	// finalizers says that an initialiser has set finalizers.
	finalizers bool
	// strictInit makes the failure of the package's own initialiser final; see RunMain.
	strictInit bool
	initStop   Stop
	initReason string

	settings map[string]string // what package internal/godebug says of settings, nil before the first question
}

// globalVar is a package-level variable.
type globalVar struct {
	obj ObjID
	v   *types.Var
	typ *Type
}

// New returns a machine for a package of a program, which shares the solver context's
// term store. The error says that the machine's own models do not load.
func New(prog *load.Program, pkg *load.Package, ts *term.Store, sctx *solver.Context, cfg Config) (*Machine, error) {
	if cfg.Package == "" && pkg != nil {
		cfg.Package = pkg.Path
	}
	m := &Machine{
		cfg: cfg, prog: prog, pkg: pkg, ts: ts, sctx: sctx,
		types: newTypeTable(),
		bySSA: map[*ssa.Function]*Func{}, byFull: map[string]*Func{},
		statics: map[string]ObjID{}, image: []*Object{nil},
		globals: map[string]*globalVar{}, byObj: map[ObjID]*globalVar{}, inited: map[string]bool{}, parted: map[string]bool{},
		conceded: map[uint64]int{}, exclusions: map[int]exclusion{}, goals: map[int][]*Goal{}, arrivals: map[int]*arrival{}, disclaimed: map[int]int{},
		implCache: map[[2]uint32]string{}, implLists: map[*Type][]*Type{}, phantoms: map[term.ID]*exactText{}, phantomArrays: map[term.Array]*exactText{},
	}
	m.notes.Source = prog.Source
	m.static = append(m.static, &Object{}) // zeroBase
	// Function 0 is not used, so that a function value is never zero.
	m.funcs = append(m.funcs, &Func{Name: "nil", stop: "a call of no function"})
	m.frameless = newFrameless()
	m.byteType = m.types.of(types.Typ[types.Uint8])
	if err := m.loadModels(); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Machine) newOwner() uint32 {
	m.owner++
	return m.owner
}

// push hands a state to the caller of the exploration.
func (m *Machine) push(st *State) {
	if st.init || m.pending == nil {
		panic(unsupported("a decision in a package initialiser"))
	}
	m.pending(st)
}

// build gives a function its code or its intrinsic, or notes why it has neither.
func (m *Machine) build(f *Func) {
	if in := lookupIntrinsic(f.Name, f.ssa); in != nil {
		f.result = m.types.of(f.ssa.Signature.Results())
		f.intrinsic = in
		return
	}
	if in := m.annotation(f.ssa); in != nil {
		f.result = m.types.of(f.ssa.Signature.Results())
		f.intrinsic = in
		return
	}
	fn := f.ssa
	if strings.HasPrefix(f.Name, realPrefix) {
		body, err := m.realFunc(f.Name)
		if err != nil {
			f.stop = fmt.Sprintf("function %s: %v", f.Name, err)
			return
		}
		fn = body
	} else if model := m.model(f.Name); model != nil {
		fn = model
	}
	if len(fn.Blocks) == 0 {
		body, err := m.prog.Body(fn)
		if err != nil {
			f.stop = fmt.Sprintf("function %s: %v", f.Name, err)
			return
		}
		fn = body
	}
	if len(fn.Blocks) == 0 {
		fn = m.genericTwin(fn)
	}
	if fn == nil || len(fn.Blocks) == 0 {
		f.stop = "function " + f.Name + " has no Go body"
		return
	}
	f.ssa = fn
	f.own = m.packageOf(fn) == m.cfg.Package
	f.stop = m.tryCompile(f)
}

// genericTwin returns the Go function that does the same as a function in assembly. In the standard library
// the twin of block is called blockGeneric, that of addVV in math/big is addVV_g.
func (m *Machine) genericTwin(fn *ssa.Function) *ssa.Function {
	if fn.Pkg == nil || fn.Signature.Recv() != nil {
		return nil
	}
	name := fn.Name() + "Generic"
	if fn.Pkg.Pkg.Path() == "math/big" {
		name = fn.Name() + "_g"
	}
	if rest, ok := strings.CutPrefix(fn.Name(), "arch"); ok && fn.Pkg.Pkg.Path() == "math" {
		name = strings.ToLower(rest) // in package math the twin of archExp is called exp
	}
	twin, err := m.prog.LookupFunc(fn.Pkg.Pkg.Path(), name)
	if err != nil || twin == nil || m.types.of(twin.Signature) != m.types.of(fn.Signature) {
		return nil
	}
	return twin
}

// tryCompile compiles a function. If that is not possible it returns the reason.
func (m *Machine) tryCompile(f *Func) (why string) {
	return m.trying(f, func() { m.compile(f) })
}

// tryPart is tryCompile for a part of an initialiser.
func (m *Machine) tryPart(f *Func, part []ssa.Instruction) (why string) {
	return m.trying(f, func() { m.compilePart(f, part) })
}

// trying calls a function that makes the code of f, and returns why it could not.
func (m *Machine) trying(f *Func, compile func()) (why string) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			f.code = nil
			why = string(u) + " in " + f.Name
		}
	}()
	compile()
	return ""
}

// packageOf returns the import path of the package that declares a function.
func (m *Machine) packageOf(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	if fn.Object() != nil && fn.Object().Pkg() != nil {
		return fn.Object().Pkg().Path()
	}
	return ""
}

// global returns the address of a package-level variable, after its package's
// initialiser has run.
func (m *Machine) global(g *ssa.Global) Value {
	name := g.String()
	if v, ok := m.globals[name]; ok {
		return ptr(v.obj, 0)
	}
	g = m.prog.Global(g)
	t := m.types.of(g.Type()).Elem
	elem := t
	if t.Kind == KArray {
		elem = t.Elem
	}
	v := &globalVar{obj: zeroBase, typ: t}
	if t.Size > 0 {
		o := &Object{elem: elem}
		if t.Size > maxAlloc {
			if o = hugeVariable(t); o == nil {
				panic(unsupported("a variable larger than the machine allocates"))
			}
		} else {
			o.cells = make([]Value, t.Size)
		}
		m.image = append(m.image, o)
		v.obj = ObjID(len(m.image)-1) | imageRegion
	}
	v.v, _ = g.Object().(*types.Var)
	m.globals[name] = v
	m.byObj[v.obj] = v
	if g.Pkg != nil {
		m.ensureVar(g)
	}
	return ptr(v.obj, 0)
}

// ensureVar gives a variable its first value: by the part of its package's initialiser that is about the variable if the initialiser
// can be divided, or else by all of it. Only packages of the standard library are divided. If
// code assigned to a variable there before a part that reads it was executed, the part would read the new value; programs do not assign to such tables.
func (m *Machine) ensureVar(g *ssa.Global) {
	path := g.Pkg.Pkg.Path()
	if m.inited[path] || path == m.cfg.Package || m.pkg == nil || !gosyntax.IsStandard(path, m.pkg.Module) || len(m.prog.Registrants(m.pkg, path)) > 0 {
		m.ensureInit(path)
		return
	}
	fn, err := m.prog.Init(path)
	if err != nil {
		m.ensureInit(path) // says so
		return
	}
	parts := m.prog.InitParts(fn)
	if parts == nil {
		m.ensureInit(path)
		return
	}
	if !m.parted[path] {
		m.parted[path] = true
		m.embed(path)
	}
	if part := parts[g]; part != nil {
		m.runPart(fn, g, part)
	}
}

// runPart executes a part of an initialiser.
func (m *Machine) runPart(fn *ssa.Function, g *ssa.Global, part []ssa.Instruction) {
	f := &Func{Name: fn.String() + " of " + g.Name(), ssa: fn}
	st := m.newState(nil)
	st.init = true
	from := len(m.image)
	if m.tryPart(f, part) == "" {
		st.g().top = m.newFrame(st, f)
		for m.run(st, maxInit); st.stop != StopNone && st.stop != StopReturn && m.skipInit(st); {
			m.run(st, maxInit)
		}
	}
	if st.stop != StopReturn {
		if obj := m.globals[g.String()].obj; obj != zeroBase {
			m.image[obj&^imageRegion].kind = objPoison
		}
	}
	for _, o := range m.image[from:] {
		if o != nil && o.owner == st.owner {
			o.owner = 0
		}
	}
}

// maxInit bounds the instructions of one package's initialiser.
const maxInit = 20_000_000

// ensureInit runs a package's initialiser, once, concretely; its effects are in the image that all
// states share. Other packages' initialisers run when one of their variables is first used. Packages
// that register something with this one are initialised right after it, because the registration
// changes this package's variables although nothing uses the other package's. If an initialiser calls
// something that the machine does not support, the result is a poisoned value.
func (m *Machine) ensureInit(path string) {
	if m.inited[path] {
		return
	}
	m.inited[path] = true
	m.runInit(path)
	if path == "os" {
		m.hideArgs()
	}
	if m.pkg == nil {
		return
	}
	for _, other := range m.prog.Registrants(m.pkg, path) {
		m.ensureInit(other)
	}
}

// runInit does the same as ensureInit for this package alone.
func (m *Machine) runInit(path string) {
	if m.models != nil && path == m.models.Pkg.Path() {
		return
	}
	fn, err := m.prog.Init(path)
	if err != nil || fn == nil {
		m.poisonPackage(path)
		return
	}
	m.embed(path)
	m.runFirst(path, fn)
	if path == "testing" {
		// The main package of a test calls testing.Init, which declares the flags that methods of T look at.
		if fn, err := m.prog.LookupFunc(path, "Init"); err == nil && fn != nil {
			m.runFirst(path, fn)
		}
	}
}

// runFirst runs a function of a package that runs before everything else of it, concretely and once.
func (m *Machine) runFirst(path string, fn *ssa.Function) {
	f := m.fn(fn)
	f.intrinsic = nil
	if f.code == nil {
		if len(fn.Blocks) == 0 {
			return
		}
		f.own = false
		if why := m.tryCompile(f); why != "" {
			if path == m.cfg.Package {
				m.tainted = true
				m.initStop, m.initReason = StopUnsupported, why
			}
			m.poisonPackage(path)
			f.intrinsic = noop
			return
		}
	}
	st := m.newState(nil)
	st.init = true
	st.g().top = m.newFrame(st, f)
	for {
		m.run(st, maxInit)
		if st.steps >= maxInit && st.stop != StopReturn {
			// It is not known what the rest of the initialiser would have set.
			if path == m.cfg.Package {
				m.tainted = true
				m.initStop, m.initReason = StopBudget, "an initialiser longer than the machine follows"
			}
			m.poisonPackage(path)
			break
		}
		if st.stop == StopNone || st.stop == StopReturn {
			break
		}
		if m.strictInit && path == m.cfg.Package {
			m.initStop, m.initReason = st.stop, st.reason
			if st.stop == StopPanic {
				m.initReason = m.panicText(st, st.panicked)
			}
			break
		}
		if path == m.cfg.Package {
			m.tainted = true
		}
		if !m.skipInit(st) {
			break
		}
	}
	for _, g := range st.gs[1:] {
		m.initGoroutines = m.initGoroutines || !g.done
	}
	for _, o := range m.image {
		if o != nil && o.owner == st.owner {
			o.owner = 0
		}
	}
	if f.intrinsic == nil {
		f.intrinsic = noop
	}
}

// skipInit skips the call of the initialiser that failed, and poisons its results.
func (m *Machine) skipInit(st *State) bool {
	st.stop, st.reason = StopNone, ""
	g := st.gs[0]
	st.cur = 0
	g.panics, g.blocked, g.done = nil, false, false
	fr := g.top
	if fr == nil {
		return false
	}
	var below *Frame
	for fr.parent != nil {
		below, fr = fr, fr.parent
	}
	if fr.owner != st.owner {
		fr = fr.clone(st.owner)
	}
	fr.mode, fr.defers = frameRuns, nil
	g.top = fr
	if below != nil {
		if below.dst >= 0 {
			for i := range below.fn.result.Size {
				fr.regs[int(below.dst)+i] = Value{Lazy: poison}
			}
		}
		return true
	}
	if int(fr.pc)+1 >= len(fr.fn.code) {
		return false
	}
	ins := &fr.fn.code[fr.pc]
	if ins.Op == opLoad || ins.Op == opLoad1 {
		// What was read is not known: the elements of an array literal that is copied to its variable, for one.
		for i := range max(1, int(ins.Imm)) {
			fr.regs[int(ins.D)+i] = Value{Lazy: poison}
		}
		fr.pc++
		return true
	}
	switch d := ins.data.(type) {
	case *callData:
		for i := range d.result.Size {
			fr.regs[int(ins.D)+i] = Value{Lazy: poison}
		}
	case *Type, nil:
	default:
		if int(ins.D) < len(fr.regs) {
			fr.regs[ins.D] = Value{Lazy: poison}
		}
	}
	fr.pc++
	return true
}

// poisonPackage marks the variables of a package that could not be initialised.
func (m *Machine) poisonPackage(path string) {
	for name, g := range m.globals {
		if len(name) > len(path) && name[:len(path)] == path && name[len(path)] == '.' {
			if g.obj != zeroBase {
				m.image[g.obj&^imageRegion].kind = objPoison
			}
		}
	}
}

// newState makes a state that is about to execute a driver's first call.
func (m *Machine) newState(d *Driver) *State {
	m.states++
	st := &State{m: m, owner: m.newOwner(), id: m.states, driver: d, call: -1, finalizers: m.finalizers}
	st.gs = []*goroutine{{}}
	st.pc = m.sctx.NewPath()
	st.seeded = d != nil && slices.ContainsFunc(d.Calls, func(c DriverCall) bool {
		return slices.ContainsFunc(c.Args, func(a DriverArg) bool { return a.Seed != nil })
	})
	if st.seeded {
		m.seeds = m.ts.NewModel() // decisions before the first seed are taken as by zeros: a path that no seed decides would stay in its first loop for ever
	}
	return st
}

// errNoFunc is returned for a driver without calls.
var errNoFunc = errors.New("a driver without calls")
