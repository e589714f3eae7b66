package purity

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file answers which parameters of a function decide anything in it: which may lead to a branch, a
// panic or a call of other packages' code. A property of the others is never the reason for what a call
// did. The element that a stack is given, for example, decides nothing; that of a heap does.

// deepest is how many calls deep a value is followed. Beyond it everything counts as decided.
const deepest = 6

// Deciding reports for each parameter of a function, the receiver first, whether it may decide anything.
// It follows values through arithmetic, through memory of the same field or of elements of the same
// type, and through calls within the package. What it cannot follow decides.
func Deciding(fn *ssa.Function) []bool {
	out := make([]bool, len(fn.Params))
	for i := range out {
		d := &deciding{pkg: packageOf(fn), seen: make(map[string]bool)}
		tainted := make([]bool, len(fn.Params))
		tainted[i] = true
		d.function(fn, tainted, nil, 0)
		out[i] = d.decides
	}
	return out
}

// deciding follows one parameter.
type deciding struct {
	pkg     *ssa.Package
	seen    map[string]bool // calls by function, arguments and memory
	decides bool
}

// body is the analysis of one function's body: the values that depend on the parameter, and the memory
// in which such values are.
type body struct {
	*deciding
	values map[ssa.Value]bool
	memory map[string]bool
	depth  int
	grown  bool
}

// function follows the tainted parameters and memory through a function, and returns the memory in which
// tainted values are afterwards.
func (d *deciding) function(fn *ssa.Function, params []bool, memory map[string]bool, depth int) map[string]bool {
	if len(fn.Blocks) == 0 || depth > deepest {
		d.decides = true
		return memory
	}
	key := fmt.Sprint(fn.String(), params, len(memory))
	if d.decides || d.seen[key] {
		return memory
	}
	d.seen[key] = true
	b := &body{deciding: d, values: make(map[ssa.Value]bool), memory: make(map[string]bool), depth: depth}
	for m := range memory {
		b.memory[m] = true
	}
	for i, p := range fn.Params {
		if i < len(params) && params[i] {
			b.values[p] = true
		}
	}
	for b.grown = true; b.grown && !d.decides; {
		b.grown = false
		for _, block := range fn.Blocks {
			for _, in := range block.Instrs {
				b.instruction(in)
			}
		}
	}
	return b.memory
}

// taint notes that a value depends on the parameter.
func (b *body) taint(v ssa.Value) {
	if !b.values[v] {
		b.values[v], b.grown = true, true
	}
}

// place is the memory that an address points to: a field of a type, or elements of a type; "" for other
// addresses.
func place(addr ssa.Value) string {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return fmt.Sprint(a.X.Type(), " ", a.Field)
	case *ssa.IndexAddr:
		return "elements " + a.Type().String()
	case *ssa.Global:
		return a.String()
	}
	return ""
}

// instruction follows what one instruction does with tainted values.
func (b *body) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.If:
		b.decides = b.decides || b.values[in.Cond]
	case *ssa.Panic:
		b.decides = b.decides || b.values[in.X]
	case *ssa.Store:
		if !b.values[in.Val] {
			return
		}
		if local, ok := in.Addr.(*ssa.Alloc); ok {
			b.taint(local)
			return
		}
		if p := place(in.Addr); p == "" {
			b.decides = true // any code may read what is stored there
		} else if !b.memory[p] {
			b.memory[p], b.grown = true, true
		}
	case *ssa.MapUpdate:
		b.decides = b.decides || b.values[in.Key] // whether the key is there
		if p := "elements of " + in.Map.Type().String(); b.values[in.Value] && !b.memory[p] {
			b.memory[p], b.grown = true, true
		}
	case ssa.CallInstruction:
		b.call(in)
	case ssa.Value:
		b.value(in)
	}
}

// value follows an instruction that computes a value of others.
func (b *body) value(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.IndexAddr:
		_, isSlice := v.X.Type().Underlying().(*types.Slice)
		b.decides = b.decides || b.values[v.Index] || isSlice && b.values[v.X]
	case *ssa.Index:
		b.decides = b.decides || b.values[v.Index] || b.values[v.X]
	case *ssa.Lookup:
		b.decides = b.decides || b.values[v.Index]
		if b.memory["elements of "+v.X.Type().String()] {
			b.taint(v)
		}
	case *ssa.Slice:
		for _, bound := range []ssa.Value{v.Low, v.High, v.Max} {
			b.decides = b.decides || bound != nil && b.values[bound]
		}
	case *ssa.MakeSlice:
		b.decides = b.decides || b.values[v.Len] || b.values[v.Cap]
	case *ssa.TypeAssert:
		b.decides = b.decides || b.values[v.X]
	case *ssa.Range:
		b.decides = b.decides || b.values[v.X]
	case *ssa.MakeClosure:
		for _, free := range v.Bindings {
			b.decides = b.decides || b.values[free]
		}
	case *ssa.BinOp:
		switch v.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			b.decides = b.decides || b.values[v.Y]
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ: // the answer, if no branch depends on it
			b.decides = b.decides || b.values[v.X] || b.values[v.Y]
		}
	case *ssa.UnOp:
		if v.Op == token.MUL && b.memory[place(v.X)] {
			b.taint(v)
		}
	}
	in := v.(ssa.Instruction)
	for _, operand := range in.Operands(nil) {
		if *operand != nil && b.values[*operand] {
			b.taint(v)
		}
	}
}

// call follows a call.
func (b *body) call(in ssa.CallInstruction) {
	c := in.Common()
	tainted := make([]bool, len(c.Args))
	for i, a := range c.Args {
		tainted[i] = b.values[a]
	}
	any := slices.Contains(tainted, true)
	result, _ := in.(*ssa.Call)
	if builtin, ok := c.Value.(*ssa.Builtin); ok {
		switch builtin.Name() {
		case "len", "cap", "append", "min", "max", "real", "imag", "complex", "ssa:wrapnilchk":
			if any {
				b.taint(result)
			}
		}
		return
	}
	callee := c.StaticCallee()
	switch {
	case c.IsInvoke() && b.values[c.Value], callee == nil && any, callee == nil && b.values[c.Value]:
		b.decides = true // code that is chosen, or that nobody knows
	case callee == nil:
	case packageOf(callee) != b.pkg:
		if any && !onlyPrints(callee) {
			b.decides = true
		}
	case any || len(b.memory) > 0:
		for m := range b.function(callee, tainted, b.memory, b.depth+1) {
			if !b.memory[m] {
				b.memory[m], b.grown = true, true
			}
		}
	}
	if any && result != nil {
		b.taint(result)
	}
}

// packageOf returns the package of a function, of an instance that of the generic one.
func packageOf(fn *ssa.Function) *ssa.Package {
	if fn.Pkg == nil && fn.Origin() != nil {
		return fn.Origin().Pkg
	}
	return fn.Pkg
}

// onlyPrints reports whether a function of another package only writes what it is given.
func onlyPrints(fn *ssa.Function) bool {
	if fn.Pkg == nil {
		return false
	}
	switch fn.Pkg.Pkg.Path() {
	case "fmt":
		return strings.Contains(fn.Name(), "rint") || fn.Name() == "Errorf"
	case "errors":
		return fn.Name() == "New"
	case "sync/atomic":
		return strings.HasPrefix(fn.Name(), "Store")
	case "strings", "bytes":
		return fn.Signature.Recv() != nil && strings.HasPrefix(fn.Name(), "Write")
	}
	return false
}
