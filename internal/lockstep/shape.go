package lockstep

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
)

// A struct that has a field more, or one less, is another type, and still most functions do the same with it: those
// that only select fields that both versions have, and copy the others with the whole. Whoever compares values of the
// type, prints them, or passes them to code that is not compared, may see the other fields.

// isReshaped reports whether the declaration of a type of the new version declares a struct in both, of which
// fields of the same name have the same type. Methods are neither promoted to it nor from it, so they are the same.
func (c *comparer) isReshaped(key string) bool {
	var structs [2]*types.Struct
	for side, k := range []string{c.pairing.OldKey(key), key} {
		pkg := c.packages[side][c.packageOf(side, k)]
		if pkg == nil {
			return false
		}
		tn, ok := pkg.Pkg.Scope().Lookup(strings.TrimPrefix(k, pkg.Pkg.Path()+".")).(*types.TypeName)
		if !ok || tn.IsAlias() || c.isEmbedded(side, k) {
			return false
		}
		named, ok := tn.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			return false
		}
		if structs[side], ok = named.Underlying().(*types.Struct); !ok {
			return false
		}
	}
	fields := map[string]types.Type{}
	for f := range structs[0].Fields() {
		fields[f.Name()] = f.Type()
		if f.Embedded() {
			return false
		}
	}
	for f := range structs[1].Fields() {
		if old, both := fields[f.Name()]; f.Embedded() || both && !c.sameType(old, f.Type()) {
			return false
		}
	}
	return true
}

// isEmbedded reports whether a struct type of the compared packages embeds a type, so that a new field may hide
// one of its methods.
func (c *comparer) isEmbedded(side int, key string) bool {
	for _, pkg := range c.packages[side] {
		scope := pkg.Pkg.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			s, ok := tn.Type().Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for f := range s.Fields() {
				if n := load.NamedOf(f.Type()); f.Embedded() && n != nil && keyOf(n.Obj()) == key {
					return true
				}
			}
		}
	}
	return false
}

// seesShape reports whether a function of a version, and its old version if it is of the new one, may see which fields
// types have besides those that it selects. The types have their new keys.
func (c *comparer) seesShape(fn versioned, shapes map[string]bool) bool {
	if len(shapes) == 0 || fn.Function == nil {
		return false
	}
	before := map[string]bool{}
	for key := range shapes {
		before[c.pairing.OldKey(key)] = true
	}
	if fn.side == 0 {
		return newShapeReader(c, 0, before, fn.Function).sees(fn.Function)
	}
	if fn.Object() != nil {
		if old := c.functions[0][c.pairing.OldKey(keyOf(fn.Object()))]; old != nil && newShapeReader(c, 0, before, old).sees(old) {
			return true
		}
	}
	return newShapeReader(c, 1, shapes, fn.Function).sees(fn.Function)
}

// shapeReader looks at what the code of a version does with values of some types.
type shapeReader struct {
	*comparer
	side    int
	shapes  map[string]bool
	generic bool // the code has type parameters, which may stand for the types
}

func newShapeReader(c *comparer, side int, shapes map[string]bool, fn *ssa.Function) *shapeReader {
	return &shapeReader{c, side, shapes, fn.TypeParams().Len() > 0}
}

// leads reports whether values of a type are or lead to values of the types.
func (r *shapeReader) leads(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if r.leads(v.Type()) {
				return true
			}
		}
		return false
	}
	return r.generic || slices.ContainsFunc(load.NamedIn(t), func(n *types.Named) bool { return r.shapes[keyOf(n.Obj())] })
}

// holds reports whether values of a type have a value of the types in them.
func (r *shapeReader) holds(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && r.shapes[keyOf(n.Obj())] {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return r.holds(u.Elem())
	case *types.Interface:
		return isTypeParam(t) // it may stand for one of the types
	case *types.Struct:
		for f := range u.Fields() {
			if r.holds(f.Type()) {
				return true
			}
		}
	}
	return false
}

// holdsKey reports whether the keys of a type of maps, which may be a type parameter, may have a value of the types in
// them.
func (r *shapeReader) holdsKey(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	return !ok || r.holds(m.Key())
}

func (r *shapeReader) sees(fn *ssa.Function) bool {
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			if r.seesIn(ins) {
				return true
			}
			operands = ins.Operands(operands[:0])
			if slices.ContainsFunc(operands, func(o *ssa.Value) bool {
				f, ok := (*o).(*ssa.Function)
				return ok && slices.ContainsFunc(f.TypeArgs(), r.leads) // generic code may do anything with such values
			}) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, r.sees)
}

func (r *shapeReader) seesIn(ins ssa.Instruction) bool {
	switch ins := ins.(type) {
	case *ssa.MakeInterface:
		return r.leads(ins.X.Type())
	case *ssa.BinOp:
		return (ins.Op == token.EQL || ins.Op == token.NEQ) && r.holds(ins.X.Type())
	case *ssa.Convert:
		return isUnsafe(ins.X.Type()) || isUnsafe(ins.Type())
	case *ssa.MultiConvert, *ssa.SliceToArrayPointer:
		return true
	case *ssa.MakeSlice:
		s, ok := ins.Type().Underlying().(*types.Slice)
		return !ok || r.holds(s.Elem()) // how many fit depends on their size
	case *ssa.MakeMap:
		return r.holdsKey(ins.Type())
	case *ssa.MapUpdate:
		return r.holds(ins.Key.Type())
	case *ssa.Lookup:
		return r.holds(ins.Index.Type())
	case ssa.CallInstruction:
		return r.seesInCall(ins.Common())
	}
	return false
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func (r *shapeReader) seesInCall(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			s, ok := call.Args[0].Type().Underlying().(*types.Slice)
			return !ok || r.holds(s.Elem()) // the capacity depends on the size of the elements
		case "delete":
			return r.holdsKey(call.Args[0].Type())
		case "len", "cap", "copy", "clear", "min", "max", "close", "recover", "panic", "ssa:wrapnilchk", "print", "println":
			return false
		}
		return slices.ContainsFunc(call.Args, func(a ssa.Value) bool { return r.leads(a.Type()) })
	}
	if callee := call.StaticCallee(); callee != nil {
		if callee.Parent() != nil && callee.Synthetic == "" {
			return false // its code is compared
		}
		if o := callee.Object(); o != nil && callee.Synthetic == "" && r.functions[r.side][keyOf(o)] == callee {
			return false
		}
	}
	return slices.ContainsFunc(call.Args, func(a ssa.Value) bool { return r.leads(a.Type()) })
}
