package vm

import "github.com/goassay/assay/internal/term"

// Paths that diverge late have much in common, so most operations on symbols were done before by another
// path. This file remembers the results of integer operations and comparisons by their operands. Like in
// packages for binary decision diagrams (Brace, Rudell, Bryant, DAC 1990), a newer entry of the table
// replaces an older one. Without the table, half of an exploration's time was spent on building terms that
// existed already.

// memoEntry is an operation with its result. An operand is a constant's bits, or a term's
// number if the flag of its side says so.
type memoEntry struct {
	a, b  uint64
	bits  uint64
	term  term.ID
	op    op // 0 (opMov): empty
	w     uint8
	flags uint8
}

const (
	memoA = 1 << iota // the first operand is a term
	memoB             // the second one
)

// memo remembers results. The zero value is empty.
type memo struct {
	entries []memoEntry
	mask    uint32
	filled  int // since the table grew last
}

// The table begins small, because most functions need little. It grows when it has been filled several times.
const (
	memoFirst = 1 << 10
	memoLast  = 1 << 15
)

// pure sets up the key of an instruction that computes a value from its operands alone, at least one of which
// is a symbol. The result ok is false for any other instruction.
func (e *memoEntry) pure(ins *Instr, regs []Value) (ok bool) {
	var b Value
	a := regs[ins.A]
	switch ins.Op {
	case opIfEq, opIfNe, opIfLtS, opIfLeS, opIfLtU, opIfLeU:
		b = regs[ins.D]
	case opAdd, opSub, opMul, opAnd, opOr, opXor, opAndNot, opEq, opNe, opLtS, opLeS, opLtU, opLeU:
		b = regs[ins.B]
	case opShl, opShrS, opShrU, opQuoS, opQuoU, opRemS, opRemU:
		// These instructions may panic. They do not if the second operand is a valid constant.
		if b = regs[ins.B]; b.Term != 0 || b.Bits == 0 || b.Bits>>7 != 0 {
			return false
		}
	case opNeg, opCom, opNot, opTrunc, opSext:
	default:
		return false
	}
	// An address with a symbolic index has both bits and a term.
	if a.Lazy|b.Lazy != 0 || a.Term|b.Term == 0 || a.Term != 0 && a.Bits != 0 || b.Term != 0 && b.Bits != 0 {
		return false
	}
	e.op, e.w, e.flags, e.a, e.b = ins.Op, ins.W, 0, a.Bits, b.Bits
	if a.Term != 0 {
		e.a, e.flags = uint64(a.Term), memoA
	}
	if b.Term != 0 {
		e.b, e.flags = uint64(b.Term), e.flags|memoB
	}
	return true
}

// find returns the place for e, and whether its result is there.
func (t *memo) find(e *memoEntry) (*memoEntry, bool) {
	if t.entries == nil {
		t.entries, t.mask = make([]memoEntry, memoFirst), memoFirst-1
	}
	h := (e.a ^ e.b<<32 ^ e.b>>32 ^ uint64(e.op)<<24 ^ uint64(e.w)<<56) * 0x9E3779B97F4A7C15
	p := &t.entries[uint32(h>>40)&t.mask]
	return p, p.a == e.a && p.b == e.b && p.op == e.op && p.w == e.w && p.flags == e.flags
}

// put stores the result v of e.
func (t *memo) put(e *memoEntry, v Value) {
	if v.Lazy != 0 || v.Term != 0 && v.Bits != 0 {
		return
	}
	if t.filled++; t.filled > 2*len(t.entries) && len(t.entries) < memoLast {
		t.entries = make([]memoEntry, 4*len(t.entries))
		t.mask, t.filled = uint32(len(t.entries)-1), 0
	}
	p, _ := t.find(e)
	*p = *e
	p.bits, p.term = v.Bits, v.Term
}

func (e *memoEntry) value() Value { return Value{Bits: e.bits, Term: e.term} }
