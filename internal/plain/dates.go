package plain

import (
	"go/types"
	"slices"
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
// small arguments, dates of 1970 and before, and, where another date will do, the present moment.
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
			if asksClock(st.Op) {
				ok = how == anyDate || how == otherDate
			}
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
			return dateCall(out, date, utc, moment), true
		})
	}
}

// moments returns a way that replaces zero times, and moments of 1970 and before, by dates, the first by the n-th. The present
// moment stays.
func moments(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		date, utc := dateFunc(pkg)
		if date == nil || utc == nil {
			return nil, false
		}
		made := n
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			if _, ok := momentOf(c.Seq, st); !ok && (st.Op.Kind != testcase.OpZero || !load.IsNamed(st.Op.Type, "time", "Time")) {
				return st, false
			}
			made++
			return dateCall(out, date, utc, dates[(made-1)%len(dates)]), true
		})
	}
}

// NotNow is a way to pass dates in UTC in place of the present moment, so that what a call returns is the same on every
// day.
func NotNow(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	date, utc := dateFunc(pkg)
	if date == nil || utc == nil {
		return nil, false
	}
	made := 0
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if !asksClock(st.Op) {
			return st, false
		}
		made++
		return dateCall(out, date, utc, dates[(made-1)%len(dates)]), true
	})
}

// dateCall appends the arguments of a call of time.Date that makes a moment in UTC, and returns the call.
func dateCall(out *[]testcase.Statement, date *types.Func, utc *types.Var, moment [7]int64) testcase.Statement {
	var args []testcase.Ref
	for k, n := range moment {
		args = append(args, testcase.Ref{Stmt: len(*out)})
		t := date.Signature().Params().At(k).Type()
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}}})
	}
	args = append(args, testcase.Ref{Stmt: len(*out)})
	*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpGlobal, Type: utc.Type(), Var: utc}})
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: date}, Args: args}
}

// appendMoment appends statements that make an observed moment in UTC, and returns the number of the last one. It
// returns false for a moment in another zone, and for one with a reading of the monotonic clock.
func appendMoment(pkg *load.Package, out *[]testcase.Statement, v testcase.Value) (int, bool) {
	date, utc := dateFunc(pkg)
	if date == nil || utc == nil || v.Kind != testcase.Struct || len(v.Elems) != 3 || v.Elems[0].Bits>>30 != 0 || v.Elems[2].Kind != testcase.Nil {
		return 0, false
	}
	const unixToYear1 = 62135596800
	t := time.Unix(int64(v.Elems[1].Bits)-unixToYear1, int64(v.Elems[0].Bits)).UTC()
	*out = append(*out, dateCall(out, date, utc, fieldsOf(t)))
	return len(*out) - 1, true
}

// fieldsOf returns a moment in UTC as the arguments of time.Date.
func fieldsOf(t time.Time) [7]int64 {
	return [7]int64{int64(t.Year()), int64(t.Month()), int64(t.Day()), int64(t.Hour()), int64(t.Minute()), int64(t.Second()), int64(t.Nanosecond())}
}

// Zones returns the sequence of a case with UTC in place of zones that the case computes: the machine's own zone, which
// differs from one machine to the next, and fixed zones without a name and an offset.
func Zones(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	_, utc := dateFunc(pkg)
	if utc == nil {
		return nil, false
	}
	return rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if i >= c.TargetStmt() || !computesZone(c.Seq, st) {
			return st, false
		}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpGlobal, Type: utc.Type(), Var: utc}}, true
	})
}

// computesZone reports whether a statement asks a moment for its zone, or makes a zone that is UTC under another name.
func computesZone(s *testcase.Sequence, st testcase.Statement) bool {
	if st.Op.Func == nil {
		return false
	}
	switch st.Op.Func.FullName() {
	case "(time.Time).Location":
		return true
	case "time.FixedZone":
		return !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool {
			op := s.At(a.Stmt).Op
			return op.Kind != testcase.OpZero && (op.Kind != testcase.OpLiteral || op.Lit.Bits != 0 || op.Lit.Str != "")
		})
	}
	return false
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
	out := Makers(pkg)
	if background := backgroundOf(pkg); background != nil {
		out = append(out, &testcase.Operation{Kind: testcase.OpFunc, Func: background})
	}
	date, utc := dateFunc(pkg)
	if date == nil || utc == nil {
		return out
	}
	return append(out, []*testcase.Operation{{Kind: testcase.OpFunc, Func: date}, {Kind: testcase.OpGlobal, Type: utc.Type(), Var: utc}}...)
}

// asksClock reports whether an operation calls time.Now.
func asksClock(op *testcase.Operation) bool {
	return op.Kind == testcase.OpFunc && op.Func.FullName() == "time.Now"
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
		return fieldsOf(time.Unix(args[0], args[1]).UTC()), true
	case name == "Date" && len(args) == 7 && args[0] <= epoch:
		return [7]int64(args), true
	}
	return [7]int64{}, false
}
