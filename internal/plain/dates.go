package plain

import (
	"go/types"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// dates are moments that nobody takes for a zero value: year, month, day, hour, minute, second,
// nanosecond. They are in UTC, so that the result a test expects does not depend on where it runs.
var dates = [...][7]int64{{2024, 2, 3, 4, 5, 6, 0}, {2025, 3, 4, 5, 6, 7, 0}, {2026, 4, 5, 6, 7, 8, 0}}

// Bounds of moments that look as if nobody chose them: up to so many seconds after the beginning of
// 1970, or a date in or before that year.
const (
	aYear = 366 * 24 * 60 * 60
	epoch = 1970
)

// dating says how Dates writes a moment.
type dating int

const (
	anyDate   dating = iota // a date as people write them
	otherDate               // another date, on another day of the week
	sameTime                // the same time of a day of the year 2024
	sameDate                // the moment itself
)

// Dates returns a way that replaces moments that nobody chose by dates in UTC: calls of time.Unix with
// small arguments, and dates of 1970 and before.
func Dates(how dating) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		date, utc := dateFunc(pkg)
		if date == nil || utc == nil {
			return nil, false
		}
		made := 0
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			moment, ok := momentOf(c.Seq, st)
			if !ok {
				return st, false
			}
			switch how {
			case anyDate, otherDate:
				moment = dates[(made+int(how))%len(dates)]
				made++
			case sameTime:
				copy(moment[:3], dates[0][:3])
			case sameDate:
				if st.Op.Func == date {
					return st, false
				}
			}
			var args []testcase.Ref
			for k, n := range moment {
				args = append(args, testcase.Ref{Stmt: len(*out)})
				t := date.Signature().Params().At(k).Type()
				*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}}})
			}
			args = append(args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpGlobal, Type: utc.Type(), Var: utc}})
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: date}, Args: args}, true
		})
	}
}

// dateFunc returns time.Date and time.UTC, or nil if the package does not import time.
func dateFunc(pkg *load.Package) (*types.Func, *types.Var) {
	date := importedFunc(pkg, "time", "Date")
	if date == nil {
		return nil, nil
	}
	utc, _ := date.Pkg().Scope().Lookup("UTC").(*types.Var)
	return date, utc
}

// Operations returns the functions of other packages that the ways call. A caller who builds a program
// to run proposals can include them from the start.
func Operations(pkg *load.Package) []*testcase.Operation {
	out := foreignMakers(pkg)
	date, utc := dateFunc(pkg)
	if date == nil || utc == nil {
		return out
	}
	return append(out, []*testcase.Operation{{Kind: testcase.OpFunc, Func: date}, {Kind: testcase.OpGlobal, Type: utc.Type(), Var: utc}}...)
}

// makesMoment reports whether an operation calls time.Unix or time.Date.
func makesMoment(op *testcase.Operation) bool {
	return op.Kind == testcase.OpFunc && (op.Func.FullName() == "time.Unix" || op.Func.FullName() == "time.Date")
}

// momentOf returns the moment that a statement makes, as the arguments of time.Date. It returns false
// for a moment that somebody chose.
func momentOf(s *testcase.Sequence, st testcase.Statement) ([7]int64, bool) {
	if st.Op.Kind == testcase.OpMethod && st.Op.Func.FullName() == "(time.Time).UTC" {
		return momentOf(s, s.At(st.Args[0].Stmt)) // all these moments are in UTC, so the method changes nothing
	}
	if !makesMoment(st.Op) {
		return [7]int64{}, false
	}
	var args []int64
	for _, a := range st.Args {
		op := s.At(a.Stmt).Op
		switch op.Kind {
		case testcase.OpLiteral, testcase.OpZero:
			args = append(args, int64(op.Lit.Bits))
		}
	}
	switch name := st.Op.Func.Name(); {
	case name == "Unix" && len(args) == 2 && args[0] < aYear:
		t := time.Unix(args[0], args[1]).UTC()
		return [7]int64{int64(t.Year()), int64(t.Month()), int64(t.Day()), int64(t.Hour()), int64(t.Minute()), int64(t.Second()), int64(t.Nanosecond())}, true
	case name == "Date" && len(args) == 7 && args[0] <= epoch:
		return [7]int64(args), true
	}
	return [7]int64{}, false
}
