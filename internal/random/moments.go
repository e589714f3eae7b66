package random

import (
	"go/types"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// moment returns a duration for a package that asks for the time or waits for it: mostly a few milliseconds,
// which are enough to tell what comes first and what comes later, and do not make a test slow. With
// durations of a few nanoseconds chance would decide which of two calls comes in time.
func (e *engine) moment() time.Duration {
	if e.fake != nil {
		return e.fake.moment(e.rnd)
	}
	list := [...]time.Duration{
		time.Millisecond, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond,
		20 * time.Millisecond, 0, -time.Millisecond, time.Minute, time.Minute,
	}
	n := len(list)
	if e.limit == math.MaxInt64 && e.rnd.IntN(24) == 0 {
		return []time.Duration{math.MaxInt64, math.MinInt64}[e.rnd.IntN(2)] // sums with these overflow
	}
	switch {
	case e.limit <= brakeLimit:
		n = 3
	case e.limit < int64(time.Second):
		n -= 3 // the action was slow
	}
	return list[e.rnd.IntN(n)]
}

// passing is how much time passes where a sequence waits: more than the short durations that are passed, so that these
// are over.
const passing = 10 * time.Millisecond

// waiter returns the call of time.Sleep, or nil if the package does not ask for the time.
func waiter(pkg *load.Package) *testcase.Operation {
	if !purity.AsksTime(pkg) {
		return nil
	}
	for _, p := range pkg.Types.Imports() {
		if p.Path() == "time" {
			if fn, ok := p.Scope().Lookup("Sleep").(*types.Func); ok {
				return &testcase.Operation{Kind: testcase.OpFunc, Func: fn}
			}
		}
	}
	return nil
}

// letPass sometimes has a sequence wait before its next action, once at most: what is set for a short while is over
// then.
func (e *engine) letPass(d *draft) {
	if e.fake != nil {
		e.fake.letPass(e, d)
		return
	}
	if e.wait == nil || e.rnd.IntN(30) > 0 || slices.ContainsFunc(d.stmts, func(s testcase.Statement) bool { return s.Op == e.wait }) {
		return
	}
	how := e.literalOp(e.wait.Func.Signature().Params().At(0).Type(), testcase.Literal{Kind: testcase.LitInt, Bits: uint64(passing)})
	d.add(e.wait, d.add(how))
}

// brakeLimit is how large the numbers are that brakes sets.
const brakeLimit = 3

// brakes makes options for a call of an action that is likely to sleep for too long: of the functions that make such options
// those that take a duration or a number, because these set how long and how often the call waits. By
// chance hardly any call would get all of the options that it needs to end soon.
func (e *engine) brakes(d *draft, a *action, elem types.Type) []testcase.Ref {
	if !a.sleepy() || e.rnd.IntN(12) == 0 {
		return nil
	}
	var out []testcase.Ref
	limit := e.limit
	e.limit = brakeLimit
	defer func() { e.limit = limit }()
	for _, m := range e.constructors(elem) {
		if m.spread || !setsNumber(m.params) || e.rnd.IntN(8) == 0 {
			continue
		}
		if r, ok := e.callMaker(d, m, 1); ok {
			out = append(out, r)
		}
	}
	return out
}

// setsNumber reports whether parameters have an integer, and nothing that takes more than a constant and an error.
func setsNumber(params []types.Type) bool {
	number := false
	for _, p := range params {
		b, ok := p.Underlying().(*types.Basic)
		if ok && b.Info()&types.IsInteger != 0 {
			number = true
		} else if !ok && !gosyntax.IsError(p) {
			return false
		}
	}
	return number
}

// fakeTime says how sequences let time pass in bubbles of testing/synctest, where it costs nothing.
type fakeTime struct{ *purity.FakeTime }

// newFakeTime returns nil for packages whose tests use no bubbles.
func newFakeTime(prog *load.Program, pkg *load.Package) (*fakeTime, error) {
	f, err := purity.NewFakeTime(prog, pkg)
	if f == nil {
		return nil, err
	}
	return &fakeTime{f}, nil
}

// moment returns a duration that people set.
func (f *fakeTime) moment(rnd *rand.Rand) time.Duration {
	list := [...]time.Duration{time.Minute, time.Minute, time.Minute, time.Second, time.Hour, 10 * time.Second, 100 * time.Millisecond, 0, -time.Minute}
	if len(f.Spoken) > 0 && rnd.IntN(4) == 0 {
		return f.Spoken[rnd.IntN(len(f.Spoken))]
	}
	if rnd.IntN(60) == 0 {
		return []time.Duration{math.MaxInt64, math.MinInt64}[rnd.IntN(2)]
	}
	return list[rnd.IntN(len(list))]
}

// mostWaits is how often a sequence waits.
const mostWaits = 3

// letPass often has a sequence wait before its next action, for as long as one of its settings or a constant of the package
// says, or for a moment more or less: that is where code that compares times changes its mind. Sometimes it only lets other
// goroutines go on.
func (f *fakeTime) letPass(e *engine, d *draft) {
	waits := 0
	for _, st := range d.stmts {
		if st.Op == f.Sleep {
			waits++
		}
	}
	wait := waits < mostWaits && e.rnd.IntN(3) == 0
	if wait {
		how, set := time.Minute, f.Set(d.stmts)
		if len(set) > 0 && (len(f.Spoken) == 0 || e.rnd.IntN(3) > 0) {
			how = set[e.rnd.IntN(len(set))]
		} else if len(f.Spoken) > 0 {
			how = f.Spoken[e.rnd.IntN(len(f.Spoken))]
		}
		how = f.Bounded(how, set) + [...]time.Duration{0, 0, 0, 1, 1, -1}[e.rnd.IntN(6)]
		d.add(f.Sleep, d.add(e.literalOp(f.Sleep.Func.Signature().Params().At(0).Type(), testcase.Literal{Kind: testcase.LitInt, Bits: uint64(how)})))
	}
	if f.Settle != nil && !wait && e.rnd.IntN(6) == 0 {
		d.add(f.Settle)
	}
}
