package check

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// numeric is a function that computes z of x and y, which lie between bounds, and the result that Go has for
// the same numbers.
type numeric struct {
	typ            string
	expr           string
	compute        func(x, y int64) (z int64, ok bool) // not ok: it panics
	xlo, xhi       int64
	ylo, yhi       int64
	unequal, above bool // x != y, y != 0; x > y
}

func (n numeric) source(i int) string {
	cond := fmt.Sprintf("x < %d || x > %d || y < %d || y > %d", n.xlo, n.xhi, n.ylo, n.yhi)
	if n.unequal {
		cond += " || x == y || y == 0"
	}
	if n.above {
		cond += " || x <= y"
	}
	return fmt.Sprintf("func F%d(x, y %s) (z %s) {\n\tif %s {\n\t\treturn\n\t}\n\tz = %s\n\tuse(int(z))\n\treturn z\n}\n", i, n.typ, n.typ, cond, n.expr)
}

// limits returns the least and the greatest value of a type.
func limits(typ string) (lo, hi int64) {
	if typ == "uint8" {
		return 0, 255
	}
	return -128, 127
}

// wrap returns the value that a number becomes in a type.
func wrap(typ string, z int64) int64 {
	if typ == "uint8" {
		return int64(uint8(z))
	}
	return int64(int8(z))
}

// numerics are functions with each operation, for bounds of several kinds.
func numerics() []numeric {
	ops := []struct {
		expr    string
		compute func(x, y int64) (int64, bool)
	}{
		{"x + y", func(x, y int64) (int64, bool) { return x + y, true }},
		{"x - y", func(x, y int64) (int64, bool) { return x - y, true }},
		{"x * y", func(x, y int64) (int64, bool) { return x * y, true }},
		{"x / y", nil}, // see below
		{"x / 2", func(x, y int64) (int64, bool) { return x / 2, true }},
		{"x % y", nil}, // see below
		{"x & y", func(x, y int64) (int64, bool) { return x & y, true }},
		{"x | y", func(x, y int64) (int64, bool) { return x | y, true }},
		{"x ^ y", func(x, y int64) (int64, bool) { return x ^ y, true }},
		{"x &^ y", func(x, y int64) (int64, bool) { return x &^ y, true }},
		{"x >> (y & 7)", func(x, y int64) (int64, bool) { return x >> (y & 7), true }},
		{"x << (y & 7)", func(x, y int64) (int64, bool) { return x << (y & 7), true }},
		{"x >> 1", func(x, y int64) (int64, bool) { return x >> 1, true }},
		{"-x", func(x, y int64) (int64, bool) { return -x, true }},
		{"min(x, y)", func(x, y int64) (int64, bool) { return min(x, y), true }},
		{"max(x, y)", func(x, y int64) (int64, bool) { return max(x, y), true }},
		{"(x + y) / 2", nil}, // see below
		{"x + (y - x)", func(x, y int64) (int64, bool) { return y, true }},
		{"x + 100", func(x, y int64) (int64, bool) { return x + 100, true }},
		{"x - 100", func(x, y int64) (int64, bool) { return x - 100, true }},
		{"x * x", func(x, y int64) (int64, bool) { return x * x, true }},
		{"(x - 1) * (x - 1)", func(x, y int64) (int64, bool) { return (x - 1) * (x - 1), true }},
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var out []numeric
	for _, typ := range []string{"int8", "uint8"} {
		lo, hi := limits(typ)
		between := func() (int64, int64) {
			a, b := lo+rnd.Int64N(hi-lo+1), lo+rnd.Int64N(hi-lo+1)
			switch rnd.IntN(7) {
			case 0:
				return lo, hi
			case 1:
				return lo, max(a, b)
			case 2:
				return min(a, b), hi
			case 3:
				return max(lo, -2), 3
			case 4:
				return 1, max(a, b, 1)
			}
			return min(a, b), max(a, b)
		}
		for _, op := range ops {
			compute := op.compute
			switch op.expr {
			case "x / y":
				compute = func(x, y int64) (int64, bool) {
					if y == 0 {
						return 0, false
					}
					return x / y, true
				}
			case "x % y":
				compute = func(x, y int64) (int64, bool) {
					if y == 0 {
						return 0, false
					}
					return x % y, true
				}
			case "(x + y) / 2":
				compute = func(x, y int64) (int64, bool) { return wrap(typ, x+y) / 2, true }
			}
			for range 24 {
				n := numeric{typ: typ, expr: op.expr, compute: compute, unequal: rnd.IntN(4) == 0, above: rnd.IntN(4) == 0}
				n.xlo, n.xhi = between()
				n.ylo, n.yhi = between()
				out = append(out, n)
			}
		}
	}
	return out
}

// The facts about the result of an operation hold for all operands within the bounds: its interval, and the
// differences between the result and the operands.
func TestNumbers(t *testing.T) {
	list := numerics()
	var src strings.Builder
	src.WriteString("func use(n int) {}\n")
	for i, n := range list {
		src.WriteString(n.source(i))
	}
	p, pkg := build(t, src.String())
	precise := 0
	for i, n := range list {
		fn := pkg.Func(fmt.Sprintf("F%d", i))
		a := newAnalysis(p, fn, p.prepare(fn), func(place) bool { return false })
		entry, ok := a.run()
		if !ok {
			t.Fatal("gave up on", n.source(i))
		}
		st, z := stateAtUse(a, entry, fn)
		least, most := int64(1000), int64(-1000)
		x, y := a.symbol(fn.Params[0]).value(), a.symbol(fn.Params[1]).value()
		dxz, dzx, dyz, dzy := int64(-1000), int64(-1000), int64(-1000), int64(-1000)
		for vx := n.xlo; vx <= n.xhi; vx++ {
			for vy := n.ylo; vy <= n.yhi; vy++ {
				if n.unequal && (vx == vy || vy == 0) || n.above && vx <= vy {
					continue
				}
				v, ok := n.compute(vx, vy)
				if !ok {
					continue
				}
				v = wrap(n.typ, v)
				least, most = min(least, v), max(most, v)
				dxz, dzx, dyz, dzy = max(dxz, vx-v), max(dzx, v-vx), max(dyz, vy-v), max(dzy, v-vy)
			}
		}
		if least > most {
			continue // nothing comes there
		}
		if st == nil || st.bottom {
			t.Errorf("the result is between %d and %d, and the analysis says that nothing comes there:\n%s", least, most, n.source(i))
			continue
		}
		if got := st.interval(z); got.lo > least || got.hi < most {
			t.Errorf("the result is between %d and %d, not %v:\n%s", least, most, got, n.source(i))
		} else if lo, hi := limits(n.typ); got.lo > lo || got.hi < hi {
			precise++
		}
		for _, d := range []struct {
			what string
			real int64
			got  int64
		}{{"x - z", dxz, st.diff(x, z)}, {"z - x", dzx, st.diff(z, x)}, {"y - z", dyz, st.diff(y, z)}, {"z - y", dzy, st.diff(z, y)}} {
			if d.real > d.got {
				t.Errorf("%s is up to %d, not %d:\n%s", d.what, d.real, d.got, n.source(i))
			}
		}
	}
	if precise < len(list)/4 {
		t.Errorf("of %d results hardly any is known: %d", len(list), precise)
	}
}

// stateAtUse returns the state at the call of use, and the number that z has there.
func stateAtUse(a *analysis, entry []*state, fn *ssa.Function) (*state, number) {
	for _, b := range fn.Blocks {
		st := entry[b.Index]
		if st == nil || st.bottom {
			continue
		}
		st = st.clone()
		for _, ins := range b.Instrs {
			if c, ok := ins.(*ssa.Call); ok && c.Call.StaticCallee() != nil && c.Call.StaticCallee().Name() == "use" {
				z := c.Call.Args[0].(*ssa.Convert).X
				if _, isConst := z.(*ssa.Const); !isConst {
					return st, a.symbol(z).value()
				}
			}
			if st.bottom {
				break
			}
			a.step(st, ins)
		}
	}
	return nil, 0
}
