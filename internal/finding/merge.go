package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// Merge keeps one finding for each cause, the one that is easiest to believe:
// the most severe, then the one through the function nearest to the cause, then the
// shortest test. A nil that is passed is another cause than one that the code has made,
// which is worse if it is an error. The order is that of the severity, then of the first
// occurrence.
func Merge(pkg *load.Package, all []*testcase.Finding) []*testcase.Finding {
	best := make(map[string]*testcase.Finding)
	var order []string
	for _, f := range all {
		// The place alone: the same instruction reached through two exported functions
		// is one bug.
		kind := f.Kind
		if kind == "deadlock" {
			kind = "hang" // it depends on the other goroutines whether the runtime notices
		}
		if faultAt(pkg, f.Case.Observed) != nil {
			kind = "nil-dereference"
		}
		key := kind + " " + f.Pos.String()
		if fn := shortIn(pkg, f); fn != "" {
			key = "short " + fn // whichever element is the first that does not fit
		}
		if kind == "nil-dereference" && f.Pos.IsValid() && approachOf(pkg, f.Case).nils {
			key += passedNil
		}
		if !f.Pos.IsValid() {
			key = f.Cause
		}
		old := best[key]
		if old == nil {
			order = append(order, key)
		}
		if old == nil || Easier(f, old) {
			best[key] = f
		}
	}
	var out []*testcase.Finding
	for _, k := range order {
		made, passed := strings.CutSuffix(k, passedNil)
		if f := best[made]; passed && f != nil && f.Severity == testcase.Error {
			continue
		}
		out = append(out, best[k])
	}
	out = withoutPrinted(pkg, out)
	slices.SortStableFunc(out, func(a, b *testcase.Finding) int { return a.Severity.Rank() - b.Severity.Rank() })
	return out
}

// shortIn returns the function that panics because the slice that it is given for its
// results is too short, "" if that is not what a finding is about.
func shortIn(pkg *load.Package, f *testcase.Finding) string {
	o := f.Case.Observed
	if o == nil || o.Panic == nil || f.Kind != "index-out-of-range" && f.Kind != "slice-out-of-range" || f.Severity != testcase.Warning {
		return ""
	}
	stack := framesOf(pkg, o)
	if !purity.ShortBuffer(pkg, stack) {
		return ""
	}
	return stack[0].Func
}

// withoutPrinted drops, where a method that makes text panics by itself and when fmt calls
// it, the finding that is less severe, or else the one by way of fmt.
func withoutPrinted(pkg *load.Package, all []*testcase.Finding) []*testcase.Finding {
	drop := make(map[*testcase.Finding]bool)
	for _, f := range all {
		if o := f.Case.Observed; o == nil || o.Violated != "contract string" {
			continue
		}
		for _, g := range all {
			if o := g.Case.Observed; g.Func != f.Func || o == nil || o.Status != testcase.Panicked || g.Kind == "nil-dereference" && approachOf(pkg, g.Case).nils {
				continue
			}
			if g.Severity.Rank() <= f.Severity.Rank() {
				drop[f] = true
			} else {
				drop[g] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(f *testcase.Finding) bool { return drop[f] })
}

// passedNil ends the keys of findings that a nil argument leads to.
const passedNil = " passed"

func Easier(a, b *testcase.Finding) bool {
	return cmp.Or(
		a.Severity.Rank()-b.Severity.Rank(),
		cmp.Compare(strings.Count(a.Cause, " "), strings.Count(b.Cause, " ")),
		a.Case.Seq.Len()-b.Case.Seq.Len(),
		cmp.Compare(weight(a.Case.Seq), weight(b.Case.Seq)),
	) < 0
}

// weight estimates how much there is to read in the literals of a sequence.
func weight(s *testcase.Sequence) int {
	n := 0
	for i := range s.Len() {
		op := s.At(i).Op
		n += len(op.Lit.Str) + op.N
		switch op.Lit.Kind {
		case testcase.LitInt:
			n += len(fmt.Sprint(int64(op.Lit.Bits)))
		case testcase.LitUint, testcase.LitFloat:
			n += len(fmt.Sprint(op.Lit.Bits))
		}
	}
	return n
}
