package random

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// calledFunction makes a function for a parameter that takes any value and calls it by reflection: mostly one that the draft has
// already, since code that takes a function back looks for the same one.
func (e *engine) calledFunction(d *draft, v *types.Var) (testcase.Ref, bool) {
	called := e.givers.Called()
	if !called.Takes(v) || e.rnd.IntN(8) == 0 {
		return testcase.Ref{}, false
	}
	if at := e.lastCalled(d); at >= 0 && e.rnd.IntN(4) > 0 {
		return testcase.Ref{Stmt: at}, true
	}
	list := called.Functions()
	op := list[min(e.rnd.IntN(len(list)), e.rnd.IntN(len(list)))]
	// One literal in two places is two functions in a test, and one in a harness.
	if at := slices.IndexFunc(d.stmts, func(st testcase.Statement) bool { return st.Op == op }); at >= 0 {
		return testcase.Ref{Stmt: at}, true
	}
	return d.add(op), true
}

// lastCalled returns the last statement of a draft that makes a function for such a parameter, or -1.
func (e *engine) lastCalled(d *draft) int {
	list := e.givers.Called().Functions()
	for i := len(d.stmts) - 1; i >= 0; i-- {
		if slices.Contains(list, d.stmts[i].Op) {
			return i
		}
	}
	return -1
}

// passedOn makes the values for a parameter whose elements become the arguments of a function that the draft has: those that fit its
// parameters, mostly.
func (e *engine) passedOn(d *draft, v *types.Var) ([]testcase.Ref, bool) {
	if !e.givers.Called().Passes(v) || e.rnd.IntN(8) == 0 {
		return nil, false
	}
	at := e.lastCalled(d)
	if at < 0 {
		return nil, false
	}
	var out []testcase.Ref
	for p := range d.stmts[at].Op.Type.(*types.Signature).Params().Variables() {
		r, ok := e.value(d, p.Type(), 1)
		if !ok {
			return nil, false
		}
		out = append(out, r)
	}
	return out, true
}

// onePassedOn makes the value for a parameter that becomes an argument of a function that the draft has: one that fits the first
// parameter behind a context.
func (e *engine) onePassedOn(d *draft, v *types.Var) (testcase.Ref, bool) {
	if v == nil || !types.IsInterface(v.Type()) || !e.givers.Called().Passes(v) || e.rnd.IntN(8) == 0 {
		return testcase.Ref{}, false
	}
	at := e.lastCalled(d)
	if at < 0 {
		return testcase.Ref{}, false
	}
	for p := range d.stmts[at].Op.Type.(*types.Signature).Params().Variables() {
		if !load.IsNamed(p.Type(), "context", "Context") {
			return e.value(d, p.Type(), 1)
		}
	}
	return testcase.Ref{}, false
}

// isAwaited reports, mostly, whether a text is likely to name a function that the draft has handed over: what is published under
// another topic is heard by nobody.
func (e *engine) isAwaited(d *draft, b *types.Basic) bool {
	return b.Info()&types.IsString != 0 && e.givers.Called() != nil && e.lastCalled(d) >= 0 && e.rnd.IntN(4) > 0
}

// last returns the last parameter of an action that calls a function, or nil.
func (a *action) last() *types.Var {
	if !a.op.IsCall() || a.op.Via != nil {
		return nil
	}
	return a.input(a.op.Func.Signature().Params().Len() - 1)
}
