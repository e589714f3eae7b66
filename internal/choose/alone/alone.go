// Package alone splits cases that make several calls which have nothing to do with one another. A random sequence that calls Find twice
// covers what both calls cover; as one test it would show what the second call does, and be kept for what the first one did.
//
// Not supported: calls that may change something. Whether the case's own call needs what they leave is not asked.
package alone

import (
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// A Split is a case without the calls that its own call does not need, and the calls that it makes beside its own one, each as a case of
// its own. None of them has run.
type Split struct {
	Of    *testcase.Case // the case that was split
	Own   *testcase.Case
	Parts []*testcase.Case
}

// mostParts is how many calls of all cases become cases.
const mostParts = 500

// Calls splits the cases that call functions of the package beside their own one which, as pure says, change nothing. What the case's own
// call is passed of their results stays. Calls also returns the sequences that have to run, split by split: that of the case and those
// of its parts. Cases whose calls have to stay together are left out.
func Calls(pkg *load.Package, cases []*testcase.Case, pure func(*testcase.Operation) bool) (out []Split, seqs []*testcase.Sequence) {
	known := make(map[string]bool)
	for _, c := range cases {
		known[c.Seq.Key()] = true
	}
	isTarget := make(map[string]bool)
	for _, t := range pkg.Targets {
		isTarget[t.Name] = t.Skip == "" && len(t.TypeArgs) == 0
	}
	parts := 0
	for _, c := range cases {
		if c.Whole || c.Documented != "" || c.TargetStmt() != c.Seq.Len()-1 {
			continue
		}
		s := Split{Of: c, Own: fresh(c, reduce.Clean(c.Seq, pure), c.Target)}
		for i := range c.TargetStmt() {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Via != nil || op.Func.Pkg() != pkg.Types || !pure(op) || parts == mostParts {
				continue
			}
			target, part := testcase.TargetName(op.Func), reduce.Clean(c.Seq.Prefix(i+1), pure)
			if key := part.Key(); isTarget[target] && !known[key] {
				known[key] = true
				parts++
				s.Parts = append(s.Parts, fresh(c, part, target))
			}
		}
		if s.Own.Seq.Len() == c.Seq.Len() && s.Parts == nil {
			continue
		}
		out, seqs = append(out, s), append(seqs, s.Own.Seq)
		for _, p := range s.Parts {
			seqs = append(seqs, p.Seq)
		}
	}
	return out, seqs
}

// fresh returns a case like c with another sequence, whose last call is the given one.
func fresh(c *testcase.Case, seq *testcase.Sequence, target string) *testcase.Case {
	d := *c
	d.Seq, d.Target = seq, target
	d.Predicted, d.Path, d.Observed = nil, nil, nil
	return &d
}
