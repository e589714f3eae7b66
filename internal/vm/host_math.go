package vm

import (
	"math"
	"sort"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// This file handles functions of package math, which are beyond the solver. A call with symbolic arguments
// yields a new symbol, of which only the range is known, and the path continues. At the path's end the
// machine searches for an argument for which the function, computed by the host, has a value that satisfies
// the path. The value in a model is inverted numerically, by bisection between points where the function lies
// on either side of it. (Lakhotia, Tillmann, Harman, de Halleux: FloPSy, ICTSS 2010, use search instead of
// bisection.) If no argument is found the path yields no inputs, as if the solver had given up.

// mathCall is a call whose arguments are not settled yet.
type mathCall struct {
	name   string
	f      func(x, y float64) float64
	args   [2]Value // the second is 0 where the function has one argument
	result term.ID
}

// openCall makes the result of a call with symbolic arguments.
func (m *Machine) openCall(st *State, name string, f func(x, y float64) float64, x, y Value) Value {
	for _, c := range st.calls {
		if c.name == name && c.args == [2]Value{x, y} {
			return Value{Term: c.result}
		}
	}
	st.nCalls++
	r := m.ts.Var(64, "math."+name+"."+itoa(st.id)+"."+itoa(st.nCalls))
	st.calls = append(st.calls[:len(st.calls):len(st.calls)], mathCall{name, f, [2]Value{x, y}, r})
	if lo, hi, ok := mathRange(name); ok {
		ts := m.ts
		in := ts.And(ts.FLe(ts.Const(64, math.Float64bits(lo)), r), ts.FLe(r, ts.Const(64, math.Float64bits(hi))))
		m.sctx.Assume(st.pc, ts.Not(ts.And(ts.Not(in), ts.Not(ts.FIsNaN(r)))))
	}
	return Value{Term: r}
}

// mathRange returns a range that contains all results of a function except NaN.
func mathRange(name string) (lo, hi float64, ok bool) {
	switch name {
	case "Sin", "Cos", "Tanh", "Erf":
		return -1, 1, true
	case "Asin", "Atan":
		return -math.Pi / 2, math.Pi / 2, true
	case "Acos":
		return 0, math.Pi, true
	case "Atan2":
		return -math.Pi, math.Pi, true
	case "Exp", "Exp2", "Hypot":
		return 0, math.Inf(1), true
	case "Cosh":
		return 1, math.Inf(1), true
	case "Expm1":
		return -1, math.Inf(1), true
	}
	return 0, 0, false
}

// maxMathTries bounds the arguments that are tried for all calls of a path.
const maxMathTries = 150

// settleCalls gives the arguments of a path's open calls values such that the path still holds.
func (m *Machine) settleCalls(st *State) solver.Verdict {
	if len(st.calls) == 0 {
		return solver.Sat
	}
	s := settler{m: m}
	pc := s.settle(st.pc, st.calls)
	if pc == nil {
		return solver.Unknown
	}
	st.pc.Release()
	st.pc, st.calls = pc, nil
	return solver.Sat
}

// settler searches for arguments, depth first over the calls.
type settler struct {
	m     *Machine
	tries int
}

// settle returns a fork of a path's condition in which all the calls have values, or nil. The values
// for one call may conflict with those for another, so each call is tried as the first.
func (s *settler) settle(pc *solver.PathCond, calls []mathCall) *solver.PathCond {
	if len(calls) == 0 {
		return pc.Fork()
	}
	for i, c := range calls {
		rest := append(append([]mathCall(nil), calls[:i]...), calls[i+1:]...)
		if q := s.settleOne(pc, c, rest); q != nil {
			return q
		}
	}
	return nil
}

// settleOne tries arguments of one call, and then the rest.
func (s *settler) settleOne(pc *solver.PathCond, c mathCall, rest []mathCall) *solver.PathCond {
	ts, sctx := s.m.ts, s.m.sctx
	model, verdict := sctx.Model(pc)
	if verdict != solver.Sat {
		return nil
	}
	value := func(v Value) float64 {
		if v.Term != 0 {
			return math.Float64frombits(ts.Eval(v.Term, model))
		}
		return math.Float64frombits(v.Bits)
	}
	x, y := value(c.args[0]), value(c.args[1])
	want := math.Float64frombits(ts.Eval(c.result, model))
	var found *solver.PathCond
	try := func(x, y float64) bool {
		if s.tries++; s.tries > maxMathTries {
			return false
		}
		q := pc.Fork()
		defer q.Release()
		for i, v := range []float64{x, y} {
			if t := c.args[i].Term; t != 0 {
				sctx.Assume(q, ts.Eq(t, ts.Const(64, math.Float64bits(v))))
			}
		}
		sctx.Assume(q, ts.Eq(c.result, ts.Const(64, math.Float64bits(c.f(x, y)))))
		if _, v := sctx.Model(q); v == solver.Sat {
			found = s.settle(q, rest)
		}
		return found != nil
	}
	if try(x, y) {
		return found
	}
	// Each argument is searched for while the other one keeps its value, and then with values of the other
	// one that people write.
	for k, other := range []float64{0, 2, 3, 1, 10, -1, 0.5} {
		for i := range 2 {
			v := [2]float64{x, y}
			if c.args[i].Term == 0 || k > 0 && c.args[1-i].Term == 0 {
				continue
			}
			if k > 0 {
				v[1-i] = other
			}
			at := func(u float64) [2]float64 {
				w := v
				w[i] = u
				return w
			}
			for _, u := range invert(func(u float64) float64 { w := at(u); return c.f(w[0], w[1]) }, want) {
				if w := at(u); try(w[0], w[1]) {
					return found
				}
			}
		}
	}
	return nil
}

// mathGrid returns the points between which a function is inverted.
func mathGrid() []float64 {
	return []float64{0, 1e-9, 1e-3, 0.01, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 50, 100, 300, 700, 1e3, 1e4, 1e6, 1e9, 1e15, 1e100, 1e300}
}

// invert returns some arguments at which f has the value want, or comes as near as possible. Arguments nearer
// to 1 come first.
func invert(f func(float64) float64, want float64) []float64 {
	var points []float64
	for _, g := range mathGrid() {
		points = append(points, -g, g)
	}
	sort.Float64s(points)
	if want != want {
		var out []float64
		for _, p := range append(points, math.Inf(1), math.NaN()) {
			if v := f(p); v != v {
				out = append(out, p)
			}
		}
		return out
	}
	var exact, near []float64
	add := func(x float64) {
		// A solution 2.4999999999999996 may stand for 2.5.
		for _, r := range []float64{x, math.Round(x), math.Round(x*1e6) / 1e6, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))} {
			if f(r) == want {
				exact = append(exact, r)
				return
			}
		}
		near = append(near, x)
	}
	for i, a := range points {
		if f(a) == want {
			exact = append(exact, a)
			continue
		}
		if i == 0 {
			continue
		}
		b := points[i-1]
		if (f(a) < want) != (f(b) < want) && f(a) == f(a) && f(b) == f(b) {
			lo, hi := ordered(b), ordered(a)
			below := f(b) < want
			for hi-lo > 1 {
				mid := lo + (hi-lo)/2
				if (f(unordered(mid)) < want) == below {
					lo = mid
				} else {
					hi = mid
				}
			}
			add(unordered(hi))
		}
	}
	byPlainness := func(xs []float64) {
		sort.SliceStable(xs, func(i, j int) bool { return math.Abs(math.Abs(xs[i])-1) < math.Abs(math.Abs(xs[j])-1) })
	}
	byPlainness(exact)
	byPlainness(near)
	return append(exact, near...)
}

// ordered numbers the floats in their order, so that neighbours differ by one.
func ordered(f float64) int64 {
	if b := int64(math.Float64bits(f)); b >= 0 {
		return b
	}
	return -int64(math.Float64bits(-f))
}

func unordered(n int64) float64 {
	if n >= 0 {
		return math.Float64frombits(uint64(n))
	}
	return -math.Float64frombits(uint64(-n))
}
