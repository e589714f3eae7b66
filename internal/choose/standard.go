package choose

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/question"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/testcase"
)

// mostStandard is how many calls on objects in standard states are run for one type.
const mostStandard = 250

// standard holds calls on objects in the states that a person tests. Their outcomes make them fit to be
// tests.
type standard struct {
	cases []*testcase.Case
	state map[*testcase.Case]container.State
}

// containers returns calls of the methods of containers on objects without elements, with several elements,
// and full. It keeps one call for each way through the method and for each outcome on an empty object and on
// one with elements.
func (ch *chooser) containers(ctx context.Context, o *question.Asker) (standard, error) {
	out := standard{state: make(map[*testcase.Case]container.State)}
	fillers, err := ch.fillers(ctx, o)
	if err != nil {
		return out, err
	}
	ch.parts.Fillers = fillers
	for _, f := range fillers {
		cases := slices.DeleteFunc(f.Cases(), func(c container.Case) bool {
			return c.State != container.Empty && (isApartFromFilling(o, c.Case) || f.Unseen() && c.Case.Seq.At(c.Case.TargetStmt()).Op.Func == f.Adds())
		})
		cases = cases[:min(len(cases), mostStandard)]
		var seqs []*testcase.Sequence
		for _, c := range cases {
			seqs = append(seqs, c.Seq)
		}
		outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
		if err := ch.UnlessCut(err); err != nil {
			return out, fmt.Errorf("running containers: %w", err)
		}
		var plain []*testcase.Case
		for _, c := range cases {
			plain = append(plain, c.Case)
			out.state[c.Case] = c.State
		}
		fit := ch.fitOrRefused(plain, outcomes)
		collected, err := ch.collected(ctx, fit)
		if err != nil {
			return out, err
		}
		for i, c := range collected {
			out.state[c] = out.state[fit[i]]
			fit[i] = c
		}
		ways := ch.ways(fit)
		seen := make(map[string]bool)
		for _, c := range fit {
			key := fmt.Sprint(c.Target, out.state[c] == container.Empty, outcome.Class(c), ways[c])
			if out.state[c] == container.Many {
				key = c.Seq.Key() // the mutants that the call notices decide later whether the call is needed
			}
			if !seen[key] {
				seen[key] = true
				out.cases = append(out.cases, c)
			}
		}
	}
	return out, nil
}

// fillers returns, for each type of the package, the first method that adds an element to an object in
// some run.
func (ch *chooser) fillers(ctx context.Context, o *question.Asker) ([]*container.Filler, error) {
	makers := slices.Clone(ch.given.Ran)
	slices.SortStableFunc(makers, func(a, b *testcase.Case) int {
		return cmp.Or(cmp.Compare(a.Seq.StandIns(), b.Seq.StandIns()), cmp.Compare(a.Seq.Len(), b.Seq.Len()))
	})
	all := container.Fillers(ch.Pkg, makers, func(t types.Type) *testcase.Sequence { return ch.parts.FunctionOf(t, 0) })
	var seqs []*testcase.Sequence
	start := make([]int, len(all)+1)
	for i, f := range all {
		seqs = append(seqs, f.Probes(o.Table.Of(f.Type))...)
		start[i+1] = len(seqs)
	}
	outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("filling objects: %w", err)
	}
	if len(outcomes) < len(seqs) {
		return nil, nil // the time ended before anything ran
	}
	var out []*container.Filler
	fills := ch.fillingInScenarios()
	for i, f := range all {
		same := func(g *container.Filler) bool { return types.Identical(f.Type, g.Type) }
		if !slices.ContainsFunc(out, same) && (fills[f.Adds()] || f.Fills(o.Table.Of(f.Type), seqs[start[i]:start[i+1]], outcomes[start[i]:start[i+1]])) {
			out = append(out, f)
		}
	}
	return out, nil
}

// fillingInScenarios returns the methods that put something into an object in a scenario. Nothing need say how much there is in
// the object: a trie does not.
func (ch *chooser) fillingInScenarios() map[*types.Func]bool {
	out := make(map[*types.Func]bool)
	for _, c := range ch.Tests {
		if c.Story != nil && c.Story.Fills {
			out[c.Seq.At(c.TargetStmt()).Op.Func] = true
		}
	}
	return out
}

// shown returns the calls with observers behind them.
func (s standard) shown(ctx context.Context, o *question.Asker) (standard, error) {
	tests, err := o.Tests(ctx, s.cases)
	if err != nil {
		return s, err
	}
	out := standard{cases: tests, state: make(map[*testcase.Case]container.State)}
	for i, c := range tests {
		out.state[c] = s.state[s.cases[i]]
	}
	return out, nil
}

// isApartFromFilling reports whether the methods that prepare the object of a case's call work on other fields than the call: that
// an object has elements is nothing to SetSize then.
func isApartFromFilling(o *question.Asker, c *testcase.Case) bool {
	at, filled := c.TargetStmt(), false
	for i := range at {
		if op := c.Seq.At(i).Op; op.Kind == testcase.OpMethod && len(c.Seq.At(at).Args) > 0 && c.Seq.At(i).Args[0] == c.Seq.At(at).Args[0] {
			if filled = true; !o.Apart(c.Seq.At(at).Op, op) {
				return false
			}
		}
	}
	return filled
}
