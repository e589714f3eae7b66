package purity

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
)

// Globals answers which functions change package-level variables, directly or through static callees
// whose source is in the program. It does not see behind interfaces and function values, nor into
// dependencies, so neither answer is a proof. It is for one goroutine.
type Globals struct {
	done   map[*ssa.Function]bool
	inputs map[*ssa.Function][]bool // for each parameter of a function, whether calls write to memory that it leads to
}

// NewGlobals returns an analysis that has answered nothing yet.
func NewGlobals() *Globals {
	return &Globals{done: make(map[*ssa.Function]bool), inputs: make(map[*ssa.Function][]bool)}
}

// Changes reports whether a call of fn may change a package-level variable, or memory that one leads
// to, for good. Changes made once by sync.Once do not count. Variables of packages sync and sync/atomic
// do not count either, because they are usually caches and locks, unless fn stores a parameter into
// them unchanged.
func (g *Globals) Changes(fn *ssa.Function) bool {
	if c, ok := g.done[fn]; ok {
		return c
	}
	g.done[fn] = false // recursion adds nothing
	c := g.changes(fn)
	g.done[fn] = c
	return c
}

func (g *Globals) changes(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, w := range g.writes(in) {
				if global(w.to) {
					return true
				}
			}
			if in, ok := in.(ssa.CallInstruction); ok {
				if stores(in.Common()) {
					return true
				}
				if callee := in.Common().StaticCallee(); callee != nil && g.Changes(callee) {
					return true
				}
			}
		}
	}
	return false
}

// write is what an instruction writes: values, to memory that an address, a slice or a map leads to. Calls that put what is
// there in another order write no values.
type write struct {
	to     ssa.Value
	values []ssa.Value
}

// writes returns what an instruction writes: a store, an assignment to an element of a map, a builtin function of the language, a function that
// orders a list, and a call that writes to what its arguments lead to. Receivers of methods count where they are the variable itself, and not an
// object behind it: what a package keeps there is the object's affair, mostly a cache or a registry.
func (g *Globals) writes(in ssa.Instruction) []write {
	switch in := in.(type) {
	case *ssa.Store:
		return []write{{in.Addr, []ssa.Value{in.Val}}}
	case *ssa.MapUpdate:
		return []write{{in.Map, []ssa.Value{in.Key, in.Value}}}
	case ssa.CallInstruction:
		return g.writesOfCall(in.Common())
	}
	return nil
}

func (g *Globals) writesOfCall(c *ssa.CallCommon) []write {
	if len(c.Args) == 0 {
		return nil
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		_, part := c.Args[0].(*ssa.Slice)
		switch name := b.Name(); {
		case name == "copy", name == "clear", name == "delete", name == "append" && part: // append(list[:0], x) writes into the list
			return []write{{c.Args[0], c.Args[1:]}}
		}
		return nil
	}
	callee := c.StaticCallee()
	switch {
	case callee == nil:
		return nil
	case orders(callee):
		return []write{{to: c.Args[0]}}
	}
	var out []write
	for i, written := range g.inputsOf(callee) {
		behind := i == 0 && callee.Signature.Recv() != nil && global(c.Args[0]) && storedIn(c.Args[0], nil) == nil
		if written && i < len(c.Args) && !behind {
			out = append(out, write{c.Args[i], slices.Delete(slices.Clone(c.Args), i, i+1)})
		}
	}
	return out
}

// inputsOf reports for each parameter of a function whether calls write to memory that it leads to.
func (g *Globals) inputsOf(fn *ssa.Function) []bool {
	if out, ok := g.inputs[fn]; ok {
		return out
	}
	out := make([]bool, len(fn.Params))
	g.inputs[fn] = out // recursion adds nothing
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, w := range g.writes(in) {
				for i, p := range fn.Params {
					out[i] = out[i] || leadsTo(w.to, func(v ssa.Value) bool { return v == p }, nil)
				}
			}
		}
	}
	return out
}

// orders reports whether a function of the standard library puts the elements of the list that it is passed in another order.
func orders(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return false
	}
	switch obj.Origin().FullName() {
	case "sort.Ints", "sort.Strings", "sort.Float64s", "sort.Slice", "sort.SliceStable", "sort.Sort", "sort.Stable",
		"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Reverse":
		return true
	}
	return false
}

// global reports whether an address, a slice or a map is a package-level variable's.
func global(v ssa.Value) bool {
	return leadsTo(v, func(v ssa.Value) bool {
		g, ok := v.(*ssa.Global)
		return ok && !locked(g.Type())
	}, nil)
}

// leadsTo reports whether an address, a slice or a map is that of a value, of a part of it, or of what is behind it. seen are the values that
// the question has come through.
func leadsTo(v ssa.Value, is func(ssa.Value) bool, seen map[*ssa.Phi]bool) bool {
	if is(v) {
		return true
	}
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.ChangeType, *ssa.MakeInterface:
		return leadsTo(wholeOf(v), is, seen)
	case *ssa.UnOp:
		return leadsTo(v.X, is, seen)
	case *ssa.Phi:
		if seen[v] {
			return false
		}
		if seen == nil {
			seen = make(map[*ssa.Phi]bool)
		}
		seen[v] = true
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return leadsTo(e, is, seen) })
	}
	return false
}

// locked reports whether t is a pointer to a type of package sync or sync/atomic.
func locked(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && n.Obj().Pkg() != nil {
			path := n.Obj().Pkg().Path()
			return path == "sync" || path == "sync/atomic"
		}
	}
	return false
}

// stores reports whether a call puts a parameter unchanged into a package-level sync.Map or a value of
// package sync/atomic. A cache would store a computed value.
func stores(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || !locked(callee.Signature.Recv().Type()) || len(c.Args) < 2 {
		return false
	}
	switch callee.Name() {
	case "Store", "LoadOrStore", "Swap", "CompareAndSwap":
	default:
		return false
	}
	at := c.Args[0]
	if f, ok := at.(*ssa.FieldAddr); ok {
		at = f.X
	}
	_, isGlobal := at.(*ssa.Global)
	v := c.Args[len(c.Args)-1]
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	_, isParam := v.(*ssa.Parameter)
	return isGlobal && isParam
}

// Sets reports whether the purpose of fn is to set package-level state: it stores something that it was
// passed into a package-level variable, itself or by passing it on, or it has no results and stores
// anything there. A function that fills a cache or counts does not. Like Changes it may be wrong either
// way.
func (g *Globals) Sets(fn *ssa.Function) bool { return g.sets(fn, make(map[*ssa.Function]bool)) }

func (g *Globals) sets(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	procedure := fn.Signature.Results().Len() == 0
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, w := range g.writes(in) {
				if global(w.to) && (procedure || slices.ContainsFunc(w.values, passedIn)) {
					return true
				}
			}
			if in, ok := in.(*ssa.Call); ok {
				if stores(&in.Call) {
					return true
				}
				callee := in.Call.StaticCallee()
				if callee == nil || len(callee.Blocks) == 0 {
					continue
				}
				for _, a := range in.Call.Args {
					if passedIn(a) {
						if g.sets(callee, seen) {
							return true
						}
						break
					}
				}
			}
		}
	}
	return false
}

// Stored returns the package-level variables that fn stores into, itself or through static callees:
// into the variable, a field or an element of it, but not behind a pointer, slice or map in it. A test
// that saves these variables can put them back.
func (g *Globals) Stored(fn *ssa.Function) []*types.Var {
	var out []*types.Var
	seen := make(map[*ssa.Function]bool)
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, w := range g.writes(in) {
					if v := storedIn(w.to, nil); v != nil && !slices.Contains(out, v) {
						out = append(out, v)
					}
				}
				if in, ok := in.(ssa.CallInstruction); ok {
					if callee := in.Common().StaticCallee(); callee != nil {
						visit(callee)
					}
				}
			}
		}
	}
	visit(fn)
	return out
}

// storedIn returns the variable whose own memory an address or a slice denotes, or nil if there is none.
func storedIn(addr ssa.Value, seen map[*ssa.Phi]bool) *types.Var {
	switch a := addr.(type) {
	case *ssa.Global:
		v, _ := a.Object().(*types.Var)
		return v
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.ChangeType, *ssa.MakeInterface:
		return storedIn(wholeOf(a), seen) // a slice that is loaded from a variable is another one's memory
	case *ssa.Phi:
		if seen[a] {
			return nil
		}
		if seen == nil {
			seen = make(map[*ssa.Phi]bool)
		}
		seen[a] = true
		for _, e := range a.Edges {
			if v := storedIn(e, seen); v != nil {
				return v
			}
		}
	}
	return nil
}

// passedIn reports whether v is computed from a parameter.
func passedIn(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return passedIn(v.X)
	case *ssa.ChangeInterface:
		return passedIn(v.X)
	case *ssa.Slice:
		return passedIn(v.X)
	}
	params, _ := leaves(v)
	return len(params) > 0
}

// OnlyOnce returns the unexported functions of a package that nothing calls, and that it only passes to sync.Once.Do,
// sync.OnceFunc and the like: what they store is there from the first call on, and is the same afterwards. A package whose
// variables only such functions change has no state that one test could leave to another.
func OnlyOnce(pkg *load.Package) map[*types.Func]bool {
	out := make(map[*types.Func]bool)
	if pkg.Info == nil {
		return out
	}
	passed := make(map[*ast.Ident]bool) // to be run once
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !runsOnce(pkg.Info, call.Fun) {
				return true
			}
			if id, ok := ast.Unparen(call.Args[0]).(*ast.Ident); ok {
				passed[id] = true
			}
			return true
		})
	}
	others := make(map[*types.Func]bool) // mentioned elsewhere
	for id, obj := range pkg.Info.Uses {
		fn, ok := obj.(*types.Func)
		switch {
		case !ok || fn.Pkg() != pkg.Types || fn.Exported():
		case passed[id]:
			out[fn] = true
		default:
			others[fn] = true
		}
	}
	for fn := range others {
		delete(out, fn)
	}
	return out
}

// runsOnce reports whether an expression is a function or method of package sync that runs its argument once.
func runsOnce(info *types.Info, fun ast.Expr) bool {
	var id *ast.Ident
	switch fun := ast.Unparen(fun).(type) {
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr: // OnceValue[T]
		if sel, ok := fun.X.(*ast.SelectorExpr); ok {
			id = sel.Sel
		}
	}
	if id == nil {
		return false
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return false
	}
	switch fn.Name() {
	case "Do":
		return load.NamedOf(fn.Signature().Recv().Type()).Obj().Name() == "Once"
	case "OnceFunc", "OnceValue", "OnceValues":
		return true
	}
	return false
}
