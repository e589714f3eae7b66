package random

import (
	"go/constant"
	"go/types"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// action is an operation that a sequence can end with, and what was learnt about it.
type action struct {
	name    string // Target.Name, or "" if it is no target
	op      *testcase.Operation
	params  []types.Type // the receiver of a method first
	results []types.Type
	recv    bool // the first parameter is a receiver, which is never nil
	spread  bool // the last parameter is variadic and takes any number of elements
	report  bool // the action may end a case
	private bool // users cannot do it: it is tried late, to cover what is still uncovered, and nothing is built upon it
	weight  float64
	blocks  []int      // its own blocks
	behind  types.Type // the type of what it returns as an interface, nil where it returns no interface or several types

	idle int // how often the action ran since it last covered something new
	slow int // how often the action hung or ended the process, or ran out of memory
	// large is how often that happened while its arguments were made.
	large int
	// slept is how often the action slept for too long. From the first time on, the action gets settings that
	// make waits short.
	slept int
	// waits says that the action's code may sleep, and runs is how often the action has run. If it has run
	// often without sleeping for too long, it is not expected to do so.
	waits bool
	// settings are exported variables by which users choose what the function does.
	settings []*types.Var
	// defaults are variables behind which the package keeps objects that the function uses.
	defaults []*types.Var
	// variables are those of the environment that the function asks for.
	variables []string
	// sends says that the function may send requests.
	sends bool
	// args says that the function reads the command line of the process.
	args bool
	// pause is what a call costs beside itself because it sleeps: as many operations as run meanwhile.
	pause int
	runs  int
	cost  float64 // operations that recent sequences ending with the action have taken

	reads []*action // methods whose output the action may read

	values [][]string // for each parameter that is a string (the receiver is not counted), texts worth passing
	closed []bool     // whether only these texts are worth passing

	accepted [][]testcase.Literal // for each parameter, constants in calls that returned no error; nil before the first

	calls [][]testcase.Literal
	given [][]bool // which of the literals in calls exist
}

// collect returns the actions of a package in the order of the source.
func (e *engine) collect() []*action {
	var out []*action
	blocks := map[string][]int{}
	sleepers, pauses, settings := purity.Sleepers(e.pkg), purity.Pauses(e.pkg), purity.Settings(e.pkg)
	endings := purity.NewEndings()
	variables, senders, readers := purity.Variables(e.pkg), purity.Senders(e.pkg), purity.ArgReaders(e.pkg)
	if e.h != nil {
		for i, b := range e.h.Blocks() {
			blocks[b.Func] = append(blocks[b.Func], i)
		}
	}
	for _, t := range e.pkg.Targets {
		if t.Skip != "" || !t.Exported && e.pkg.ExternalTests || t.Func != nil && endings.Effect(t.Func) != "" {
			continue
		}
		a := e.callAction(t)
		a.blocks = blocks[t.Name]
		a.report = e.cfg.Targets == nil || e.cfg.Targets(t.Name)
		a.private = !t.Exported
		if !a.report {
			a.weight *= 0.3
		}
		a.waits, a.settings, a.variables = sleepers[t.Name], settings[t.Name], variables[t.Name]
		a.sends, a.args = senders[t.Name], readers[t.Name]
		a.pause = int(min(pauses[t.Name], longestPause) / opTime)
		if e.fake != nil {
			a.waits, a.pause = false, 0 // waits cost nothing
		}
		if t.Recv == nil {
			a.defaults = e.defaults.Used(t.Name)
		}
		e.mineCalls(a)
		out = append(out, a)
	}
	promoted := e.pkg.PromotedToAny()
	for _, t := range promoted {
		if !t.Exported && e.pkg.ExternalTests {
			continue
		}
		// The call prepares objects of the outer type. What the method does itself is shown by calls on the embedded field. Where
		// many types embed one, all of these calls together take no more turns than a quarter of the targets does.
		a, declared := e.callAction(t), testcase.TargetName(t.Obj)
		a.name, a.private, a.weight = "", !t.Exported, min(0.3, float64(len(e.pkg.Targets))/float64(4*len(promoted)))
		a.blocks, a.waits = blocks[declared], sleepers[declared]
		a.pause = int(min(pauses[declared], longestPause) / opTime)
		out = append(out, a)
	}
	return append(out, e.fieldActions()...)
}

// callAction returns the action that calls a target, through a helper if there is one for functions of
// its form.
func (e *engine) callAction(t *load.Target) *action {
	a := &action{name: t.Name, weight: 1, behind: t.Behind, op: &testcase.Operation{Kind: testcase.OpFunc, Func: t.Obj, TypeArgs: t.TypeArgs}}
	if t.Recv != nil {
		a.op.Kind = testcase.OpMethod
		a.params = append(a.params, t.Recv)
		a.recv = true
	}
	if len(t.TypeArgs) == 0 {
		a.drive(e.givers.Driver(t.Obj))
	}
	a.sign(a.op.Signature())
	for _, p := range a.params {
		// What is done with the object happens within the call, so that this one action stands for several.
		const each = 8
		a.weight += float64(e.givers.Callbacks(p)) / each
	}
	return a
}

// opTime is about how long an operation takes. A call that sleeps for longer than longestPause counts as if it slept for
// that, because it is ended soon.
const (
	opTime       = 10 * time.Microsecond
	longestPause = 100 * time.Millisecond
)

// sleepy reports whether a call is likely to sleep for too long: it did before, or its code may sleep, and too few
// calls have returned to know better.
func (a *action) sleepy() bool {
	const enough = 12
	return a.slept > 0 || a.waits && a.runs < enough
}

// drive has the action call its function through a helper, if that is not nil.
func (a *action) drive(h *testcase.Helper) {
	if h != nil {
		a.op.Via, a.values, a.closed = h, h.Values, h.Closed
	}
}

// sign adds the parameters and results of a signature.
func (a *action) sign(sig *types.Signature) {
	for v := range sig.Params().Variables() {
		a.params = append(a.params, v.Type())
	}
	for v := range sig.Results().Variables() {
		a.results = append(a.results, v.Type())
	}
	a.spread = sig.Variadic()
}

// fieldActions returns the reading and writing of exported fields of the package's
// exported struct types.
func (e *engine) fieldActions() []*action {
	var out []*action
	scope := e.pkg.Types.Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || o.IsAlias() {
			continue
		}
		n, ok := o.Type().(*types.Named)
		if !ok || n.TypeParams().Len() > 0 {
			continue
		}
		s, ok := n.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if !f.Exported() || f.Embedded() {
				continue
			}
			p := types.NewPointer(n)
			out = append(out,
				&action{op: &testcase.Operation{Kind: testcase.OpField, Var: f, Type: f.Type()}, params: []types.Type{p}, results: []types.Type{f.Type()}, recv: true, weight: 0.05},
				&action{op: &testcase.Operation{Kind: testcase.OpSetField, Var: f}, params: []types.Type{p, f.Type()}, recv: true, weight: 0.1})
		}
	}
	return out
}

// learnType adds actions on values of an unnamed type when the first such value is in the pool: calls
// of functions, assignments to maps, sends to channels and closing them.
func (e *engine) learnType(t types.Type) {
	key := e.pool.keys.of(t)
	if e.typesKnown[key] {
		return
	}
	e.typesKnown[key] = true
	add := func(kind testcase.OpKind, weight float64, params ...types.Type) {
		e.addAction(&action{op: &testcase.Operation{Kind: kind}, params: append([]types.Type{t}, params...), recv: true, weight: weight})
	}
	if f := e.givers.ServeHTTP(t); f != nil && (f.Pkg() != e.pkg.Types) {
		a := &action{op: &testcase.Operation{Kind: testcase.OpMethod, Func: f}, params: []types.Type{t}, recv: true, weight: 0.5, report: true}
		a.drive(e.givers.Driver(f))
		a.sign(a.op.Signature())
		a.blocks = e.blocksBehind(t)
		e.addAction(a)
		return
	}
	if f, h := e.givers.Execute(t); f != nil {
		a := &action{op: &testcase.Operation{Kind: testcase.OpMethod, Func: f}, params: []types.Type{t}, recv: true, weight: 2, report: true}
		a.drive(h)
		a.sign(a.op.Signature())
		a.blocks = e.blocksBehind(t)
		e.addAction(a)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		a := &action{op: &testcase.Operation{Kind: testcase.OpCallValue}, params: []types.Type{t}, recv: true, weight: 0.5, report: true}
		a.sign(u)
		for _, r := range a.results {
			if e.givers.ServeHTTP(r) != nil {
				a.blocks = e.blocksBehind(t) // a middleware
			}
		}
		e.addAction(a)
	case *types.Map:
		add(testcase.OpSetIndex, 0.1, u.Key(), u.Elem())
	case *types.Chan:
		if u.Dir() != types.SendOnly {
			// What a call returns as a channel is known by what comes from it, and goroutines that send go on only then.
			a := &action{op: observer.Receive(t), params: []types.Type{t}, recv: true, weight: 0.5, report: true, waits: true}
			a.sign(types.NewSignatureType(nil, nil, nil, nil, a.op.Signature().Results(), false))
			a.blocks = e.blocksBehind(t)
			e.addAction(a)
		}
		if u.Dir() != types.RecvOnly {
			add(testcase.OpSend, 0.1, u.Elem())
			add(testcase.OpClose, 0.05)
		}
	}
}

// learnCommands makes it known that the commands which functions of the package return can be run.
func (e *engine) learnCommands() {
	for _, a := range slices.Clone(e.actions) {
		for _, r := range a.results {
			if f, _ := e.givers.Execute(r); f != nil {
				e.learnType(r)
			}
		}
	}
}

// blocksBehind returns the blocks of function literals in functions that return a t, or that return
// such functions. A call of a t runs some of these blocks.
func (e *engine) blocksBehind(t types.Type) []int {
	var out []int
	typ := e.pool.keys.of(t)
	for _, a := range e.actions {
		for _, r := range a.results {
			if a.name != "" && strings.Contains(e.pool.keys.of(r), typ) {
				out = append(out, a.blocks...)
				break
			}
		}
	}
	return out
}

// addAction makes an action known.
func (e *engine) addAction(a *action) {
	e.actions = append(e.actions, a)
	e.byOp[a.op] = a
	if a.recv && !a.private {
		recv := a.params[0]
		key := e.pool.keys.of(recv)
		e.onType[key] = append(e.onType[key], a)
		if hasPointer(recv) {
			key := e.pool.keys.of(types.NewPointer(recv))
			e.onType[key] = append(e.onType[key], a)
		}
	}
}

// mineCalls notes the constants with which the hand-written tests call a function.
func (e *engine) mineCalls(a *action) {
	if e.pkg.Literals == nil {
		return
	}
	params := a.params
	if a.recv {
		params = params[1:]
	}
	row := func(args []constant.Value, enough func(given, all int) bool) {
		lits, given, n := constantsFor(params, args)
		if n > 0 && enough(n, len(args)) {
			a.calls = append(a.calls, lits)
			a.given = append(a.given, given)
		}
	}
	for _, args := range e.pkg.Literals.Calls[a.name] {
		row(args, func(int, int) bool { return true })
	}
	for _, args := range e.pkg.Literals.Documented[a.name] {
		row(args, func(int, int) bool { return true })
	}
	if len(a.calls) == 0 && a.op.Func != nil {
		e.borrowCalls(a, row)
	}
	for _, args := range e.pkg.Literals.Seeds {
		row(args, func(given, all int) bool { return given == all })
	}
}

// borrowCalls gives an action of which neither tests nor documentation show a call the constants that the documentation
// passes to parameters of the same names and types: what is a table's name for Insert is one for Delete.
func (e *engine) borrowCalls(a *action, row func([]constant.Value, func(given, all int) bool)) {
	if e.documentedCalls == nil {
		e.documentedCalls = append(e.pkg.DocumentedCalls(), map[string]constant.Value{}) // not nil, so that this is asked once
	}
	params := a.op.Func.Signature().Params()
	for _, call := range e.documentedCalls {
		args := make([]constant.Value, params.Len())
		for i := range args {
			args[i] = call[load.ParameterKey(params.At(i))]
		}
		row(args, func(int, int) bool { return true })
	}
}

// limit returns the largest number to pass to an action. Large numbers make functions slow, so the
// limit falls each time the action was slow, or its arguments took too long.
func (a *action) limit() int64 {
	switch a.slow + a.large {
	case 0:
		return math.MaxInt64
	case 1:
		return 2000
	case 2:
		return 200
	}
	return 20
}

// current returns the present weight of an action. It is larger if the action has uncovered blocks or
// covered something new lately, and much smaller if the action hung or ended the process.
func (a *action) current(covered testcase.Cover, early bool) float64 {
	open := 0
	for _, b := range a.blocks {
		if !covered.Has(b) {
			open++
		}
	}
	w := a.weight
	if a.private && (open == 0 || early) {
		return 0
	}
	if len(a.blocks) > 0 {
		w *= 1 + 6*float64(open)/float64(len(a.blocks))
	}
	w *= 1 + 4/(1+float64(a.idle)/50)
	const ends = 3
	if n := a.slow + a.slept; n >= ends && 4*n > a.runs {
		w /= 20 // it exits, serves or waits in the background, and hardly any argument makes it return
	}
	// An action with long sequences would leave less effort for the others.
	const usual = 40
	return w / (1 + a.cost/usual) / (1 + 4*float64(a.slow) + float64(a.slept)/2)
}

// weigh brings the weights of the actions up to date.
func (e *engine) weigh() {
	total := 0.0
	early := e.spent() < e.cfg.Ops/2
	e.weights = e.weights[:0]
	for _, a := range e.actions {
		total += a.current(e.covered, early)
		e.weights = append(e.weights, total)
	}
}

// choose picks an action with a probability in proportion to its weight.
func (e *engine) choose() *action {
	x := e.rnd.Float64() * e.weights[len(e.weights)-1] // if all are 0, the first is chosen
	i := sort.SearchFloat64s(e.weights, x)
	return e.actions[min(i, len(e.weights)-1)]
}

// manyActions is the number of actions from which on each is tried once before any is tried again. In a
// large package chance alone would not reach a third of them in that time.
const manyActions = 100

// findUntried lists, for a large package, the actions for which cases are wanted.
func (e *engine) findUntried() {
	if len(e.actions) < manyActions {
		return
	}
	for _, a := range e.actions {
		if a.name != "" && a.report && !a.private {
			e.untried = append(e.untried, a)
		}
	}
}

// next returns the action for the next sequence to end with: one that has not been tried yet or, if
// there is none, one chosen by weight.
func (e *engine) next() *action {
	if len(e.untried) == 0 {
		return e.choose()
	}
	a := e.untried[0]
	e.untried = e.untried[1:]
	return a
}
