package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/sequence"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// hasType checks that some package has the type with methods that the user named, if the user named one.
func hasType(prog *load.Program, name string, cfg session.Config) error {
	if name == "" || slices.ContainsFunc(prog.Packages, func(p *load.Package) bool { return methodOf(p, name) != nil || len(p.Errors) > 0 }) {
		return nil
	}
	return session.UsageError(fmt.Sprintf("-type %s: no such type with methods in %s", name, cfg.PatternText()))
}

// showStates shows the state space of a type of the package.
func showStates(s *session.Session, explore Config) (err error) {
	t := methodOf(s.Pkg, explore.Type)
	if t == nil {
		return nil // another package has the type, see hasType
	}
	defer func() {
		if p := recover(); p != nil {
			err = s.ReportBug(explore.Type, p)
		}
	}()
	cfg := sequence.Config{Depth: explore.Depth, Concrete: explore.Concrete, Seed: s.Config.Seed, Graph: explore.Dot || explore.Draw}
	if s.Config.Run != nil {
		cfg.Methods = func(t *load.Target) bool { return s.Config.Run.MatchString(t.Name) }
	}
	var cases []*testcase.Case
	if explore.Faults > 0 {
		cfg.All, cfg.Budget.Cases = true, math.MaxInt // make a case of every path
	}
	res, err := sequence.Run(s.Ctx, sequence.Subject{Prog: s.Prog, Pkg: s.Pkg, Type: load.NamedOf(t.Recv)}, cfg, func(c *testcase.Case) bool {
		if explore.Faults > 0 && len(cases) < mostFaultCases {
			cases = append(cases, c)
		}
		return true
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	if res.Skip != "" {
		s.Skip(explore.Type, res.Skip)
	}
	if err := plantFaults(s, explore.Type, explore.Faults, res.Iterations, cases); err != nil && s.Ctx.Err() == nil {
		return err
	}
	for _, it := range res.Iterations {
		s.Events.Send(event.Iteration{
			Package: s.Pkg.Path, Type: explore.Type, Calls: it.Depth, States: it.States, Pruned: it.Pruned, Retired: it.Retired,
			Paths: it.Paths, Covered: it.Covered, Branches: it.Branches, ElapsedS: event.Seconds(it.Elapsed),
			Noticed: it.Noticed, Faults: it.Faults,
		})
	}
	write := res.Table
	if explore.Dot && res.Graph != nil {
		write = res.Graph.Dot
	}
	if explore.Draw && res.Graph != nil {
		s.Events.Send(event.Drawn{Package: s.Pkg.Path, Kind: "states", Title: explore.Type, Graph: res.Graph.Drawing()})
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	s.Events.Send(event.States{Package: s.Pkg.Path, Type: explore.Type, Text: b.String()})
	s.Summary.States, s.Summary.Paths = &res.States, &res.Paths
	s.Summary.Instructions, s.Summary.Queries = &res.Instructions, &res.Queries
	solver := event.Seconds(res.SolverTime)
	s.Summary.SolverS = &solver
	if s.Ctx.Err() == context.DeadlineExceeded {
		s.TimedOut("not every state was explored")
	} else if res.Left != "" {
		s.Warn("not every state of %s was explored: %s", explore.Type, res.Left)
	}
	return nil
}

// methodOf returns a method of the named type (of its first instance if it is generic), or nil if the package
// has no such type with methods.
func methodOf(pkg *load.Package, typ string) *load.Target {
	for _, t := range pkg.Targets {
		if name, _, ok := strings.Cut(t.Name, "."); ok && name == typ && load.NamedOf(t.Recv) != nil {
			return t
		}
	}
	return nil
}
