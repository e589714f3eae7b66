package plain

import (
	"go/types"
	"math"
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
			isZero := st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite && len(st.Args) == 0
			isOwn := isZero && load.IsMoment(st.Op.Type) && load.NamedOf(st.Op.Type).Obj().Pkg() == pkg.Types
			if _, ok := momentOf(c.Seq, st); !ok && !isOwn && (st.Op.Kind != testcase.OpZero || !load.IsNamed(st.Op.Type, "time", "Time")) {
				return st, false
			}
			made++
			call := dateCall(out, date, utc, dates[(made-1)%len(dates)])
			if !isOwn {
				return call, true
			}
			*out = append(*out, call)
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpConvert, Type: st.Op.Type}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
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
	for _, t := range load.Moments(pkg.Types) {
		out = append(out, &testcase.Operation{Kind: testcase.OpConvert, Type: t})
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
