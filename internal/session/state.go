package session

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/purity/defaults"
	"github.com/goassay/assay/internal/testcase"
)

// state says which functions of a package change its package-level variables, by full name.
type state struct {
	changes map[string]bool         // functions that change a package-level variable
	sets    map[string]bool         // the functions among these whose purpose is to set one
	stored  map[string][]*types.Var // the variables that the functions in sets assign to
	// defaults are the objects behind which sequences put new ones. The harness puts the old ones back, so that nothing of what
	// is done to the new ones is left.
	defaults *defaults.Objects
}

// packageState finds the functions that change package-level variables.
func packageState(pkg *load.Package) state {
	globals := purity.NewGlobals()
	s := state{changes: make(map[string]bool), sets: make(map[string]bool), stored: make(map[string][]*types.Var), defaults: defaults.Of(pkg)}
	once := purity.OnlyOnce(pkg)
	for _, t := range pkg.Targets {
		if t.Skip != "" || once[t.Obj] {
			continue
		}
		name := t.Obj.FullName()
		if globals.Changes(t.Func) {
			s.changes[name] = true
		}
		if globals.Sets(t.Func) {
			s.sets[name] = true
			s.stored[name] = globals.Stored(t.Func)
		}
	}
	return s
}

// callsOneOf reports whether a sequence calls one of the functions, or itself assigns to a variable that leads to no default
// object.
func (st state) callsOneOf(names map[string]bool, s *testcase.Sequence) bool {
	for i := range s.Len() {
		if op := s.At(i).Op; op.Kind == testcase.OpSetGlobal && !st.defaults.Is(op.Var) || op.Func != nil && names[op.Func.Origin().FullName()] {
			return true
		}
	}
	return false
}

// Stateful reports whether functions of the package change its variables.
func (b *Bench) Stateful() bool { return b != nil && len(b.state.changes) > 0 }

// Changes reports whether a sequence calls a function that changes package-level variables, or default objects of the package in
// whose place it has put no new ones.
func (b *Bench) Changes(s *testcase.Sequence) bool {
	return b.state.callsOneOf(b.state.changes, s) || len(b.state.defaults.Lacks(s)) > 0
}

// spoils reports whether a sequence passes what a variable of the package refers to, to a call that may write there. The
// harness puts variables back, and not what they refer to.
func (b *Bench) spoils(s *testcase.Sequence) bool {
	for i := range s.Len() {
		st := s.At(i)
		if !st.Op.IsCall() || b.pure(st.Op) {
			continue
		}
		for _, a := range st.Args {
			from := s.At(a.Stmt).Op
			if from.Kind != testcase.OpGlobal || from.Var.Pkg() != b.s.Pkg.Types {
				continue // code does not write into what other packages share, such as time.UTC
			}
			switch from.Var.Type().Underlying().(type) {
			case *types.Pointer, *types.Slice, *types.Map:
				return true
			}
		}
	}
	return false
}

// Sets reports whether a sequence calls a function whose purpose is to set package-level variables.
func (b *Bench) Sets(s *testcase.Sequence) bool { return b.state.callsOneOf(b.state.sets, s) }

// WithRestores returns the case together with the variables that its test has to restore: the variables that
// its calls of functions in sets assign to.
func (b *Bench) WithRestores(c *testcase.Case) *testcase.Case {
	var vars []*types.Var
	direct := make(map[*types.Var]bool)
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if op.Kind == testcase.OpSetGlobal {
			direct[op.Var] = true // the test puts the variable back in any case
		}
		if op.Func == nil {
			continue
		}
		for _, v := range b.state.stored[op.Func.Origin().FullName()] {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	vars = slices.DeleteFunc(vars, func(v *types.Var) bool { return direct[v] })
	if vars == nil {
		return c
	}
	d := *c
	d.Restores = vars
	return &d
}

// Defaults returns the package's default objects.
func (b *Bench) Defaults() *defaults.Objects { return b.state.defaults }
