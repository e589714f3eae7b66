package check

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// liveness says which values of a function later queries may ask about at the entry of each block:
// values that are used from there on, and values from which such a value was computed, if queries look
// through the computation (conditions, sums, differences, addresses). At edges the state forgets all
// other values, which keeps states small in functions with long chains of conditions. Bounds that go
// through a forgotten value are kept.
type liveness struct {
	number map[ssa.Value]int
	entry  [][]uint64 // by block: a set of the numbers of values
}

func livenessOf(fn *ssa.Function) *liveness {
	l := &liveness{number: map[ssa.Value]int{}, entry: make([][]uint64, len(fn.Blocks))}
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			if v, ok := ins.(ssa.Value); ok {
				l.number[v] = len(l.number)
			}
		}
	}
	words := (len(l.number) + 63) / 64
	var buf [8]*ssa.Value
	for _, b := range fn.Blocks {
		l.entry[b.Index] = make([]uint64, words)
		for _, ins := range b.Instrs {
			for _, op := range ins.Operands(buf[:0]) {
				l.use(l.entry[b.Index], *op)
			}
		}
	}
	order := ReversePostorder(fn)
	for changed := true; changed; {
		changed = false
		for i := len(order) - 1; i >= 0; i-- {
			set := l.entry[order[i].Index]
			for _, s := range order[i].Succs {
				for k, w := range l.entry[s.Index] {
					if w&^set[k] != 0 {
						set[k] |= w
						changed = true
					}
				}
			}
		}
	}
	return l
}

// use adds to a set a value, and the values from which it was computed as far as queries look through the
// computation.
func (l *liveness) use(set []uint64, v ssa.Value) {
	n, ok := l.number[v]
	if !ok || set[n/64]>>(n%64)&1 != 0 {
		return
	}
	set[n/64] |= 1 << (n % 64)
	switch v := v.(type) {
	case *ssa.BinOp, *ssa.FieldAddr, *ssa.Extract, *ssa.TypeAssert, *ssa.ChangeType, *ssa.ChangeInterface:
		for _, op := range v.(ssa.Instruction).Operands(nil) {
			l.use(set, *op)
		}
	case *ssa.UnOp:
		if v.Op != token.MUL || isBoolean(v.Type()) {
			l.use(set, v.X)
		}
	case *ssa.IndexAddr:
		l.use(set, v.X)
	case *ssa.Phi:
		if isBoolean(v.Type()) {
			for _, e := range v.Edges {
				l.use(set, e)
			}
		}
	case *ssa.Call:
		if isBoolean(v.Type()) {
			for _, arg := range v.Call.Args {
				l.use(set, arg)
			}
		}
	}
}

// at reports whether later queries from the entry of a block on may ask about a value. It is true for all
// values that are no instructions of the function, and for all values in blocks of other functions.
func (l *liveness) at(b *ssa.BasicBlock, v ssa.Value) bool {
	n, ok := l.number[v]
	return !ok || b.Parent() != v.Parent() || l.entry[b.Index][n/64]>>(n%64)&1 != 0
}
