package bounded

import (
	"context"
	"errors"
	"go/types"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/testcase"
)

// Config says for which targets cases are wanted and how far inputs are enumerated. The zero value
// means all targets with the default effort.
type Config struct {
	Targets func(name string) bool // by Target.Name; nil means all
	Size    int                    // the largest size; 0 means DefaultSize
	Effort  int64                  // how many candidates of one target are explored; 0 means DefaultEffort
	Tags    string
	Confine guard.Mode // as in native.Config
	// Mutants names, for each case, the mutants of the code under test that it notices and no case before it
	// does. Nil means that cases are chosen by coverage only.
	Mutants func(context.Context, []*testcase.Case) ([][]string, error)
	// Exhaustive asks for tests that enumerate all inputs again.
	Exhaustive bool
	// Finitization is a function of the package that says the bounds of inputs of its type,
	// "" for the default bounds.
	Finitization string
	Log          func(form string, args ...any)
}

// The defaults of Config. They take about a fifth of a second for a target.
const (
	DefaultSize   = 7
	DefaultEffort = 200_000
)

// Subject is the package to test, and the harness to observe cases in.
type Subject struct {
	Prog    *load.Program
	Pkg     *load.Package
	Harness *native.Harness
}

// Result says what a run did.
type Result struct {
	Explored, Inputs int64 // the candidates, and the valid ones among them: inputs that were run
	Cases            int
	Exhaustive       []*Exhaustive
}

// plan is the work for one target.
type plan struct {
	*input
	search native.Search
	bounds *bounds
}

// Run enumerates the inputs of the package's functions that satisfy their contracts, runs the function on
// each and checks the function's promises. It yields a case for every kind of failure, with the smallest
// input found, and a case for each input that covers something that no earlier input covers. If yield returns
// false, Run stops. Cases are observed in the package's harness. An error means that the harness failed, that
// a predicate is wrong, or that the context ended.
func Run(ctx context.Context, s Subject, cfg Config, yield func(*testcase.Case) bool) (Result, error) {
	var res Result
	prog, pkg := s.Prog, s.Pkg
	if cfg.Size == 0 {
		cfg.Size = DefaultSize
	}
	if cfg.Effort == 0 {
		cfg.Effort = DefaultEffort
	}
	if cfg.Log == nil {
		cfg.Log = func(string, ...any) {}
	}
	plans, err := plansOf(prog, pkg, cfg)
	if err != nil || len(plans) == 0 {
		return res, err
	}
	var finite *types.Func
	var watched []*types.Func
	var searches []native.Search
	if cfg.Finitization != "" {
		if finite, err = finitization(prog, pkg, cfg.Finitization); err != nil {
			return res, err
		}
		searches = append(searches, native.Search{Finitization: finite, Only: true})
	}
	for _, p := range plans {
		watched = append(watched, observed(pkg, p.search.Checks)...)
		watched = append(watched, p.target.Obj)
		search := p.search
		search.Spec, search.Types = p.bounds.spec(1)
		searches = append(searches, search)
	}
	walker, err := native.Build(ctx, prog, pkg, native.Config{Tags: cfg.Tags, Confine: cfg.Confine, Observe: watched, Searches: searches})
	if err != nil {
		return res, err
	}
	defer walker.Close() // its workspace is temporary
	e := &engine{ctx: ctx, prog: prog, pkg: pkg, h: s.Harness, walker: walker, cfg: cfg, res: &res}
	if finite != nil {
		if err := e.finitized(finite, plans); err != nil {
			return res, err
		}
	}
	for _, p := range plans {
		if err = e.target(p); err != nil {
			break // the results so far are good
		}
	}
	if err == nil {
		err = e.mutants()
	}
	for i, c := range e.cases {
		if len(c.Shows) == 0 && !e.needed[i] {
			continue
		}
		res.Cases++
		if !yield(c) {
			break
		}
	}
	return res, err
}

// mutants finds out which cases notice mutants that no earlier case notices.
func (e *engine) mutants() error {
	if e.cfg.Mutants == nil || len(e.cases) == 0 {
		return nil
	}
	shows, err := e.cfg.Mutants(e.ctx, e.cases)
	if err != nil {
		return err
	}
	for i, s := range shows {
		e.cases[i].Shows = s
	}
	return nil
}

// plansOf returns the targets with inputs that can be enumerated: the receiver or an argument has an
// invariant, or the target requires something.
func plansOf(prog *load.Program, pkg *load.Package, cfg Config) ([]*plan, error) {
	var out []*plan
	for _, t := range pkg.Targets {
		if t.Skip != "" || t.Func == nil || cfg.Targets != nil && !cfg.Targets(t.Name) || isPredicate(t) {
			continue
		}
		p, err := planOf(prog, pkg, t)
		if err != nil {
			return nil, err
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// isPredicate reports whether a target is itself an invariant. To call it on valid objects says nothing.
func isPredicate(t *load.Target) bool {
	return t.Recv != nil && load.IsPredicate(t.Obj)
}

func planOf(prog *load.Program, pkg *load.Package, t *load.Target) (*plan, error) {
	p := &plan{input: inputOf(pkg, t)}
	if p.root.NumFields() == 0 {
		return nil, nil // the target has no input
	}
	s := &p.search
	s.Root, s.Op, s.TypeArgs, s.Spread = p.root, t.Obj, t.TypeArgs, p.spread()
	for i := range p.root.NumFields() {
		s.Fields = append(s.Fields, i)
		ft := p.root.Field(i).Type()
		n := load.NamedOf(ft)
		if n == nil {
			continue
		}
		if _, ok := n.Underlying().(*types.Struct); !ok {
			continue
		}
		checks := invariants(pkg, n)
		_, pointer := types.Unalias(ft).(*types.Pointer)
		for _, c := range checks {
			c.Fields = []int{i}
			c.Nilable = pointer && i >= p.needed
			c.Addr = !pointer
			s.Checks = append(s.Checks, c)
			if pointer && c.Func != nil {
				s.After = append(s.After, c) // the contract itself checks directives
			}
		}
	}
	// Requirements come behind the invariants, because they may rely on them.
	if c := pkg.Contracts.Func(pkg.Func(t.Obj)); c != nil && c.Pre != "" {
		if len(s.Checks) > 0 || len(c.Clauses) > 0 {
			s.Checks = append(s.Checks, native.Check{Name: c.Pre, TypeArgs: t.TypeArgs, Fields: s.Fields, Spread: t.Obj.Signature().Variadic(), Label: "requires"})
		}
	}
	if len(s.Checks) == 0 {
		return nil, nil
	}
	s.Results = resultChecks(pkg, t)
	p.bounds = boundsOf(pkg, p.root, p.needed)
	return p, nil
}

// resultChecks returns the invariants of what a target returns.
func resultChecks(pkg *load.Package, t *load.Target) []native.ResultCheck {
	var out []native.ResultCheck
	for i := range t.Func.Signature.Results().Len() {
		typ := t.Func.Signature.Results().At(i).Type()
		n := load.NamedOf(typ)
		if n == nil || types.IsInterface(n) {
			continue
		}
		for _, c := range invariants(pkg, n) {
			if c.Func != nil { // the contract itself checks directives
				out = append(out, native.ResultCheck{Func: c.Func, Result: i, Type: typ, Label: c.Label + " of result " + strconv.Itoa(i+1)})
			}
		}
	}
	return out
}

// engine is the state of a run.
type engine struct {
	ctx     context.Context
	prog    *load.Program
	pkg     *load.Package
	h       *native.Harness
	walker  *native.Harness
	cfg     Config
	res     *Result
	covered testcase.Cover
	own     []*own // the user's finitization, by size from 1 on; nil means the default bounds
	cases   []*testcase.Case
	needed  []bool // whether each case is needed: it fails, or covers something new
}

// pick is a structure that is worth a case.
type pick struct {
	structure *Structure
	objects   int
	failure   string
}

// target enumerates the inputs of one target, the small ones first.
func (e *engine) target(p *plan) error {
	failed := map[string]bool{}
	var walked []walk // the results by size, from 1 on
	left := e.cfg.Effort
	sound := true
	for size := 1; size <= e.cfg.Size && left > 0; size++ {
		s := p.search
		spec, list, more, err := e.spec(p, size)
		if err != nil || !more {
			return err
		}
		s.Spec, s.Types = spec, list
		s.Max, s.Record = left, e.cfg.Exhaustive
		shape := newShape(e.pkg, s.Spec, s.Types)
		var fresh []pick
		worst := map[string]pick{}
		sample := 0
		s.All = e.cfg.Mutants != nil && size <= sampleSize
		s.Found = func(f native.Found) {
			if f.Failure == "" && !f.Fresh {
				if sample++; sample > sampled {
					return
				}
			}
			x := pick{shape.structure(f.Vector), f.Objects, f.Failure}
			if f.Failure == "" {
				fresh = append(fresh, x)
			} else if w, ok := worst[f.Failure]; !ok || x.objects < w.objects {
				worst[f.Failure] = x
			}
		}
		res, err := e.walker.Search(e.ctx, s)
		left -= max(res.Explored, 1)
		e.res.Explored += res.Explored
		e.res.Inputs += res.Valid
		if err != nil {
			var user native.FinitizationError
			if errors.As(err, &user) {
				e.cfg.Log("%s: not enumerated: %v", p.target, err)
				return nil
			}
			return err
		}
		if res.Died != "" && res.Last != nil {
			worst["ends the process"] = pick{shape.structure(res.Last), 0, "ends the process"}
		}
		var picks []pick
		for _, k := range sortedKeys(worst) {
			// Failures are known with smaller inputs already.
			if !failed[k] {
				failed[k] = true
				picks = append(picks, worst[k])
			}
		}
		if err := e.run(p, append(picks, fresh...)); err != nil {
			return err
		}
		e.cfg.Log("%s: size %d: %d inputs of %d candidates, complete: %v", p.target, size, res.Valid, res.Explored, res.Complete)
		for _, pr := range res.Problems {
			e.cfg.Log("%s: the predicate is not sound: %s", p.target, problemText(pr))
		}
		if !res.Complete {
			break
		}
		sound = sound && len(res.Problems) == 0
		if e.cfg.Exhaustive {
			walked = append(walked, walk{res.Valid, candidate.EncodeReads(res.Reads)})
		}
	}
	if e.cfg.Exhaustive && sound && len(failed) == 0 {
		if x := e.exhaustive(p, walked); x != nil {
			e.res.Exhaustive = append(e.res.Exhaustive, x)
		}
	}
	return nil
}

// Inputs that cover nothing new may still notice mutants, so a few small ones become cases, too.
const (
	sampleSize = 3
	sampled    = 40
)

// run runs picks as cases.
func (e *engine) run(p *plan, picks []pick) error {
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	var kept []pick
	for _, x := range picks {
		for _, after := range afterwards(p, x.failure) {
			seq, ok := sequence(x.structure, p.input, after)
			if !ok {
				continue
			}
			target := p.target.Name
			if x.failure == "hang" && after != nil {
				target = testcase.TargetName(after.Func) // the invariant does not end, although the call does
			}
			cases = append(cases, &testcase.Case{Package: e.pkg.Path, Target: target, Engine: "bounded", Seq: seq, Whole: true})
			seqs = append(seqs, seq)
			kept = append(kept, x)
		}
	}
	if len(seqs) == 0 {
		return nil
	}
	outcomes, err := e.h.RunTwice(e.ctx, seqs)
	if err != nil {
		return err
	}
	for i, c := range cases {
		o := outcomes[i]
		c.Observed = o
		e.cases = append(e.cases, c)
		e.needed = append(e.needed, e.covered.Union(o.Cover) || kept[i].failure != "")
	}
	return nil
}

// afterwards returns the invariants that are asked behind calls which show a failure. If the failure is about
// one invariant, it is this one. If something does not end, all invariants are asked, each behind a call of
// its own. For other failures there are none.
func afterwards(p *plan, failure string) []*native.Check {
	var out []*native.Check
	for i := range p.search.After {
		if p.search.After[i].Label == failure {
			return []*native.Check{&p.search.After[i]}
		}
		if failure == "hang" {
			out = append(out, &p.search.After[i])
		}
	}
	return append(out, nil)
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
