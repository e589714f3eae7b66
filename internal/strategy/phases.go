package strategy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// The parts of its usual effort that the random engine spends before the other engines and after them. In the
// end it starts from the values that these have found. It is the engine that finds failures to which no
// branch leads, and contracts that long sequences break, for which it has its whole usual effort also where a
// person waits.
const (
	firstRandomShare   = 1. / 6
	lastRandomShare    = 3
	waitingRandomShare = 1
)

// firstShare is the part of its usual effort that the symbolic engine first spends on a function.
// coveredShare is the part for a function that is covered already, where it finds simpler inputs and
// failures. Few functions need more; exploreRest gives the rest of the effort to these.
const (
	firstShare   = 1. / 4
	coveredShare = 1. / 8
)

// randomFirst lets the random engine look for cases that are easy to find. They are added after the
// cases of the other engines, which are simpler if both show the same.
func (e *exploration) randomFirst(ctx context.Context) error {
	return e.explorePackageWith(ctx, e.engineNamed("random"), effort{share: firstRandomShare}, func(cases []*testcase.Case) {
		e.first = append(e.first, cases...)
		e.bench.NoteCover(&e.cover, cases)
	})
}

// exploreExported explores the exported functions.
func (e *exploration) exploreExported(ctx context.Context) error {
	return e.exploreNew(ctx, e.cfg.Exported)
}

// exploreInside explores the unexported functions that are not covered yet.
func (e *exploration) exploreInside(ctx context.Context) error {
	return e.exploreNew(ctx, e.uncovered(e.cfg.Inside))
}

// exploreRest gives their full effort to functions that are not covered and whose paths
// were not all followed at first.
func (e *exploration) exploreRest(ctx context.Context) error {
	var targets []*load.Target
	for _, x := range e.Explored {
		if x.Report.Cut && e.isUncovered(x.Target) {
			targets = append(targets, x.Target)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	xs, err := e.exploreMore(ctx, engine.Work{Engines: engine.Of(e.cfg.Engines, engine.PerFunction), Targets: targets, Task: e.task})
	e.noteExplored(xs)
	return err
}

// exploreTypes lets the engines that work on types explore types with uncovered exported methods, and with a part
// of the effort those whose objects, or what their methods return, can say whether they are valid: a call that breaks an object need not cover
// anything new.
func (e *exploration) exploreTypes(ctx context.Context) error {
	engines := engine.Of(e.cfg.Engines, engine.PerType)
	var first []*load.Target // one method of each type
	add := func(t *load.Target) bool {
		named := load.NamedOf(t.Recv)
		if named == nil || slices.ContainsFunc(first, func(u *load.Target) bool { return types.Identical(load.NamedOf(u.Recv), named) }) {
			return false
		}
		first = append(first, t)
		return true
	}
	for _, t := range e.uncovered(e.cfg.Exported) {
		if t.Recv != nil {
			add(t)
		}
	}
	covered := make(map[*load.Target]bool)
	for _, t := range e.cfg.Exported {
		if t.Recv != nil && !load.IsPredicate(t.Obj) && (load.HasInvariant(t.Recv) || makesAskable(t)) && add(t) {
			covered[t] = true
		}
	}
	if len(engines) == 0 || len(first) == 0 {
		return nil
	}
	work := engine.Work{Engines: engines, Targets: first, Stage: "sequences", Task: func(t *load.Target) engine.Task {
		task := e.task(t)
		if covered[t] {
			task.Share = firstShare
		}
		return task
	}}
	_, err := e.exploreMore(ctx, work)
	return err
}

// makesAskable reports whether a method returns objects that can say whether they are valid, alone or in a list.
func makesAskable(t *load.Target) bool {
	for r := range t.Func.Signature.Results().Variables() {
		typ := r.Type()
		if list, ok := typ.Underlying().(*types.Slice); ok {
			typ = list.Elem()
		}
		if load.NamedOf(typ) != nil && load.HasInvariant(typ) {
			return true
		}
	}
	return false
}

// makeStructures lets the engines for packages other than random work if the exported functions are not covered, or if
// the package says which structures are valid. The engine bounded makes the structures that a predicate of the package
// accepts, and some of them may be the only ones that a call breaks; that everything is covered says nothing of these.
func (e *exploration) makeStructures(ctx context.Context) error {
	for _, en := range engine.Of(e.cfg.Engines, engine.PerPackage) {
		if en.Name() == "random" || !e.promises() && len(e.uncovered(e.cfg.Exported)) == 0 {
			continue
		}
		if err := e.explorePackageWith(ctx, en, effort{share: 1}, e.addCases); err != nil {
			return err
		}
	}
	return nil
}

// promises reports whether the package says what holds of its objects or calls: by predicates, invariants or contracts.
func (e *exploration) promises() bool {
	c := e.Pkg.Contracts
	return len(finding.PredicatesOf(e.Pkg)) > 0 || c != nil && len(c.Funcs)+len(c.Types) > 0
}

// randomLast lets the random engine look for the rest, starting with the values that the other engines
// have found. Where the package makes promises, the engine works by itself as well, as it does alone: it takes other ways
// then, and one of them may be the only one that breaks something, although all of its code is covered.
func (e *exploration) randomLast(ctx context.Context) error {
	share := float64(lastRandomShare)
	if e.cfg.Waiting {
		share = waitingRandomShare
	}
	if e.promises() && !e.cfg.Waiting {
		if err := e.explorePackageWith(ctx, e.engineNamed("random"), effort{share: share, alone: true}, e.addCases); err != nil {
			return err
		}
	}
	return e.explorePackageWith(ctx, e.engineNamed("random"), effort{share: share}, e.addCases)
}

// explorePackage lets the engines that work on the whole package look for the rest, each by itself.
func (e *exploration) explorePackage(ctx context.Context) error {
	for _, en := range engine.Of(e.cfg.Engines, engine.PerPackage) {
		if ctx.Err() != nil {
			break
		}
		if err := e.explorePackageWith(ctx, en, effort{share: lastRandomShare}, e.addCases); err != nil {
			return err
		}
	}
	return nil
}

// effort says how an engine for packages works: with which part of its usual effort, and whether alone, as if no other
// engine had found anything.
type effort struct {
	share float64
	alone bool
}

// explorePackageWith runs an engine for packages, and passes the engine's cases to found.
func (e *exploration) explorePackageWith(ctx context.Context, en engine.Engine, how effort, found func([]*testcase.Case)) error {
	wanted := make(map[string]bool)
	for _, t := range e.cfg.Exported {
		wanted[t.Name] = true
	}
	for _, t := range e.cfg.Inside {
		wanted[t.Name] = e.isUncovered(t)
	}
	e.Events.Send(event.Progress{Package: e.Pkg.Path, Stage: en.Name()})
	if e.bench.Stateful() {
		// The engine runs sequences that leave any state behind, so the cases that are kept are observed
		// again in a new process.
		defer e.bench.Fresh()
	}
	t := engine.Task{
		Prog: e.Prog, Pkg: e.Pkg, Seed: e.Config.Seed + uint64(e.cfg.Resumed.Round), Tags: e.Config.Tags, Confine: e.Config.Confine, Share: how.share,
		Harness: e.bench.Harness, Covered: e.coverWithoutHandBuilt(), Checks: e.cfg.Checks,
		Wanted: func(name string) bool { return wanted[name] }, Exhaustive: e.cfg.Exhaustive, Finitization: e.cfg.Finitization, Stateful: e.bench.Stateful(),
		Accepted: e.cfg.Resumed.Learnt.Accepted, Log: func(form string, args ...any) { e.Debug("stages", form, args...) },
	}
	switch {
	case how.alone:
		t.Covered = nil
	case e.isHybrid():
		t.Known = e.buildable() // in the end the reducer asks which mutants the cases notice
	default:
		t.Mutants = e.cfg.Noticed
	}
	err := e.RunOrLeave(ctx, func() (func(), error) {
		var cases []*testcase.Case
		report, err := en.Run(ctx, t, func(c *testcase.Case) bool {
			cases = append(cases, c)
			return ctx.Err() == nil
		})
		return func() {
			found(e.inScope(cases))
			e.Spare = e.inScope(report.Spare)
			if len(e.Spare) > 0 {
				e.Learnt.Pool = e.Spare
			}
			if report.Accepted != nil {
				e.Learnt.Accepted = report.Accepted
			}
			e.Finds.Exhaustive = append(e.Finds.Exhaustive, report.Exhaustive...)
		}, err
	})
	if err != nil {
		return fmt.Errorf("engine %s: %w", en.Name(), err)
	}
	return nil
}

// inScope returns the cases of functions that the run is about. A sequence of calls may end with the call of
// a function that another function returned, and is a case of the called function then.
func (e *exploration) inScope(cases []*testcase.Case) []*testcase.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return !e.InScope(c.Target) })
}

// exploreNew explores the targets that were not explored yet. It spends the effort of a first time if other
// phases follow.
func (e *exploration) exploreNew(ctx context.Context, targets []*load.Target) error {
	targets = e.open(targets)
	if len(targets) == 0 {
		return nil
	}
	xs, err := e.exploreAndRun(ctx, e.firstWork(targets))
	e.Explored = append(e.Explored, xs...)
	e.noteExplored(xs)
	return err
}

// firstWork returns the work of exploring functions for the first time. The effort is smaller if other phases
// follow.
func (e *exploration) firstWork(targets []*load.Target) engine.Work {
	w := engine.Work{Engines: engine.Of(e.cfg.Engines, engine.PerFunction), Targets: targets, Task: e.task}
	if e.isHybrid() {
		shares := make(map[*load.Target]float64)
		for _, t := range targets {
			shares[t] = firstShare
			switch {
			case t.Func != nil && vm.Asserts(e.Prog, t.Func), e.Pkg.Checked(t.Obj) != "":
				shares[t] = 1 // what is asserted or declared may be broken by an input that covers nothing more
			case !e.isUncovered(t):
				shares[t] = coveredShare
			}
		}
		w.Task = func(t *load.Target) engine.Task {
			task := e.task(t)
			task.Share = shares[t]
			return task
		}
	}
	return w
}

// resume explores the functions once more whose exploration was cut off by the time.
func (e *exploration) resume(ctx context.Context) error {
	var targets []*load.Target
	left := make(map[*load.Target]int) // not by name, which the instances of a generic function share
	for i, x := range e.Explored {
		if errors.Is(x.Err, context.DeadlineExceeded) {
			targets = append(targets, x.Target)
			left[x.Target] = i
		}
	}
	if len(targets) == 0 {
		return nil
	}
	xs, err := e.exploreMore(ctx, e.firstWork(targets))
	e.noteExplored(xs)
	for _, x := range xs {
		e.Explored[left[x.Target]].Err = x.Err
	}
	return err
}

// exploreMore lets engines work on targets that may have been explored before. Their results are added
// to those of the same target.
func (e *exploration) exploreMore(ctx context.Context, w engine.Work) ([]engine.Explored, error) {
	xs, err := e.exploreAndRun(ctx, w)
	index := e.index()
	for _, x := range xs {
		if named := load.NamedOf(x.Target.Recv); named != nil && x.Report.Left != "" {
			e.Debug("states", "%s: not every state of %s was explored: %s", e.Pkg.Path, named.Obj().Name(), x.Report.Left)
		}
		for _, c := range x.Cases {
			e.addCase(c, index)
		}
	}
	return xs, err
}

// exploreAndRun explores targets, and runs the cases as soon as they are found. Cases for which there was no time before
// run first. The results are in the order of the targets.
func (e *exploration) exploreAndRun(ctx context.Context, w engine.Work) ([]engine.Explored, error) {
	obs := e.bench.RunInBackground(ctx)
	for _, c := range e.unrun {
		obs.Add(c)
	}
	w.Found = func(c *testcase.Case) {
		// The engine began with the objects of the package's start, and cases that run in one process must not find what others have
		// done to these.
		if d := e.bench.Defaults().Renewed(c); d != c {
			*c = *d
		}
		obs.Add(c)
	}
	inOrder := w.Targets
	w.Targets = e.mostOpenFirst(inOrder)
	xs := engine.Explore(ctx, e.Session, w)
	place := make(map[*load.Target]int)
	for i, t := range inOrder {
		place[t] = i
	}
	slices.SortStableFunc(xs, func(a, b engine.Explored) int { return cmp.Compare(place[a.Target], place[b.Target]) })
	cover, left, err := obs.Wait()
	e.cover.Union(cover)
	e.unrun = left
	for _, x := range xs {
		x.AddTo(e.Session)
	}
	if err := e.UnlessCut(err); err != nil {
		return xs, fmt.Errorf("running cases: %w", err)
	}
	return xs, nil
}

// mostOpenFirst returns the targets with those first of which most was not reached yet. If the time ends too early, it is
// the covered functions that are left out, and not those at the end of the package.
func (e *exploration) mostOpenFirst(targets []*load.Target) []*load.Target {
	open := e.bench.Open(e.cover)
	return slices.SortedStableFunc(slices.Values(targets), func(a, b *load.Target) int { return cmp.Compare(open[b.Name], open[a.Name]) })
}

// runUnrun runs the cases for which there was no time. When the time for exploring is over, too, it runs the shortest case
// of each function of which none has run, in a part of the time for choosing: a case that is known and was not run is no test.
func (e *exploration) runUnrun(ctx context.Context) error {
	if err := e.runCases(ctx, e.unrun); err != nil || len(e.unrun) == 0 || e.User.Err() != nil {
		return err
	}
	const part = 5 // of the time for choosing
	ran := make(map[string]bool)
	for _, c := range slices.Concat(e.first, e.Cases()) {
		ran[c.Target] = ran[c.Target] || c.Observed != nil
	}
	var shortest []*testcase.Case
	for _, c := range slices.SortedStableFunc(slices.Values(e.unrun), func(a, b *testcase.Case) int { return cmp.Compare(a.Seq.Len(), b.Seq.Len()) }) {
		if !ran[c.Target] {
			ran[c.Target] = true
			shortest = append(shortest, c)
		}
	}
	choosing, cancel := e.cfg.Observing()
	defer cancel()
	ctx, stop := context.WithTimeout(choosing, time.Until(session.DeadlineOf(choosing))/part)
	defer stop()
	return e.runCases(ctx, shortest)
}

// runCases runs cases until ctx ends; what remains is in e.unrun.
func (e *exploration) runCases(ctx context.Context, cases []*testcase.Case) error {
	if len(cases) == 0 {
		return nil
	}
	obs := e.bench.RunInBackground(ctx)
	for _, c := range cases {
		obs.Add(c)
	}
	cover, left, err := obs.Wait()
	e.cover.Union(cover)
	e.unrun = left
	return e.UnlessCut(err)
}

// task returns the task for engines of functions and types.
func (e *exploration) task(t *load.Target) engine.Task {
	return engine.Task{
		Concrete: e.cfg.Concrete, Depth: e.cfg.Depth,
		Order: func() *vm.Guide { return e.orderer.order(e.Prog, e.Pkg, t) },
	}
}

// index returns, by name, where the first instance of each target is in e.Explored.
func (e *exploration) index() map[string]int {
	index := make(map[string]int)
	for i, x := range e.Explored {
		if _, ok := index[x.Target.Name]; !ok {
			index[x.Target.Name] = i
		}
	}
	return index
}

// addCases adds cases to the results for their targets. Cases that were observed in a harness in an
// unknown state are observed again.
func (e *exploration) addCases(cases []*testcase.Case) {
	if e.bench.Stateful() {
		e.rerun(cases)
	}
	index := e.index()
	for _, c := range cases {
		finding.MarkBroken(e.Rules, []*testcase.Sequence{c.Seq}, []*testcase.Outcome{c.Observed})
		e.addCase(c, index)
	}
	e.bench.NoteCover(&e.cover, cases)
}

// addCase adds a case to the results for its target, if the case has one.
func (e *exploration) addCase(c *testcase.Case, index map[string]int) {
	i, ok := index[c.Target]
	if !ok {
		t := e.Pkg.Target(c.Target)
		if t == nil {
			return
		}
		i = len(e.Explored)
		index[c.Target] = i
		e.Explored = append(e.Explored, engine.Explored{Target: t, Report: engine.Report{Stops: map[string]int{}}})
	}
	e.Explored[i].Cases = append(e.Explored[i].Cases, c)
}

// rerun runs cases once more. Cases that change variables run in processes of their own. Cases that
// did not end are not run again, because that would take all the time that is left.
func (e *exploration) rerun(cases []*testcase.Case) {
	ended := slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return c.Observed.Exhausted() })
	seqs := make([]*testcase.Sequence, len(ended))
	for i, c := range ended {
		seqs[i] = c.Seq
	}
	ctx, cancel := e.cfg.Observing()
	defer cancel()
	outcomes, err := e.bench.Runner(false).Run(ctx, seqs)
	if err != nil && e.UnlessCut(err) != nil {
		e.Warn("running cases: %v", err)
	}
	for i, c := range ended {
		c.Observed = nil
		if i < len(outcomes) {
			c.Observed = outcomes[i]
		}
	}
}

// isUncovered reports whether part of a function was not reached yet.
func (e *exploration) isUncovered(t *load.Target) bool { return e.bench.Uncovered(t, e.cover) }

// uncovered returns the functions of which a part was not reached yet.
func (e *exploration) uncovered(targets []*load.Target) []*load.Target {
	var out []*load.Target
	for _, t := range targets {
		if e.isUncovered(t) {
			out = append(out, t)
		}
	}
	return out
}

// coverWithoutHandBuilt returns the coverage of the cases that build no object by hand. For other
// covered blocks a test that uses the package as its users do is still wanted.
func (e *exploration) coverWithoutHandBuilt() testcase.Cover {
	var out testcase.Cover
	add := func(cases []*testcase.Case) {
		for _, c := range cases {
			if c.Observed == nil || finding.HandBuilt(e.Pkg, c) {
				continue
			}
			if reason, f := e.bench.Judge.Case(c); reason == "" && f == nil {
				out.Union(c.Observed.Cover)
			}
		}
	}
	add(e.first)
	for _, x := range e.Explored {
		add(x.Cases)
	}
	return out
}

// buildable returns the sequences found so far that can be extended, because they returned.
func (e *exploration) buildable() []*testcase.Sequence {
	var out []*testcase.Sequence
	add := func(cases []*testcase.Case) {
		for _, c := range cases {
			if c.Observed != nil && c.Observed.Status == testcase.Returned && c.Observed.Violated == "" && c.Seq.Len() <= testcase.MaxKnown && !finding.HandBuilt(e.Pkg, c) {
				out = append(out, c.Seq)
			}
		}
	}
	add(e.cfg.Documented)
	add(e.resumed)
	for _, x := range e.Explored {
		add(x.Cases)
	}
	for _, c := range e.cfg.Resumed.Learnt.Pool {
		out = append(out, c.Seq)
	}
	return out
}
