package purity

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Reached returns the functions of a package, by the name of their target, that a call of fn may execute, fn included:
// those that it and its callees call or take as values, the methods of the types that they put into interfaces, and,
// where they call a method of an interface, all methods of the package with this name. It returns nil if fn or one of
// them calls a function that it was given, because then nothing is known.
func Reached(pkg *load.Package, fn *ssa.Function) map[string]bool {
	r := &called{pkg: pkg, seen: make(map[*ssa.Function]bool), names: make(map[string]bool)}
	r.visit(fn)
	if r.unknown {
		return nil
	}
	return r.names
}

// Calls returns the functions of a package, by the name of their target, that fn and its callees name, fn included. What
// is only called by an interface is not among them.
func Calls(pkg *load.Package, fn *ssa.Function) map[string]bool {
	r := &called{pkg: pkg, seen: make(map[*ssa.Function]bool), names: make(map[string]bool), named: true}
	r.visit(fn)
	return r.names
}

// called follows calls.
type called struct {
	pkg     *load.Package
	seen    map[*ssa.Function]bool
	names   map[string]bool
	unknown bool
	named   bool // only functions that code names are followed
}

// visit notes a function and all that it reaches. Functions of other packages call back only what they were given, which
// is noted where it is given.
func (r *called) visit(fn *ssa.Function) {
	if fn == nil || r.seen[fn] || r.unknown {
		return
	}
	r.seen[fn] = true
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	if origin := outer.Origin(); origin != nil {
		outer = origin
	}
	obj, _ := outer.Object().(*types.Func)
	if obj == nil && fn.Synthetic == "" || obj != nil && obj.Pkg() != r.pkg.Types {
		return
	}
	if obj != nil {
		r.names[testcase.TargetName(obj)] = true
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			r.instruction(instr)
		}
	}
}

// instruction follows what one instruction calls, takes as a value or puts into an interface.
func (r *called) instruction(instr ssa.Instruction) {
	for _, op := range instr.Operands(nil) {
		if f, ok := (*op).(*ssa.Function); ok {
			r.visit(f)
		}
	}
	if r.named {
		return
	}
	if boxed, ok := instr.(*ssa.MakeInterface); ok {
		r.methods(func(t *load.Target) bool { return load.NamedOf(t.Recv) != nil && sameType(t.Recv, boxed.X.Type()) })
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return
	}
	switch common := call.Common(); {
	case common.IsInvoke():
		r.methods(func(t *load.Target) bool { return t.Obj.Name() == common.Method.Name() })
	case common.StaticCallee() == nil:
		if _, builtin := common.Value.(*ssa.Builtin); !builtin && !r.madeElsewhere(common.Value) {
			r.unknown = true
		}
	}
}

// madeElsewhere reports whether a function is what a function of another package has returned, as the iterators of package strings
// are. It calls back only what it is given, as all functions of other packages.
func (r *called) madeElsewhere(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	maker := call.Call.StaticCallee()
	if maker == nil {
		return false
	}
	obj, ok := maker.Object().(*types.Func)
	return ok && obj.Pkg() != r.pkg.Types
}

// methods visits the methods of the package that is reports true for.
func (r *called) methods(is func(*load.Target) bool) {
	for _, t := range r.pkg.Targets {
		if t.Recv != nil && is(t) {
			r.visit(t.Func)
		}
	}
}

// sameType reports whether two types are the same but for a pointer.
func sameType(a, b types.Type) bool {
	return types.Identical(withoutPointer(a), withoutPointer(b))
}

func withoutPointer(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
