// Package initparts divides the initialiser of a package into the parts that give single variables their values. The tables of
// package unicode are 80,000 instructions, and a program that asks whether a letter is a capital needs a few hundred of them.
//
// Only initialisers without calls, branches and other effects are divided: literals of structs, lists and maps, of which some
// lead to others.
package initparts

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Of returns, by variable, the instructions of an initialiser that give the variable its value, in their order. They read other
// variables, whose own parts have to be executed before. It returns nil if the initialiser cannot be divided.
func Of(fn *ssa.Function) map[*ssa.Global][]ssa.Instruction {
	body := bodyOf(fn)
	if body == nil {
		return nil
	}
	d := division{parent: make(map[any]any), globals: make(map[*ssa.Global]bool)}
	for _, in := range body {
		if !d.add(in) {
			return nil
		}
	}
	byRoot := make(map[any][]ssa.Instruction)
	for _, in := range body {
		if !isJump(in) {
			root := d.root(in)
			byRoot[root] = append(byRoot[root], in)
		}
	}
	out := make(map[*ssa.Global][]ssa.Instruction)
	for g := range d.globals {
		out[g] = byRoot[d.root(g)]
	}
	return out
}

// bodyOf returns the instructions of an initialiser behind the question whether it has run already, or nil if it has branches of
// its own.
func bodyOf(fn *ssa.Function) []ssa.Instruction {
	const guard, body, done = 0, 1, 2
	if fn == nil || len(fn.Blocks) != done+1 || len(fn.Blocks[done].Instrs) != 1 {
		return nil
	}
	ask := fn.Blocks[guard].Instrs
	if _, ok := ask[len(ask)-1].(*ssa.If); !ok || len(ask) != 2 {
		return nil
	}
	instrs := fn.Blocks[body].Instrs
	if len(instrs) == 0 {
		return nil
	}
	if st, ok := instrs[0].(*ssa.Store); ok {
		if g, ok := st.Addr.(*ssa.Global); ok && g.Name() == "init$guard" {
			return instrs[1:]
		}
	}
	return nil
}

func isJump(in ssa.Instruction) bool { _, ok := in.(*ssa.Jump); return ok }

// A division joins what belongs to one part: an instruction with those whose results it takes, and with the variable that it
// writes to.
type division struct {
	parent  map[any]any // an instruction or a variable leads to another one of its part
	globals map[*ssa.Global]bool
}

func (d *division) root(x any) any {
	for {
		up, ok := d.parent[x]
		if !ok {
			return x
		}
		if further, ok := d.parent[up]; ok {
			d.parent[x] = further
		}
		x = up
	}
}

func (d *division) join(a, b any) {
	if a, b = d.root(a), d.root(b); a != b {
		d.parent[a] = b
	}
}

// add joins an instruction with what belongs to it, and returns false if the instruction has an effect beyond its part.
func (d *division) add(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		if !d.writes(in, in.Addr) {
			return false
		}
	case *ssa.MapUpdate:
		made, ok := in.Map.(*ssa.MakeMap)
		if !ok {
			return false
		}
		d.join(in, made)
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			return false
		}
	case *ssa.Call:
		// Other packages are initialised when one of their variables is needed.
		callee := in.Call.StaticCallee()
		return callee != nil && callee.Synthetic == "package initializer"
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.MakeMap, *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.Field, *ssa.Index, *ssa.Jump:
	default:
		return false
	}
	var buf [4]*ssa.Value
	for _, op := range in.Operands(buf[:0]) {
		if made, ok := (*op).(ssa.Instruction); ok {
			d.join(in, made)
		}
	}
	return true
}

// writes joins an instruction that writes to an address with the variable or the object there, and returns false if that is none
// of this initialiser's.
func (d *division) writes(in ssa.Instruction, addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.Global:
			if a.Pkg != in.Parent().Pkg {
				return false
			}
			d.globals[a] = true
			d.join(in, a)
			return true
		case *ssa.Alloc:
			d.join(in, a)
			return true
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Slice:
			addr = a.X
		default:
			return false // a pointer that was read from somewhere
		}
	}
}
