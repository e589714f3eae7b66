package smtlib

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// WriteQuery writes q as a script that other solvers read: declarations, shared
// subterms as definitions, assertions, check-sat. Terms of width 1 are Bool; floats
// use Z3's fp.to_ieee_bv to get at the bits.
func WriteQuery(w io.Writer, st *term.Store, q *solver.Query) error {
	b := bufio.NewWriter(w)
	p := newPrinter(st, b)
	all := slices.Concat(q.Conjuncts, q.Assumptions)
	fmt.Fprintf(b, "(set-logic %s)\n", p.logic(all))
	p.assert(all)
	fmt.Fprintln(b, "(check-sat)")
	return b.Flush()
}

type printer struct {
	st    *term.Store
	w     *bufio.Writer
	seen  map[term.ID]int // how often each term is used
	text  map[term.ID]string
	order []term.ID
}

func newPrinter(st *term.Store, w *bufio.Writer) *printer {
	return &printer{st: st, w: w, seen: map[term.ID]int{}, text: map[term.ID]string{}}
}

// visit lists the terms below ts, arguments first.
func (p *printer) visit(ts []term.ID) {
	type item struct {
		t    term.ID
		done bool
	}
	var stack []item
	for i := len(ts) - 1; i >= 0; i-- {
		stack = append(stack, item{ts[i], false})
	}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if it.done {
			p.order = append(p.order, it.t)
			continue
		}
		p.seen[it.t]++
		if p.seen[it.t] > 1 {
			continue
		}
		stack = append(stack, item{it.t, true})
		for i := p.st.NArg(it.t) - 1; i >= 0; i-- {
			stack = append(stack, item{p.st.Arg(it.t, i), false})
		}
	}
}

func (p *printer) logic(ts []term.ID) string {
	p.visit(ts)
	arrays, floats := false, false
	for _, t := range p.order {
		switch op := p.st.Op(t); {
		case op == term.OpElem || op == term.OpRead:
			arrays = true
		case op.IsFloat():
			floats = true
		}
	}
	switch {
	case arrays && floats:
		return "ALL"
	case arrays:
		return "QF_ABV"
	case floats:
		return "QF_BVFP"
	}
	return "QF_BV"
}

func (p *printer) assert(ts []term.ID) {
	arrays := map[term.Array]bool{}
	for _, t := range p.order {
		w := p.st.Width(t)
		switch p.st.Op(t) {
		case term.OpVar:
			p.text[t] = p.leafName(t)
			fmt.Fprintf(p.w, "(declare-const %s %s)\n", p.text[t], sortText(w))
			continue
		case term.OpElem, term.OpRead:
			if a := p.st.ArrayOf(t); !arrays[a] {
				arrays[a] = true
				fmt.Fprintf(p.w, "(declare-const %s (Array (_ BitVec 64) %s))\n", p.arrayName(a), sortText(w))
			}
		}
		s := p.one(t)
		if p.seen[t] > 1 && p.st.NArg(t) > 0 || len(s) > 200 {
			name := fmt.Sprintf("?%d", t)
			fmt.Fprintf(p.w, "(define-fun %s () %s %s)\n", name, sortText(w), s)
			s = name
		}
		p.text[t] = s
	}
	for _, t := range ts {
		fmt.Fprintf(p.w, "(assert %s)\n", p.text[t])
	}
}

func sortText(w int) string {
	if w == 1 {
		return "Bool"
	}
	return fmt.Sprintf("(_ BitVec %d)", w)
}

// leafName returns a unique name for a leaf. The leaf's own name may belong to variables of several widths.
func (p *printer) leafName(t term.ID) string {
	return symbolText(fmt.Sprintf("%s#%d", strings.Map(plain, p.st.Name(t)), p.st.LeafNum(t)))
}

func (p *printer) arrayName(a term.Array) string {
	return symbolText(fmt.Sprintf("%s[]%d", strings.Map(plain, p.st.ArrayName(a)), a))
}

func plain(r rune) rune {
	if r == '|' || r == '\\' || r < ' ' || r > '~' {
		return '_'
	}
	return r
}

// bv returns the text of an argument as a bit-vector.
func (p *printer) bv(t term.ID) string {
	if p.st.Width(t) == 1 {
		return "(ite " + p.text[t] + " #b1 #b0)"
	}
	return p.text[t]
}

// float returns the text of an argument as a float.
func (p *printer) float(t term.ID) string { return asFloat(p.bv(t), p.st.Width(t)) }

func asFloat(s string, w int) string { return "((_ to_fp " + shape(w) + ") " + s + ")" }

func shape(w int) string {
	if w == 32 {
		return "8 24"
	}
	return "11 53"
}

// one writes t. The arguments of t are written already.
func (p *printer) one(t term.ID) string {
	st := p.st
	w := st.Width(t)
	var a, b term.ID
	if st.NArg(t) > 0 {
		a = st.Arg(t, 0)
	}
	if st.NArg(t) > 1 {
		b = st.Arg(t, 1)
	}
	isBool := w == 1
	// bits converts the text of a bit-vector of t's width to the text of t's sort.
	bits := func(s string) string {
		if isBool {
			return "(= " + s + " #b1)"
		}
		return s
	}
	bin := func(op string) string { return bits("(" + op + " " + p.bv(a) + " " + p.bv(b) + ")") }
	pred := func(op string) string { return "(" + op + " " + p.bv(a) + " " + p.bv(b) + ")" }
	fpred := func(op string) string { return "(" + op + " " + p.float(a) + " " + p.float(b) + ")" }
	ieee := func(s string) string { return "(fp.to_ieee_bv " + s + ")" }
	farith := func(op string) string { return ieee("(" + op + " RNE " + p.float(a) + " " + p.float(b) + ")") }
	switch op := st.Op(t); op {
	case term.OpConst:
		v, _ := st.ConstVal(t)
		if isBool {
			return literal(sort{kind: boolSort}, v)
		}
		return bitsLiteral(v, w)
	case term.OpElem:
		return fmt.Sprintf("(select %s #x%016x)", p.arrayName(st.ArrayOf(t)), st.ElemIndex(t))
	case term.OpRead:
		return fmt.Sprintf("(select %s %s)", p.arrayName(st.ArrayOf(t)), p.bv(a))
	case term.OpLookup:
		return p.lookup(t, a)
	case term.OpNot:
		if isBool {
			return "(not " + p.text[a] + ")"
		}
		return "(bvnot " + p.text[a] + ")"
	case term.OpAnd, term.OpXor:
		if isBool {
			return "(" + op.String() + " " + p.text[a] + " " + p.text[b] + ")"
		}
		return bin("bv" + op.String())
	case term.OpOr, term.OpAdd, term.OpMul, term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem, term.OpShl, term.OpLShr, term.OpAShr:
		return bin("bv" + op.String())
	case term.OpNeg:
		return bits("(bvneg " + p.bv(a) + ")")
	case term.OpEq:
		return pred("=")
	case term.OpUlt:
		return pred("bvult")
	case term.OpSlt:
		return pred("bvslt")
	case term.OpIte:
		return "(ite " + p.text[a] + " " + p.text[b] + " " + p.text[st.Arg(t, 2)] + ")"
	case term.OpExtract:
		hi, lo := st.Bounds(t)
		return bits(fmt.Sprintf("((_ extract %d %d) %s)", hi, lo, p.bv(a)))
	case term.OpConcat:
		return "(concat " + p.bv(a) + " " + p.bv(b) + ")"
	case term.OpZExt:
		return fmt.Sprintf("((_ zero_extend %d) %s)", w-st.Width(a), p.bv(a))
	case term.OpSExt:
		return fmt.Sprintf("((_ sign_extend %d) %s)", w-st.Width(a), p.bv(a))
	case term.OpFAdd:
		return farith("fp.add")
	case term.OpFMul:
		return farith("fp.mul")
	case term.OpFDiv:
		return farith("fp.div")
	case term.OpFEq:
		return fpred("fp.eq")
	case term.OpFLt:
		return fpred("fp.lt")
	case term.OpFLe:
		return fpred("fp.leq")
	case term.OpFIsNaN:
		return "(fp.isNaN " + p.float(a) + ")"
	case term.OpFSqrt:
		return ieee("(fp.sqrt RNE " + p.float(a) + ")")
	case term.OpFFloor, term.OpFCeil, term.OpFTrunc, term.OpFRoundEven:
		mode := map[term.Op]string{term.OpFFloor: "RTN", term.OpFCeil: "RTP", term.OpFTrunc: "RTZ", term.OpFRoundEven: "RNE"}[op]
		return ieee("(fp.roundToIntegral " + mode + " " + p.float(a) + ")")
	case term.OpFConv:
		return ieee("((_ to_fp " + shape(w) + ") RNE " + p.float(a) + ")")
	case term.OpFFromS:
		return ieee("((_ to_fp " + shape(w) + ") RNE " + p.bv(a) + ")")
	case term.OpFFromU:
		return ieee("((_ to_fp_unsigned " + shape(w) + ") RNE " + p.bv(a) + ")")
	case term.OpFToS, term.OpFToU:
		return bits(p.toInt(a, w, op == term.OpFToU))
	}
	panic("bug: no SMT-LIB text for " + st.Op(t).String())
}

func (p *printer) lookup(t, idx term.ID) string {
	st := p.st
	vals := st.TableVals(st.TableOf(t))
	w, wi := st.Width(t), st.Width(idx)
	lit := func(v uint64) string {
		n := new(big.Int).SetUint64(v)
		if w == 1 {
			return literal(sort{kind: boolSort}, n)
		}
		return bitsLiteral(n, w)
	}
	var b strings.Builder
	n := 0
	for i, v := range vals {
		if v == 0 || wi < 63 && i>>wi != 0 {
			continue
		}
		idxLit := bitsLiteral(big.NewInt(int64(i)), wi)
		fmt.Fprintf(&b, "(ite (= %s %s) %s ", p.bv(idx), idxLit, lit(v))
		n++
	}
	return b.String() + lit(0) + strings.Repeat(")", n)
}

// toInt writes the truncation to integers as amd64 does it, because SMT-LIB leaves the result open if the
// value is out of range.
func (p *printer) toInt(a term.ID, w int, unsigned bool) string {
	x := p.float(a)
	fw := p.st.Width(a)
	num := func(neg bool, e int) string {
		s := fmt.Sprintf("%s.0", new(big.Int).Lsh(big.NewInt(1), uint(e)))
		if neg {
			s = "(- " + s + ")"
		}
		return fmt.Sprintf("((_ to_fp %s) RNE %s)", shape(fw), s)
	}
	t := "(fp.roundToIntegral RTZ " + x + ")"
	signed := func(n int) string { // the value if it is in range, and otherwise the least integer
		return fmt.Sprintf("(ite (and (fp.leq %s %s) (fp.lt %s %s)) ((_ fp.to_sbv %d) RTZ %s) (_ bv%s %d))",
			num(true, n-1), t, t, num(false, n-1), n, x, new(big.Int).Lsh(big.NewInt(1), uint(n-1)), n)
	}
	cut := func(s string, n int) string {
		if n == w {
			return s
		}
		return fmt.Sprintf("((_ extract %d 0) %s)", w-1, s)
	}
	switch {
	case unsigned && w == 64:
		return fmt.Sprintf("(ite (fp.lt %s %s) %s (ite (fp.lt %s %s) ((_ fp.to_ubv 64) RTZ %s) #x8000000000000000))", t, num(false, 63), signed(64), t, num(false, 64), x)
	case w < 32 || w == 32 && !unsigned:
		return cut(signed(32), 32)
	}
	return cut(signed(64), 64)
}
