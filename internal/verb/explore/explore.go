// Package explore is the verb explore: it shows the paths that the symbolic machine sees, without
// running anything natively or writing anything.
//
//  1. Run shows the paths of functions, or with Config.Type the states of a type.
//  2. showPaths explores each function and sends an event for each of its paths.
//  3. showStates (states.go) sends the state space of the type as a table or a graph.
package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Config says what to show. Its zero value shows the paths of functions.
type Config struct {
	// Count makes explore only count the paths.
	Count bool
	// MostPaths is how many paths of each function are followed; 0 is the engine's default.
	MostPaths int
	// Type is the name of a type whose state space is to be shown instead, with up to Depth calls after
	// the constructor (0 is the engine's default), as a graph if Dot is set.
	Type  string
	Depth int
	Dot   bool
	Draw  bool // send the graph as an event, too
	// Concrete shows concrete states, with small numbers as arguments, instead of symbolic ones, for
	// comparison.
	Concrete bool
	// Faults is how many faults to plant into the methods of Type. For each number of calls explore
	// reports how many of the faults sequences notice. This runs the code.
	Faults int
}

// Run shows every path of the functions that cfg names, as the machine sees them. It writes nothing,
// and runs nothing natively except for Config.Faults.
func Run(ctx context.Context, cfg session.Config, explore Config) (session.Result, error) {
	return session.Each(ctx, cfg, session.Verb{
		Name:        "explore",
		RunsNothing: explore.Faults == 0,
		Accepts:     func(prog *load.Program) error { return hasType(prog, explore.Type, cfg) },
		Do: func(s *session.Session) error {
			if explore.Type != "" {
				return showStates(s, explore)
			}
			return showPaths(s, explore.Count, explore.MostPaths)
		},
	})
}

// showPaths shows the paths of the functions or, if they are only to be counted, how many there are. It follows at most
// the given number of paths of each function, where that is not 0.
func showPaths(s *session.Session, count bool, most int) error {
	exported, inside := s.SelectTargets()
	targets := append(exported, inside...)
	s.Summary.Functions = event.Count(len(targets))
	paths, findings := 0, 0
	for _, x := range engine.Explore(s.Ctx, s, engine.Work{
		Engines: []engine.Engine{engine.Symbolic{}}, Targets: targets,
		Task: func(*load.Target) engine.Task { return engine.Task{AllPaths: true, Count: count, MostPaths: most} },
	}) {
		x.AddTo(s)
		if noTimeFor(x) {
			s.Skip(x.Target.String(), "there was no time left")
			continue
		}
		if count {
			paths += x.Report.Paths
			s.Events.Send(event.States{Package: s.Pkg.Path, Type: x.Target.String(), Text: countText(x)})
		} else if x.Report.Cut && x.Err == nil {
			s.Warn("%s: not every path is shown: %d were followed", x.Target, x.Report.Paths)
		}
		for _, c := range byDecisions(x.Cases, 0) {
			paths++
			if c.Predicted != nil && c.Predicted.Status == testcase.Panicked && c.Predicted.Panic != nil && c.Predicted.Panic.Kind != "explicit" {
				findings++
			}
			s.Events.Send(event.PathOf(s.Pkg.Path, s.Pkg.Types, x.Target.String(), c))
		}
		if x.Err != nil {
			var bug *session.Bug
			if !errors.As(x.Err, &bug) && x.Err != context.DeadlineExceeded && x.Err != context.Canceled {
				s.Skip(x.Target.String(), session.OneLine(x.Err.Error()))
			}
		} else if x.Report.Skip != "" {
			place := ""
			if clause, ok := s.Pkg.Requirement(x.Target); ok && x.Report.Unsatisfied {
				place = clause.Pos.String()
			}
			s.SkipAt(x.Target.String(), place, x.Report.Skip)
		}
	}
	s.ReportUnreachable(nil, nil)
	s.Summary.Paths = event.Count(paths)
	s.Result.ErrorFindings = findings
	if s.Ctx.Err() == context.DeadlineExceeded {
		s.TimedOut("not every path was explored")
	}
	return nil
}

// noTimeFor reports whether the time was over before the first path of a function was followed to its end.
func noTimeFor(x engine.Explored) bool {
	return x.Err == context.DeadlineExceeded && x.Report.Paths == 0 && len(x.Cases) == 0
}

// byDecisions orders paths as a reader follows the source: paths with equal first decisions are
// together, and a path on which a condition holds comes before one on which it does not. The first n
// decisions of all paths are the same.
func byDecisions(paths []*testcase.Case, n int) []*testcase.Case {
	if len(paths) < 2 {
		return paths
	}
	var ended []*testcase.Case
	var conditions []string
	sides := make(map[string]*[2][]*testcase.Case)
	for _, c := range paths {
		if len(c.Path) == n {
			ended = append(ended, c)
			continue
		}
		d := c.Path[n]
		if sides[d.Text] == nil {
			sides[d.Text] = new([2][]*testcase.Case)
			conditions = append(conditions, d.Text)
		}
		side := 0
		if !d.True {
			side = 1
		}
		sides[d.Text][side] = append(sides[d.Text][side], c)
	}
	for _, text := range conditions {
		for _, side := range sides[text] {
			ended = append(ended, byDecisions(side, n+1)...)
		}
	}
	return ended
}

// countText says how many paths a function has and how they ended.
func countText(x engine.Explored) string {
	var ends []string
	for _, stop := range slices.Sorted(maps.Keys(x.Report.Stops)) {
		ends = append(ends, fmt.Sprintf("%d %s", x.Report.Stops[stop], stop))
	}
	more := ""
	if x.Report.Cut {
		more = ", and more that were not followed"
	}
	noun := "paths"
	if x.Report.Paths == 1 {
		noun = "path"
	}
	return fmt.Sprintf("%s: %d %s (%s)%s\n", x.Target, x.Report.Paths, noun, strings.Join(ends, ", "), more)
}
