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

// spans are lengths of time as they occur to people who test what a program says of one: one of each unit and several, just
// more than one, and in the other direction.
var spans = [...]time.Duration{
	time.Second, 30 * time.Second, time.Minute, 90 * time.Second, 45 * time.Minute, time.Hour, 3 * time.Hour, 26 * time.Hour, 5 * day, 12 * day, 45 * day, 400 * day, -2 * time.Hour, 0,
}

const day = 24 * time.Hour

// Spans returns sequences of a case, if its own call takes a duration or two moments, and something that it returns is a text
// or a number: one sequence for each of several durations, or with so much time between the moments. Calls that return
// nothing of the kind may wait as long.
func Spans(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	st := c.Seq.At(c.TargetStmt())
	results := c.Seq.ResultTypes()
	if !slices.ContainsFunc(results[c.TargetStmt()], func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&(types.IsString|types.IsNumeric) != 0
	}) {
		return nil
	}
	durations, moments := make(map[int]bool), []int(nil)
	for _, a := range st.Args {
		k := c.Seq.At(a.Stmt).Op.Kind
		switch t := results[a.Stmt][a.Result]; {
		case isDuration(t) && (k == testcase.OpLiteral || k == testcase.OpZero):
			durations[a.Stmt] = true
		case load.IsNamed(t, "time", "Time"):
			moments = append(moments, a.Stmt)
		}
	}
	date, utc := dateFunc(pkg)
	if len(durations) == 0 && (len(moments) != 2 || date == nil || utc == nil || moments[0] == moments[1]) {
		return nil
	}
	var out []*testcase.Sequence
	for _, span := range spans {
		seq, ok := rebuilt(c.Seq, func(i int, before *[]testcase.Statement) (testcase.Statement, bool) {
			switch {
			case durations[i]:
				lit, _ := testcase.IntLiteral(types.Typ[types.Int64], int64(span))
				return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: c.Seq.At(i).Op.Type, Lit: lit}}, true
			case len(durations) == 0 && i == moments[0]:
				return dateCall(before, date, utc, fieldsOf(reference.Add(-span))), true
			case len(durations) == 0 && i == moments[1]:
				return dateCall(before, date, utc, fieldsOf(reference)), true
			}
			return c.Seq.At(i), false
		})
		if ok {
			out = append(out, seq)
		}
	}
	return out
}

// reference is the later of two moments.
var reference = time.Date(2024, time.May, 15, 12, 0, 0, 0, time.UTC)

// PassesSpan reports whether a case's own call takes values as Spans gives them: one of its durations, or the moment at the end
// of one.
func PassesSpan(c *testcase.Case) bool {
	results := c.Seq.ResultTypes()
	return slices.ContainsFunc(c.Seq.At(c.TargetStmt()).Args, func(a testcase.Ref) bool {
		st := c.Seq.At(a.Stmt)
		if isDuration(results[a.Stmt][a.Result]) {
			return st.Op.Kind == testcase.OpLiteral && slices.Contains(spans[:], time.Duration(st.Op.Lit.Bits))
		}
		if !makesMoment(st.Op) {
			return false
		}
		for k, n := range fieldsOf(reference) {
			if op := c.Seq.At(st.Args[min(k, len(st.Args)-1)].Stmt).Op; op.Kind != testcase.OpLiteral || int64(op.Lit.Bits) != n {
				return false
			}
		}
		return true
	})
}
