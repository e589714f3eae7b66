package reduce

import (
	"cmp"
	"context"

	"github.com/goassay/assay/internal/testcase"
)

// Subject is a sequence that is to be made as small as possible.
type Subject struct {
	Seq *testcase.Sequence
	// Out is the outcome of the sequence.
	Out *testcase.Outcome
	// Same reports whether a smaller sequence, with its outcome, still serves the purpose of this one.
	Same func(*testcase.Sequence, *testcase.Outcome) bool
	// MaxRuns bounds the runs that the subject may use, if each run is slow. 0 means that only
	// Config.MaxRuns bounds them.
	MaxRuns int
}

// Smaller returns the subjects with the smallest sequences for which Same holds, and their outcomes. If the
// context ends or the runner fails, it returns the subjects in the state that they have by then, and the
// error.
func Smaller(ctx context.Context, subjects []Subject, r Runner, cfg Config) ([]Subject, Stats, error) {
	st := Stats{Cases: len(subjects), Kept: len(subjects)}
	m := &minimiser{ctx: ctx, runner: r, cfg: cfg, runsLeft: cmp.Or(cfg.MaxRuns, 20_000), stats: &st}
	active := make([]*subject, len(subjects))
	for i, s := range subjects {
		active[i] = &subject{seq: s.Seq, out: s.Out, accepts: s.Same, runsLeft: -1}
		if s.MaxRuns > 0 {
			active[i].runsLeft = s.MaxRuns
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

// Simpler reports whether one sequence is simpler than another: it has fewer statements, or the same number
// and plainer constants.
func Simpler(a, b *testcase.Sequence) bool { return size(a).less(size(b)) }
