package purity

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// This file tells calls that take as much memory or time as they are asked for from calls that never end. The loop decides:
// whether one of its exits depends on something that the loop changes, and whether it counts towards a bound.

// Endless reports whether a call that was stopped at a stack is in a loop, or in one within it, of which no exit depends on
// anything that the loop changes. Once such a loop goes on, it goes on for ever, whatever the caller has passed.
func Endless(pkg *load.Package, stack []Frame) bool {
	return slices.ContainsFunc(loopsAt(pkg, stack), (*natural).endless)
}

// HasEndless reports whether a function, or one of its package that it calls, has a loop as Endless has them.
func HasEndless(fn *ssa.Function) bool {
	return anyFunction(fn, func(f *ssa.Function) bool { return slices.ContainsFunc(naturalLoops(f), (*natural).endless) })
}

// Asked reports whether a call that was stopped at a stack was told how much to do: the loop that it is in counts towards a
// bound, or it is in no loop and takes one piece, or in a recursion that passes a number on. A loop without a bound goes on
// until it comes to a state, like an empty list, that it may never come to.
func Asked(pkg *load.Package, stack []Frame) bool {
	loops := loopsAt(pkg, stack)
	if len(loops) > 0 {
		return loops[0].counts()
	}
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return true
	}
	recurs, number := false, false
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() == nil {
			return
		}
		recurs = recurs || anyFunction(call.Common().StaticCallee(), func(g *ssa.Function) bool { return g == fn })
		number = number || slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool { return scalar(a.Type()) })
	})
	return !recurs || number
}

// natural is a loop of a function: the blocks from which its header is reached again.
type natural struct {
	header *ssa.BasicBlock
	blocks map[*ssa.BasicBlock]bool
}

// naturalLoops returns the loops of a function. Of two loops the one with more blocks comes first.
func naturalLoops(fn *ssa.Function) []*natural {
	var out []*natural
	for _, h := range fn.Blocks {
		l := &natural{h, map[*ssa.BasicBlock]bool{h: true}}
		for _, b := range h.Preds {
			if h.Dominates(b) {
				l.add(b)
				if len(l.blocks) == 1 {
					out = append(out, l) // the header leads to itself
				}
			}
		}
		if len(l.blocks) > 1 {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b *natural) int { return len(b.blocks) - len(a.blocks) })
	return out
}

// add adds a block of the loop, and all that lead to it within the loop.
func (l *natural) add(b *ssa.BasicBlock) {
	if l.blocks[b] {
		return
	}
	l.blocks[b] = true
	for _, p := range b.Preds {
		l.add(p)
	}
}

// loopsAt returns the loop at whose line the innermost frame of a stack is, and those within it, the outermost first.
func loopsAt(pkg *load.Package, stack []Frame) []*natural {
	_, fn := flowAt(pkg, stack)
	if fn == nil || fn.Syntax() == nil {
		return nil
	}
	fset := fn.Prog.Fset
	var from, to token.Pos
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !from.IsValid() && fset.Position(n.Pos()).Line == stack[0].Line {
				from, to = n.Pos(), n.End()
			}
		}
		return !from.IsValid()
	})
	if !from.IsValid() {
		return nil
	}
	return slices.DeleteFunc(naturalLoops(fn), func(l *natural) bool { return !l.within(from, to) })
}

// within reports whether the instructions of a loop come from a stretch of the source. The place of a phi is the
// declaration of its variable, which may be before the loop.
func (l *natural) within(from, to token.Pos) bool {
	for b := range l.blocks {
		for _, in := range b.Instrs {
			if _, phi := in.(*ssa.Phi); !phi && in.Pos().IsValid() && (in.Pos() < from || in.Pos() >= to) {
				return false
			}
		}
	}
	return true
}

// exits returns the conditions on which a loop is left.
func (l *natural) exits() []ssa.Value {
	var out []ssa.Value
	for b := range l.blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if ok && (!l.blocks[b.Succs[0]] || !l.blocks[b.Succs[1]]) {
			out = append(out, br.Cond)
		}
	}
	return out
}

// endless reports whether no exit of a loop depends on anything that the loop changes. An index out of range and a division
// by zero are exits, too.
func (l *natural) endless() bool {
	if slices.ContainsFunc(l.exits(), func(c ssa.Value) bool { return l.changes(c) }) {
		return false
	}
	for b := range l.blocks {
		for _, in := range b.Instrs {
			var fails ssa.Value
			switch in := in.(type) {
			case *ssa.IndexAddr:
				fails = in.Index
			case *ssa.Index:
				fails = in.Index
			case *ssa.Lookup:
				fails = in.Index
			case *ssa.BinOp:
				if in.Op == token.QUO || in.Op == token.REM {
					fails = in.Y
				}
			case *ssa.Select, *ssa.Send:
				return false // it may wait, and is no loop that computes
			}
			if fails != nil && l.changes(fails) {
				return false
			}
		}
	}
	return true
}

// changes reports whether a value may be another one in the next round of a loop. It follows what computes the value; of what
// it does not know it says yes.
func (l *natural) changes(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || !l.blocks[in.Block()] {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for i, e := range v.Edges {
			if l.blocks[v.Block().Preds[i]] && e != v {
				return true
			}
		}
		return false
	case *ssa.UnOp:
		switch v.Op {
		case token.ARROW:
			return true
		case token.MUL:
			return l.changes(v.X) || l.writes(v)
		}
		return l.changes(v.X)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "len" && b.Name() != "cap" {
			return true
		}
		switch v.Call.Args[0].Type().Underlying().(type) {
		case *types.Map, *types.Chan:
			return true
		}
		return l.changes(v.Call.Args[0])
	case *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Slice:
		return slices.ContainsFunc(in.Operands(nil), func(o *ssa.Value) bool { return *o != nil && l.changes(*o) })
	}
	return true
}

// writes reports whether a loop may change what memory holds that it reads: it stores such a value or a whole struct or array, or
// it calls a function, of which nothing is known. What each round makes anew, like the array of a variadic call, is other memory.
func (l *natural) writes(load *ssa.UnOp) bool {
	for b := range l.blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if made, ok := whole(in.Addr).(*ssa.Alloc); ok && l.blocks[made.Block()] && whole(load.X) != made {
					continue
				}
				switch in.Val.Type().Underlying().(type) {
				case *types.Struct, *types.Array:
					return true
				}
				if types.Identical(in.Val.Type(), load.Type()) {
					return true
				}
			case ssa.CallInstruction:
				if b, ok := in.Common().Value.(*ssa.Builtin); !ok || b.Name() == "copy" || b.Name() == "clear" {
					return true
				}
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					return true // whoever sends may have written
				}
			}
		}
	}
	return false
}

// whole returns the address of the object that an address is a part of.
func whole(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}

// counts reports whether a loop goes through something, or is left where a number that the loop changes by arithmetic comes
// to a bound that it does not change: `i < n`, `n > 0`, or the length of a list to a bound that is no constant. A loop that asks
// for one number, by == or !=, may go past it.
func (l *natural) counts() bool {
	return slices.ContainsFunc(l.exits(), func(c ssa.Value) bool {
		if x, ok := c.(*ssa.Extract); ok {
			_, next := x.Tuple.(*ssa.Next)
			return next
		}
		cmp, ok := c.(*ssa.BinOp)
		if !ok || !scalar(cmp.X.Type()) {
			return false
		}
		switch cmp.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return l.approaches(cmp.X, cmp.Y) || l.approaches(cmp.Y, cmp.X)
		}
		return false
	})
}

// approaches reports whether a value is a counter of a loop, or the length of what the loop changes, and the other value a bound.
func (l *natural) approaches(v, bound ssa.Value) bool {
	if l.changes(bound) {
		return false
	}
	if call, ok := unwrap(v).(*ssa.Call); ok {
		_, isBuiltin := call.Call.Value.(*ssa.Builtin)
		_, isConst := bound.(*ssa.Const)
		return isBuiltin && !isConst && l.changes(call)
	}
	return l.counter(v)
}

// counter reports whether a value is a number that each round of a loop computes from what it was.
func (l *natural) counter(v ssa.Value) bool {
	if b, ok := unwrap(v).(*ssa.BinOp); ok {
		return l.counter(b.X) || l.counter(b.Y)
	}
	phi, ok := unwrap(v).(*ssa.Phi)
	return ok && l.blocks[phi.Block()] && l.changes(phi)
}

// Ends reports whether a call that was stopped at a stack comes to an end, however late: the functions that it is in have a loop, and each
// loop of theirs, and of all functions that they call, goes through something or counts one by one towards a bound that it does not change. The stack
// need not lead into the loop that goes on, so functions that are called count as well; what is not known to end does not.
func Ends(pkg *load.Package, stack []Frame) bool {
	found := false
	known := make(map[*ssa.Function]bool)
	for i := range stack {
		_, fn := flowAt(pkg, stack[i:])
		if fn == nil || !endsAlways(fn, known) {
			return false
		}
		found = found || len(naturalLoops(fn)) > 0
	}
	return found
}

// ending are packages of the standard library whose functions end.
var ending = []string{"errors", "fmt", "math", "math/bits", "math/cmplx", "math/rand", "sort", "strconv", "strings", "bytes", "unicode", "unicode/utf8"}

// endsAlways reports whether all loops of a function and of those that it calls end, and nothing that it does waits. A function that calls
// itself, or one that is not known, need not end. The parameter known has the functions that were asked about: those that end, and with false those
// of which it is not known yet, which call themselves if they are met again.
func endsAlways(fn *ssa.Function, known map[*ssa.Function]bool) bool {
	if ends, ok := known[fn]; ok || len(fn.Blocks) == 0 {
		return ends
	}
	known[fn] = false
	if slices.ContainsFunc(naturalLoops(fn), func(l *natural) bool { return !l.ends() }) {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Send, *ssa.Select:
				return false
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					return false
				}
			case ssa.CallInstruction:
				if _, builtin := in.Common().Value.(*ssa.Builtin); builtin {
					continue
				}
				callee := in.Common().StaticCallee()
				if callee == nil {
					return false
				}
				if of := callee.Package(); of != nil && slices.Contains(ending, of.Pkg.Path()) {
					continue
				}
				if callee.Package() != fn.Package() || !endsAlways(callee, known) {
					return false
				}
			}
		}
	}
	known[fn] = true
	return true
}

// ends reports whether each round of a loop begins with a comparison of a counter that comes nearer to its bound, or with the next element of
// something.
func (l *natural) ends() bool {
	br, ok := l.header.Instrs[len(l.header.Instrs)-1].(*ssa.If)
	if !ok || l.blocks[l.header.Succs[0]] == l.blocks[l.header.Succs[1]] {
		return false
	}
	switch c := br.Cond.(type) {
	case *ssa.Extract:
		_, next := c.Tuple.(*ssa.Next)
		return next
	case *ssa.BinOp:
		goesOn := l.blocks[l.header.Succs[0]]
		switch {
		case c.Op == token.LSS && goesOn, c.Op == token.GEQ && !goesOn:
			return l.steps(c.X, 1) && !l.changes(c.Y) || l.steps(c.Y, -1) && !l.changes(c.X)
		case c.Op == token.GTR && goesOn, c.Op == token.LEQ && !goesOn:
			return l.steps(c.X, -1) && !l.changes(c.Y) || l.steps(c.Y, 1) && !l.changes(c.X)
		}
	}
	return false
}

// steps reports whether each round adds one to a whole number, or takes one away, as the sign says. Larger steps may go past the largest
// number of the type, and fractions may stay as they are.
func (l *natural) steps(v ssa.Value, sign int) bool {
	if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	phi, ok := v.(*ssa.Phi)
	if next, isSum := v.(*ssa.BinOp); isSum {
		phi, ok = next.X.(*ssa.Phi)
	}
	if !ok || !l.blocks[phi.Block()] {
		return false
	}
	stepped := false
	for i, e := range phi.Edges {
		if !l.blocks[phi.Block().Preds[i]] {
			continue
		}
		sum, ok := e.(*ssa.BinOp)
		if !ok || sum.X != phi || sum.Op != token.ADD && sum.Op != token.SUB {
			return false
		}
		by, ok := sum.Y.(*ssa.Const)
		if !ok || by.Value == nil {
			return false
		}
		step, exact := constant.Int64Val(by.Value)
		if sum.Op == token.SUB {
			step = -step
		}
		if !exact || step != int64(sign) || v != phi && v != e {
			return false
		}
		stepped = true
	}
	return stepped
}
