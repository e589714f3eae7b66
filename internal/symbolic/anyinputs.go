package symbolic

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/vm"
	"github.com/goassay/assay/internal/vm/plan"
)

// This file proves assertions. That no path breaks an assertion is a proof only if the paths' inputs are all
// possible inputs. Receivers that a constructor and a few methods make are not all: the fifth call of a
// method may be the first that fails. A guided exploration is therefore followed by one in which the receiver
// and all arguments are any values of their types, including unexported fields. An assertion that holds there
// holds whatever was called before. A failure there may need values that nobody can make, so it becomes no
// case.
//
// Where an assertion of the code fails, a path ends, so that what stands behind it is never seen to fail. If any does,
// the paths are followed once more, past such assertions: one of the same condition, in whatever words, fails with it.

// anyInputs follows the paths of a target for any inputs. It returns nil if not every part of the inputs can
// be a symbol.
func anyInputs(ctx context.Context, m *vm.Machine, s Subject, cfg Config, b Budget) (*AnyInputs, error) {
	t := s.Target
	if t.Skip != "" || !vm.Closed(t.Func.Signature, s.Pkg.Path, true) {
		return nil, nil
	}
	f := proof{ctx: ctx, m: m, s: s, cfg: cfg, budget: b}
	out, err := f.follow(false)
	if out != nil && f.ended && err == nil {
		out.Past, err = f.follow(true)
	}
	return out, err
}

// proof is the work of anyInputs.
type proof struct {
	ctx    context.Context
	m      *vm.Machine
	s      Subject
	cfg    Config
	budget Budget
	ended  bool // a path ended at an assertion of the code, or at a clause of a contract
}

// follow follows the paths, past assertions that fail if past is set.
func (f *proof) follow(past bool) (*AnyInputs, error) {
	m, t, b := f.m, f.s.Target, f.budget
	out := &AnyInputs{Broken: map[vm.BrokenAssertion]bool{}, Clauses: map[string]bool{}}
	bound := func(why string) { out.Bound = cmp.Or(out.Bound, why) }
	unknowns := m.Unknowns()
	for _, nilPointers := range []bool{false, true} {
		p := plan.New(f.s.Prog, f.s.Pkg, nil)
		p.Any, p.NilPointers = true, nilPointers
		if !p.Call(t, nil) {
			return nil, nil
		}
		if nilPointers && !slices.ContainsFunc(p.Driver.Calls[0].Args, func(a vm.DriverArg) bool { return a.Zero }) {
			break // some input cannot be any value
		}
		p.Driver.PastAsserts = past
		left := vm.Limits{Steps: int64(b.Instructions), Paths: b.Paths, Queries: int64(b.Queries), Effort: int64(b.Effort), States: b.States, PathSteps: 1_000_000, PathForks: b.Branches}
		stats, err := m.Explore(p.Driver, f.cfg.searcher(), left.Part(2), func() bool { return f.ctx.Err() != nil }, func(p *vm.Path) bool {
			if p.Stop == vm.StopAssert {
				out.Clauses[p.Reason] = true
			}
			for _, clause := range p.Failed() {
				out.Clauses[clause] = true
			}
			switch {
			case unfinished(p.Stop):
				bound("a path that the machine did not follow: " + cmp.Or(p.Reason, string(p.Stop)))
			case p.Stop == vm.StopVerified:
				bound("a path that breaks an assertion is left out, since it is said to be verified there")
			case p.Partial():
				bound("the machine followed one of several values, or of several orders of goroutines")
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		if !stats.Exhausted {
			bound("for all receivers and arguments there are more paths than were followed")
		}
		f.ended = f.ended || stats.Stops[vm.StopAssert] > 0
		maps.Copy(out.Broken, m.TakeBroken())
	}
	if f.ctx.Err() != nil {
		bound(TimeUsedUp)
	}
	if m.Unknowns() > unknowns {
		bound("the solver did not answer")
	}
	return out, nil
}

// givenAny reports whether the first driver calls only the target, with any values of the types of its
// receiver and its parameters. The driver's paths are then all paths of the target.
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
