package campaign

import (
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// isolating runs sequences so that none sees what another one left in package-level
// variables: those that call a function which changes one get a process of their own.
// The others share one, which stays clean.
type isolating struct {
	pkg     *load.Package
	rules   *usage.Rules
	h       *native.Harness
	changes func(*testcase.Sequence) bool
	twice   bool
	any     bool // some function of the package changes package-level state
}

// setters finds out which functions of the package change package-level variables,
// and for which of them that is what they are for.
func (g *gen) setters() {
	globals := purity.NewGlobals()
	changes, sets := make(map[string]bool), make(map[string]bool) // by full name
	g.stored = make(map[string][]*types.Var)
	for _, t := range g.pkg.Targets {
		if t.Skip != "" {
			continue
		}
		if globals.Changes(t.Func) {
			changes[t.Obj.FullName()] = true
		}
		if globals.Sets(t.Func) {
			sets[t.Obj.FullName()] = true
			g.stored[t.Obj.FullName()] = globals.Stored(t.Func)
		}
	}
	calls := func(names map[string]bool) func(*testcase.Sequence) bool {
		return func(s *testcase.Sequence) bool {
			for i := range s.Len() {
				if op := s.At(i).Op; op.Kind == testcase.OpSetGlobal || op.Func != nil && names[op.Func.Origin().FullName()] {
					return true
				}
			}
			return false
		}
	}
	g.changes, g.sets = calls(changes), calls(sets)
	g.anyChanges = len(changes) > 0
}

// restoring returns the case with the variables that its test has to put back: those that
// its calls set, where that is what they are for.
func (g *gen) restoring(c *testcase.Case) *testcase.Case {
	var vars []*types.Var
	direct := make(map[*types.Var]bool)
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if op.Kind == testcase.OpSetGlobal {
			direct[op.Var] = true // its test puts it back anyhow
		}
		if op.Func == nil {
			continue
		}
		for _, v := range g.stored[op.Func.Origin().FullName()] {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	vars = slices.DeleteFunc(vars, func(v *types.Var) bool { return direct[v] })
	if vars == nil {
		return c
	}
	d := *c
	d.Restores = vars
	return &d
}

// runner returns what runs sequences of the package, each once or twice.
func (g *gen) runner(twice bool) isolating {
	return isolating{pkg: g.pkg, rules: g.rules, h: g.harness, changes: g.changes, twice: twice, any: g.anyChanges}
}

// Blocks are what the harness counts; package reduce asks for them.
func (r isolating) Blocks() []native.Block { return r.h.Blocks() }

// Run implements reduce.Runner.
func (r isolating) Run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	out, err := r.run(ctx, seqs)
	finding.MarkBroken(r.rules, seqs, out)
	return out, err
}

func (r isolating) run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	if !r.any {
		return r.h.RunWith(ctx, seqs, native.Options{Twice: r.twice})
	}
	var groups [2][]int // clean ones, those that set state
	for i, s := range seqs {
		k := 0
		if r.changes(s) {
			k = 1
		}
		groups[k] = append(groups[k], i)
	}
	out := make([]*testcase.Outcome, len(seqs))
	for k, group := range groups {
		if len(group) == 0 {
			continue
		}
		part := make([]*testcase.Sequence, len(group))
		for j, i := range group {
			part[j] = seqs[i]
		}
		outcomes, err := r.h.RunWith(ctx, part, native.Options{Twice: r.twice, Fresh: k == 1})
		for j, o := range outcomes {
			out[group[j]] = o
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// mix runs the sequences of tests after one another in one process, all of them twice, in
// both orders, as go test may, where so far each that changes package-level variables had a process of its
// own. What differs is not asserted; what hangs for the sake of another, or leaves a lock
// held, is no test. Those whose tests put back what they set are left out.
func (g *gen) mix(ctx context.Context, seqs []*testcase.Sequence, alone []*testcase.Outcome) error {
	if !g.anyChanges {
		return nil
	}
	var part []*testcase.Sequence
	var at []int
	for i, s := range seqs {
		if i < len(alone) && alone[i] != nil && alone[i].Status != testcase.NotRun && !g.sets(s) {
			part, at = append(part, s), append(at, i)
		}
	}
	g.harness.Fresh()
	defer g.harness.Fresh()
	outcomes, err := g.harness.RunWith(ctx, slices.Concat(part, part), native.Options{Twice: true})
	for k, o := range outcomes {
		if o == nil || o.Status == testcase.NotRun {
			continue
		}
		native.Merge(alone[at[k%len(at)]], o)
	}
	return err
}
