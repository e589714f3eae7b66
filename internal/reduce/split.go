package reduce

import (
	"context"

	"github.com/goassay/assay/internal/testcase"
)

// split returns further cases, made of calls that are dead and pure in other cases and that no case of their
// own function makes. Without a case of its own, such a call would be kept for the blocks that it covers, and
// nothing would check its result.
func (cfg Config) split(ctx context.Context, cases []*testcase.Case, r Runner) ([]*testcase.Case, error) {
	if cfg.Split == nil {
		return nil, nil
	}
	known := map[string]bool{}
	key := func(c *testcase.Case) string { return c.Target + "\n" + Key(c.Seq, cfg.Pure) }
	for _, c := range cases {
		known[key(c)] = true
	}
	var out []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range cases {
		if c.Whole || c.Unsteady() || c.Seq.Len() > manyStatements {
			continue
		}
		dead := Dead(c.Seq)
		for i := range c.Seq.Len() - 1 {
			op := c.Seq.At(i).Op
			if !dead[i] || op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Signature().Results().Len() == 0 || !isPure(op, cfg.Pure) || !cfg.Split(testcase.TargetName(op.Func)) {
				continue
			}
			part := &testcase.Case{
				Package: c.Package, Target: testcase.TargetName(op.Func), Engine: c.Engine,
				Seq: Clean(prefix(c.Seq, i+1), cfg.Pure),
			}
			if k := key(part); !known[k] {
				known[k] = true
				out, seqs = append(out, part), append(seqs, part.Seq)
			}
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	outcomes, err := r.Run(ctx, seqs)
	var fit []*testcase.Case
	for i := range min(len(outcomes), len(out)) {
		if out[i].Observed = outcomes[i]; testable(out[i]) && !out[i].Unsteady() {
			fit = append(fit, out[i])
		}
	}
	return fit, err
}

// prefix returns the first n statements of a case.
func prefix(s *testcase.Sequence, n int) *testcase.Sequence {
	stmts := make([]testcase.Statement, n)
	for i := range stmts {
		stmts[i] = s.At(i)
	}
	return testcase.NewSequence(stmts...)
}
