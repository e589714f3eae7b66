package campaign

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// respell gives tests plainer values: numbers and texts that are distinct and not zero, so that
// a value that is swapped, dropped or never computed shows (package plain proposes them). What
// a proposal comes to is observed, and it is taken only if the test still covers the same,
// ends in the same way and kills at least the same mutants: a value at a boundary stays.
func (m *mutantChooser) respell(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	tests, kills = slices.Clone(tests), slices.Clone(kills)
	for _, ways := range plain.Steps() {
		settled := make([]bool, len(tests))
		for _, way := range ways {
			if err := m.propose(ctx, way, tests, kills, settled); err != nil {
				return nil, nil, err
			}
		}
	}
	return tests, kills, nil
}

// propose tries one way on those tests that are not settled, and replaces those that fit.
func (m *mutantChooser) propose(ctx context.Context, way plain.Way, tests []*testcase.Case, kills [][]int, settled []bool) error {
	var at []int
	var seqs []*testcase.Sequence
	for i, c := range tests {
		if settled[i] || c.Whole || c.Observed.Status != testcase.Returned {
			continue
		}
		if seq, ok := way(m.Pkg, c); ok {
			at, seqs = append(at, i), append(seqs, seq)
		}
	}
	outcomes, err := m.bench.Runner(true).Run(ctx, seqs)
	if err != nil {
		return err
	}
	var proposed []*testcase.Case
	var index []int
	for k, i := range at {
		d := *tests[i]
		d.Seq, d.Observed, d.Predicted = seqs[k], outcomes[k], nil
		if m.alike(tests[i], &d) {
			proposed, index = append(proposed, &d), append(index, i)
		}
	}
	ids, err := chooseFields(ctx, m.planted, proposed)
	if err != nil {
		return err
	}
	covering := make([]int, len(m.bench.Blocks())) // how many tests cover a block
	for _, c := range tests {
		for b := range covering {
			if c.Observed.Cover.Has(b) {
				covering[b]++
			}
		}
	}
	killing := make(map[int]int) // how many tests kill a mutant
	for _, had := range kills {
		for _, id := range had {
			killing[id]++
		}
	}
	for k, i := range index {
		if m.includes(ids[k], kills[i], tests[i], killing) && replace(covering, tests[i].Observed.Cover, proposed[k].Observed.Cover) {
			for _, id := range kills[i] {
				killing[id]--
			}
			for _, id := range ids[k] {
				killing[id]++
			}
			tests[i], kills[i], settled[i] = proposed[k], ids[k], true
		}
	}
	return nil
}

// alike reports whether a proposal is a test that covers what the old one does and ends alike.
func (m *mutantChooser) alike(old, proposed *testcase.Case) bool {
	o := proposed.Observed
	if o == nil || o.Status != testcase.Returned || o.Unstable || outcomeClass(old) != outcomeClass(proposed) {
		return false
	}
	if !m.coversOwn(o.Cover, old) {
		return false
	}
	verdict, f := m.bench.Judge.Case(proposed)
	return verdict == "" && f == nil
}

// includes reports whether a proposal kills all mutants that the old test does, but for those
// that other tests kill, too, and those in functions which the old test called only to prepare:
// they have tests of their own. killing counts the tests that kill a mutant.
func (m *mutantChooser) includes(proposed, had []int, old *testcase.Case, killing map[int]int) bool {
	prepares := make(map[string]bool)
	for i := range old.TargetStmt() {
		if f := old.Seq.At(i).Op.Func; f != nil {
			prepares[testcase.TargetName(f)] = true
		}
	}
	for _, id := range had {
		f := m.ofMutants[id-1].Mutant.Func
		elsewhere := f != old.Target && (killing[id] > 1 || prepares[f])
		if !slices.Contains(proposed, id) && !elsewhere {
			return false
		}
	}
	return true
}

// coversOwn reports whether an execution covers all that an old one did of the functions that
// the case is about: what prepared for its call may be left out.
func (m *mutantChooser) coversOwn(cover testcase.Cover, old *testcase.Case) bool {
	for i, b := range m.bench.Blocks() {
		if b.Func == old.Target && old.Observed.Cover.Has(i) && !cover.Has(i) {
			return false
		}
	}
	return true
}

// replace counts one execution's blocks instead of another's, unless a block would be covered
// by no test any more.
func replace(covering []int, old, new testcase.Cover) bool {
	for b, n := range covering {
		if n == 1 && old.Has(b) && !new.Has(b) {
			return false
		}
	}
	for b := range covering {
		if old.Has(b) {
			covering[b]--
		}
		if new.Has(b) {
			covering[b]++
		}
	}
	return true
}
