package symbolic

import (
	"context"
	"fmt"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/vm"
)

// That no path breaks an assertion proves something only if the inputs of the paths are all
// that there are. Receivers that constructors and a few methods make are not: the fifth call
// of a method may be the first that fails. So a guided exploration is followed by one in
// which the receiver and all arguments are any values of their types, fields included that
// only the package itself can set. What holds there holds whatever was called before. What
// breaks there may be nothing that anybody can reach, so it makes no case.

// anyInputs follows the paths of a target for any inputs; nil if some of them cannot be
// symbols altogether.
func anyInputs(ctx context.Context, m *vm.Machine, prog *load.Program, pkg *load.Package, t *load.Target, b Budget, s vm.Searcher) (*AnyInputs, error) {
	sig := t.Func.Signature
	if t.Skip != "" || !vm.Closed(sig, pkg.Path, true) {
		return nil, nil
	}
	p := vm.NewPlanner(prog, pkg, nil)
	p.Any = true
	if !p.Call(t, nil) {
		return nil, nil
	}
	out := &AnyInputs{}
	partial, unknowns := false, m.Unknowns()
	stop := func() bool { return ctx.Err() != nil }
	left := vm.Budget{Steps: int64(b.Instructions), Paths: b.Paths, Queries: int64(b.Queries), Effort: int64(b.Effort), States: b.States, PathSteps: 1_000_000}
	stats, err := m.Explore(p.Driver, s, left.Part(2), stop, func(p *vm.Path) bool {
		partial = partial || p.Partial()
		return true
	})
	if err != nil {
		return nil, err
	}
	out.Broken = m.TakeBroken()
	stops := Result{Stops: map[string]int{}}
	for k, n := range stats.Stops {
		stops.Stops[string(k)] += n
	}
	switch {
	case ctx.Err() != nil:
		out.Bound = "the time was used up"
	case !stats.Exhausted:
		out.Bound = "for any receiver and arguments there are more paths than were followed"
	case stops.Unfinished() != "":
		out.Bound = fmt.Sprintf("for any receiver and arguments %d paths ended early (%s)", stops.Stops[stops.Unfinished()], stops.Unfinished())
	case stops.Stops[string(vm.StopVerified)] > 0:
		out.Bound = "a path that breaks an assertion is left out, since it is said to be verified there"
	case partial || m.Unknowns() > unknowns:
		out.Bound = "the machine followed one of several values"
	}
	return out, nil
}

// givenAny reports whether the first of some drivers calls nothing but the target, with any
// values of the types of its receiver and its parameters: what no path of it takes, nothing
// takes.
func givenAny(pkg *load.Package, t *load.Target, plans []*vm.Driver) bool {
	d := plans[0]
	if len(d.Calls) != 1 || !vm.Closed(t.Func.Signature, pkg.Path, false) || vm.TakesSlices(t.Func.Signature) {
		return false
	}
	for _, a := range d.Calls[0].Args {
		if a.Call >= 0 || a.Lit != nil || a.Zero {
			return false
		}
	}
	return true
}
