package term

import (
	"math/rand/v2"
	"testing"
)

// A tree is an expression that was not simplified. Its value is the reference for the term that is built
// from it.
type tree struct {
	op   Op // OpNone for the derived operators named in alias
	name string
	w    int
	args []*tree
	v    uint64 // of a constant; for Extract the high bit is v>>8 and the low bit v&255
	leaf int
}

// refEval computes the value of a tree by the definition of its operators.
func refEval(e *tree, env []uint64) uint64 {
	var a [3]uint64
	for i, x := range e.args {
		a[i] = refEval(x, env)
	}
	w := e.w
	in := w
	if len(e.args) > 0 {
		in = e.args[0].w
	}
	var r uint64
	switch e.name {
	case "const":
		r = e.v
	case "var":
		r = env[e.leaf]
	case "sub":
		r = a[0] - a[1]
	case "ne":
		r = b2u(a[0] != a[1])
	case "ule":
		r = b2u(a[0] <= a[1])
	case "sle":
		r = b2u(signed(a[0], in) <= signed(a[1], in))
	case "implies":
		r = ^a[0] | a[1]
	case "ite":
		r = a[2]
		if a[0] == 1 {
			r = a[1]
		}
	case "extract":
		r = a[0] >> (e.v & 255)
	case "concat":
		r = a[0]<<uint(e.args[1].w) | a[1]
	case "unary":
		r = apply1(e.op, in, w, a[0])
	default:
		r = apply2(e.op, in, a[0], a[1])
	}
	return r & Mask(w)
}

func build(s *Store, e *tree, vars []ID) ID {
	var a [3]ID
	for i, x := range e.args {
		a[i] = build(s, x, vars)
	}
	switch e.name {
	case "const":
		return s.Const(e.w, e.v)
	case "var":
		return vars[e.leaf]
	case "sub":
		return s.Sub(a[0], a[1])
	case "ne":
		return s.Ne(a[0], a[1])
	case "ule":
		return s.Ule(a[0], a[1])
	case "sle":
		return s.Sle(a[0], a[1])
	case "implies":
		return s.Implies(a[0], a[1])
	case "ite":
		return s.Ite(a[0], a[1], a[2])
	case "extract":
		return s.Extract(a[0], int(e.v>>8), int(e.v&255))
	case "concat":
		return s.Concat(a[0], a[1])
	case "unary":
		switch e.op {
		case OpNot:
			return s.Not(a[0])
		case OpNeg:
			return s.Neg(a[0])
		case OpZExt:
			return s.ZExt(a[0], e.w)
		}
		return s.SExt(a[0], e.w)
	}
	return s.Binary(e.op, a[0], a[1])
}

// randTree returns a random tree of width w over variables of the given widths.
func randTree(r *rand.Rand, w, depth int, widths []int) *tree {
	if depth == 0 || r.IntN(8) == 0 {
		if r.IntN(3) > 0 {
			for range 4 {
				if i := r.IntN(len(widths)); widths[i] == w {
					return &tree{name: "var", w: w, leaf: i}
				}
			}
		}
		v := r.Uint64()
		switch r.IntN(4) {
		case 0:
			v = uint64(r.IntN(3))
		case 1:
			v = -uint64(r.IntN(3))
		}
		return &tree{name: "const", w: w, v: v & Mask(w)}
	}
	sub := func(w int) *tree { return randTree(r, w, depth-1, widths) }
	maxW := 0
	for _, x := range widths {
		maxW = max(maxW, x)
	}
	if w == 1 && r.IntN(3) > 0 {
		in := widths[r.IntN(len(widths))]
		switch r.IntN(6) {
		case 0:
			return &tree{name: "ne", w: 1, args: []*tree{sub(in), sub(in)}}
		case 1:
			return &tree{name: "ule", w: 1, args: []*tree{sub(in), sub(in)}}
		case 2:
			return &tree{name: "sle", w: 1, args: []*tree{sub(in), sub(in)}}
		case 3:
			return &tree{op: OpEq, w: 1, args: []*tree{sub(in), sub(in)}}
		case 4:
			return &tree{op: OpUlt, w: 1, args: []*tree{sub(in), sub(in)}}
		}
		return &tree{op: OpSlt, w: 1, args: []*tree{sub(in), sub(in)}}
	}
	bin := []Op{OpAnd, OpOr, OpXor, OpAdd, OpAdd, OpMul, OpMul, OpUDiv, OpURem, OpSDiv, OpSRem, OpShl, OpLShr, OpAShr}
	switch k := r.IntN(24); {
	case k < 2:
		return &tree{name: "unary", op: OpNot, w: w, args: []*tree{sub(w)}}
	case k < 4:
		return &tree{name: "unary", op: OpNeg, w: w, args: []*tree{sub(w)}}
	case k < 6:
		return &tree{name: "sub", w: w, args: []*tree{sub(w), sub(w)}}
	case k < 8:
		return &tree{name: "ite", w: w, args: []*tree{sub(1), sub(w), sub(w)}}
	case k < 10:
		in := w + r.IntN(max(1, maxW-w+1))
		lo := r.IntN(in - w + 1)
		return &tree{name: "extract", w: w, v: uint64((lo+w-1)<<8 | lo), args: []*tree{sub(in)}}
	case k < 12 && w > 1:
		h := 1 + r.IntN(w-1)
		return &tree{name: "concat", w: w, args: []*tree{sub(h), sub(w - h)}}
	case k < 13 && w > 1:
		return &tree{name: "unary", op: OpZExt, w: w, args: []*tree{sub(1 + r.IntN(w))}}
	case k < 14 && w > 1:
		return &tree{name: "unary", op: OpSExt, w: w, args: []*tree{sub(1 + r.IntN(w))}}
	}
	return &tree{op: bin[r.IntN(len(bin))], w: w, args: []*tree{sub(w), sub(w)}}
}

// For random expressions over all values of a few small variables, the term that the constructors make has
// the value of the expression.
func TestSimplifyKeepsValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sets := [][]int{{4, 4}, {3, 3, 1}, {2, 4}, {1, 1, 2, 2}, {8}, {5, 3}, {2, 2, 3}}
	n := 40000
	if testing.Short() {
		n = 4000
	}
	for i := range n {
		widths := sets[i%len(sets)]
		s := NewStore()
		var vars []ID
		for j, w := range widths {
			vars = append(vars, s.Var(w, string(rune('a'+j))))
		}
		w := 1
		if r.IntN(2) == 0 {
			w = widths[r.IntN(len(widths))]
		}
		e := randTree(r, w, 1+r.IntN(4), widths)
		id := build(s, e, vars)
		if s.Width(id) != w {
			t.Fatalf("width %d, want %d: %s", s.Width(id), w, s.String(id))
		}
		total := 0
		for _, w := range widths {
			total += w
		}
		env := make([]uint64, len(vars))
		m := s.NewModel()
		for x := range uint64(1) << total {
			y := x
			for j, w := range widths {
				env[j] = y & Mask(w)
				m.Set(vars[j], env[j])
				y >>= w
			}
			if got, want := s.Eval(id, m), refEval(e, env); got != want {
				t.Fatalf("case %d: %v: got %d, want %d for %s", i, env, got, want, s.String(id))
			}
			if lz := s.LeadingZeros(id); lz > 0 && s.Eval(id, m)>>(w-lz) != 0 {
				t.Fatalf("case %d: %d leading zeros claimed of %d: %s", i, lz, s.Eval(id, m), s.String(id))
			}
			if tz := s.TrailingZeros(id); tz > 0 && s.Eval(id, m)&Mask(tz) != 0 {
				t.Fatalf("case %d: %d trailing zeros claimed of %d: %s", i, tz, s.Eval(id, m), s.String(id))
			}
		}
		// The printer accepts every term, and rebuilding a term that is simple already changes nothing.
		_ = s.String(id)
		if got := s.Rebuild(id, s.Args(id)); got != id {
			t.Errorf("case %d: not in normal form: %s becomes %s", i, s.String(id), s.String(got))
		}
	}
}
