package reduce

import (
	"math/bits"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// This file says which smaller sequences may take the place of a case's sequence.

// cases makes cases smaller. The parameter mustKill has, for each case, the mutants that it must still kill;
// nil means none.
func (m *minimiser) cases(cases []*testcase.Case, mustKill [][]int) ([]*testcase.Case, error) {
	subjects := make([]*subject, len(cases))
	mustCover := blocksToKeep(cases, m.cfg)
	var active []*subject
	for i, c := range cases {
		s := &subject{seq: c.Seq, out: c.Observed, runsLeft: -1, origin: c}
		if mustKill != nil {
			s.mustKill = mustKill[i]
		}
		s.accepts = (&caseRule{target: c.Target, behaviour: behaviour(c.Seq, c.Observed), mustCover: mustCover[i], current: s}).accepts
		subjects[i] = s
		switch c.Observed.Status {
		case testcase.Returned, testcase.Panicked:
			if !c.Whole && !c.Unsteady() && c.Observed.Violated == "" {
				active = append(active, s)
			}
		}
	}
	err := m.minimise(active)
	out := make([]*testcase.Case, len(cases))
	for i, c := range cases {
		out[i] = c
		if subjects[i].seq != c.Seq {
			smaller := *c
			smaller.Seq, smaller.Observed, smaller.Predicted = subjects[i].seq, subjects[i].out, nil
			if m.cfg.Blocks != nil {
				smaller.Path = nil // the path is computed from the coverage again
			}
			out[i] = &smaller
		}
	}
	return out, err
}

// caseRule decides whether a smaller sequence may take the place of the sequence of a case.
type caseRule struct {
	target    string         // the function that the case tests
	behaviour string         // the class of the case's outcome (behaviour.go)
	mustCover testcase.Cover // see blocksToKeep
	current   *subject       // has the smallest sequence that was accepted so far
}

// accepts reports whether a sequence that had this outcome may take the place of the current one.
func (r *caseRule) accepts(seq *testcase.Sequence, out *testcase.Outcome) bool {
	now := r.current
	switch {
	case out.Disliked > now.out.Disliked:
		return false // the user prefers other values to these simpler ones (assay.Prefer)
	case out.Unsteady(targetAt(seq, r.target)):
		return false // it returns something else in each run, so no test can say what it returns
	case finding.Denied(out):
		return false // the system refuses it something where assay runs it, and need not elsewhere
	case out.Status != now.out.Status || behaviour(seq, out) != r.behaviour:
		return false // a test of it would show a reader something else
	case !out.Cover.Contains(r.mustCover):
		return false // no other case is sure to cover the blocks that it misses
	}
	if size(seq).statements < size(now.seq).statements {
		// A call is left out. The call itself no longer covers anything, so the coverage may differ. But the
		// call has had no part in what is tested only if the target still returns exactly the same.
		return r.sameAtTarget(seq, out)
	}
	// Only values are simpler, so results may differ. But the calls must go the same way through the code,
	// because what is known of the case's path (Case.Path) has to stay true.
	sameBlocks := out.Cover.Contains(now.out.Cover) && now.out.Cover.Contains(out.Cover)
	return sameBlocks && (targetAt(seq, r.target) >= 0) == (targetAt(now.seq, r.target) >= 0)
}

// sameAtTarget reports whether the last call of the target returns the same in a sequence as in the current
// one, as far as was observed. If the target returns nothing, what is compared is what the call does to its
// receiver and arguments. If it returns something, these are not compared: their contents may well differ
// after a call is left out that also changed them.
func (r *caseRule) sameAtTarget(seq *testcase.Sequence, out *testcase.Outcome) bool {
	now := r.current
	was, is := targetAt(now.seq, r.target), targetAt(seq, r.target)
	if was < 0 || is < 0 {
		was, is = now.seq.Len()-1, seq.Len()-1
	}
	before, after := resultsOf(now.out, was), resultsOf(out, is)
	if len(before) == 0 && len(after) == 0 {
		before, after = now.out.Final, out.Final
	}
	return slices.EqualFunc(before, after, testcase.Value.Equal)
}

// resultsOf returns the observed results of a statement.
func resultsOf(o *testcase.Outcome, stmt int) []testcase.Value {
	if stmt >= len(o.Results) {
		return nil
	}
	return o.Results[stmt]
}

// targetAt returns the last statement that calls the function "Func" or "Type.Method", or -1 if none does.
func targetAt(s *testcase.Sequence, target string) int {
	for i := s.Len() - 1; i >= 0; i-- {
		if f := s.At(i).Op.Func; f != nil && testcase.TargetName(f) == target {
			return i
		}
	}
	return -1
}

// blocksToKeep returns for each case the blocks that it must still cover when it is smaller. Each block that
// some case covers is given to one of these cases, the smallest, so that the cases together lose no block.
// Three rules say more:
//
//   - A block that other tests cover (Config.Covered) is given to no case.
//   - If a function has cases of its own that cover a block of it, the block is given to one of these. Cases
//     of other functions may cover the block as well, but a reader looks for its test at its own function.
//   - Of cases of the same size the first gets the block.
func blocksToKeep(cases []*testcase.Case, cfg Config) []testcase.Cover {
	order := make([]int, len(cases))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return size(cases[a].Seq).compare(size(cases[b].Seq)) })
	tested := testedBlocks(cases, cfg.Blocks)
	var given testcase.Cover
	out := make([]testcase.Cover, len(cases))
	for _, i := range order {
		for k, w := range cases[i].Observed.Cover {
			for ; w != 0; w &= w - 1 { // for each bit of the word
				b := k*64 + bits.TrailingZeros64(w)
				ofAnother := tested.Has(b) && cfg.Blocks[b].Func != cases[i].Target
				if !given.Has(b) && !cfg.Covered.Has(b) && !ofAnother {
					out[i].Set(b)
					given.Set(b)
				}
			}
		}
	}
	return out
}
