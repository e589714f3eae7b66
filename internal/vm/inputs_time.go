package vm

import (
	"go/types"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// This file makes inputs of type time.Time. The type is opaque, and yet frequent in inputs. Its value is that
// of time.Unix(s, 0).UTC(), whose fields are known: no nanoseconds, the seconds since the year 1, and nil for
// the location UTC.

// unixToInternal is the number of seconds from the year 1 to 1970.
const unixToInternal = 62135596800

// The seconds of the years 1 to 9999, and those of 2024, which reads best.
const (
	lastSecond = 315537897599
	firstNice  = 63839664000
	lastNice   = firstNice + 366*86400 - 1
)

func isTime(t *Type) bool { return t.Name == "time.Time" && t.Size == 3 }

func isDuration(t *Type) bool { return t.Name == "time.Duration" }

// preferredDurations returns soft constraints on a duration, the most important first. People pass a minute, or nothing, or
// at least something between a millisecond and an hour. A few nanoseconds would make tickers and timeouts of a test fire at
// once, and all the time.
func (m *Machine) preferredDurations(d term.ID) []term.ID {
	ts := m.ts
	is := func(v time.Duration) term.ID { return ts.Eq(d, ts.Const(64, uint64(v))) }
	within := ts.And(ts.Sle(ts.Const(64, uint64(time.Millisecond)), d), ts.Sle(d, ts.Const(64, uint64(time.Hour))))
	return []term.ID{ts.Or(is(0), is(time.Minute)), ts.Or(is(0), within)}
}

// symbolicTime makes the cells of a symbolic time.
func (m *Machine) symbolicTime(st *State, name string, out []Value) {
	s := m.ts.Var(64, name+".seconds")
	m.assume(st, m.ts.Ule(s, m.ts.Const(64, lastSecond)))
	st.prefers = append(st.prefers[:len(st.prefers):len(st.prefers)],
		m.ts.And(m.ts.Ule(m.ts.Const(64, firstNice), s), m.ts.Ule(s, m.ts.Const(64, lastNice))))
	out[1] = Value{Term: s}
}

// timeValue writes a time.
func (b *builder) timeValue(v []Value, t *Type) testcase.Ref {
	seconds := b.eval(v[1])
	if seconds == 0 && v[1].Term == 0 {
		return b.zero(t)
	}
	unix, err := b.m.prog.LookupFunc("time", "Unix")
	if err != nil {
		panic(unwritable("a time: " + err.Error()))
	}
	fn := load.Visible(b.m.pkg.Types, unix.Object().(*types.Func))
	n, ok := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Named)
	if !ok {
		panic("bug: vm: time.Unix returns no named type")
	}
	utc, _, _ := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), "UTC")
	i64 := b.m.types.of(types.Typ[types.Int64])
	sec := b.out.Add(literal(i64, seconds-unixToInternal))
	nsec := b.out.Add(literal(i64, 0))
	at := b.out.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: fn}, sec, nsec)
	return b.out.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: utc.(*types.Func)}, at)
}
