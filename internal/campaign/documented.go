package campaign

import (
	"context"
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/oracle"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// documented holds the cases that the documentation speaks of.
type documented struct {
	// right are the cases that do what the documentation says; wrong are cases that end with the contract
	// which the code breaks. About the calls in uses the documentation only says how they are made.
	right, wrong, uses []*testcase.Case
	// ignoreTests says that calls in the hand-written tests do not count.
	ignoreTests bool
	// disputed are the calls of the wrong cases. A test of such a call could assert a faulty result.
	disputed map[string]bool
}

func (d documented) all() []*testcase.Case { return slices.Concat(d.right, d.wrong, d.uses) }

// readDocumentation returns what the documentation says about functions that get tests, and how it uses them.
// The values that its calls pass become hints for inputs.
func (g *gen) readDocumentation(targets []*load.Target) oracle.Documentation {
	wanted := make(map[string]bool)
	for _, t := range targets {
		wanted[t.Name] = true
	}
	said := oracle.Of(g.Prog, g.Pkg)
	passed := said.Passed
	lits := g.Pkg.Literals
	if lits.Documented != nil {
		passed = nil // the values were noted when an earlier pass worked on the package
	} else {
		lits.Documented = passed
		lits.Structs = append(lits.Structs, said.Structs...)
		g.addNamed(targets)
	}
	for _, target := range slices.Sorted(maps.Keys(passed)) {
		for _, v := range slices.Concat(passed[target]...) {
			if v != nil && v.Kind() == constant.String && !slices.Contains(lits.Strings, constant.StringVal(v)) {
				lits.Strings = append(lits.Strings, constant.StringVal(v))
			}
		}
	}
	said.Claims = slices.DeleteFunc(said.Claims, func(c *oracle.Claim) bool { return !wanted[c.Target] })
	said.Uses = slices.DeleteFunc(said.Uses, func(u *oracle.Use) bool { return !wanted[u.Target] })
	if !purity.AsksTime(g.Pkg) {
		// In the documentation the rest of the code gets the present moment. A package that does not ask for
		// the time itself does the same with any other moment, and a fixed moment gives the same test every
		// day.
		for _, u := range said.Uses {
			if seq, ok := plain.NotNow(g.Pkg, &testcase.Case{Target: u.Target, Seq: u.Seq}); ok {
				u.Seq = seq
			}
		}
	}
	return said
}

// addNamed makes the texts that the module gives to what is called like the texts which functions take hints for the inputs of these.
func (g *gen) addNamed(targets []*load.Target) {
	for _, t := range targets {
		for v := range t.Obj.Signature().Params().Variables() {
			typ := v.Type()
			if list, ok := typ.Underlying().(*types.Slice); ok && !gosyntax.IsBytes(typ) {
				typ = list.Elem()
			}
			if load.IsText(typ) {
				g.Pkg.Literals.AddTexts(t.Name, g.Pkg.Lexicon().Texts(v.Name()))
			}
		}
	}
}

// compareDocumentation runs the calls that the documentation describes, and compares their outcomes
// with the description.
func (g *gen) compareDocumentation(bench *workbench) (documented, error) {
	d := documented{disputed: make(map[string]bool), ignoreTests: g.cfg.IgnoreExisting}
	if bench == nil || len(bench.said.Claims)+len(bench.said.Uses) == 0 {
		return d, nil
	}
	ctx, cancel := context.WithDeadline(g.Ctx, g.Deadline)
	defer cancel()
	g.cleanClaims(bench.said.Claims)
	var seqs []*testcase.Sequence
	for _, c := range bench.said.Claims {
		seqs = append(append(seqs, c.Seq), c.Checks...)
	}
	outcomes, err := g.runClaims(ctx, bench, seqs)
	if err != nil {
		return d, err
	}
	next := 0
	for _, c := range bench.said.Claims {
		at := next
		next += 1 + len(c.Checks)
		if next > len(outcomes) {
			break
		}
		d.compare(g.Pkg, c, outcomes[at:next])
	}
	if err := g.runUses(ctx, bench, &d); err != nil {
		return d, err
	}
	g.Debug("stages", "%s: of %d calls in the documentation %d come to what it says, %d to something else; of %d more %d return", g.Pkg.Path,
		len(bench.said.Claims), len(d.right), len(d.wrong), len(bench.said.Uses), len(d.uses))
	return d, nil
}

// cleanClaims takes calls out of claims that their own call does not need: of a program that prints what ten getters return
// each claim is about one getter.
func (g *gen) cleanClaims(claims []*oracle.Claim) {
	pure := purity.New(g.Prog).PureCalls(g.Pkg)
	for _, c := range claims {
		c.Seq = reduce.Clean(c.Seq, pure)
		for i, check := range c.Checks {
			c.Checks[i] = reduce.Clean(check, pure)
		}
	}
}

// runClaims runs the calls that the documentation says something of, for at most a fifth of the package's time. The
// harness has to be built for them, which on a busy machine may take all of the time, and then nothing else would run.
func (g *gen) runClaims(ctx context.Context, bench *workbench, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, g.Config.Bound()/5)
	defer cancel()
	outcomes, err := bench.Runner(true).Run(ctx, seqs)
	if g.UnlessCut(err) != nil {
		return outcomes, fmt.Errorf("running what the documentation speaks of: %w", err)
	}
	return outcomes, nil
}

// runUses runs the calls that the documentation makes. Many of these calls show how a server or a loop is
// started, which does not return. They therefore have less time than other calls, and at most a tenth of the
// package's time in all.
func (g *gen) runUses(ctx context.Context, bench *workbench, d *documented) error {
	ctx, cancel := context.WithTimeout(ctx, g.Config.Bound()/10)
	defer cancel()
	// A program that prints what ten getters return shows ten calls, and none of them needs the others.
	pure := purity.New(g.Prog).PureCalls(g.Pkg)
	var uses []*oracle.Use
	var seqs []*testcase.Sequence
	known := make(map[string]bool)
	for _, u := range bench.said.Uses {
		clean := *u
		clean.Seq = reduce.Clean(u.Seq, pure)
		if text := clean.Seq.Dump(); !known[text] {
			known[text] = true
			uses, seqs = append(uses, &clean), append(seqs, clean.Seq)
		}
	}
	outcomes, err := bench.Proposals(true).Run(ctx, seqs)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("running the calls that the documentation makes: %w", err)
	}
	for i, o := range outcomes {
		d.use(g.Pkg, uses[i], o)
	}
	return nil
}

// use adds a call that the documentation makes, if the call returns. Its values are those that the authors
// have in mind. The reducer keeps the case as it is; in the end the case is dropped if no one would miss it.
func (d *documented) use(pkg *load.Package, u *oracle.Use, o *testcase.Outcome) {
	if o == nil || o.Status != testcase.Returned || o.Violated != "" {
		return
	}
	d.uses = append(d.uses, &testcase.Case{
		Package: pkg.Path, Target: u.Target, Engine: oracle.Contract, Whole: true, Seq: u.Seq, Observed: o,
		Shows: []string{testcase.ShowsUse + u.Seq.Key()},
	})
}

// compare adds the verdict on a claim, given the outcomes of its call and of its checks.
func (d *documented) compare(pkg *load.Package, claim *oracle.Claim, outcomes []*testcase.Outcome) {
	c := &testcase.Case{Package: pkg.Path, Target: claim.Target, Engine: oracle.Contract, Whole: true, Seq: claim.Seq, Observed: outcomes[0]}
	agree := true
	for i, o := range outcomes[1:] {
		agree = agree && o != nil && o.Status == testcase.Returned && o.Violated == "" && !o.Unstable
		if o != nil && o.Violated == "contract "+oracle.Contract && !o.Unstable && !claim.Soft {
			w := *c
			w.Seq, w.Observed = claim.Checks[i], o
			d.wrong = append(d.wrong, &w)
			d.disputed[claim.Seq.Key()] = true
			return
		}
	}
	switch {
	case agree:
		c.Documented = claim.Source
		c.Keep = !claim.Runs && !d.tested(pkg, claim)
		if c.Keep {
			c.Shows = []string{"documented " + claim.Seq.Key()} // the reducer keeps a case that shows something of its own
		}
		d.right = append(d.right, c)
	case !claim.Soft && outcomes[0] != nil && outcomes[0].Status == testcase.Panicked:
		d.right = append(d.right, c) // the judge decides whether the case is a finding
	}
}

// tested reports whether a hand-written test makes the same call as a claim. Only constant arguments
// are compared.
func (d *documented) tested(pkg *load.Package, claim *oracle.Claim) bool {
	last := claim.Seq.Last()
	args := last.Args
	if last.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	return !d.ignoreTests && len(args) > 0 && slices.ContainsFunc(pkg.Literals.Calls[claim.Target], func(list []constant.Value) bool {
		return len(list) == len(args) && !slices.ContainsFunc(list, func(v constant.Value) bool { return v == nil }) &&
			oracle.SameConstants(claim.Seq, args, list)
	})
}
