package check

import (
	"go/token"
	"go/types"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// effects is the set of classes of memory that a call may change. The field unknown says that the call runs
// unknown code, like a method of an interface, and may change everything.
type effects struct {
	classes map[class]bool
	unknown bool
	waits   bool // other goroutines may run before the call returns
}

// changes reports whether the known writes of the call include a location.
func (m *effects) changes(l *locationInfo) bool {
	if l.class.kind == 'm' {
		return m.classes[l.class]
	}
	if m.classes[l.class] || m.classes[class{kind: 'd', name: l.name}] {
		return true
	}
	switch l.class.kind {
	case 'd':
		// The location may be written through a pointer to its type; for an element its type is known.
		for c := range m.classes {
			if c.kind == 'e' && c.name != l.name {
				continue
			}
			if c.kind == 'f' || c.kind == 'e' || c.kind == 'g' || c.kind == 'l' {
				return true
			}
		}
	case 'l':
		return false // only the address leads to it, and a store there is of class d in the callee
	}
	return false
}

// effectsOf computes the effects of functions, and keeps the results.
type effectsOf struct {
	mu   sync.Mutex
	done map[*ssa.Function]*effects
}

// of returns the effects of a function with a body: its own writes and those of all functions that it
// calls.
func (e *effectsOf) of(fn *ssa.Function) *effects {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done == nil {
		e.done = map[*ssa.Function]*effects{}
	}
	if m, ok := e.done[fn]; ok {
		return m
	}
	m := &effects{classes: map[class]bool{}}
	seen := map[*ssa.Function]bool{}
	var visit func(f *ssa.Function)
	visit = func(f *ssa.Function) {
		if seen[f] {
			return
		}
		seen[f] = true
		if len(f.Blocks) == 0 {
			m.foreign(f.Signature)
			m.waits = m.waits || !quiet(f)
			return
		}
		for _, b := range f.Blocks {
			for _, ins := range b.Instrs {
				switch ins := ins.(type) {
				case *ssa.Store:
					m.write(ins.Addr)
				case *ssa.MapUpdate:
					m.classes[mapClass(ins.Map.Type())] = true
				case *ssa.Send, *ssa.Select:
					m.waits = true
				case *ssa.UnOp:
					m.waits = m.waits || ins.Op == token.ARROW
				case ssa.CallInstruction:
					c := ins.Common()
					if callee := c.StaticCallee(); callee != nil {
						visit(callee)
					} else if bi, ok := c.Value.(*ssa.Builtin); ok {
						m.builtin(bi.Name(), c.Args)
					} else {
						m.unknown = true
					}
				}
			}
		}
		for _, anon := range f.AnonFuncs {
			visit(anon)
		}
	}
	visit(fn)
	e.done[fn] = m
	return m
}

// quiet reports whether a function of another package only computes, so that no other goroutine runs during a
// call.
func quiet(fn *ssa.Function) bool {
	obj := fn.Object()
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	path := obj.Pkg().Path()
	dir, _, _ := strings.Cut(path, "/")
	switch dir {
	case "bytes", "cmp", "encoding", "errors", "fmt", "hash", "html", "maps", "math", "path", "regexp", "slices", "sort", "strconv", "strings", "unicode":
		return true
	}
	return path == "sync/atomic"
}

func (m *effects) builtin(name string, args []ssa.Value) {
	switch name {
	case "append", "copy", "clear", "delete":
		if isMap(args[0].Type()) {
			m.classes[mapClass(args[0].Type())] = true
		}
		if sl, ok := args[0].Type().Underlying().(*types.Slice); ok {
			m.element(sl.Elem())
		}
	}
}

func (m *effects) element(t types.Type) {
	if !followed(t) {
		m.pointee(t)
		return
	}
	m.classes[class{kind: 'e', name: typeName(t)}] = true
}

// write adds a store to an address.
func (m *effects) write(addr ssa.Value) {
	t := elemType(addr.Type())
	if al, ok := rootOf(addr).(*ssa.Alloc); ok && !al.Heap {
		return // the store is to a variable of the callee's own
	}
	if !followed(t) {
		m.pointee(t)
		return
	}
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		m.classes[class{kind: 'f', name: typeName(elemType(v.X.Type())), field: v.Field}] = true
	case *ssa.IndexAddr:
		m.element(t)
	case *ssa.Global:
		m.classes[class{kind: 'g', name: v.String()}] = true
	case *ssa.Alloc:
		// The store is to the callee's own variable, even if that escapes.
	default:
		m.classes[class{kind: 'd', name: typeName(t)}] = true
	}
}

// foreign adds the effects of a function of which only the type is known. It can write memory that its
// parameters lead to, but no variable of this package, unless it has a function to call back.
func (m *effects) foreign(sig *types.Signature) {
	seen := map[types.Type]bool{}
	var reach func(t types.Type)
	reach = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			m.pointee(u.Elem())
			reach(u.Elem())
		case *types.Slice:
			m.element(u.Elem())
			reach(u.Elem())
		case *types.Array:
			reach(u.Elem())
		case *types.Map:
			m.classes[mapClass(u)] = true
			reach(u.Elem())
			reach(u.Key())
		case *types.Chan:
			m.unknown = true
		case *types.Struct:
			for i := range u.NumFields() {
				reach(u.Field(i).Type())
			}
		case *types.Interface, *types.Signature, *types.TypeParam:
			m.unknown = true
		}
	}
	if r := sig.Recv(); r != nil {
		reach(r.Type())
	}
	for v := range sig.Params().Variables() {
		reach(v.Type())
	}
}

// pointee adds writes to a whole variable of type t: to each field and element, or to the variable itself.
func (m *effects) pointee(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			m.classes[class{kind: 'f', name: typeName(t), field: i}] = true
			switch u.Field(i).Type().Underlying().(type) {
			case *types.Struct, *types.Array:
				m.pointee(u.Field(i).Type())
			}
		}
	case *types.Array:
		m.element(u.Elem())
	default:
		m.classes[class{kind: 'd', name: typeName(t)}] = true
	}
}
