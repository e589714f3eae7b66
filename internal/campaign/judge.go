package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/callers"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
)

// explore has the engines look for cases, in the phases of package strategy.
func (g *gen) explore(scope scope, bench *workbench, said documented) (strategy.Finds, error) {
	if bench == nil {
		return strategy.Finds{}, nil
	}
	ctx, cancel := g.times(bench).explore()
	defer cancel()
	return strategy.Explore(ctx, g.Session, bench.Bench, strategy.Config{
		Engines: g.engines, Exported: scope.exported, Inside: scope.inside,
		Documented: said.all(), Resumed: bench.resumed, Checks: g.checks(), Noticed: g.mutantsNoticed(bench),
		Observing: func() (context.Context, context.CancelFunc) { return g.times(bench).reduce() },
		GivenBack: g.times(bench).givenBack(), IfFew: g.times(bench).ifFew, IfLittle: g.times(bench).ifLittle,
		Exhaustive: g.cfg.Exhaustive, Concrete: g.cfg.Concrete, Depth: g.cfg.Depth, Finitization: g.cfg.Finitization, Waiting: g.cfg.Waiting,
	})
}

// judge decides for each case whether it is a test, a finding, or nothing.
func (g *gen) judge(bench *workbench, found strategy.Finds, said documented) (verdicts, error) {
	var v verdicts
	if bench == nil {
		return v, nil // nothing ran
	}
	ctx, cancel := g.times(bench).reduce()
	defer cancel()
	if err := g.blame(ctx, bench, found.Explored); g.UnlessCut(err) != nil {
		return v, fmt.Errorf("asking objects whether they are valid: %w", err)
	}
	if err := g.askCalls(ctx, bench, found.Explored); g.UnlessCut(err) != nil {
		return v, fmt.Errorf("asking contracts about calls: %w", err)
	}
	if err := measure(ctx, bench, found.Explored); g.UnlessCut(err) != nil {
		return v, fmt.Errorf("looking what calls were given that do not end: %w", err)
	}
	paths := 0
	var cases []*testcase.Case
	var all []*testcase.Finding
	for _, x := range found.Explored {
		usable, reason := 0, ""
		for _, c := range x.Cases {
			paths++
			unfit, f := bench.Judge.Case(c)
			cases = append(cases, c)
			if f != nil && f.Func != x.Target.Name {
				// A function on the way to the target failed.
				if g.InScope(f.Func) {
					all = append(all, f)
				}
				reason = "a call that it needs before fails: " + f.Func + " " + f.Message
				continue
			}
			if f != nil {
				all = append(all, f)
			}
			if unfit == "" && !said.disputed[c.Seq.Key()] {
				v.tests = append(v.tests, c)
			}
			if unfit == "" || f != nil {
				usable++
			} else {
				reason = unfit
			}
		}
		if usable == 0 {
			place := ""
			if clause, ok := g.Pkg.Requirement(x.Target); ok && x.Report.Unsatisfied {
				place = clause.Pos.String()
			}
			g.SkipAt(x.Target.String(), place, whyNothing(x, reason))
		}
	}
	if bench != nil { // there was time to build the harness
		g.WarnOfFailing(bench.Judge, cases)
	}
	excuseAlways(g.Pkg, all, found.Explored)
	all, err := g.asked(ctx, bench, all)
	if err != nil {
		return v, err
	}
	merged := finding.Merge(g.Rules, all)
	news := g.Unknown(merged)
	if n := len(merged) - len(news); n > 0 {
		g.Summary.Known = event.Count(n)
	}
	v.findings, v.misuse = g.splitMisuse(news)
	tests, err := undisputed(ctx, bench, v.findings, v.tests)
	if g.UnlessCut(err) != nil {
		return v, fmt.Errorf("asking contracts about tests: %w", err)
	}
	v.tests = tests
	if g.Ctx.Err() == nil {
		g.warnOfStaleLines(found)
	}
	g.Summary.Paths = event.Count(paths)
	v.disputed = said.disputed
	return v, nil
}

// asked returns findings with what further runs of their cases say: whether the input is valid, and whether other texts and numbers
// help.
func (g *gen) asked(ctx context.Context, bench *workbench, findings []*testcase.Finding) ([]*testcase.Finding, error) {
	for _, excuse := range []struct {
		what string
		run  func(context.Context, *workbench, []*testcase.Finding) error
	}{
		{"calls in between", accuseCalls}, {"texts", excuseSettings}, {"numbers", excuseNumbers}, {"numbers that are left at zero", excuseZeros},
		{"locks that calls before have left", noteLeftLocks},
	} {
		if err := excuse.run(ctx, bench, findings); g.UnlessCut(err) != nil {
			return nil, fmt.Errorf("asking whether findings depend on %s: %w", excuse.what, err)
		}
	}
	if isInternal(g.Pkg.Path) {
		g.excuseUncalled(findings)
	}
	findings, err := onValid(ctx, bench, findings)
	if g.UnlessCut(err) != nil {
		return nil, fmt.Errorf("asking whether inputs of findings are valid: %w", err)
	}
	return findings, nil
}

// isInternal reports whether only packages of the module can import a package.
func isInternal(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal")
}

// excuseUncalled makes warnings of errors in a package that only the module itself can use, if it takes a function to show them that no
// other package of the module calls. Whoever wrote the package's callers knows what they leave alone.
func (g *gen) excuseUncalled(findings []*testcase.Finding) {
	list := g.Prog.Callers(g.Pkg)
	if len(list) == 0 || len(list) == callers.Most {
		return // the module has not been looked through, or there may be more of them
	}
	called := make(map[string]bool)
	for _, c := range list {
		if strings.HasSuffix(c.File, "_test.go") {
			continue
		}
		for word := range strings.FieldsFuncSeq(c.Source, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			called[word] = true
		}
	}
	for _, f := range findings {
		if f.Severity != testcase.Error {
			continue
		}
		for i := range f.Case.Seq.Len() {
			fn := f.Case.Seq.At(i).Op.Func
			if fn != nil && fn.Pkg() == g.Pkg.Types && fn.Exported() && !called[fn.Name()] && !isCalledByOthers(fn) {
				finding.OfUncalled(f, testcase.TargetName(fn))
				break
			}
		}
	}
}

// isCalledByOthers reports whether a function is a method that packages of the standard library call behind their interfaces, so that no
// call of it stands in the module.
func isCalledByOthers(fn *types.Func) bool {
	return fn.Signature().Recv() != nil && slices.Contains([]string{
		"UnmarshalJSON", "MarshalJSON", "UnmarshalText", "MarshalText", "UnmarshalBinary", "MarshalBinary", "UnmarshalXML", "MarshalXML", "UnmarshalYAML", "MarshalYAML",
		"GobDecode", "GobEncode", "Scan", "Value", "String", "Error", "Format", "Set", "ServeHTTP", "RoundTrip", "Read", "Write", "Close", "Len", "Less", "Swap",
	}, fn.Name())
}

// excuseAlways makes warnings of errors about functions of which no call ended otherwise than by the same panic of another package.
func excuseAlways(pkg *load.Package, findings []*testcase.Finding, explored []engine.Explored) {
	for _, f := range findings {
		if f.Severity != testcase.Error || !finding.RaisedElsewhere(pkg, f) {
			continue
		}
		same := func(c *testcase.Case) bool {
			o := c.Observed
			return o != nil && o.Panic != nil && len(o.Panic.Stack) > 0 && o.Panic.Stack[0].Pos == f.Case.Observed.Panic.Stack[0].Pos
		}
		for _, x := range explored {
			if x.Target.Name == f.Func && !slices.ContainsFunc(x.Cases, func(c *testcase.Case) bool { return !same(c) }) {
				finding.OfAlways(f)
				break
			}
		}
	}
}

// onValid returns findings without those about calls with objects that are not valid, of which nothing is promised. Among the others of
// one cause these would be the shortest, and stand for all. So would zero values, of which a predicate may say that they are none.
func onValid(ctx context.Context, bench *workbench, findings []*testcase.Finding) ([]*testcase.Finding, error) {
	var cases []*testcase.Case
	for _, f := range findings {
		if f.Severity != testcase.Misuse {
			cases = append(cases, f.Case)
		}
	}
	if bench == nil || len(cases) == 0 {
		return findings, nil
	}
	invalid, err := finding.OnInvalid(bench.Judge.Rules.Pkg, cases, true, func(seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
		return bench.Proposals(false).Run(ctx, seqs)
	})
	onZero := make(map[*testcase.Finding]bool)
	onOthers := make(map[string]bool) // causes with a finding on something else than a zero value
	for _, f := range findings {
		onZero[f] = f.Severity != testcase.Misuse && finding.OnZero(bench.Judge.Rules.Pkg, f.Case)
		onOthers[f.Cause] = onOthers[f.Cause] || f.Severity != testcase.Misuse && !invalid[f.Case] && !onZero[f]
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *testcase.Finding) bool { return invalid[f.Case] || onZero[f] && onOthers[f.Cause] }), err
}

// mostMeasured bounds how many hanging cases are run again up to the call that hangs.
const mostMeasured = 200

// measure finds out, for cases that did not end or ended the process, what the statements before the last
// returned. The process takes these results with it, but they show how large the inputs of the last call
// were. A text that was indented by itself a few times is so long that nobody would wait for the call.
func measure(ctx context.Context, bench *workbench, explored []engine.Explored) error {
	if bench == nil {
		return nil
	}
	var of []*testcase.Case
	var seqs []*testcase.Sequence
	for _, x := range explored {
		for _, c := range x.Cases {
			if o := c.Observed; o != nil && (o.Status == testcase.Hung || o.Status == testcase.Died) && o.Results == nil && o.At > 0 && len(of) < mostMeasured {
				of, seqs = append(of, c), append(seqs, c.Seq.Prefix(o.At))
			}
		}
	}
	if len(of) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	for i, c := range of {
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status == testcase.Returned {
			c.Observed.Results = outcomes[i].Results
		}
	}
	return err
}

// splitMisuse separates misuse from the other findings, and says which functions fail on misuse. If misuse
// was asked for, it stays among the findings.
func (g *gen) splitMisuse(all []*testcase.Finding) (findings []*testcase.Finding, misuse []event.Misuse) {
	for _, f := range all {
		if f.Severity != testcase.Misuse {
			findings = append(findings, f)
			continue
		}
		for _, fn := range f.Functions() {
			m := event.Misuse{Package: g.Pkg.Path, Func: fn, What: f.Misuse}
			if !slices.Contains(misuse, m) {
				misuse = append(misuse, m)
			}
		}
	}
	if g.cfg.Misuse {
		return all, misuse
	}
	return findings, misuse
}

// warnOfStaleLines says which lines of the baseline match no finding any more.
func (g *gen) warnOfStaleLines(found strategy.Finds) {
	tested := map[string]bool{}
	for _, x := range found.Explored {
		tested[x.Target.Name] = true
	}
	for _, s := range g.Known.Stale(g.Pkg.Path, func(f string) bool { return tested[f] }) {
		g.Events.Send(event.Diagnostic{Message: s, Warning: true})
	}
}

// mismatches counts the cases that the machine predicted wrongly. Nothing written depends
// on it, so it comes after writing.
func (g *gen) mismatches(bench *workbench, found strategy.Finds) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(g.User), max(time.Until(g.Deadline)/2, 3*time.Second))
	defer cancel()
	var cases []*testcase.Case
	for _, x := range found.Explored {
		cases = append(cases, x.Cases...)
	}
	n := 0
	if bench != nil {
		n = bench.CountMismatches(ctx, cases)
	}
	g.Summary.Mismatches = event.Count(n)
	return nil
}

// whyNothing returns the reason why a target has no usable case.
func whyNothing(x engine.Explored, reason string) string {
	var bug *session.Bug
	switch {
	case errors.As(x.Err, &bug):
		return bug.Error()
	case errors.Is(x.Err, context.DeadlineExceeded), errors.Is(x.Err, engine.ErrShareUsedUp):
		return "there was no time left"
	case errors.Is(x.Err, context.Canceled):
		return "interrupted"
	case x.Err != nil:
		return session.OneLine(x.Err.Error())
	case x.Report.Skip != "":
		return x.Report.Skip
	case reason != "":
		return reason
	case len(x.Report.Stops) > 0:
		stops := ""
		for _, s := range slices.Sorted(maps.Keys(x.Report.Stops)) {
			if stops != "" {
				stops += ", "
			}
			stops += fmt.Sprintf("%s (%d)", s, x.Report.Stops[s])
		}
		return "no path came to an end: " + stops
	}
	return "no input was found"
}
