package diff

import (
	"context"
	"go/types"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// case2 is a sequence of calls in both versions.
type case2 struct {
	target string // the function for which it was made, by its new name
	engine string
	seqs   [2]*testcase.Sequence
	// outs are its outcomes in both versions, in terms of the new version; and nil before it has run. The
	// field raw is the old version's outcome in its own terms.
	outs [2]*testcase.Outcome
	raw  *testcase.Outcome
	diff *difference.Difference
	// without is what becomes of the difference if a changed place, by its number, says what it said.
	without map[int]effect
	// costs is what the last call takes in either version, if that was measured.
	costs [2]cost
}

// caseList has the cases of a comparison, each once.
type caseList struct {
	c       *comparison
	all     []*case2
	seen    map[string]bool
	refused int // cases that only one version can run
	alone   [2][]*testcase.Case
}

func newCaseList(c *comparison) *caseList { return &caseList{c: c, seen: map[string]bool{}} }

// addAll adds the cases that engines found in one version, if the other one has everything that they
// call. Cases that build objects by hand, in a state which only the package can make, do not show what
// users see, so they are left out unless users cannot call the function.
func (l *caseList) addAll(from int, cases []*testcase.Case) {
	s := l.c.sides[from]
	for _, k := range cases {
		target := k.Target
		if from == oldSide {
			target = l.c.pairing.NewName(target)
		}
		f, compared := l.function(target)
		if !compared {
			l.alone[from] = append(l.alone[from], k)
			continue
		}
		if f.New.Exported && finding.HandBuilt(s.Pkg, k) {
			continue
		}
		l.add(from, target, k.Engine, k.Seq)
	}
}

// function returns the compared function of that new name.
func (l *caseList) function(name string) (pair.Function, bool) {
	for _, f := range l.c.functions {
		if f.New.Name == name {
			return f, true
		}
	}
	return pair.Function{}, false
}

// add adds a sequence of one version. It returns nil if the other version cannot run it, or if
// the case is there already.
func (l *caseList) add(from int, target, engine string, seq *testcase.Sequence) *case2 {
	over, err := l.c.sides[from].over.Sequence(seq)
	if err != nil {
		l.refused++
		l.c.Debug("states", "%s: %s: only %s can run it: %v", target, seq, l.c.two[from], err)
		return nil
	}
	k := &case2{target: target, engine: engine}
	k.seqs[from], k.seqs[1-from] = seq, over
	key := k.seqs[newSide].Dump()
	if l.seen[key] {
		return nil
	}
	l.seen[key] = true
	l.all = append(l.all, k)
	return k
}

// exchange runs the cases that were not run yet in both versions.
func (l *caseList) exchange(ctx context.Context) error {
	var part []*case2
	for _, k := range l.all {
		if k.outs[newSide] == nil {
			part = append(part, k)
		}
	}
	return l.c.runBoth(ctx, part, false)
}

// runBoth runs cases in both versions at the same time, once, or twice in different processes, and
// compares the outcomes.
func (c *comparison) runBoth(ctx context.Context, cases []*case2, twice bool) error {
	return c.runBothBy(ctx, cases, func(b *session.Bench) session.Runner { return b.Runner(twice) })
}

// runBothBy does the same by the runner that it is given for each version.
func (c *comparison) runBothBy(ctx context.Context, cases []*case2, runner func(*session.Bench) session.Runner) error {
	if len(cases) == 0 {
		return nil
	}
	var outs [2][]*testcase.Outcome
	errs := c.inBoth("the native runner", func(i int, s *side) (err error) {
		seqs := make([]*testcase.Sequence, len(cases))
		for n, k := range cases {
			seqs[n] = k.seqs[i]
		}
		outs[i], err = runner(s.bench).Run(ctx, seqs)
		return err
	})
	for n, k := range cases {
		if n >= len(outs[oldSide]) || n >= len(outs[newSide]) || outs[oldSide][n] == nil || outs[newSide][n] == nil {
			continue
		}
		c.set(k, outs[oldSide][n], outs[newSide][n])
	}
	for _, err := range errs {
		if err := c.UnlessCut(err); err != nil {
			return err
		}
	}
	return nil
}

// set records the outcomes of a case.
func (c *comparison) set(k *case2, old, new *testcase.Outcome) {
	k.raw = old
	k.outs = [2]*testcase.Outcome{c.sides[oldSide].over.Outcome(old), new}
	k.diff = compareOutcomes(k.seqs[newSide], k.outs[oldSide], k.outs[newSide], c.errors)
	if k.diff != nil && c.ofMachine(old, new) {
		k.diff = nil
	}
	if k.diff == nil {
		return
	}
	target, ok := c.changedCall(k.seqs[newSide], k.diff.At)
	if !ok {
		k.diff = nil
		return
	}
	k.target = target
}

// compareOutcomes compares two outcomes of a sequence, both in the terms of the newer version.
func compareOutcomes(seq *testcase.Sequence, old, new *testcase.Outcome, errors map[string]bool) *difference.Difference {
	return difference.Compare(old, new, func(i int) bool {
		return seq.At(i).Op.Func != nil || seq.At(i).Op.Kind == testcase.OpCallValue
	}, func(v *types.Var) bool { return errors[varKey(v)] })
}

// varKey names a variable of a package as load.Declaration does.
func varKey(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// sharedErrors returns the variables, by their new keys, with which the harnesses of both versions compare errors. Each
// knows those of the packages that its version imports.
func sharedErrors(before, after *session.Bench, pairing *pair.Pairing) map[string]bool {
	old := map[string]bool{}
	for _, v := range before.Harness.Sentinels() {
		old[pairing.NewKey(varKey(v))] = true
	}
	out := map[string]bool{}
	for _, v := range after.Harness.Sentinels() {
		if key := varKey(v); old[key] {
			out[key] = true
		}
	}
	return out
}

// changedCall returns the function that the difference at a statement is about: the function called there or,
// if that function has not changed, the last changed function called before it, which may have changed an
// object. It returns false if that function is not compared in this run, or if there is none; then the
// difference is not due to the code.
func (c *comparison) changedCall(seq *testcase.Sequence, at int) (string, bool) {
	for i := at; i >= 0; i-- {
		op := seq.At(i).Op
		if op.Func == nil {
			continue
		}
		t := c.Pkg.FirstTargetOf(op.Func)
		if t == nil || !c.changed[t.Name] {
			continue
		}
		_, compared := c.cases.function(t.Name)
		return t.Name, compared
	}
	return "", false
}

// ofMachine reports whether an execution asks for something about the machine or the user, which may differ
// without a cause in the code.
func (c *comparison) ofMachine(old, new *testcase.Outcome) bool {
	for i, o := range []*testcase.Outcome{old, new} {
		cover := o.Cover
		if machine := c.sides[i].bench.Judge.Machine; machine != nil {
			for b := range c.sides[i].bench.Blocks() {
				if machine.Has(b) && cover.Has(b) {
					return true
				}
			}
		}
	}
	return false
}

// mostObservers is how many methods are called to ask about an object behind a call.
const mostObservers = 6

// askObservers calls methods that show an object's state behind the calls that may have changed the object, if the
// versions have not differed so far.
func (l *caseList) askObservers(ctx context.Context) error {
	c := l.c
	table := observer.New(c.Pkg, purity.New(c.Prog).PureCalls(c.Pkg))
	var part []*case2
	for _, k := range append([]*case2(nil), l.all...) {
		if k.diff != nil || k.outs[newSide] == nil || k.outs[newSide].Status != testcase.Returned {
			continue
		}
		n := 0
		asked := &testcase.Case{Target: k.target, Seq: k.seqs[newSide]}
		object, ok := table.Subject(asked)
		if !ok {
			continue
		}
		seq, ok := table.Behind(asked, object, func(*testcase.Operation) bool {
			n++
			return n <= mostObservers
		})
		if !ok {
			continue
		}
		if added := l.add(newSide, k.target, k.engine, seq); added != nil {
			part = append(part, added)
		}
	}
	return c.runBoth(ctx, part, false)
}
