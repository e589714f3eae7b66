package reduce

import (
	"cmp"
	"context"

	"github.com/goassay/assay/internal/testcase"
)

// Subject is a sequence that is to be made as small as it gets.
type Subject struct {
	Seq *testcase.Sequence
	// Out is what it came to.
	Out *testcase.Outcome
	// Same reports whether a smaller sequence, which came to an outcome, still shows what
	// this one is for.
	Same func(*testcase.Sequence, *testcase.Outcome) bool
	// Few is how many runs may be spent on it where each is expensive; 0 is no bound but
	// Config.MaxRuns.
	Few int
}

// Smaller returns the subjects with the smallest sequences that it found to be the same, and
// what these came to. Where the context ends or the runner fails, they are as small as they
// are by then, and the error is returned, too.
func Smaller(ctx context.Context, subjects []Subject, r Runner, cfg Config) ([]Subject, Stats, error) {
	st := Stats{Cases: len(subjects), Kept: len(subjects)}
	m := &minimiser{ctx: ctx, runner: r, cfg: cfg, left: cmp.Or(cfg.MaxRuns, 20_000), stats: &st}
	active := make([]*subject, len(subjects))
	for i, s := range subjects {
		active[i] = &subject{seq: s.Seq, out: s.Out, same: s.Same, few: -1}
		if s.Few > 0 {
			active[i].few = s.Few
		}
		st.Statements[0] += s.Seq.Len()
	}
	err := m.minimise(active)
	out := make([]Subject, len(subjects))
	for i, s := range active {
		out[i] = subjects[i]
		out[i].Seq, out[i].Out = s.seq, s.out
		st.Statements[1] += s.seq.Len()
	}
	return out, st, err
}

// Simpler reports whether one sequence is simpler than another: it has fewer statements, or as
// many and plainer constants.
func Simpler(a, b *testcase.Sequence) bool { return size(a).less(size(b)) }
