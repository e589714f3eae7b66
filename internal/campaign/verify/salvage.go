package verify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

const (
	// salvageRuns is in how many orders the tests have to pass to be written, twice in each.
	salvageRuns = 4
	// mostSalvage bounds the time that salvaging may take in addition to verification. It takes at most a
	// third of the time for verification.
	mostSalvage = 10 * time.Second
)

// salvage returns the suite of the tests that passed when they ran last, if they pass again in a few runs in
// other orders and each by itself. It is used when there is no time to doubt the tests as usual, because what
// was found is worth a few seconds more. If no test passes, nothing is written, and the error lost says why.
func (v *verifier) salvage(cases []*testcase.Case, lost error) (*Suite, error) {
	unverified := &Suite{Selection: v.chosen}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.User), min(v.Config.Bound()/3, mostSalvage))
	defer cancel()
	kept, err := v.confirmed(ctx, slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return !v.inOrder(c) }))
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return unverified, err
	}
	if err != nil || len(kept) == 0 {
		v.Warn("there was no time to find out which tests hold, so none is written")
		return unverified, lost
	}
	s, _, err := v.emitCompiling(kept)
	if err != nil {
		return unverified, err
	}
	v.MarkPartial()
	v.Warn("there was no time to run the tests under all conditions: %d cases of %d are written, which passed in a few orders and by themselves", len(kept), len(cases))
	s.Verified = true
	return s, nil
}

// confirmed returns the cases whose tests passed when they ran last, and pass again in a few more runs.
func (v *verifier) confirmed(ctx context.Context, cases []*testcase.Case) ([]*testcase.Case, error) {
	passed := slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return !v.passed[c] })
	d, err := v.doubterOf(ctx, passed)
	if d == nil || err != nil {
		return nil, err
	}
	if err := d.confirm(ctx); err != nil {
		return nil, err
	}
	var held []*testcase.Case
	for _, f := range d.s.Files {
		for _, test := range f.Tests {
			if slices.Contains(d.names, test.Name) {
				held = append(held, test.Cases...)
			}
		}
	}
	return slices.DeleteFunc(passed, func(c *testcase.Case) bool { return !slices.Contains(held, c) }), nil
}

// doubterOf returns a doubter for the tests of the cases. It uses the binary of the suite that was
// doubted last, if there is one, without the tests that have failed since. It is nil if there are no
// tests.
func (v *verifier) doubterOf(ctx context.Context, cases []*testcase.Case) (*doubter, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	if d := v.last; d != nil {
		d.names = nil
		for _, f := range d.s.Files {
			for _, test := range f.Tests {
				gone := func(c *testcase.Case) bool { return !slices.Contains(cases, c) }
				if test.Bug == nil && !slices.ContainsFunc(test.Cases, gone) {
					d.names = append(d.names, test.Name)
				}
			}
		}
		return d, nil
	}
	s, _, err := v.emitCompiling(cases)
	if err != nil {
		return nil, err
	}
	d := &doubter{trial: &trial{v, s, make(map[*testcase.Case]bool)}, names: v.testNames(s)}
	d.plain, err = d.build(ctx, "salvage.test", nil)
	return d, err
}

// confirm runs the tests where they may write, in other orders and each by itself, and takes out those that leave files or fail. It
// ends with a run of all remaining tests in which none fails.
func (d *doubter) confirm(ctx context.Context) error {
	if err := d.tryWritable(ctx); err != nil {
		return err
	}
	for run, before := 0, 0; run < salvageRuns || before > len(d.names); run++ {
		before = len(d.names)
		trial := gotest.Trial{Count: repeats, Shuffle: d.Config.Seed + 100 + uint64(run)}
		if err := d.try(ctx, d.plain, trial, ""); err != nil {
			return err
		}
	}
	return d.runEachAlone(ctx, 1, "by itself")
}
