package reduce

import (
	"cmp"
	"context"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// Findings returns one finding for each cause, the one with the shortest case among those of the strongest
// severity. It makes the case as small as possible; the smaller case must fail for the same cause. The
// findings are in the order of their causes' first occurrence.
//
// If the context ends or the runner fails, Findings returns the findings with the cases that it has by then,
// along with the error.
func Findings(ctx context.Context, findings []*testcase.Finding, r Runner, cfg Config) ([]*testcase.Finding, Stats, error) {
	st := Stats{Cases: len(findings)}
	var merged []*testcase.Finding
	for _, f := range findings {
		i := slices.IndexFunc(merged, func(g *testcase.Finding) bool { return g.Cause == f.Cause })
		if i < 0 {
			merged = append(merged, f)
			continue
		}
		st.Redundant++
		if better(f, merged[i]) {
			merged[i] = f
		}
	}
	m := &minimiser{ctx: ctx, runner: r, cfg: cfg, runsLeft: cmp.Or(cfg.MaxRuns, 20_000), stats: &st, findings: true}
	subjects := make([]*subject, len(merged))
	var active []*subject
	for i, f := range merged {
		st.Statements[0] += f.Case.Seq.Len()
		subjects[i] = findingSubject(f)
		if !cfg.KeepSize && !f.Case.Whole {
			active = append(active, subjects[i])
		}
	}
	err := m.minimise(active)
	out := make([]*testcase.Finding, len(merged))
	for i, f := range merged {
		out[i] = f
		if s := subjects[i]; s.seq != f.Case.Seq {
			c := *f.Case
			c.Seq, c.Observed, c.Predicted = s.seq, s.out, nil
			g := *f
			g.Case = &c
			out[i] = &g
		}
		st.Statements[1] += out[i].Case.Seq.Len()
	}
	st.Kept = len(out)
	return out, st, err
}

// How many runs may be spent on a finding if each run takes a time limit or a process.
const (
	hangingRuns = 6
	dyingRuns   = 30
)

// better reports whether f shows a cause better than g.
func better(f, g *testcase.Finding) bool {
	if a, b := f.Severity.Rank(), g.Severity.Rank(); a != b {
		return a < b
	}
	return size(f.Case.Seq).less(size(g.Case.Seq))
}

// findingSubject returns the finding's sequence up to the statement that fails, with the condition for a
// smaller sequence: it must end in the same way, at the same place and through the same functions.
func findingSubject(f *testcase.Finding) *subject {
	o := f.Case.Observed
	if o == nil {
		panic("bug: reduce: a finding without an observed case: " + f.Message)
	}
	s := &subject{seq: f.Case.Seq, out: o, runsLeft: -1}
	was := failure(o)
	lastCall := calledAt(f.Case.Seq, o)
	s.accepts = func(seq *testcase.Sequence, got *testcase.Outcome) bool {
		return failure(got) == was && seq.TwinsAlike() && got.Disliked <= s.out.Disliked && got.At == seq.Len()-1 && calledAt(seq, got) == lastCall
	}
	if o.Status != testcase.Returned && o.At < f.Case.Seq.Len()-1 {
		// Statements behind the failing one were not reached.
		s.seq = f.Case.Seq.Prefix(o.At + 1)
	}
	switch o.Status {
	case testcase.Hung:
		s.runsLeft = hangingRuns
	case testcase.Died, testcase.Deadlock, testcase.Exited:
		s.runsLeft = dyingRuns
	}
	return s
}

// failure returns a text that is equal for two outcomes that fail in the same way.
func failure(o *testcase.Outcome) string {
	out := o.Status.String() + " " + o.Violated
	if o.ViolatedAt.IsValid() {
		out += " " + o.ViolatedAt.String()
	}
	if o.Panic != nil {
		out += " " + o.Panic.Kind + " " + place(o.Panic)
	}
	return out
}

// calledAt returns the function whose call failed.
func calledAt(s *testcase.Sequence, o *testcase.Outcome) string {
	if o.At < 0 || o.At >= s.Len() {
		return ""
	}
	op := s.At(o.At).Op
	if op.Func != nil {
		return op.Func.FullName()
	}
	return op.Kind.String()
}
