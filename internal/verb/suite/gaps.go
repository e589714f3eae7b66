package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/boundary"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
)

// The largest numbers of mutants, taken evenly over the source. Packages that change their own
// variables get fewer, because each mutant costs processes of its own there.
const (
	maxMutants         = 1500
	maxStatefulMutants = 200
)

// basesOfFunction is how many cases of a function are varied at the boundaries of its constants.
// Behaviour that no test notices is rare, so this is more than gen takes.
const basesOfFunction = 12

// Gaps sends an event for each mutant of the functions that cfg names, with calls that would
// notice it where no test does.
func Gaps(ctx context.Context, cfg session.Config) (session.Result, error) {
	return session.Each(ctx, cfg, session.Verb{Name: "gaps", Do: func(s *session.Session) error {
		return (&gaps{Session: s}).find()
	}})
}

// gaps is the work on one package.
type gaps struct {
	*session.Session
	bench *session.Bench
}

func (g *gaps) find() error {
	exported, inside := g.SelectTargets()
	g.Summary.Functions = event.Count(len(exported) + len(inside))
	if len(exported)+len(inside) == 0 {
		g.Events.Send(event.Skip{Package: g.Pkg.Path, Reason: "there is no function to test"})
		return nil
	}
	present, err := presentTests(g.Session, "")
	if err != nil {
		return err
	}
	g.progress("build")
	var needs []*testcase.Operation
	for _, e := range engine.All() {
		if p, ok := e.(engine.Preparer); ok {
			needs = append(needs, p.Needs(g.Prog, g.Pkg)...)
		}
	}
	if g.bench, err = g.Build(g.Ctx, session.BenchConfig{Needs: needs}); err != nil {
		return err
	}
	defer g.bench.Close()
	g.progress("mutate")
	a, err := mutate.Build(g.Ctx, g.Prog, g.Pkg, mutantConfig(g.Session, g.bench.Stateful(), present))
	if err != nil {
		return testsDoNotBuild(err)
	}
	verdicts, err := a.Suite(g.Ctx, mutate.Options{})
	tests := a.Tests()
	if closed := a.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	score := mutate.Sum(verdicts)
	g.Summary.Mutants, g.Summary.Killed = event.Count(score.Mutants), event.Count(score.Killed)
	g.Summary.SetMutation()
	out := make([]event.Mutant, len(verdicts))
	open := make(map[int]bool)
	for i, v := range verdicts {
		out[i] = mutate.EventOf(g.Pkg.Path, tests, v)
		if v.Run && !v.Killed {
			open[i+1] = true
		}
	}
	if len(open) > 0 {
		g.close(out, open)
	}
	for i, v := range verdicts {
		if v.Run {
			g.Events.Send(out[i])
		}
	}
	if errors.Is(g.Ctx.Err(), context.DeadlineExceeded) {
		g.TimedOut("not for every mutant calls were looked for")
	}
	return nil
}

func (g *gaps) progress(stage string) {
	g.Events.Send(event.Progress{Package: g.Pkg.Path, Stage: stage})
}

// close looks for calls that distinguish mutants from the code, and adds them to the events. If it
// fails or the time is over, the events stay without calls.
func (g *gaps) close(out []event.Mutant, open map[int]bool) {
	exported, inside := g.SelectTargets()
	found, err := strategy.Explore(g.Ctx, g.Session, g.bench, strategy.Config{
		Engines: engine.All(), Exported: exported, Inside: inside, Checks: protocol.Of(g.Pkg, nil),
		Observing: func() (context.Context, context.CancelFunc) { return context.WithCancel(g.Ctx) },
	})
	if g.UnlessCut(err) != nil {
		g.Warn("looking for calls: %v", err)
	}
	var cases []*testcase.Case
	for _, c := range append(found.Cases(), found.Spare...) {
		if unfit, f := g.bench.Judge.Case(c); unfit == "" && f == nil && c.Observed != nil {
			cases = append(cases, c)
		}
	}
	edges, err := boundary.Cases(g.Ctx, g.Pkg, g.bench, cases, basesOfFunction)
	if g.UnlessCut(err) != nil {
		g.Warn("looking for calls: %v", err)
	}
	cases = append(cases, edges...)
	slices.SortStableFunc(cases, func(a, b *testcase.Case) int { return a.Seq.Len() - b.Seq.Len() })
	g.progress("mutate")
	a, err := mutate.Build(g.Ctx, g.Prog, g.Pkg, mutantConfig(g.Session, g.bench.Stateful(), nil))
	if err != nil {
		if g.UnlessCut(err) != nil {
			g.Warn("looking for calls: %v", err)
		}
		return
	}
	defer a.Close() // an error leaves only temporary files behind
	_, err = a.Cases(g.Ctx, cases, mutate.Options{
		Only: func(id int) bool { return open[id] },
		Noticed: func(k, id int, base, got *testcase.Outcome) {
			if m := &out[id-1]; m.Calls == nil {
				m.Calls = cases[k].Seq.Lines()
				m.Without, m.With = described(cases[k], base), described(cases[k], got)
			}
		},
	})
	if g.UnlessCut(err) != nil {
		g.Warn("looking for calls: %v", err)
	}
}

// maxText is how long the description of an outcome may be.
const maxText = 300

// described describes the outcome of a case: its results or, if these do not show it, the effects on
// its arguments.
func described(c *testcase.Case, o *testcase.Outcome) string {
	text := o.String()
	if o.Status == testcase.Returned && len(o.Final) > 0 {
		var after []string
		for _, v := range o.Final {
			after = append(after, v.String())
		}
		text += "; arguments afterwards: " + strings.Join(after, ", ")
	}
	if len(text) > maxText {
		text = text[:maxText] + "..."
	}
	return strings.ToValidUTF8(text, "?")
}

// mutantConfig says which mutants to plant into a package, and which tests to build with them.
func mutantConfig(s *session.Session, stateful bool, suite []gotest.File) mutate.Config {
	cfg := mutate.Config{
		Suite: suite, Funcs: s.InScope, Stateful: stateful, Tags: s.Config.Tags, Confine: s.Config.Confine, MaxMutants: maxMutants,
	}
	if stateful {
		cfg.MaxMutants = maxStatefulMutants
	}
	return cfg
}

// presentTests are the test files of a package, without those of findings, which fail, and without the
// one of the given name.
func presentTests(s *session.Session, without string) ([]gotest.File, error) {
	var out []gotest.File
	for _, name := range s.Pkg.TestFiles {
		if name == without || strings.HasSuffix(name, files.BugSuffix) {
			continue
		}
		src, err := s.Prog.Source(name)
		if err != nil {
			return nil, err
		}
		out = append(out, gotest.File{Path: name, Content: src})
	}
	return out, nil
}

// testsDoNotBuild says whose fault it is where the tests' harness does not compile.
func testsDoNotBuild(err error) error {
	var build *native.BuildError
	if errors.As(err, &build) {
		return fmt.Errorf("the package's tests do not build: %w", err)
	}
	return err
}
