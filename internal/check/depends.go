package check

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"golang.org/x/tools/go/ssa"
)

// Depends says what executions depend on besides receivers and arguments, or "" if they depend on nothing
// else. The caller has followed all paths from the beginning of a process, in one goroutine. That is no proof
// if a package-level variable may hold another value later, if other goroutines run in between, or if others
// call a function literal later. The parameter ran has the functions that the executions went through. The
// parameter sliced says that there are slices among the inputs; the caller followed these only without
// capacity beyond their lengths.
func (p *Program) Depends(unit *ssa.Function, ran []*ssa.Function, sliced bool) string {
	if !calledInPlace(unit) {
		return "others may call the function literal"
	}
	for _, fn := range append([]*ssa.Function{unit}, ran...) {
		if fn.Name() == "init" || p.standard(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, ins := range b.Instrs {
				if why := p.dependsOn(ins, sliced); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// dependsOn answers the question of Depends for one instruction.
func (p *Program) dependsOn(ins ssa.Instruction, sliced bool) string {
	switch ins := ins.(type) {
	case *ssa.Go, *ssa.Send, *ssa.Select:
		return "goroutines may run in another order"
	case *ssa.UnOp:
		if ins.Op == token.ARROW {
			return "goroutines may run in another order"
		}
	case *ssa.Slice:
		if _, ok := ins.X.Type().Underlying().(*types.Slice); ok && sliced && (ins.High != nil || ins.Max != nil) {
			return "a slice may have more capacity than its length"
		}
	case ssa.CallInstruction:
		c := ins.Common()
		if b, ok := c.Value.(*ssa.Builtin); ok {
			if isSlice(firstType(c)) && sliced && (b.Name() == "cap" || b.Name() == "append") {
				return "a slice may have more capacity than its length"
			}
		} else if callee := c.StaticCallee(); callee != nil && callee.Object() != nil && callee.Object().Pkg() != nil {
			if path := callee.Object().Pkg().Path(); path == "sync" || path == "sync/atomic" {
				return "other goroutines may run at " + callee.Name()
			}
		}
	}
	var buf [8]*ssa.Value
	for _, op := range ins.Operands(buf[:0]) {
		if g, ok := (*op).(*ssa.Global); ok && !p.constant(g) {
			return "the variable " + g.Name() + " may hold something else"
		}
	}
	return ""
}

func firstType(c *ssa.CallCommon) types.Type {
	if len(c.Args) == 0 {
		return types.Typ[types.Invalid]
	}
	return c.Args[0].Type()
}

// standard reports whether a function belongs to the standard library, whose variables are
// caches and tables.
func (p *Program) standard(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Pkg != nil && p.standardPath(fn.Pkg.Pkg.Path())
}

func (p *Program) standardPath(path string) bool { return p.inStandard != nil && p.inStandard(path) }

// calledInPlace reports whether a function is declared, or is a literal that only its enclosing function
// calls.
func calledInPlace(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return true
	}
	for _, b := range fn.Parent().Blocks {
		for _, ins := range b.Instrs {
			var v ssa.Value
			if mk, ok := ins.(*ssa.MakeClosure); ok && mk.Fn == fn {
				if !onlyCalled(mk, *mk.Referrers()) {
					return false
				}
				v = mk
			}
			for _, op := range ins.Operands(nil) {
				if *op == ssa.Value(fn) && v == nil && !onlyCalled(fn, []ssa.Instruction{ins}) {
					return false
				}
			}
		}
	}
	return calledInPlace(fn.Parent())
}

// onlyCalled reports whether all that instructions do with a function is to call it.
func onlyCalled(v ssa.Value, uses []ssa.Instruction) bool {
	for _, use := range uses {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if use.Call.Value != v || slices.Contains(use.Call.Args, v) {
				return false
			}
		case *ssa.Defer:
			if use.Call.Value != v || slices.Contains(use.Call.Args, v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// constant reports whether a package-level variable, and the memory that it leads to, never changes after the
// initialisation of its package. An exported variable may change because users may assign to it, unless it is
// an error: nobody assigns to exported errors.
func (p *Program) constant(g *ssa.Global) bool {
	if strings.HasPrefix(g.Name(), "init$") {
		return true
	}
	if g.Pkg == nil || p.standardPath(g.Pkg.Pkg.Path()) {
		return true
	}
	if token.IsExported(g.Name()) && !gosyntax.IsError(elemType(g.Type())) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	changed, ok := p.changed[g.Pkg]
	if !ok {
		changed = changedVariables(g.Pkg)
		if p.changed == nil {
			p.changed = map[*ssa.Package]map[*ssa.Global]bool{}
		}
		p.changed[g.Pkg] = changed
	}
	return !changed[g]
}

// changedVariables finds the variables of a package that something may write to after the package's
// initialisation, directly or through pointers in them.
func changedVariables(pkg *ssa.Package) map[*ssa.Global]bool {
	out := map[*ssa.Global]bool{}
	var look func(fn *ssa.Function, init bool)
	look = func(fn *ssa.Function, init bool) {
		for _, b := range fn.Blocks {
			for _, ins := range b.Instrs {
				for _, op := range ins.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok && !addressOnlyRead(g, ins, init) {
						out[g] = true
					}
				}
			}
		}
		for _, anon := range fn.AnonFuncs {
			look(anon, init && calledInPlace(anon))
		}
	}
	for _, fn := range packageFunctions(pkg) {
		look(fn, fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#"))
	}
	return out
}

// packageFunctions lists the functions and methods that a package declares, in the order of
// their names.
func packageFunctions(pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	names := []string{}
	for name := range pkg.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			out = append(out, m)
		case *ssa.Type:
			n, ok := types.Unalias(m.Type()).(*types.Named)
			if !ok {
				continue
			}
			for method := range n.Methods() {
				if fn := pkg.Prog.FuncValue(method); fn != nil {
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

// addressOnlyRead reports whether an instruction only reads through an address and through pointers
// loaded from there. An initialiser may also store there.
func addressOnlyRead(addr ssa.Value, ins ssa.Instruction, init bool) bool {
	each := func(v ssa.Value, f func(ssa.Value, ssa.Instruction) bool) bool {
		return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool { return !f(v, r) })
	}
	address := func(v ssa.Value, r ssa.Instruction) bool { return addressOnlyRead(v, r, init) }
	switch ins := ins.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		return init && ins.Addr == addr && ins.Val != addr
	case *ssa.FieldAddr:
		return each(ins, address)
	case *ssa.IndexAddr:
		return ins.X == addr && each(ins, address)
	case *ssa.UnOp:
		if ins.Op == token.MUL {
			return init || valueOnlyRead(ins)
		}
	}
	return false
}

// valueOnlyRead reports whether nothing is written through a loaded value. Nothing can be written
// through numbers, texts, functions and errors.
func valueOnlyRead(v ssa.Value) bool {
	switch u := v.Type().Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Interface:
		return gosyntax.IsError(v.Type())
	case *types.Struct, *types.Array:
		return !leadsElsewhere(u)
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Range:
		case *ssa.BinOp:
		case *ssa.Lookup:
			if r.Index == v || !onlyNumbers(r.Type()) {
				return false
			}
		case *ssa.IndexAddr:
			if r.X != v || !eachOnlyRead(r) {
				return false
			}
		case *ssa.FieldAddr:
			if !eachOnlyRead(r) {
				return false
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "cap" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func eachOnlyRead(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool { return !addressOnlyRead(addr, r, false) })
}

// onlyNumbers reports whether values of a type lead to no memory. For a tuple it looks at each value.
func onlyNumbers(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if !onlyNumbers(v.Type()) {
				return false
			}
		}
		return true
	}
	return !leadsElsewhere(t)
}

// leadsElsewhere reports whether values of a type lead to memory that can be written to.
func leadsElsewhere(t types.Type) bool {
	return !gosyntax.AllParts(t, func(part types.Type) bool {
		_, function := part.Underlying().(*types.Signature)
		return function || gosyntax.IsPlainBasic(part)
	})
}
