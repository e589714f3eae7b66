package random

import (
	"go/types"
	"time"

	"github.com/goassay/assay/internal/testcase"
)

// moment returns a duration for a package that waits for the clock: mostly a few milliseconds, which are enough to
// tell what comes first and what comes later, and do not make a test slow.
func (e *engine) moment() time.Duration {
	list := [...]time.Duration{
		time.Millisecond, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond,
		20 * time.Millisecond, 0, -time.Millisecond, time.Nanosecond, time.Minute,
	}
	n := len(list)
	switch {
	case e.limit <= brakeLimit:
		n = 3
	case e.limit < int64(time.Second):
		n -= 3 // the action was slow
	}
	return list[e.rnd.IntN(n)]
}

// isDuration reports whether a type is time.Duration.
func isDuration(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Duration" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time"
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
		if r, ok := e.callIn(d, m.op, m.params, false, 1); ok {
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
		} else if !ok && !isError(p) {
			return false
		}
	}
	return number
}
