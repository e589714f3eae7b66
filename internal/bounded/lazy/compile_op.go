package lazy

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"golang.org/x/tools/go/ssa"
)

func (b *builder) extract(in *ssa.Extract) {
	off := int32(0)
	if next, ok := in.Tuple.(*ssa.Next); ok {
		m := next.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
		off = []int32{0, 1, 1 + b.cells(m.Key())}[in.Index]
		b.emit(instr{op: opMove, a: b.reg(in), b: b.next(next, m) + off, n: b.cells(in.Type())})
		return
	}
	t := in.Tuple.Type().(*types.Tuple)
	for i := range in.Index {
		off += b.cells(t.At(i).Type())
	}
	b.emit(instr{op: opMove, a: b.reg(in), b: b.operand(in.Tuple) + off, n: b.cells(in.Type())})
}

// onlyUse reports whether the instruction in is the only use of v.
func onlyUse(v ssa.Value, in ssa.Instruction) bool {
	n := 0
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if n++; r != in {
			return false
		}
	}
	return n == 1
}

// last reports whether the last instruction of the block is op with its result in reg.
func (b *builder) last(op opcode, reg int32) bool {
	n := len(b.f.code)
	return n > int(b.begin) && b.f.code[n-1].op == op && b.f.code[n-1].a == reg
}

func (b *builder) unary(in *ssa.UnOp) {
	switch in.Op {
	case token.MUL:
		if _, ok := in.X.(*ssa.Global); ok {
			b.unsupported(in.X.Name() + ", a package-level variable")
		}
		load := instr{op: opLoad, a: b.reg(in), b: b.operand(in.X), n: b.cells(in.Type())}
		if f, ok := in.X.(*ssa.FieldAddr); ok && onlyUse(f, in) && b.last(opField, b.regs[f]) {
			// A field and the load from its address become one instruction.
			prev := b.f.code[len(b.f.code)-1]
			b.f.code = b.f.code[:len(b.f.code)-1]
			load.b, load.k = prev.b, prev.k
		}
		b.emit(load)
	case token.NOT:
		b.emit(instr{op: opNot, a: b.reg(in), b: b.operand(in.X)})
	case token.SUB, token.XOR:
		k := int64(0)
		if in.Op == token.XOR {
			k = 1
		}
		b.cells(in.Type())
		b.emit(instr{op: opNegate, a: b.reg(in), b: b.operand(in.X), n: numberKind(in.Type()), k: k})
	default:
		b.unsupported("the operator " + in.Op.String())
	}
}

// relationOf returns the relation of an operator, and false if it is no relation.
func relationOf(op token.Token) (relation, bool) {
	switch op {
	case token.EQL:
		return eq, true
	case token.NEQ:
		return ne, true
	case token.LSS:
		return lt, true
	case token.LEQ:
		return le, true
	case token.GTR:
		return gt, true
	case token.GEQ:
		return ge, true
	}
	return 0, false
}

func (b *builder) binary(in *ssa.BinOp) {
	r, comparison := relationOf(in.Op)
	x, y := b.operand(in.X), b.operand(in.Y)
	t := in.X.Type()
	n := b.cells(t)
	basic, _ := t.Underlying().(*types.Basic)
	text := basic != nil && basic.Info()&types.IsString != 0
	switch {
	case comparison && text && r > ne:
		b.emit(instr{op: opCompareStr, a: b.reg(in), b: x, c: y, k: int64(r)})
	case comparison && n == 1:
		if basic != nil && basic.Info()&types.IsUnsigned != 0 && r > ne && numberKind(t) == kindUint64 {
			b.unsupported("comparing unsigned numbers of 64 bits")
		}
		b.emit(instr{op: opCompare, a: b.reg(in), b: x, c: y, k: int64(r)})
	case comparison:
		// To compare with nil it is enough to compare the first cell. Slices cannot be compared otherwise.
		if _, slice := t.Underlying().(*types.Slice); slice {
			b.emit(instr{op: opCompare, a: b.reg(in), b: x, c: y, k: int64(r)})
			return
		}
		if isNil(in.X) || isNil(in.Y) {
			b.emit(instr{op: opCompare, a: b.reg(in), b: x, c: y, k: int64(r)})
			return
		}
		if types.IsInterface(t) {
			b.emit(instr{op: opEqualIface, a: b.reg(in), b: x, c: y, k: int64(r)})
			return
		}
		if gosyntax.HoldsInterface(t) {
			b.unsupported("comparing interfaces")
		}
		k := int64(0)
		if r == ne {
			k = 1
		}
		b.emit(instr{op: opEqual, a: b.reg(in), b: x, c: y, n: n, k: k})
	case text:
		b.emit(instr{op: opConcat, a: b.reg(in), b: x, c: y})
	default:
		b.emit(instr{op: opArith, a: b.reg(in), b: x, c: y, n: numberKind(in.Type()), k: int64(in.Op)})
	}
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// The kinds of numbers: how many bits, and whether there is a sign.
const (
	kindInt64 int32 = iota
	kindInt8
	kindInt16
	kindInt32
	kindUint8
	kindUint16
	kindUint32
	kindUint64
)

func numberKind(t types.Type) int32 {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return kindInt64
	}
	switch b.Kind() {
	case types.Int8:
		return kindInt8
	case types.Int16:
		return kindInt16
	case types.Int32:
		return kindInt32
	case types.Uint8:
		return kindUint8
	case types.Uint16:
		return kindUint16
	case types.Uint32:
		return kindUint32
	case types.Uint, types.Uint64, types.Uintptr:
		return kindUint64
	}
	return kindInt64
}

func (b *builder) convert(in *ssa.Convert) {
	from, ok1 := in.X.Type().Underlying().(*types.Basic)
	to, ok2 := in.Type().Underlying().(*types.Basic)
	if !ok1 || !ok2 || from.Info()&types.IsInteger == 0 || to.Info()&types.IsInteger == 0 {
		b.unsupported(fmt.Sprintf("the conversion of a %s to a %s", in.X.Type(), in.Type()))
	}
	b.emit(instr{op: opConvert, a: b.reg(in), b: b.operand(in.X), n: numberKind(in.Type())})
}

// mapLayout says how many cells the keys and values of a map have.
type mapLayout struct{ key, elem int32 }

func (b *builder) mapLayout(m *types.Map) *mapLayout {
	if gosyntax.HoldsInterface(m.Key()) {
		b.unsupported("maps with interfaces as keys")
	}
	return &mapLayout{b.cells(m.Key()), b.cells(m.Elem())}
}
