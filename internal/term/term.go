// Package term holds the expressions that the symbolic machine and the solver compute with: a hash-consed
// graph of bit-vector, boolean, floating-point and array-read terms, simplified as it is built.
//
// The way of a term:
//
//  1. A constructor is called (And, Add, Eq, FAdd, ...): logic.go, arith.go, compare.go, divide.go,
//     shape.go, float.go, array.go, each with a family of operators.
//  2. If all arguments are constants, fold.go computes the result. Otherwise the constructor applies its
//     rewrite rules.
//  3. Store.intern (term.go) returns the node with these fields. Equal nodes are one.
//  4. support.go tells which leaves a term depends on, eval.go computes its value under a Model, and
//     print.go shows it.
//
// There is one sort, the bit-vector of at least one bit. A boolean is a bit-vector of width 1. A float is the
// bit pattern that IEEE 754 gives it, and has operators of its own (FAdd, FLt, ...). Operators have the
// meaning that SMT-LIB 2 gives them, so division by zero and shifts by too much have defined results.
//
// Invariants: equal nodes have equal IDs; the arguments of a node have smaller IDs than the node; no
// constructor returns a term that one of its own rules would still change. Or on booleans, Ule, Sle, Ne and
// Sub are not stored: they are written with Not, And, Ult, Slt, Eq, Neg and Add. A constant operand stands
// last.
//
// Not supported: sorts beyond bit-vectors, quantifiers, stores into arrays (the virtual machine keeps memory
// itself), rounding modes other than to nearest even.
//
// To add an operator: op.go names it, fold.go says what it means on constants (and so for Eval), a
// constructor in the file of its family simplifies it, print.go shows it, and the bit-blaster of
// internal/solver/bitblast encodes it.
package term

import (
	"fmt"
	"math/big"
	"math/bits"
)

// ID names a term of one Store. Zero names no term.
type ID uint32

// False and True are the boolean constants of every store.
const (
	False ID = 1
	True  ID = 2
)

// node is one term. It contains no pointers, so that the garbage collector need not scan it.
type node struct {
	op    Op
	lz    uint8 // leading bits known to be zero, at most 255
	tz    uint8 // trailing bits known to be zero, at most 255
	width uint32
	// a, b and c are the arguments, or the numbers that the comments on Op describe.
	a, b, c uint32
	sup     uint32 // the number of the support set, or 0 if it was not computed yet; see support.go
	ext     uint32 // the number of a leaf, or the truth table of a condition (see truth.go)
}

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

// A Store owns the terms of one exploration. It is not safe for concurrent use.
type Store struct {
	chunks []*[chunkSize]node
	n      uint32 // how many IDs are in use, including the unused 0
	table  []ID   // a hash table with open addressing; its length is a power of two
	names  []string
	byName map[varKey]ID
	leaves []ID // by leaf number
	arrays []array
	tables []table
	tabKey map[string]Table
	bigs   []*big.Int
	bigKey map[string]ID
	sup    supports
	truth  truths
	ev     evaluator
	lin    []linear // scratch memory of sums, used as a stack
}

// NewStore returns a store that holds only False and True.
func NewStore() *Store {
	s := &Store{
		n:      1,
		table:  make([]ID, 1<<10),
		byName: map[varKey]ID{},
		arrays: make([]array, 1),
		tables: make([]table, 1),
		tabKey: map[string]Table{},
		bigKey: map[string]ID{},
	}
	s.sup.start()
	s.chunks = append(s.chunks, new([chunkSize]node))
	s.Const(1, 0)
	s.Const(1, 1)
	return s
}

// Len returns one more than the largest ID in use.
func (s *Store) Len() int { return int(s.n) }

func (s *Store) at(t ID) *node { return &s.chunks[t>>chunkBits][t&(chunkSize-1)] }

func hashNode(op Op, w, a, b, c uint32) uint32 {
	h := (uint64(a)<<32 | uint64(b)) * 0x9E3779B97F4A7C15
	h ^= h >> 29
	h += uint64(c)<<20 ^ uint64(w)<<8 ^ uint64(op)
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

// intern returns the node with these fields. It makes the node if it is new.
func (s *Store) intern(op Op, w, a, b, c uint32) ID {
	mask := uint32(len(s.table) - 1)
	h := hashNode(op, w, a, b, c) & mask
	for {
		t := s.table[h]
		if t == 0 {
			break
		}
		n := s.at(t)
		if n.a == a && n.b == b && n.c == c && n.op == op && n.width == w {
			return t
		}
		h = (h + 1) & mask
	}
	if s.n == 1<<32-1 {
		panic("bug: more than 2^32 terms in one store")
	}
	t := ID(s.n)
	if int(t>>chunkBits) == len(s.chunks) {
		s.chunks = append(s.chunks, new([chunkSize]node))
	}
	s.n++
	n := s.at(t)
	*n = node{op: op, width: w, a: a, b: b, c: c}
	s.zeros(n)
	s.table[h] = t
	if uint64(s.n)*2 > uint64(len(s.table)) {
		s.grow()
	}
	s.initSupport(t, n)
	return t
}

// find does the same as intern, but returns 0 if there is no such node.
func (s *Store) find(op Op, w, a, b, c uint32) ID {
	mask := uint32(len(s.table) - 1)
	for h := hashNode(op, w, a, b, c) & mask; ; h = (h + 1) & mask {
		t := s.table[h]
		if t == 0 {
			return 0
		}
		n := s.at(t)
		if n.a == a && n.b == b && n.c == c && n.op == op && n.width == w {
			return t
		}
	}
}

func (s *Store) grow() {
	s.table = make([]ID, 2*len(s.table))
	mask := uint32(len(s.table) - 1)
	for t := ID(1); t < ID(s.n); t++ {
		n := s.at(t)
		h := hashNode(n.op, n.width, n.a, n.b, n.c) & mask
		for s.table[h] != 0 {
			h = (h + 1) & mask
		}
		s.table[h] = t
	}
}

// Mask returns a number with w ones, at most 64.
func Mask(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<uint(w) - 1
}

// Const returns the constant v truncated to w bits, w at most 64 (beyond that v is zero-extended).
func (s *Store) Const(w int, v uint64) ID {
	checkWidth(w)
	if w > 64 {
		return s.ConstBig(w, new(big.Int).SetUint64(v))
	}
	v &= Mask(w)
	return s.intern(OpConst, uint32(w), 0, uint32(v), uint32(v>>32))
}

// Bool returns True or False.
func (s *Store) Bool(b bool) ID {
	if b {
		return True
	}
	return False
}

// ConstBig returns the constant v modulo 2^w.
func (s *Store) ConstBig(w int, v *big.Int) ID {
	checkWidth(w)
	v = truncBig(v, w)
	if w <= 64 {
		return s.Const(w, v.Uint64())
	}
	key := fmt.Sprintf("%d:%x", w, v)
	if t, ok := s.bigKey[key]; ok {
		return t
	}
	s.bigs = append(s.bigs, v)
	t := s.intern(OpConst, uint32(w), uint32(len(s.bigs)), 0, 0)
	s.bigKey[key] = t
	return t
}

// IsConst returns the value of a constant of at most 64 bits.
func (s *Store) IsConst(t ID) (v uint64, ok bool) {
	n := s.at(t)
	if n.op != OpConst || n.width > 64 {
		return 0, false
	}
	return uint64(n.c)<<32 | uint64(n.b), true
}

// ConstVal returns the value of a constant of any width.
func (s *Store) ConstVal(t ID) (v *big.Int, ok bool) {
	n := s.at(t)
	if n.op != OpConst {
		return nil, false
	}
	if n.width > 64 {
		return s.bigs[n.a-1], true
	}
	return new(big.Int).SetUint64(uint64(n.c)<<32 | uint64(n.b)), true
}

type varKey struct {
	name string
	w    uint32
}

// Var returns the variable with this name and width. It makes the variable if it is new.
func (s *Store) Var(w int, name string) ID {
	checkWidth(w)
	k := varKey{name, uint32(w)}
	if t, ok := s.byName[k]; ok {
		return t
	}
	s.names = append(s.names, name)
	t := s.intern(OpVar, uint32(w), uint32(len(s.names)-1), 0, 0)
	s.byName[k] = t
	return t
}

// addLeaf gives a new leaf its number.
func (s *Store) addLeaf(t ID, n *node) {
	n.ext = uint32(len(s.leaves))
	s.leaves = append(s.leaves, t)
}

func checkWidth(w int) {
	if w < 1 || w > 1<<28 {
		panic(fmt.Sprintf("bug: width %d", w))
	}
}

// Width returns the number of bits of t.
func (s *Store) Width(t ID) int { return int(s.at(t).width) }

// Op returns the operator of t.
func (s *Store) Op(t ID) Op { return s.at(t).op }

// NArg returns how many arguments t has.
func (s *Store) NArg(t ID) int { return s.at(t).op.arity() }

// Arg returns the i-th argument of t. The index of a Read or Lookup is its only argument.
func (s *Store) Arg(t ID, i int) ID {
	n := s.at(t)
	if i < 0 || i >= n.op.arity() {
		panic(fmt.Sprintf("bug: argument %d of %s", i, n.op))
	}
	return n.arg(i)
}

// Args returns the arguments of t.
func (s *Store) Args(t ID) []ID {
	n := s.at(t)
	out := make([]ID, n.op.arity())
	for i := range out {
		out[i] = n.arg(i)
	}
	return out
}

func (n *node) arg(i int) ID {
	if n.op == OpRead || n.op == OpLookup {
		i++
	}
	switch i {
	case 0:
		return ID(n.a)
	case 1:
		return ID(n.b)
	}
	return ID(n.c)
}

// Bounds returns the highest and the lowest bit that the Extract t takes.
func (s *Store) Bounds(t ID) (hi, lo int) {
	n := s.at(t)
	if n.op != OpExtract {
		panic("bug: Bounds of " + n.op.String())
	}
	return int(n.b), int(n.c)
}

// Name returns the name of a variable.
func (s *Store) Name(t ID) string {
	n := s.at(t)
	if n.op != OpVar {
		panic("bug: Name of " + n.op.String())
	}
	return s.names[n.a]
}

// IsLeaf reports whether t is a variable or an element of an array at a constant index.
func (s *Store) IsLeaf(t ID) bool {
	op := s.at(t).op
	return op == OpVar || op == OpElem
}

// LeafNum returns the number of the leaf t. Leaves are numbered densely from 0 in the order in which
// they were made.
func (s *Store) LeafNum(t ID) int {
	n := s.at(t)
	if n.op != OpVar && n.op != OpElem && n.op != OpArray {
		panic("bug: LeafNum of " + n.op.String())
	}
	return int(n.ext)
}

// Leaf returns the leaf with number i.
func (s *Store) Leaf(i int) ID { return s.leaves[i] }

// Leaves returns how many leaves there are.
func (s *Store) Leaves() int { return len(s.leaves) }

// LeadingZeros returns how many of the high bits of t are known to be zero, at most 255.
func (s *Store) LeadingZeros(t ID) int { return int(s.at(t).lz) }

// TrailingZeros returns how many of the low bits of t are known to be zero, at most 255.
func (s *Store) TrailingZeros(t ID) int { return int(s.at(t).tz) }

// zeros records which outer bits of the new node n are known to be zero.
func (s *Store) zeros(n *node) {
	w := int(n.width)
	lz, tz := 0, 0
	switch n.op {
	case OpConst:
		if w > 64 {
			v := s.bigs[n.a-1]
			lz, tz = w-v.BitLen(), w
			if v.Sign() != 0 {
				tz = int(v.TrailingZeroBits())
			}
		} else {
			v := uint64(n.c)<<32 | uint64(n.b)
			lz, tz = w-bits.Len64(v), min(w, bits.TrailingZeros64(v))
		}
	case OpZExt:
		a := s.at(ID(n.a))
		lz, tz = w-int(a.width)+int(a.lz), int(a.tz)
	case OpConcat:
		h, l := s.at(ID(n.a)), s.at(ID(n.b))
		lz, tz = int(h.lz), int(l.tz)
		if lz == int(h.width) {
			lz += int(l.lz)
		}
		if tz == int(l.width) {
			tz += int(h.tz)
		}
	case OpExtract:
		a := s.at(ID(n.a))
		lz = max(0, int(a.lz)-(int(a.width)-1-int(n.b)))
		tz = max(0, int(a.tz)-int(n.c))
	case OpAnd:
		a, b := s.at(ID(n.a)), s.at(ID(n.b))
		lz, tz = max(int(a.lz), int(b.lz)), max(int(a.tz), int(b.tz))
	case OpOr, OpXor:
		a, b := s.at(ID(n.a)), s.at(ID(n.b))
		lz, tz = min(int(a.lz), int(b.lz)), min(int(a.tz), int(b.tz))
	case OpAdd:
		a, b := s.at(ID(n.a)), s.at(ID(n.b))
		lz, tz = max(0, min(int(a.lz), int(b.lz))-1), min(int(a.tz), int(b.tz))
	case OpNeg:
		tz = int(s.at(ID(n.a)).tz)
	case OpMul:
		a, b := s.at(ID(n.a)), s.at(ID(n.b))
		lz, tz = max(0, int(a.lz)+int(b.lz)-w), int(a.tz)+int(b.tz)
	case OpUDiv:
		// A divisor is known not to be zero only if it is constant.
		if b := s.at(ID(n.b)); b.op == OpConst {
			lz = int(s.at(ID(n.a)).lz) + (w - int(b.lz)) - 1
		}
	case OpURem:
		lz = int(s.at(ID(n.a)).lz)
		if b := s.at(ID(n.b)); b.op == OpConst {
			lz = max(lz, int(b.lz))
		}
	case OpLShr:
		lz = int(s.at(ID(n.a)).lz)
	case OpShl:
		tz = int(s.at(ID(n.a)).tz)
	case OpIte:
		a, b := s.at(ID(n.b)), s.at(ID(n.c))
		lz, tz = min(int(a.lz), int(b.lz)), min(int(a.tz), int(b.tz))
	case OpLookup:
		lz = int(s.tables[n.a].lz)
	}
	n.lz, n.tz = uint8(min(lz, w, 255)), uint8(min(tz, w, 255))
}
