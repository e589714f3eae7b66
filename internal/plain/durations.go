package plain

import (
	"go/types"
	"math"
	"slices"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Durations is a way to write durations of a few nanoseconds, which solvers and reducers choose, as that many
// tens of milliseconds. Seconds would make a test wait that sleeps.
func Durations(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	const few, unit = 1000, int64(10 * time.Millisecond)
	meant := meantAsTheyAre(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		op := st.Op
		n := int64(op.Lit.Bits)
		if meant[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Type == nil || !isDuration(op.Type) || n <= -few || n >= few || n == 0 {
			continue
		}
		lit, _ := testcase.IntLiteral(types.Typ[types.Int64], n*unit)
		stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		changed = true
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// Composed returns a way that writes durations which nobody can read, as solvers choose them, as durations of the same units
// that people write: 2h30m15s in place of 21h19m37.612s. With half only the parts from seconds on stay.
func Composed(half bool) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		meant := meantAsTheyAre(pkg, c.Seq)
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		changed := false
		for i, st := range stmts {
			op := st.Op
			if meant[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Type == nil || !isDuration(op.Type) {
				continue
			}
			n := int64(op.Lit.Bits)
			m := composed(n, half)
			if m == n || m == 0 {
				continue
			}
			lit, _ := testcase.IntLiteral(types.Typ[types.Int64], m)
			stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
			changed = true
		}
		if !changed {
			return nil, false
		}
		return testcase.NewSequence(stmts...), true
	}
}

// composed returns a duration with a plain number in place of each of the parts that a duration has, if it has several.
func composed(d int64, half bool) int64 {
	units := []struct{ size, plain int64 }{
		{int64(7 * 24 * time.Hour), 2}, {int64(24 * time.Hour), 3}, {int64(time.Hour), 5}, {int64(time.Minute), 30}, {int64(time.Second), 15},
		{int64(time.Millisecond), 250}, {int64(time.Microsecond), 40}, {1, 7},
	}
	if d == math.MinInt64 || d == math.MaxInt64 {
		return d
	}
	const readable = 10_000
	for _, u := range units {
		if n := d / u.size; d%u.size == 0 && -readable < n && n < readable {
			return d // a number of one unit
		}
	}
	var out int64
	sign := int64(1)
	if d < 0 {
		d, sign = -d, -1
	}
	for _, u := range units {
		if d/u.size != 0 {
			out += u.plain * u.size
		}
		if d %= u.size; half && u.size == int64(time.Second) {
			break
		}
	}
	return sign * out
}
