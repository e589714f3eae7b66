// Package bitblast decides queries by turning terms into gates and gates into clauses for solver/sat. It is
// the embedded default backend of package solver, complete for bit-vectors, for array reads and for the
// floating-point operators.
//
//  1. Check (check.go) gets a query. If its encoding would be too large, the answer is Unknown.
//  2. Each conjunct is encoded (blast.go): words.go, divide.go and float.go turn operators into gates,
//     and gates.go turns gates into clauses. Each term and each gate is encoded once.
//  3. Each conjunct is one literal, which is passed to the SAT solver as an assumption. The solver
//     decides the query's cone: the gates that these literals depend on.
//  4. If the query is satisfiable, the model is read from the variables of the leaves. If not, the
//     failed assumptions are the core.
//
// One instance serves all queries of an exploration, so that encodings and learnt clauses are kept.
//
// Only the cone is solved, though the instance also has the variables of other queries. For the model to be
// right, every assignment of the cone must extend to the remaining variables. That holds because
//
//   - no two leaves share a variable, so that of the leaves outside of the cone all but reads of arrays can have any value;
//   - the inputs of a gate determine its output: an AND gate outside of the cone has the value that its two
//     inputs give it;
//   - a quotient and a remainder are no gates but new variables, and clauses say how they depend on dividend and divisor. There is
//     a quotient and a remainder for all values of these two, also where the divisor is 0;
//   - what is read from an array is new variables as well, and clauses say that reads at equal indexes give equal values. The reads
//     in the cone obey them. A read outside of the cone can have the value of a read in the cone at the same index, and where there is
//     none, any value that all reads at this index have.
//
// To add an operator: a case in Blaster.blast, and its line in the exhaustive test
// (TestEncodingsExhaustively).
package bitblast

import (
	"slices"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/sat"
	"github.com/goassay/assay/internal/term"
)

// Config tunes a Blaster. The zero value is the default.
type Config struct {
	// Limit is the default effort, for queries that set no limit of their own. The effort is the number of
	// propagated literals, plus a hundred for each conflict. 0 means 10 million, which takes about a second.
	Limit int64
	// MaxVars is how many variables the instance may reach before a new instance replaces it. 0 means
	// 600,000, about 200 MB.
	MaxVars int
	// MaxGates is about how many new gates a query may need. If it needs more, the answer is Unknown. 0 means
	// 600,000.
	MaxGates int
}

// Blaster is a solver.Solver.
type Blaster struct {
	*circuit
	st  *term.Store
	cfg Config

	at    []uint32  // by term: one more than where its literals begin in lits, so that 0 means not encoded
	lits  []sat.Lit // the literals of all encoded terms
	divs  map[divKey]division
	reads [][]read  // by array: the encoded reads
	stack []term.ID // terms that encode still has to encode; empty between calls
	seen  []uint32  // by variable: equal to gen if the variable is in the cone
	gen   uint32    // how many cones there have been
	cone  []int32   // the last query's cone; its memory is used again, which saves an allocation for each query
}

// divKey identifies the division of two terms.
type divKey struct {
	x, y   term.ID
	signed bool
}

// division is the encoding of a division.
type division struct{ quotient, remainder word }

// read is the read of an array's element.
type read struct {
	idx  word // has 64 bits (term.Store.Read)
	bits word // the element
}

// New returns a backend over the terms of st.
func New(st *term.Store, cfg Config) solver.Solver { return newBlaster(st, cfg) }

func newBlaster(st *term.Store, cfg Config) *Blaster {
	if cfg.Limit == 0 {
		cfg.Limit = 10e6
	}
	if cfg.MaxVars == 0 {
		cfg.MaxVars = 600e3
	}
	if cfg.MaxGates == 0 {
		cfg.MaxGates = 600e3
	}
	b := &Blaster{st: st, cfg: cfg}
	b.reset()
	return b
}

// reset forgets all encodings.
func (b *Blaster) reset() {
	b.circuit = newCircuit()
	b.at, b.lits, b.reads = nil, nil, nil
	b.divs = map[divKey]division{}
	b.stack = b.stack[:0]
	b.seen, b.gen, b.cone = nil, 0, nil
}

// word returns the literals of t, if it is encoded.
func (b *Blaster) word(t term.ID) word {
	if int(t) >= len(b.at) || b.at[t] == 0 {
		return nil
	}
	i := int(b.at[t] - 1)
	return b.lits[i : i+b.st.Width(t) : i+b.st.Width(t)]
}

// encode returns the literals of t. It encodes the terms in t that have no literals yet.
func (b *Blaster) encode(t term.ID) word {
	if n := b.st.Len(); len(b.at) < n {
		b.at = append(b.at, make([]uint32, n-len(b.at))...)
	}
	base := len(b.stack)
	b.stack = append(b.stack, t)
	for len(b.stack) > base {
		t := b.stack[len(b.stack)-1]
		if b.at[t] != 0 {
			b.stack = b.stack[:len(b.stack)-1]
			continue
		}
		ready := true
		for i := range b.st.NArg(t) {
			if a := b.st.Arg(t, i); b.at[a] == 0 {
				b.stack = append(b.stack, a)
				ready = false
			}
		}
		if !ready {
			continue
		}
		b.stack = b.stack[:len(b.stack)-1]
		w := b.blast(t)
		if len(w) != b.st.Width(t) {
			panic("bug: encoding of the wrong width: " + b.st.Op(t).String())
		}
		b.at[t] = uint32(len(b.lits)) + 1
		b.lits = append(b.lits, w...)
	}
	return b.word(t)
}

// bit returns a literal as a word of one bit.
func bit(l sat.Lit) word { return word{l} }

// blast encodes t. The arguments of t are encoded already.
func (b *Blaster) blast(t term.ID) word {
	st := b.st
	w := st.Width(t)
	var x, y word
	if st.NArg(t) > 0 {
		x = b.word(st.Arg(t, 0))
	}
	if st.NArg(t) > 1 {
		y = b.word(st.Arg(t, 1))
	}
	switch op := st.Op(t); op {
	case term.OpConst:
		v, _ := st.ConstVal(t)
		out := constWord(w, 0)
		for i := range out {
			if v.Bit(i) != 0 {
				out[i] = yes
			}
		}
		return out
	case term.OpVar:
		return b.freshWord(w)
	case term.OpElem:
		out := b.freshWord(w)
		b.addRead(st.ArrayOf(t), read{constWord(64, st.ElemIndex(t)), out})
		return out
	case term.OpRead:
		out := b.freshWord(w, x...)
		b.addRead(st.ArrayOf(t), read{x, out})
		return out
	case term.OpLookup:
		return b.lookup(st.TableVals(st.TableOf(t)), w, x)
	case term.OpNot:
		return notWord(x)
	case term.OpAnd:
		return b.bitwise(b.and, x, y)
	case term.OpOr:
		return b.bitwise(b.or, x, y)
	case term.OpXor:
		return b.bitwise(b.xor, x, y)
	case term.OpNeg:
		return b.neg(x)
	case term.OpAdd:
		return b.blastAdd(t, x, y)
	case term.OpMul:
		return b.mul(x, y)
	case term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem:
		return b.blastDiv(t, op, x, y)
	case term.OpShl:
		return b.shift(x, y, true, no)
	case term.OpLShr:
		return b.shift(x, y, false, no)
	case term.OpAShr:
		return b.shift(x, y, false, x[w-1])
	case term.OpEq:
		return bit(b.equal(x, y))
	case term.OpUlt:
		return bit(b.ult(x, y))
	case term.OpSlt:
		return bit(b.slt(x, y))
	case term.OpIte:
		return b.muxWord(x[0], y, b.word(st.Arg(t, 2)))
	case term.OpExtract:
		hi, lo := st.Bounds(t)
		return x[lo : hi+1]
	case term.OpConcat:
		return slices.Concat(y, x)
	case term.OpZExt:
		return zext(x, w)
	case term.OpSExt:
		return sext(x, w)
	default:
		return b.blastFloat(t, op, x, y)
	}
}

// freshWord returns w new variables, whose values clauses will derive from the inputs. A cone with one of the variables
// therefore has the inputs as well.
func (b *Blaster) freshWord(w int, inputs ...sat.Lit) word {
	out := make(word, w)
	for i := range out {
		out[i] = b.newVar(inputs...)
	}
	return out
}

// blastAdd encodes a sum. A negated summand is subtracted instead, which takes one adder less where nothing else needs the
// negation (encode has encoded it by then).
func (b *Blaster) blastAdd(t term.ID, x, y word) word {
	s0, s1 := b.st.Arg(t, 0), b.st.Arg(t, 1)
	switch {
	case b.st.Op(s1) == term.OpNeg:
		return b.sub(x, b.word(b.st.Arg(s1, 0)))
	case b.st.Op(s0) == term.OpNeg:
		return b.sub(y, b.word(b.st.Arg(s0, 0)))
	}
	out, _ := b.add(x, y, no)
	return out
}

// blastDiv encodes division. Quotient and remainder of the same operands share one encoding.
func (b *Blaster) blastDiv(t term.ID, op term.Op, x, y word) word {
	k := divKey{b.st.Arg(t, 0), b.st.Arg(t, 1), op == term.OpSDiv || op == term.OpSRem}
	d, ok := b.divs[k]
	if !ok {
		if k.signed {
			d.quotient, d.remainder = b.sdivide(x, y)
		} else {
			d.quotient, d.remainder = b.divide(x, y)
		}
		b.divs[k] = d
	}
	if op == term.OpUDiv || op == term.OpSDiv {
		return d.quotient
	}
	return d.remainder
}

// addRead encodes that two reads of one array are equal if their indexes are equal: Ackermann's reduction.
// This takes clauses for each pair of reads, except where both indexes are constant and differ.
func (b *Blaster) addRead(a term.Array, r read) {
	for int(a) >= len(b.reads) {
		b.reads = append(b.reads, nil)
	}
	for _, o := range b.reads[a] {
		same := b.equal(r.idx, o.idx)
		if same == no {
			continue
		}
		for i := range r.bits {
			b.clause(same.Not(), r.bits[i].Not(), o.bits[i])
			b.clause(same.Not(), r.bits[i], o.bits[i].Not())
		}
	}
	b.reads[a] = append(b.reads[a], r)
}
