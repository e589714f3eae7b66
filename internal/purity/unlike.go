package purity

import (
	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// This file decides, for an index beyond the end of a list, whether the function runs through another list and takes the
// elements of both that belong together.

// UnlikeLists returns the arguments of the outermost function on a panic's stack which are a list that is too short and the other
// list whose length bounds the index, and whether there are two such lists.
func UnlikeLists(pkg *load.Package, stack []Frame) (short, other int, ok bool) {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return 0, 0, false
	}
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		at, isIndex := in.(*ssa.IndexAddr)
		if !isIndex || ok {
			return
		}
		list := f.origin(fn, at.X, stack, 0)
		if !list.AtDoor {
			return
		}
		for _, p := range measured(at.Index) {
			if o := f.argument(fn, p, stack, 0); o.AtDoor && o.Door != list.Door {
				short, other, ok = list.Door, o.Door, true
			}
		}
	})
	return short, other, ok
}

// measured returns the parameters whose lengths a number is computed from, or which bound the loop that counts it.
func measured(v ssa.Value) []*ssa.Parameter {
	var out []*ssa.Parameter
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.BinOp:
			visit(v.X)
			visit(v.Y)
		case *ssa.Convert:
			visit(v.X)
		case *ssa.Call:
			b, ok := v.Call.Value.(*ssa.Builtin)
			if !ok {
				for _, a := range v.Call.Args { // as of rand.Intn(len(list))
					visit(a)
				}
				return
			}
			if p, ok := v.Call.Args[0].(*ssa.Parameter); ok && b.Name() == "len" {
				out = append(out, p)
			}
		case *ssa.Phi:
			for _, e := range v.Edges {
				visit(e)
			}
			if br, ok := v.Block().Instrs[len(v.Block().Instrs)-1].(*ssa.If); ok {
				visit(br.Cond)
			}
		}
	}
	visit(v)
	return out
}
