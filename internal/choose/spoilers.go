package choose

import (
	"context"
	"go/types"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// A variable like `var Zero = New(0)` looks like a value and is a pointer. If a test changes the object
// behind the pointer through a method, no analysis of the package's functions sees the change, and every
// later test starts from another state.

// dropSpoilers drops the tests that leave a package-level variable with another value, unless a test puts the
// value back.
func (ch *chooser) dropSpoilers(ctx context.Context) error {
	var seqs []*testcase.Sequence
	for _, c := range ch.Tests {
		seqs = append(seqs, c.Seq)
	}
	spoils, err := ch.spoilers(ctx, seqs)
	ch.Debug("stages", "%s: %d of %d tests leave a variable changed", ch.Pkg.Path, len(spoils), len(seqs))
	var kept []*testcase.Case
	for i, c := range ch.Tests {
		if !spoils[i] {
			kept = append(kept, c)
		}
	}
	ch.Tests = kept
	return err
}

// spoilers returns which of the sequences leave a package-level variable changed that other sequences use,
// although they call no function whose purpose is to set the variable. The value of the variable is read
// after each sequence.
func (ch *chooser) spoilers(ctx context.Context, seqs []*testcase.Sequence) (map[int]bool, error) {
	var looks []*testcase.Sequence
	seen := make(map[*types.Var]bool)
	for _, s := range seqs {
		for i := range s.Len() {
			op := s.At(i).Op
			if op.Kind != testcase.OpGlobal || seen[op.Var] || op.Var.Pkg() != ch.Pkg.Types || !finding.MayRefer(op.Var.Type()) {
				continue
			}
			seen[op.Var] = true
			looks = append(looks, testcase.NewSequence(testcase.Statement{Op: op}))
		}
	}
	if looks == nil {
		return nil, nil
	}
	// The values are read twice first, because a variable that changes when it is read tells nothing.
	var part []*testcase.Sequence
	part = append(append(part, looks...), looks...)
	var at []int
	for i, s := range seqs {
		if ch.bench.Sets(s) {
			continue // the test of this sequence puts the variable back
		}
		at = append(at, i)
		part = append(append(part, s), looks...)
	}
	outcomes, err := ch.bench.RunInRow(ctx, part, false)
	value := func(i int) (testcase.Value, bool) {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned || len(outcomes[i].Results) != 1 || len(outcomes[i].Results[0]) != 1 {
			return testcase.Value{}, false
		}
		return outcomes[i].Results[0][0], true
	}
	out := make(map[int]bool)
	for k := range looks {
		before, ok := value(k)
		again, ok2 := value(len(looks) + k)
		if !ok || !ok2 || !before.Equal(again) {
			continue
		}
		for n, i := range at {
			after, ok := value(2*len(looks) + n*(1+len(looks)) + 1 + k)
			if !ok {
				continue
			}
			if !after.Equal(before) {
				out[i] = true
			}
			before = after
		}
	}
	return out, err
}
