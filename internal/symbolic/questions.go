package symbolic

import (
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
	"github.com/goassay/assay/internal/vm/plan"
)

// This file looks for calls that break an object. That the predicate of what comes out is false is a goal like a branch:
// the predicate is executed on each object at the end of a path of the target, and a path on which it says no is solved.
// The inputs become a case that ends with the call, and whether an object is broken is asked again when the case has run.

const (
	// questionsPart is the part of a target's budget that the questions get, beside what the explorations before have used.
	questionsPart = 4
	// endsPerDriver is how many ends of paths of one driver are asked.
	endsPerDriver = 40
	// pathsPerQuestion is how many paths of a predicate are followed at one end.
	pathsPerQuestion = 40
	// casesPerObject is how many cases show that one object is broken. An input may be invalid itself in a part that is not
	// asked first, so that one case is not enough.
	casesPerObject = 3
)

// questions asks the objects that calls of one target leave.
type questions struct {
	*explorer
	valid vm.Predicate
	over  bool // nobody wants further cases
	// whole says that the objects which the present driver makes without a constructor have said that they are valid.
	whole  bool
	budget Budget
	begin  solver.Stats   // what the solver had done before
	steps  int64          // instructions executed for the questions
	found  map[string]int // how many cases show that an object is broken, by where the object is
}

// askObjects executes the target once more, with receivers and arguments that are valid, and asks what comes out.
func (e *explorer) askObjects(ctx context.Context, s Subject, plans []*vm.Driver) error {
	valid := finding.PredicatesOf(s.Pkg)
	if len(valid) == 0 || load.IsPredicate(s.Target.Obj) {
		return nil
	}
	q := &questions{explorer: e, valid: valid.Method, budget: e.budget.Part(questionsPart), begin: e.sctx.Stats(), found: map[string]int{}}
	defer e.noteSolver()
	zero := q.withZero(s)
	for i, d := range slices.Concat(plans[:1], zero, plans[1:]) {
		q.whole = i > 0 && i <= len(zero)
		if d = q.withValidInputs(d); d == nil {
			continue
		}
		if more, err := q.ask(ctx, d); err != nil || !more {
			return err
		}
	}
	return nil
}

// limits returns what is left of the budget, for at most so many paths.
func (q *questions) limits(paths int) vm.Limits {
	b, st := q.budget, q.sctx.Stats()
	return vm.Limits{
		Steps: int64(b.Instructions) - q.steps, Paths: paths, Queries: int64(b.Queries) - (st.Backend - q.begin.Backend),
		Effort: int64(b.Effort) - (st.BackendEffort - q.begin.BackendEffort), States: b.States, PathSteps: int64(b.Instructions), PathForks: b.Branches,
	}
}

// ask executes a driver and asks the objects at the ends of its paths. It reports whether something of the budget is left.
func (q *questions) ask(ctx context.Context, d *vm.Driver) (more bool, err error) {
	stop := func() bool { return ctx.Err() != nil || q.over }
	out := func() bool {
		left := q.limits(1)
		return stop() || left.Steps <= 0 || left.Queries <= 0 || left.Effort <= 0
	}
	if out() {
		return false, nil
	}
	var ends []*vm.State
	defer func() {
		for _, st := range ends {
			st.Release()
		}
	}()
	half := q.limits(2 * q.budget.Paths).Part(2) // the other half is for the questions
	stats, err := q.m.Explore(d, q.cfg.searcher(), half, stop, func(p *vm.Path) bool {
		if p.Last && p.Stop == vm.StopReturn && len(q.m.ObjectsToAsk(p.State, q.valid)) > 0 {
			p.Keep()
			ends = append(ends, p.State)
		}
		return len(ends) < endsPerDriver
	})
	q.count(stats)
	for _, st := range ends {
		for _, a := range q.m.ObjectsToAsk(st, q.valid) {
			if err != nil || out() {
				return false, err
			}
			err = q.object(st, a, stop)
		}
	}
	return !out(), err
}

// count counts the effort of the questions.
func (q *questions) count(stats vm.Stats) {
	q.steps += stats.Steps
	q.res.Instructions += stats.Steps
}

// object asks one object at the end of a path.
func (q *questions) object(end *vm.State, a vm.Asked, stop func() bool) error {
	if q.found[a.Where] >= casesPerObject {
		return nil
	}
	st := q.m.Ask(end, a)
	if st == nil {
		return nil
	}
	stats, err := q.m.ExploreFrom(st, &search.DFS[*vm.State]{}, q.limits(pathsPerQuestion), stop, func(p *vm.Path) bool {
		if q.m.Fails(p) && q.report(p) {
			q.found[a.Where]++
			return false
		}
		return !q.over
	})
	q.count(stats)
	return err
}

// report makes a case of a path on which a predicate says no, and reports whether it could. What the call does is predicted
// by other cases: the machine has executed the predicate since.
func (q *questions) report(p *vm.Path) bool {
	s, verdict := q.m.Solve(p)
	if verdict != solver.Sat {
		return false
	}
	seq, err := q.m.Sequence(p, s)
	if err != nil {
		return false
	}
	q.cases++
	q.over = !q.yield(&testcase.Case{
		Package: q.pkg.Path, Target: q.target.Name, Engine: "symbolic", Seq: seq, Path: q.m.Conditions(p), Stop: string(p.Stop),
		Whole: q.whole,
	})
	return true
}

// withZero returns drivers each of which passes the zero value in place of an object with a predicate that a constructor would
// make: as the receiver, or as the parameters of a type. Users can declare such a value, and if its predicate accepts it, code
// has to do with it what it promises.
func (q *questions) withZero(s Subject) []*vm.Driver {
	var out []*vm.Driver
	add := func(recv *vm.DriverArg, given ...vm.DriverArg) {
		p := plan.New(s.Prog, s.Pkg, nil)
		if s.Target.Recv != nil && recv == nil {
			made, ok := p.Receiver(s.Target, receivers(s.Pkg, s.Target)[0].ctor)
			if !ok {
				return
			}
			recv = &made
		}
		p.Given = given
		if p.Call(s.Target, recv) {
			out = append(out, p.Driver)
		}
	}
	zero := func(v *types.Var) (vm.DriverArg, bool) {
		z := vm.DriverArg{Call: -1, Type: v.Type(), Name: v.Name(), Zero: true, New: isPointer(v.Type())}
		_, asked := q.question(z)
		return z, asked && len(s.Pkg.Constructors(v.Type())) > 0
	}
	sig := s.Target.Func.Signature
	if recv := sig.Recv(); recv != nil {
		if z, ok := zero(recv); ok {
			add(&z)
		}
	}
	var done []types.Type
	for v := range sig.Params().Variables() {
		z, ok := zero(v)
		if ok && !slices.ContainsFunc(done, func(t types.Type) bool { return types.Identical(t, z.Type) }) {
			done = append(done, z.Type)
			add(nil, z)
		}
	}
	return out
}

// withValidInputs returns the driver with a question before its last call for each argument whose type has a predicate, so
// that only valid objects are passed. It returns nil if one of these is nil.
func (q *questions) withValidInputs(d *vm.Driver) *vm.Driver {
	last := len(d.Calls) - 1
	target := d.Calls[last]
	target.Args = slices.Clone(target.Args)
	calls := slices.Clone(d.Calls[:last])
	for i, a := range target.Args {
		if a.Call < 0 && a.Of == last+1 {
			continue // it is another argument of the call once more
		}
		c, ok := q.question(a)
		if !ok {
			continue
		}
		asked := c.Args[0]
		if a.Zero && !asked.New && types.Identical(a.Type, asked.Type) && isPointer(a.Type) {
			return nil
		}
		calls = append(calls, c)
		if a.Call < 0 && a.Of == 0 {
			target.Args[i] = vm.DriverArg{Call: -1, Of: len(calls), Type: a.Type, Name: a.Name, Deref: !types.Identical(a.Type, asked.Type)}
		}
	}
	for i, a := range d.Calls[last].Args {
		if a.Call < 0 && a.Of == last+1 {
			target.Args[i].Of = len(calls) + 1
		}
	}
	return &vm.Driver{Calls: append(calls, target), PastAsserts: d.PastAsserts}
}

// question returns the call that asks an argument or, if the predicate wants an address, a variable that holds the argument.
func (q *questions) question(a vm.DriverArg) (vm.DriverCall, bool) {
	if c, ok := q.m.Question(a, q.valid); ok {
		return c, true
	}
	if a.Box != nil || a.Unbox || a.Of > 0 && !a.Deref {
		return vm.DriverCall{}, false
	}
	a.Type = types.NewPointer(a.Type)
	switch {
	case a.Deref:
		a.Deref = false
	case a.Call >= 0:
		a.Addr = true
	default:
		a.New = true
	}
	return q.m.Question(a, q.valid)
}
