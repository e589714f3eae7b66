package term

import (
	"math"
	"math/big"
	"runtime"
	"runtime/debug"
	"testing"
)

// The rules are applied: the left side becomes the same term as the right side.
func TestRulesFire(t *testing.T) {
	s := NewStore()
	x, y, z := s.Var(32, "x"), s.Var(32, "y"), s.Var(32, "z")
	b0, b1, b2, b3 := s.Var(8, "b0"), s.Var(8, "b1"), s.Var(8, "b2"), s.Var(8, "b3")
	c, d := s.Var(1, "c"), s.Var(1, "d")
	k := func(v uint64) ID { return s.Const(32, v) }
	z32 := func(t ID) ID { return s.ZExt(t, 32) }
	for _, r := range []struct {
		name      string
		got, want ID
	}{
		{"x+y = y+x", s.Add(x, y), s.Add(y, x)},
		{"(x+y)+z = x+(y+z)", s.Add(s.Add(x, y), z), s.Add(x, s.Add(y, z))},
		{"x+y-x = y", s.Sub(s.Add(x, y), x), y},
		{"x*3-x = x*2", s.Sub(s.Mul(x, k(3)), x), s.Shl(x, k(1))},
		{"~x+1 = -x", s.Add(s.Not(x), k(1)), s.Neg(x)},
		{"x*y = y*x", s.Eq(s.Mul(x, y), s.Mul(y, x)), True},
		{"x*(y+z) = x*y+x*z", s.Eq(s.Mul(x, s.Add(y, z)), s.Add(s.Mul(x, y), s.Mul(x, z))), True},
		{"(x+y)*(x-y) = x*x-y*y", s.Eq(s.Mul(s.Add(x, y), s.Sub(x, y)), s.Sub(s.Mul(x, x), s.Mul(y, y))), True},
		{"x*(y*z) = (x*y)*z", s.Mul(x, s.Mul(y, z)), s.Mul(s.Mul(x, y), z)},
		{"x+1 = x", s.Eq(s.Add(x, k(1)), x), False},
		{"2x+1 = 2y", s.Eq(s.Add(s.Mul(x, k(2)), k(1)), s.Mul(y, k(2))), False},
		{"x+5 == 7", s.Eq(s.Add(x, k(5)), k(7)), s.Eq(x, k(2))},
		{"3x == 9", s.Eq(s.Mul(x, k(3)), k(9)), s.Eq(x, k(3))},
		{"x^5 == 7", s.Eq(s.Xor(x, k(5)), k(7)), s.Eq(x, k(2))},
		{"x-y == 0", s.Eq(s.Sub(x, y), k(0)), s.Eq(x, y)},
		{"int(b) == 300", s.Eq(z32(b0), k(300)), False},
		{"int(b) == 30", s.Eq(z32(b0), k(30)), s.Eq(b0, s.Const(8, 30))},
		{"int(b) < 0", s.Slt(z32(b0), k(0)), False},
		{"int(b) < 300", s.Slt(z32(b0), k(300)), True},
		{"int(b) < int(b1)", s.Slt(z32(b0), z32(b1)), s.Ult(b0, b1)},
		{"byte(int(b)+1)", s.Extract(s.Add(z32(b0), k(1)), 7, 0), s.Add(b0, s.Const(8, 1))},
		{"bytes put together", s.Or(s.Or(s.Or(z32(b0), s.Shl(z32(b1), k(8))), s.Shl(z32(b2), k(16))), s.Shl(z32(b3), k(24))), s.Concat(b3, s.Concat(b2, s.Concat(b1, b0)))},
		{"and taken apart", s.And(s.LShr(s.Concat(b3, s.Concat(b2, s.Concat(b1, b0))), k(8)), k(255)), z32(b1)},
		{"bytes put together by +", s.Add(z32(b0), s.Shl(z32(b1), k(8))), z32(s.Concat(b1, b0))},
		{"x/8", s.UDiv(x, k(8)), s.LShr(x, k(3))},
		{"x%8", s.URem(x, k(8)), s.And(x, k(7))},
		{"int(b)/10 signed", s.SDiv(z32(b0), k(10)), z32(s.UDiv(b0, s.Const(8, 10)))},
		{"x/10 == 3", s.Eq(s.UDiv(x, k(10)), k(3)), s.And(s.Ule(k(30), x), s.Ult(x, k(40)))},
		{"x/10 < 3", s.Ult(s.UDiv(x, k(10)), k(3)), s.Ult(x, k(30))},
		{"x < 1", s.Ult(x, k(1)), s.Eq(x, k(0))},
		{"0 < x unsigned", s.Ult(k(0), x), s.Ne(x, k(0))},
		{"7 < x", s.Ult(k(7), x), s.Not(s.Ult(x, k(8)))},
		{"c && !c", s.And(c, s.Not(c)), False},
		{"c || c && d", s.Or(c, s.And(c, d)), c},
		{"c && (!c || d)", s.And(c, s.Or(s.Not(c), d)), s.And(c, d)},
		{"if c {x} else {x}", s.Ite(c, x, x), x},
		{"(if c {1} else {2}) == 1", s.Eq(s.Ite(c, k(1), k(2)), k(1)), c},
		{"(if c {1} else {2}) == 3", s.Eq(s.Ite(c, k(1), k(2)), k(3)), False},
		{"if c {if c {x} else {y}} else {z}", s.Ite(c, s.Ite(c, x, y), z), s.Ite(c, x, z)},
		{"sext of what is positive", s.SExt(s.ZExt(b0, 16), 32), z32(b0)},
		{"sext apart", s.Slt(s.SExt(b0, 32), s.SExt(b1, 32)), s.Slt(b0, b1)},
		{"int(int8) < 200", s.Slt(s.SExt(b0, 32), k(200)), True},
		{"lookup == only one", s.Eq(s.Lookup(s.NewTable(8, []uint64{4, 9, 7}), b0), s.Const(8, 9)), s.Eq(b0, s.Const(8, 1))},
		{"f != f", s.Not(s.FEq(x, x)), s.FIsNaN(x)},
		{"float of int is no NaN", s.FIsNaN(s.FFromS(x, 64)), False},
	} {
		if r.got != r.want {
			t.Errorf("%s: got %s, want %s", r.name, s.String(r.got), s.String(r.want))
		}
	}
}

// Operations that the virtual machine executes millions of times must not allocate.
func TestNoAllocations(t *testing.T) {
	s := NewStore()
	x, b := s.Var(64, "x"), s.Var(8, "b")
	work := func() {
		s.Add(s.Const(64, 3), s.Const(64, 4))
		s.UDiv(s.Const(64, 30), s.Const(64, 4))
		s.Eq(s.Const(32, 3), s.Const(32, 4))
		s.Slt(s.ZExt(b, 64), s.Const(64, '9'))
		s.Ult(b, s.Const(8, '0'))
		s.Eq(b, s.Const(8, 'x'))
		s.Sub(s.Add(x, s.Const(64, 5)), s.Const(64, 2))
		s.Mul(x, s.Const(64, 10))
		s.Shl(s.ZExt(b, 64), s.Const(64, 8))
		s.URem(x, s.Const(64, 10))
		s.Not(s.Slt(x, s.Const(64, 100)))
	}
	work()
	if n := testing.AllocsPerRun(100, work); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestString(t *testing.T) {
	s := NewStore()
	a, b, c := s.Var(64, "a"), s.Var(64, "b"), s.Var(8, "c")
	k := func(v int64) ID { return s.Const(64, uint64(v)) }
	for _, r := range []struct {
		t    ID
		want string
	}{
		{s.Slt(s.Add(a, k(1)), b), "a + 1 < b"},
		{s.Slt(k(0), a), "a > 0"},
		{s.Sle(a, k(5)), "a < 6"},
		{s.Slt(a, k(-3)), "a < -3"},
		{s.Sub(a, b), "a - b"},
		{s.Sub(b, k(7)), "b - 7"},
		{s.Eq(c, s.Const(8, 'x')), "c == 'x'"},
		{s.Ule(s.Const(8, '0'), c), "c >= '0'"},
		{s.Ule(c, s.Const(8, '9')), "c < ':'"},
		{s.Ult(s.Const(8, '9'), c), "c > '9'"},
		{s.Or(s.Eq(a, k(1)), s.Eq(b, k(2))), "a == 1 || b == 2"},
		{s.And(s.Eq(a, k(1)), s.Or(s.Eq(b, k(2)), s.Ne(a, b))), "a == 1 && (b == 2 || a != b)"},
		{s.Mul(s.Add(a, b), k(3)), "(a + b) * 3"},
		{s.Eq(s.Read(s.NewArray("s", 8), k(3)), s.Const(8, 'q')), "s[3] == 'q'"},
		{s.FLt(a, s.Const(64, math.Float64bits(1.5))), "a < 1.5"},
		{s.FLt(s.FSub(a, b), s.FNeg(b)), "a - b < -b"},
		{s.FLe(s.FAbs(a), s.FSqrt(b)), "abs(a) <= sqrt(b)"},
		{s.Eq(s.FToS(a, 64), b), "b == int64(a)"},
		{s.FEq(s.FFromS(b, 64), a), "a == float64(b)"},
	} {
		if got := s.String(r.t); got != r.want {
			t.Errorf("got %s, want %s", got, r.want)
		}
	}
}

// Conversions from floats to integers have the results that the compiler has on amd64.
func TestTruncateIsAmd64(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the reference is amd64")
	}
	for _, f := range []float64{0, 1.5, -1.5, 1e10, -1e10, 1e19, 1.8e19, 1e20, -1e20, math.NaN(), math.Inf(1), math.Inf(-1), 2147483647.5, 2147483648, -2147483648.5, -2147483649, 4294967295, 1 << 63, -1 << 63, 300, -300} {
		for _, c := range []struct {
			w        int
			unsigned bool
			want     uint64
		}{
			{8, false, uint64(uint8(int8(f)))}, {16, false, uint64(uint16(int16(f)))}, {32, false, uint64(uint32(int32(f)))}, {64, false, uint64(int64(f))},
			{8, true, uint64(uint8(f))}, {16, true, uint64(uint16(f))}, {32, true, uint64(uint32(f))}, {64, true, uint64(f)},
		} {
			if got := truncate(f, c.w, c.unsigned) & Mask(c.w); got != c.want {
				t.Errorf("%v to %d bits, unsigned %v: got %#x, want %#x", f, c.w, c.unsigned, got, c.want)
			}
		}
	}
}

// For more than 64 bits, the evaluation by big numbers has the result of an evaluation in halves.
func TestWide(t *testing.T) {
	s := NewStore()
	x, y := s.Var(100, "x"), s.Var(100, "y")
	m := s.NewModel()
	vx, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	vy, _ := new(big.Int).SetString("987654321098765432109876543210", 10)
	m.SetBig(x, vx)
	m.SetBig(y, vy)
	mod := new(big.Int).Lsh(big.NewInt(1), 100)
	if got, want := s.EvalBig(s.Mul(x, y), m), new(big.Int).Mod(new(big.Int).Mul(vx, vy), mod); got.Cmp(want) != 0 {
		t.Errorf("got %d, want %d", got, want)
	}
	cat := s.Concat(s.Extract(x, 99, 64), s.Extract(x, 63, 0))
	if cat != x {
		t.Errorf("got %s", s.String(cat))
	}
	if s.Eval(s.Ult(x, y), m) != 1 || s.Eval(s.Slt(x, y), m) != 0 {
		t.Error("comparison")
	}
	if got := s.Eval(s.Eq(s.Add(s.Sub(x, y), y), x), m); got != 1 {
		t.Error("subtraction")
	}
}

// Terms that are hundreds of thousands deep can be built, evaluated, printed and substituted in.
func TestDeep(t *testing.T) {
	s := NewStore()
	x, y := s.Var(32, "x"), s.Var(32, "y")
	e := x
	const n = 200_000
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20)) // functions that call themselves for each part of a term need more
	for range n {
		e = s.Xor(s.Mul(e, s.Const(32, 16777619)), y)
	}
	m := s.NewModel()
	m.Set(x, 1)
	m.Set(y, 2)
	want := uint32(1)
	for range n {
		want = want*16777619 ^ 2
	}
	if got := s.Eval(e, m); got != uint64(want) {
		t.Errorf("got %d, want %d", got, want)
	}
	if got := len(s.Support(e)); got != 2 {
		t.Errorf("support of %d", got)
	}
	_ = s.String(e)
	if _, ok := s.IsConst(s.Subst(e, map[ID]ID{x: s.Const(32, 1), y: s.Const(32, 2)})); !ok {
		t.Error("substitution left a variable")
	}
}

func TestSupportAndTruth(t *testing.T) {
	s := NewStore()
	a := s.NewArray("a", 8)
	i, b := s.Var(64, "i"), s.Var(8, "b")
	r := s.Read(a, i)
	got := s.Support(s.Eq(r, b))
	if len(got) != 3 {
		t.Errorf("support %v, want index, array and byte", got)
	}
	leaf, tt, ok := s.TruthTable(s.And(s.Ule(s.Const(8, '0'), b), s.Ule(b, s.Const(8, '9'))))
	if !ok || leaf != b || *tt != (Truth{0x3FF << '0'}) {
		t.Errorf("truth table %v %v %v", leaf, tt, ok)
	}
	m := s.NewModel()
	m.Set(i, 7)
	m.Set(s.Read(a, s.Const(64, 7)), 42)
	if got := s.Eval(r, m); got != 42 {
		t.Errorf("read %d, want 42", got)
	}
}

func BenchmarkAdd(b *testing.B) {
	s := NewStore()
	x, y := s.Var(64, "x"), s.Var(64, "y")
	b.ReportAllocs()
	for b.Loop() {
		s.Add(s.Add(x, y), s.Const(64, 5))
	}
}

func BenchmarkEvalHash(b *testing.B) {
	s := NewStore()
	h := s.Const(32, 2166136261)
	m := s.NewModel()
	var first ID
	for i := range 100 {
		v := s.Var(8, string(rune('a'+i)))
		if i == 0 {
			first = v
		}
		h = s.Mul(s.Xor(h, s.ZExt(v, 32)), s.Const(32, 16777619))
	}
	for i := 0; b.Loop(); i++ {
		m.Set(first, uint64(i))
		s.Eval(h, m)
	}
}
