// Package check is the verb check: for each assertion of a package it says whether the assertion is
// proved, proved under assumptions, refuted by a test, or unknown. The analysis itself is
// internal/check.
//
//  1. analyse runs the static analysis on every function.
//  2. test explores the functions with assertions that are not fully verified, guided by the
//     analysis, and then the exported functions that lead to what is still open inside. The
//     cases run natively.
//  3. settle gives verdicts: refute (verdict.go) matches the failures in native runs with
//     assertions, by kind and line; decide gives the other verdicts.
//
// Nothing is written to the package's directory. Only a native run refutes an assertion.
package check

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// Config says how check works. Its zero value explores without a guide.
type Config struct {
	Guide    guide.Mode   // how verification results guide the exploration
	Checks   check.Config // configures the analysis
	Annotate bool         // only show the annotated source
	Static   bool         // explore nothing
	// Bounds bound the exploration of a function. Zero values mean the defaults.
	Bounds symbolic.Budget
	// Interrupts bounds how many states of a function "tryfirst" puts off; 0 means the default.
	Interrupts int

	originals map[string][]byte // the text of files before predicates of other tools were inserted
}

// interrupts returns the bound on the states that "tryfirst" puts off.
func (c Config) interrupts() int { return cmp.Or(c.Interrupts, interruptsPerUnit) }

// Run verifies the assertions of the packages that cfg names and tests those that it cannot verify: first by
// a static analysis, then by an exploration guided by its results, and then by a native run of all failures
// that the exploration predicts. It writes nothing.
func Run(ctx context.Context, cfg session.Config, how Config) (session.Result, error) {
	verb := session.Verb{Name: "check", RunsNothing: how.Static || how.Annotate}
	report, err := useFacts(ctx, &cfg, &how, &verb)
	if err != nil {
		return session.Result{}, err
	}
	verb.Do = func(s *session.Session) error {
		report(s)
		return newChecker(s, how).check()
	}
	return session.Each(ctx, cfg, verb)
}

// Package does the work on one package, for a configuration without verification results of other tools.
func Package(s *session.Session, how Config) error { return newChecker(s, how).check() }

// interruptsPerUnit bounds how many states "tryfirst" puts off. A state that is put off waits for all others.
// Before an unbounded loop that takes for ever, and choosing the states takes queries. The bound is therefore
// small.
const interruptsPerUnit = 4

// checker is the work on one package. The analysis fills in units. Explorations add to explored, results and
// cases. In the end settle makes verdicts of both.
type checker struct {
	*session.Session
	cfg      Config
	exported []*load.Target
	inside   []*load.Target

	analyser *check.Program
	units    []*unit
	byFunc   map[string]*unit // by the name that go/ssa gives the function

	explored []engine.Explored
	mu       sync.Mutex // guards results: functions are explored at the same time
	results  map[*load.Target]symbolic.Result

	// onInvalid has the failing cases in which a call gets an input that is not valid.
	onInvalid map[*testcase.Case]bool

	findings []*testcase.Finding
}

// newChecker returns a checker that has analysed nothing yet.
func newChecker(s *session.Session, cfg Config) *checker {
	c := &checker{Session: s, cfg: cfg, results: make(map[*load.Target]symbolic.Result)}
	c.exported, c.inside = s.SelectTargets()
	c.inside = slices.DeleteFunc(c.inside, func(t *load.Target) bool { return contract.Ours(t.Name) })
	return c
}

// unit is a function with its assertions, or a function literal.
type unit struct {
	target *load.Target // the target that the function is, or is a part of
	fn     *check.Function
	// verdicts has the verdicts on fn.Assertions.
	verdicts []event.Assertion
	places   []token.Position
}

// checkBudget bounds the exploration of one function. Because check has to decide, it continues for longer
// than gen if nothing new is covered.
func checkBudget() symbolic.Budget {
	return symbolic.Budget{Stale: 2_000, Cases: 200}
}

// check takes a package through the verb.
func (c *checker) check() error {
	c.analyse()
	if c.cfg.Annotate {
		return c.annotate()
	}
	targets := append(slices.Clone(c.exported), c.inside...)
	c.Summary.Functions = event.Count(len(targets))
	c.WarnOfRequirements()
	judge := finding.Judge{Rules: c.Rules}
	if !c.cfg.Static && len(targets) > 0 {
		bench, err := c.Build(c.Ctx, session.BenchConfig{})
		switch {
		case err == nil:
			defer bench.Close()
			judge = bench.Judge
			if err := c.test(bench, targets); err != nil {
				return err
			}
		case c.Ctx.Err() == nil:
			return err
		}
	}
	c.settle(judge)
	if c.Ctx.Err() == context.DeadlineExceeded {
		c.TimedOut("not everything was explored")
	}
	return nil
}

// analyse runs the static part on every function of the package, function literals
// included.
func (c *checker) analyse() {
	start := time.Now()
	c.analyser = c.Analyser(c.cfg.Checks)
	c.byFunc = map[string]*unit{}
	var others []*load.Target // those that -run leaves out
	for _, t := range c.Pkg.Targets {
		if t.Func == nil {
			continue
		}
		if c.Config.Run != nil && !c.Config.Run.MatchString(t.Name) {
			others = append(others, t)
			continue
		}
		for _, f := range c.analyser.AnalyseAll(t.Func) {
			if c.byFunc[f.Fn.String()] != nil {
				continue
			}
			u := &unit{target: t, fn: f}
			c.units = append(c.units, u)
			c.byFunc[f.Fn.String()] = u
		}
	}
	for _, u := range c.units {
		c.list(u)
	}
	reportFacts(c.Session, c.analyser.FactProblems(c.Pkg.Path, c.Pkg.GoFiles, c.functions(), others))
	c.reportUnmade()
	s := time.Since(start).Seconds()
	c.Summary.AnalysisS = &s
}

// list makes room for the verdicts on all assertions of a unit.
func (c *checker) list(u *unit) {
	for _, as := range u.fn.Assertions[len(u.places):] {
		u.verdicts = append(u.verdicts, event.Assertion{})
		u.places = append(u.places, c.Prog.Fset.Position(as.Pos))
	}
}

// functions returns the analysis' results for all units.
func (c *checker) functions() []*check.Function {
	out := make([]*check.Function, len(c.units))
	for i, u := range c.units {
		out[i] = u.fn
	}
	return out
}

// guidedEngine explores targets under the guidance of the analysis.
type guidedEngine struct{ c *checker }

// Name implements engine.Engine.
func (guidedEngine) Name() string { return "check" }

// Unit implements engine.Engine.
func (guidedEngine) Unit() engine.Unit { return engine.PerFunction }

// Run implements engine.Engine. The result of the first exploration of a function is kept for its
// verdicts.
func (e guidedEngine) Run(ctx context.Context, t engine.Task, yield func(*testcase.Case) bool) (engine.Report, error) {
	u := e.c.byFunc[t.Target.Func.String()]
	if u == nil {
		return engine.Report{Skip: "it has no Go body"}, nil
	}
	guided := guide.For(u.fn, e.c.functions(), e.c.cfg.Guide, u.fn.Contract, e.c.cfg.interrupts())
	res, err := symbolic.Run(ctx, symbolic.Subject{Prog: t.Prog, Pkg: t.Pkg, Target: t.Target}, symbolic.Config{Seed: t.Seed, Guide: guided, Budget: e.c.cfg.Bounds.OrElse(checkBudget())}, yield)
	if e.c.Ctx.Err() == nil {
		nameShare(&res)
	}
	e.c.mu.Lock()
	if old, explored := e.c.results[t.Target]; explored {
		broken := maps.Clone(res.Broken)
		if broken != nil {
			maps.Copy(broken, old.Broken)
			old.Broken = broken
		}
		e.c.results[t.Target] = old
	} else {
		e.c.results[t.Target] = res
	}
	e.c.mu.Unlock()
	return engine.Report{
		Paths: res.Paths, States: res.States, Instructions: res.Instructions, Queries: res.Queries,
		Solver: res.SolverTime, Stops: res.Stops, Skip: res.Skip,
	}, err
}

// nameShare says of an exploration that its time was used up while the package's was not that it was its share, which is a part of the
// package's: the reader would wonder why a run of 8 seconds has used up 30.
func nameShare(res *symbolic.Result) {
	bounds := []*string{&res.Bound}
	if res.Any != nil {
		bounds = append(bounds, &res.Any.Bound)
		if res.Any.Past != nil {
			bounds = append(bounds, &res.Any.Past.Bound)
		}
	}
	for _, b := range bounds {
		if *b == symbolic.TimeUsedUp {
			*b = "the function's share of the time was used up (-timeout)"
		}
	}
}

// test explores the functions with assertions that are not verified, and then the exported ones that lead
// to unexported ones among them. It runs the resulting cases natively.
func (c *checker) test(bench *session.Bench, targets []*load.Target) error {
	var open []*load.Target
	for _, t := range targets {
		if c.open(t) {
			open = append(open, t)
		}
	}
	err := c.explore(bench, open)
	if doors := c.doors(); err == nil && len(doors) > 0 {
		err = c.explore(bench, doors)
	}
	var cases, failing []*testcase.Case
	for _, x := range c.explored {
		x.AddTo(c.Session)
		cases = append(cases, x.Cases...)
	}
	for _, k := range cases {
		if o := k.Observed; o != nil && (o.Status != testcase.Returned || o.Violated != "") {
			failing = append(failing, k)
		}
	}
	var asked error
	c.onInvalid, asked = finding.OnInvalid(c.Pkg, failing, true, func(seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
		return bench.Proposals(false).Run(c.Ctx, seqs)
	})
	if err == nil {
		err = c.UnlessCut(asked)
	}
	c.ReportUnreachable(nil, nil)
	c.Summary.Paths, c.Summary.Mismatches = event.Count(len(cases)), event.Count(bench.CountMismatches(c.Ctx, cases))
	return err
}

// explore explores the targets and runs the resulting cases.
func (c *checker) explore(bench *session.Bench, targets []*load.Target) error {
	obs := bench.RunInBackground(c.Ctx)
	xs := engine.Explore(c.Ctx, c.Session, engine.Work{Engines: []engine.Engine{guidedEngine{c}}, Targets: targets, Found: obs.Add})
	c.explored = append(c.explored, xs...)
	_, _, err := obs.Wait()
	return c.UnlessCut(err)
}

// doors returns the exported functions that lead to unexported ones with assertions that are not proved, or to generic ones with assertions that the
// analysis does not verify: a generic one may fail only for the type arguments of a door, while the instance that is explored has others. A failure is
// worse if users can get there through a door, and an unexported function may fail only for what a door passes. A
// door that was followed without leaving out verified code has shown all that it leads to.
func (c *checker) doors() []*load.Target {
	open := func(f *check.Function) bool {
		u := c.byFunc[f.Fn.String()]
		return !u.target.Exported && c.undecided(u) || isInstance(u.target) && c.open(u.target)
	}
	inside := func(f *check.Function) bool {
		t := c.byFunc[f.Fn.String()].target
		return !t.Exported || t.Func != f.Fn || isInstance(t)
	}
	var out []*load.Target
	for _, f := range guide.Inside(c.functions(), open, inside) {
		u := c.byFunc[f.Fn.String()]
		c.list(u)
		t := u.target
		if !t.Exported || t.Func != f.Fn || !slices.Contains(c.exported, t) {
			continue
		}
		if res, explored := c.results[t]; !explored || res.Stops[string(vm.StopPruned)] > 0 {
			out = append(out, t)
		}
	}
	return out
}

// isInstance reports whether a target is one of the instances that a generic function, or a method of a generic type, may have.
func isInstance(t *load.Target) bool { return t.Func != nil && t.Func.Origin() != nil }

// undecided reports whether a unit has an assertion that is neither verified nor proved by the exploration.
func (c *checker) undecided(u *unit) bool {
	res, explored := c.results[u.target]
	for i, as := range u.fn.Assertions {
		if !as.Premise.Verified() && !as.Kind.StandsForOthers() && c.unexplored(u, i, res, explored) != "" {
			return true
		}
	}
	return false
}

// open reports whether a target, or a function literal in it, has an assertion that is not fully verified, or that only others say is
// verified where nobody's word is taken.
func (c *checker) open(t *load.Target) bool {
	for _, u := range c.units {
		if u.target != t {
			continue
		}
		for _, as := range u.fn.Assertions {
			if !as.Premise.Verified() || as.Foreign && c.cfg.Guide == guide.Unguided {
				return true
			}
		}
	}
	return false
}

// settle gives every assertion its verdict and reports them, the worst first.
func (c *checker) settle(judge finding.Judge) {
	c.refute(judge)
	var all []event.Assertion
	for _, u := range c.units {
		for i := range u.verdicts {
			if u.fn.Assertions[i].Kind.StandsForOthers() {
				continue // these assertions are reported for their own function
			}
			v := &u.verdicts[i]
			if v.Verdict != event.Refuted {
				c.decide(u, i, v)
			}
			v.Package, v.Func = c.Pkg.Path, u.target.String()
			v.Pos, v.Kind, v.Text = u.places[i].String(), string(u.fn.Assertions[i].Kind), u.fn.Assertions[i].Text
			v.Source = c.analyser.SourceLine(u.places[i])
			v.Assumptions, v.Fails = c.assumptions(u.fn, u.fn.Assertions[i].Premise), u.fn.Assertions[i].Fails
			v.Premises = premises(u.fn, u.fn.Assertions[i].Premise)
			all = append(all, *v)
		}
	}
	slices.SortStableFunc(all, func(a, b event.Assertion) int { return badness(a) - badness(b) })
	counts := map[event.Verdict]int{}
	for _, v := range all {
		counts[v.Verdict]++
		c.Events.Send(v)
	}
	c.Summary.Proved, c.Summary.Assumed = event.Count(counts[event.Proved]), event.Count(counts[event.AssumedOK])
	c.Summary.Refuted, c.Summary.Unknown = event.Count(counts[event.Refuted]), event.Count(counts[event.Undecided])
	for _, f := range c.findings {
		if f.Severity == testcase.Error {
			c.Result.ErrorFindings++
		}
	}
	c.Summary.Findings = event.Count(len(c.findings))
}

// badness orders verdicts.
func badness(a event.Assertion) int {
	switch a.Verdict {
	case event.Refuted:
		return a.Severity.Rank()
	case event.Undecided:
		return 3
	case event.AssumedOK:
		return 4
	}
	return 5
}

// assumptions returns the assumptions in a premise.
func (c *checker) assumptions(f *check.Function, p check.Premise) []event.Assumed {
	if p.Verified() {
		return nil
	}
	var out []event.Assumed
	seen := map[int]bool{}
	for _, conj := range p {
		for _, i := range conj {
			if !seen[i] {
				seen[i] = true
				as := f.Assumptions[i]
				out = append(out, event.Assumed{ID: as.ID, Pos: c.Prog.Fset.Position(as.Pos).String(), Text: as.Text})
			}
		}
	}
	return out
}

// premises returns the sets of identifiers, each of which makes a premise hold. It returns nil if there is
// just one set.
func premises(f *check.Function, p check.Premise) [][]string {
	if p.Verified() || len(p) < 2 {
		return nil
	}
	var out [][]string
	for _, conj := range p {
		ids := []string{}
		for _, i := range conj {
			ids = append(ids, f.Assumptions[i].ID)
		}
		out = append(out, ids)
	}
	return out
}

// decide gives a verdict to an assertion that no test breaks.
func (c *checker) decide(u *unit, i int, v *event.Assertion) {
	as := u.fn.Assertions[i]
	if as.Premise.Verified() {
		v.Verdict, v.By = event.Proved, "analysis"
		if as.Foreign {
			v.By = "others"
		}
		return
	}
	res, explored := c.results[u.target]
	bound := c.unexplored(u, i, res, explored)
	if as.Kind == check.Requires {
		bound = "calls inside the package do not check it"
	}
	if as.Kind == check.LossyConvert {
		bound = "no execution fails where a number changes"
	}
	if res.Stops["verified"] > 0 {
		bound = "a path that breaks an assertion is left out, since it is said to be verified there"
	}
	if bound == "" && as.Foreign && c.cfg.Guide != guide.Unguided {
		// Pruned paths leave no trace, and only the other tool has verified them.
		bound = "nothing was explored where others say that it is verified"
	}
	if bound == "" {
		v.Verdict, v.By = event.Proved, "exploration"
		if vm.TakesLengths(u.target.Func.Signature) {
			v.Within = "texts and slices of less than 4294967296 elements"
		}
		return
	}
	v.Bound = bound
	if as.Premise.Unverified() {
		v.Verdict = event.Undecided
		return
	}
	v.Verdict = event.AssumedOK
}

// unexplored says why the exploration of a function is no proof of one of its assertions, or "" if the
// exploration is a proof.
func (c *checker) unexplored(u *unit, i int, res symbolic.Result, explored bool) string {
	switch {
	case c.cfg.Static:
		return "nothing was explored"
	case u.target.Skip != "":
		return u.target.Skip
	case !explored:
		if reason := c.Effects.Effect(u.target.Func); reason != "" && !c.Config.Unsafe {
			return reason
		}
		for _, x := range c.explored {
			if x.Target == u.target && x.Err != nil {
				return session.OneLine(x.Err.Error())
			}
		}
		return "the time was used up"
	case res.Skip != "" && res.Paths == 0:
		return res.Skip
	}
	this, clause := vm.BrokenAssertion{Func: u.fn.Fn, Index: i}, u.fn.Assertions[i].Clause
	for _, x := range c.explored {
		if c.results[x.Target].Broken[this] {
			return "the machine breaks it, and no test shows that"
		}
	}
	if res.Clauses[clause] {
		return "the machine breaks it, and no test shows that"
	}
	why := ""
	switch {
	case res.Any != nil && (res.Any.Broken[this] || res.Any.Clauses[clause]):
		why = "it fails for a receiver or arguments that no calls were seen to lead to"
	case res.Any != nil && res.Any.Past != nil && u.fn.Assertions[i].Kind.Written():
		if past := res.Any.Past; past.Broken[this] || past.Clauses[clause] {
			return "it fails where another assertion fails before it"
		}
		why = cmp.Or(res.Any.Bound, res.Any.Past.Bound)
	case res.Any != nil:
		why = res.Any.Bound
	default:
		why = c.unfollowed(u, res)
	}
	return cmp.Or(why, c.analyser.Depends(u.fn.Fn, res.Entered, vm.TakesSlices(u.target.Func.Signature)))
}

// unfollowed says why an exploration from the constructors, and from the values that users can write, did not
// follow all executions.
func (c *checker) unfollowed(u *unit, res symbolic.Result) string {
	if res.Bound != "" {
		return res.Bound
	}
	if s := res.Unfinished(); s != "" {
		for _, x := range c.explored {
			if x.Target != u.target {
				continue
			}
			for _, k := range x.Cases {
				if strings.HasPrefix(k.Stop, s+": ") {
					return "a path that the machine did not follow: " + strings.TrimPrefix(k.Stop, s+": ")
				}
			}
		}
		return fmt.Sprintf("%d paths ended early (%s)", res.Stops[s], s)
	}
	switch {
	case res.Partial:
		return "the machine followed one of several values"
	case !res.Complete:
		return "not every path was followed"
	}
	return "not all receivers and arguments were tried"
}

// testOf writes the test file that shows a finding.
func (c *checker) testOf(f *testcase.Finding) string {
	g := *f
	if g.Severity == testcase.Note {
		g.Severity = testcase.Warning // the user has asked for it here
	}
	files, _, err := emit.Files(c.Pkg, nil, []*testcase.Finding{&g}, emit.Config{Fset: c.Prog.Fset, Lacks: c.Prog.Lacks})
	if err != nil || len(files) == 0 {
		return ""
	}
	return string(files[0].Content)
}
