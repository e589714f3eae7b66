package term

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns t as short text in the manner of Go, for people. It is not meant
// to be read back: widths are left out. Deep terms are cut with an ellipsis.
func (s *Store) String(t ID) string {
	p := printer{s: s, left: 400}
	p.term(t, 0, 0)
	return p.b.String()
}

// StringNamed does the same as String, but writes inner terms that have a name by their name. The function
// name returns "" for terms without a name.
func (s *Store) StringNamed(t ID, name func(ID) string) string {
	p := printer{s: s, left: 400, name: name}
	p.term(t, 0, 0)
	return p.b.String()
}

type printer struct {
	s    *Store
	b    strings.Builder
	left int             // how many operators may still be written before the ellipsis
	name func(ID) string // nil, or returns the names of terms
}

// The precedences of Go's binary operators; unary binds tighter.
const (
	precOr = iota + 1
	precAnd
	precCmp
	precAdd
	precMul
	precUnary
)

// The ways to show a constant.
const (
	asSigned = iota
	asUnsigned
	asChar
	asFloat
	asHex
)

func (p *printer) term(t ID, prec, depth int) { p.termAs(t, prec, depth, asSigned) }

func (p *printer) termAs(t ID, prec, depth, as int) {
	n := p.s.at(t)
	if p.left--; p.left < 0 || depth > 60 {
		p.b.WriteString("…")
		return
	}
	depth++
	if p.name != nil {
		if name := p.name(t); name != "" {
			p.b.WriteString(name)
			return
		}
	}
	a, b := ID(n.a), ID(n.b)
	if as == asFloat {
		if x := p.s.negated(t); x != 0 {
			p.b.WriteByte('-')
			p.termAs(x, precUnary, depth, asFloat)
			return
		}
		if n.op == OpZExt && p.s.at(a).op == OpExtract && p.s.at(a).c == 0 && p.s.at(a).width == n.width-1 {
			p.call("abs", depth, ID(p.s.at(a).a))
			return
		}
	}
	switch n.op {
	case OpConst:
		p.konst(t, as)
	case OpVar:
		p.b.WriteString(p.s.names[n.a])
	case OpElem:
		fmt.Fprintf(&p.b, "%s[%d]", p.s.arrays[n.a].name, p.s.ElemIndex(t))
	case OpArray:
		p.b.WriteString(p.s.arrays[n.a].name)
	case OpRead:
		p.b.WriteString(p.s.arrays[n.a].name)
		p.b.WriteByte('[')
		p.termAs(b, 0, depth, asUnsigned)
		p.b.WriteByte(']')
	case OpLookup:
		p.b.WriteString("table")
		p.b.WriteString(strconv.Itoa(int(n.a)))
		p.b.WriteByte('[')
		p.termAs(b, 0, depth, asUnsigned)
		p.b.WriteByte(']')
	case OpNot:
		p.not(t, a, prec, depth)
	case OpNeg:
		p.b.WriteByte('-')
		p.term(a, precUnary, depth)
	case OpAnd:
		if n.width == 1 {
			p.binary(a, " && ", b, precAnd, prec, depth, asSigned)
		} else {
			p.binary(a, " & ", b, precMul, prec, depth, asHex)
		}
	case OpOr:
		p.binary(a, " | ", b, precAdd, prec, depth, asHex)
	case OpXor:
		if n.width == 1 {
			p.binary(a, " != ", b, precCmp, prec, depth, asSigned)
		} else {
			p.binary(a, " ^ ", b, precAdd, prec, depth, asHex)
		}
	case OpAdd:
		p.sum(a, b, prec, depth)
	case OpMul:
		p.binary(a, " * ", b, precMul, prec, depth, asSigned)
	case OpUDiv, OpSDiv:
		p.binary(a, " / ", b, precMul, prec, depth, asSigned)
	case OpURem, OpSRem:
		p.binary(a, " % ", b, precMul, prec, depth, asSigned)
	case OpShl:
		p.binary(a, " << ", b, precMul, prec, depth, asUnsigned)
	case OpLShr, OpAShr:
		p.binary(a, " >> ", b, precMul, prec, depth, asUnsigned)
	case OpEq:
		p.binary(a, " == ", b, precCmp, prec, depth, p.constAs(a, asSigned))
	case OpUlt:
		p.binary(a, " < ", b, precCmp, prec, depth, p.constAs(a, asUnsigned))
	case OpSlt:
		p.binary(a, " < ", b, precCmp, prec, depth, asSigned)
	case OpFEq:
		p.binary(a, " == ", b, precCmp, prec, depth, asFloat)
	case OpFLt:
		p.binary(a, " < ", b, precCmp, prec, depth, asFloat)
	case OpFLe:
		p.binary(a, " <= ", b, precCmp, prec, depth, asFloat)
	case OpFAdd:
		if x := p.s.negated(a); x != 0 {
			a, b = b, a
		}
		if x := p.s.negated(b); x != 0 {
			p.binary(a, " - ", x, precAdd, prec, depth, asFloat)
		} else {
			p.binary(a, " + ", b, precAdd, prec, depth, asFloat)
		}
	case OpFMul:
		p.binary(a, " * ", b, precMul, prec, depth, asFloat)
	case OpFDiv:
		p.binary(a, " / ", b, precMul, prec, depth, asFloat)
	case OpIte:
		p.call("if", depth, a, b, ID(n.c))
	case OpExtract:
		if n.c == 0 {
			p.call("low"+strconv.Itoa(int(n.width)), depth, a)
		} else {
			p.term(a, precUnary, depth)
			fmt.Fprintf(&p.b, "[%d:%d]", n.b, n.c)
		}
	case OpConcat:
		p.call("concat", depth, a, b)
	case OpZExt, OpSExt: // Go code has conversions here, which a reader does not miss
		p.termAs(a, prec, depth, as)
	case OpFIsNaN:
		p.call("isnan", depth, a)
	case OpFConv, OpFFromS, OpFFromU:
		p.call("float"+strconv.Itoa(int(n.width)), depth, a)
	case OpFToS:
		p.call("int"+strconv.Itoa(int(n.width)), depth, a)
	case OpFToU:
		p.call("uint"+strconv.Itoa(int(n.width)), depth, a)
	default:
		p.call(strings.TrimPrefix(n.op.String(), "f"), depth, a)
	}
}

// negated returns x if t is the float -x, and 0 otherwise.
func (s *Store) negated(t ID) ID {
	n := s.at(t)
	if n.op != OpXor || n.width != 32 && n.width != 64 {
		return 0
	}
	if v, ok := s.IsConst(ID(n.b)); !ok || v != 1<<(n.width-1) {
		return 0
	}
	return ID(n.a)
}

// constAs chooses how to show the constant that a is compared with. Bytes are shown as characters.
func (p *printer) constAs(a ID, as int) int {
	if p.s.at(a).width == 8 {
		return asChar
	}
	return as
}

func (p *printer) konst(t ID, as int) {
	n := p.s.at(t)
	if n.width > 64 {
		p.b.WriteString(p.s.big(t).String())
		return
	}
	v, _ := n.konst()
	switch {
	case n.width == 1:
		p.b.WriteString(strconv.FormatBool(v == 1))
	case as == asChar && v >= ' ' && v < 0x7F:
		p.b.WriteString(strconv.QuoteRune(rune(v)))
	case as == asChar, as == asUnsigned:
		p.b.WriteString(strconv.FormatUint(v, 10))
	case as == asHex:
		p.b.WriteString("0x" + strconv.FormatUint(v, 16))
	case as == asFloat && n.width == 64:
		p.b.WriteString(strconv.FormatFloat(f64(v), 'g', -1, 64))
	case as == asFloat && n.width == 32:
		p.b.WriteString(strconv.FormatFloat(float64(f32(v)), 'g', -1, 32))
	default:
		p.b.WriteString(strconv.FormatInt(signed(v, int(n.width)), 10))
	}
}

func (p *printer) binary(a ID, op string, b ID, own, prec, depth, as int) {
	if own <= prec {
		p.b.WriteByte('(')
	}
	p.termAs(a, own-1, depth, as)
	p.b.WriteString(op)
	p.termAs(b, own, depth, as)
	if own <= prec {
		p.b.WriteByte(')')
	}
}

// sum writes a sum. A positive summand comes first.
func (p *printer) sum(a, b ID, prec, depth int) {
	if p.s.at(a).op == OpNeg && p.s.at(b).op != OpConst {
		a, b = b, a
	}
	nb := p.s.at(b)
	if nb.op == OpNeg {
		p.binary(a, " - ", ID(nb.a), precAdd, prec, depth, asSigned)
		return
	}
	if v, ok := nb.konst(); ok && nb.width > 1 && signed(v, int(nb.width)) < 0 {
		p.binary(a, " - ", p.s.Const(int(nb.width), -v), precAdd, prec, depth, asUnsigned)
		return
	}
	p.binary(a, " + ", b, precAdd, prec, depth, asSigned)
}

// not writes a negation as the operator that the source had.
func (p *printer) not(t, a ID, prec, depth int) {
	s, n := p.s, p.s.at(a)
	if n.width > 1 {
		p.b.WriteByte('^')
		p.term(a, precUnary, depth)
		return
	}
	x, y := ID(n.a), ID(n.b)
	switch n.op {
	case OpEq:
		p.binary(x, " != ", y, precCmp, prec, depth, p.constAs(x, asSigned))
	case OpXor:
		p.binary(x, " == ", y, precCmp, prec, depth, asSigned)
	case OpFEq:
		p.binary(x, " != ", y, precCmp, prec, depth, asFloat)
	case OpAnd: // not (not x and not y) is x or y
		p.binary(s.Not(x), " || ", s.Not(y), precOr, prec, depth, asSigned)
	case OpUlt, OpSlt:
		as := asSigned
		if n.op == OpUlt {
			as = p.constAs(x, asUnsigned)
		}
		if v, ok := s.IsConst(y); ok { // x >= k+1 is x > k
			if k := v - 1; v == 1 || as == asChar && (k == '9' || k == 'Z' || k == 'z' || k == 0x7F) {
				p.binary(x, " > ", s.Const(s.Width(y), k), precCmp, prec, depth, as)
				return
			}
			p.binary(x, " >= ", y, precCmp, prec, depth, as)
			return
		}
		p.binary(y, " <= ", x, precCmp, prec, depth, as)
	default:
		p.b.WriteByte('!')
		p.term(a, precUnary, depth)
	}
}

func (p *printer) call(name string, depth int, args ...ID) {
	p.b.WriteString(name)
	p.b.WriteByte('(')
	for i, a := range args {
		if i > 0 {
			p.b.WriteString(", ")
		}
		p.term(a, 0, depth)
	}
	p.b.WriteByte(')')
}
