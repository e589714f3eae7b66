package purity

import (
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// Leaves reports whether a call of fn cannot change a field of its package's types: fn, and the functions of its package that it
// calls, at most read the field. It returns false where that is not known: where functions are called whose code is not
// known before they run, or where something is done with what the field holds.
func Leaves(fn *ssa.Function, field *types.Var) bool {
	return !anyInstruction(fn, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			st, ok := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			return ok && sameField(st.Field(in.Field), field) && !onlyRead(in)
		case ssa.CallInstruction:
			_, builtin := in.Common().Value.(*ssa.Builtin)
			return in.Common().StaticCallee() == nil && !builtin
		case *ssa.MakeClosure:
			return true
		}
		return false
	})
}

// sameField reports whether two variables are one field, of a generic type or of an instance of it.
func sameField(a, b *types.Var) bool { return a == b || a.Name() == b.Name() && a.Pos() == b.Pos() }

// onlyRead reports whether an address is used for nothing but to read from it, and what is read for nothing that could change
// what it refers to.
func onlyRead(addr ssa.Value) bool {
	for _, in := range *addr.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if in.Op != token.MUL || !harmless(in) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// harmless reports whether a value that was read is a number, a text or the like, or is only asked for its length or for
// elements of such types.
func harmless(v ssa.Value) bool {
	if _, basic := v.Type().Underlying().(*types.Basic); basic {
		return true
	}
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Lookup:
			if _, basic := in.Type().Underlying().(*types.Basic); !basic {
				return false
			}
		case *ssa.IndexAddr:
			if !onlyRead(in) {
				return false
			}
		case *ssa.Call:
			b, ok := in.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "len" && b.Name() != "cap" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// SetsFields reports whether fn, or a function of its package that it calls, stores something in a field of an object that it
// has not made itself.
func SetsFields(fn *ssa.Function) bool {
	return anyInstruction(fn, func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		if !ok {
			return false
		}
		field, ok := store.Addr.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		_, own := field.X.(*ssa.Alloc)
		return !own
	})
}

// Fields tells which functions work on different parts of an object. Its methods may be used by several goroutines.
type Fields struct {
	mu sync.Mutex
	by map[*ssa.Function]fieldSet
}

// fieldSet has the fields that a function, and those of its package that it calls, read or write, by their places in the source.
type fieldSet struct {
	fields map[token.Pos]bool
	all    bool // what else it works on is not known
}

// Apart reports whether no field that a call of one of two functions may read or write is one that a call of the other may. What the one sets
// the other does not see then: SetFlush, and what Batch returns. Locks do not count. Apart returns false where that is not known: where
// functions are called whose code is not known before they run, where an object is copied or given away as a whole, or where the
// receiver of one is no struct, but a map or a list, which has no fields.
func (p *Fields) Apart(a, b *ssa.Function) bool {
	x, y := p.of(a), p.of(b)
	if x.all || y.all || !onStruct(a) || !onStruct(b) {
		return false
	}
	for f := range x.fields {
		if y.fields[f] {
			return false
		}
	}
	return true
}

// onStruct reports whether a function is no method, or one of a struct.
func onStruct(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	named := load.NamedOf(recv.Type())
	if named == nil {
		return false
	}
	_, ok := named.Underlying().(*types.Struct)
	return ok
}

func (p *Fields) of(fn *ssa.Function) fieldSet {
	p.mu.Lock()
	defer p.mu.Unlock()
	set, ok := p.by[fn]
	if !ok {
		set.fields = make(map[token.Pos]bool)
		set.all = len(fn.Blocks) == 0 || anyInstruction(fn, func(in ssa.Instruction) bool { return set.add(fn, in) })
		if p.by == nil {
			p.by = make(map[*ssa.Function]fieldSet)
		}
		p.by[fn] = set
	}
	return set
}

// add adds the field that an instruction works on, and reports whether it may work on any.
func (s fieldSet) add(fn *ssa.Function, in ssa.Instruction) bool {
	own := func(t types.Type) bool {
		named := load.NamedOf(t)
		if named == nil || fn.Pkg == nil || named.Obj().Pkg() != fn.Pkg.Pkg {
			return false
		}
		_, isStruct := named.Underlying().(*types.Struct)
		return isStruct
	}
	field := func(t types.Type, i int) {
		if f := fieldOf(t, i); f != nil && !gosyntax.HasLock(f.Type()) && !load.IsLock(gosyntax.Pointed(f.Type())) {
			s.fields[f.Pos()] = true
		}
	}
	switch in := in.(type) {
	case *ssa.FieldAddr:
		field(in.X.Type().Underlying().(*types.Pointer).Elem(), in.Field)
	case *ssa.Field:
		field(in.X.Type(), in.Field)
	case *ssa.UnOp:
		_, isPointer := in.Type().Underlying().(*types.Pointer)
		return in.Op == token.MUL && !isPointer && own(in.Type())
	case *ssa.Store:
		_, isPointer := in.Val.Type().Underlying().(*types.Pointer)
		return !isPointer && own(in.Val.Type())
	case *ssa.MakeInterface:
		return own(in.X.Type())
	case *ssa.MakeClosure:
		return true
	case ssa.CallInstruction:
		callee := in.Common().StaticCallee()
		if callee == nil {
			_, builtin := in.Common().Value.(*ssa.Builtin)
			return !builtin
		}
		return callee.Pkg != fn.Pkg && callee.Origin() == nil && slices.ContainsFunc(in.Common().Args, func(v ssa.Value) bool { return own(v.Type()) })
	}
	return false
}
