package campaign

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// This file asks contracts about the calls that were made. Engines call what a contract is about as well, but with other values.

// mostCallsAsked bounds how many calls a contract is asked about.
const mostCallsAsked = 300

// askCalls adds a case for each call that breaks a contract about single calls: whether Read reports a possible number of bytes, and
// whether Write leaves alone what it is given, and whether Delete deletes. The random engine makes calls for these contracts, too, but some call of another
// engine may be the only one that breaks them, and a test of that call would assert what is wrong.
func (g *gen) askCalls(ctx context.Context, bench *workbench, explored []engine.Explored) error {
	if bench == nil {
		return nil
	}
	checks := g.checksOfCalls()
	if len(checks) == 0 {
		return nil
	}
	var seqs []*testcase.Sequence
	var of []*testcase.Case
	var in []*engine.Explored
	for i := range explored {
		x := &explored[i]
		for _, check := range checks {
			if check.Target != x.Target.Name {
				continue
			}
			calls := 0
			for _, c := range x.Cases {
				if calls == mostCallsAsked {
					break
				}
				if c.Observed == nil || c.Observed.Status != testcase.Returned || c.Observed.Violated != "" || c.TargetStmt() != c.Seq.Len()-1 {
					continue
				}
				calls++
				for _, d := range asked(c.Seq, check) {
					seqs, of, in = append(seqs, d.seq), append(of, c), append(in, x)
				}
			}
		}
	}
	if len(seqs) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).Run(ctx, seqs)
	for i, o := range outcomes {
		if breaksAsked(seqs[i], o) {
			in[i].Cases = append(in[i].Cases, &testcase.Case{Package: of[i].Package, Target: of[i].Target, Engine: of[i].Engine, Seq: seqs[i], Observed: o})
		}
	}
	return err
}

// checksOfCalls returns the contracts that any call of a function or method can be asked about.
func (g *gen) checksOfCalls() []*testcase.Check {
	return slices.DeleteFunc(g.checks(), func(c *testcase.Check) bool { return !c.OfCalls && c.Without == nil && c.Contract != "roundtrip" })
}

// asked returns the questions of a contract about the last call of a sequence. What reads a text is asked whether it reads again what it has
// made of one: whatever structs users may write, these are values that the package makes.
func asked(s *testcase.Sequence, check *testcase.Check) []dispute {
	if check.Contract == "roundtrip" {
		return ofResults(s, check)
	}
	return disputes(s, check)
}

// breaksAsked reports whether the contract at the end of a sequence is broken, by something that a call did not return with an error or with false.
func breaksAsked(s *testcase.Sequence, o *testcase.Outcome) bool {
	return o != nil && o.Violated != "" && o.At == s.Len()-1 && !s.UsesFailed(o) && !s.UsesNothing(o)
}

// askTests returns a finding for each contract about single calls that a call of a test breaks. Choosing makes calls that no engine has made:
// of containers with three, four and seven elements, and with the values that people write.
func (g *gen) askTests(ctx context.Context, bench *workbench, tests []*testcase.Case) ([]*testcase.Finding, error) {
	checks := g.checksOfCalls()
	var seqs []*testcase.Sequence
	var of []*testcase.Case
	var targets []string
	for _, c := range tests {
		for i := range c.TargetStmt() + 1 {
			op := c.Seq.At(i).Op
			if !op.IsCall() || op.Func == nil {
				continue
			}
			for _, check := range checks {
				if check.Target != testcase.TargetName(op.Func) {
					continue
				}
				for _, d := range asked(c.Seq.Prefix(i+1), check) {
					seqs, of, targets = append(seqs, d.seq), append(of, c), append(targets, check.Target)
				}
			}
		}
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	outcomes, err := bench.Runner(false).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var found []*testcase.Finding
	for i, o := range outcomes {
		if !breaksAsked(seqs[i], o) {
			continue
		}
		c := &testcase.Case{Package: of[i].Package, Target: targets[i], Engine: of[i].Engine, Seq: seqs[i], Observed: o}
		if _, f := bench.Judge.Case(c); f != nil && g.InScope(f.Func) {
			found = append(found, f)
		}
	}
	found, _ = g.splitMisuse(g.Unknown(finding.Merge(g.Rules, found)))
	return found, nil
}
