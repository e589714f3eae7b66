package bounded

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// Error is a mistake of the user, with its place.
type Error struct {
	Pos     token.Position
	Message string
}

func (e *Error) Error() string {
	if !e.Pos.IsValid() {
		return e.Message
	}
	return e.Pos.String() + ": " + e.Message
}

// notPredicate returns an error if a method of a type has the name of a predicate, and is none.
func notPredicate(prog *load.Program, t *types.Named) error {
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		f := m.Obj().(*types.Func)
		if want := load.Predicates()[f.Name()]; want != "" && !load.IsPredicate(f) {
			return &Error{prog.Fset.Position(f.Pos()), fmt.Sprintf("%s.%s is no predicate: want %s", t.Obj().Name(), f.Name(), want)}
		}
	}
	return nil
}

// invariants returns the conditions that objects of a type satisfy. There are none if the type has no
// invariant.
func invariants(pkg *load.Package, t *types.Named) []native.Check {
	var out []native.Check
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if f := m.Obj().(*types.Func); load.IsPredicate(f) {
			out = append(out, native.Check{Func: f, Label: f.Name()})
		}
	}
	if t.Obj().Pkg() == pkg.Types {
		if c := pkg.Contracts.Type(t.Obj().Name()); c != nil && c.Holds != "" {
			out = append(out, native.Check{Name: c.Holds, TypeArgs: typeArgs(t), Label: "invariant " + c.Text()})
		}
	}
	return out
}

func typeArgs(t *types.Named) []types.Type {
	var out []types.Type
	for a := range t.TypeArgs().Types() {
		out = append(out, a)
	}
	return out
}

// observed returns the functions in checks whose reads the harness has to observe.
func observed(pkg *load.Package, checks []native.Check) []*types.Func {
	var out []*types.Func
	for _, c := range checks {
		if c.Func != nil {
			out = append(out, c.Func)
		} else if f, ok := pkg.Types.Scope().Lookup(c.Name).(*types.Func); ok {
			out = append(out, f)
		}
	}
	return out
}

// typeNamed returns the type of the package with that name, instantiated as its methods
// are tested if it is generic.
func typeNamed(prog *load.Program, pkg *load.Package, name string) (*types.Named, error) {
	tn, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil, &Error{Message: fmt.Sprintf("package %s has no type %s", pkg.Path, name)}
	}
	n, ok := types.Unalias(tn.Type()).(*types.Named)
	if !ok {
		return nil, &Error{prog.Fset.Position(tn.Pos()), name + " is no named type"}
	}
	if n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		for _, t := range pkg.Targets {
			if t.Recv == nil {
				continue
			}
			if r := load.NamedOf(t.Recv); r != nil && r.Origin() == n {
				return r, nil
			}
		}
		return nil, &Error{prog.Fset.Position(tn.Pos()), name + " is generic, and has no methods that say with which types it is used"}
	}
	return n, nil
}

// predicatePos returns the place of a predicate: that of its method, or of the first directive.
func predicatePos(prog *load.Program, pkg *load.Package, checks []native.Check) token.Position {
	for _, c := range checks {
		if c.Func != nil {
			return prog.Fset.Position(c.Func.Pos())
		}
		for _, t := range pkg.Contracts.Types {
			if t.Holds == c.Name {
				return t.Clauses[0].Pos
			}
		}
	}
	return token.Position{}
}
