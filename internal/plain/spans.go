package plain

import (
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

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
