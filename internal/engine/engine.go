package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// All is the table of engines, in the order in which they work. A new engine is a file with its adapter
// and a line here. Its Unit decides when it works, with and without -engine (see the phases in package
// strategy).
func All() []Engine {
	return []Engine{
		Symbolic{},
		Sequence{},
		Bounded{},
		Random{},
	}
}

// Engine makes cases for the function, type or package of a task.
type Engine interface {
	// Name is the engine's name in -engine and in events.
	Name() string
	// Unit says what one task of the engine is about.
	Unit() Unit
	// Run makes cases for a task and passes each to yield, until yield returns false or ctx ends. An engine
	// of functions or of types runs several tasks at the same time.
	Run(ctx context.Context, t Task, yield func(*testcase.Case) bool) (Report, error)
}

// Preparer is an engine whose cases call operations that the harness has to be built with.
type Preparer interface {
	Needs(prog *load.Program, pkg *load.Package) []*testcase.Operation
}

// Follower is an engine that can follow the path of a case and take each of its decisions the
// other way: it is given Task.Seeds.
type Follower interface{ Follows() }

// Unit is what one task of an engine is about.
type Unit int

// The units.
const (
	// PerFunction engines make cases for one function; the cases are run afterwards.
	PerFunction Unit = iota
	// PerType engines make cases for all methods of a type; Task.Target is one of them. They work on
	// types with methods that the engines of functions did not cover.
	PerType
	// PerPackage engines make cases for a package and run them themselves: the cases have observed
	// outcomes. They work on blocks that the other engines did not cover.
	PerPackage
)

// Task is a request to an engine.
type Task struct {
	Prog   *load.Program
	Pkg    *load.Package
	Target *load.Target // the function or a method of the type; nil for a task about the package
	Seed   uint64
	Tags   string
	// Share is the part of its usual effort that the engine spends; 0 means all of it.
	Share float64

	// The fields for engines of functions and types.
	Concrete  bool                 // explore concrete states instead of symbolic ones, if the engine has both
	Depth     int                  // how many calls sequences have after the constructor; 0 is the engine's default
	AllPaths  bool                 // make a case of every path, not only of those that cover something new
	MostPaths int                  // how many paths are followed; 0 is the engine's default
	Count     bool                 // follow every path and make no case
	Ended     func(stop string)    // if not nil, hears how each path ends that is counted, as it ends
	Queries   func(script string)  // if not nil, receives each query as SMT-LIB 2
	Order     func() *vm.Guide     // if not nil, returns a guide that orders the search
	Seeds     []*testcase.Sequence // for a Follower: the executions to follow; nothing else is explored then

	// The fields for engines of packages.
	Harness    *native.Harness
	Covered    testcase.Cover
	Known      []*testcase.Sequence // sequences found so far, which the engine may extend
	Accepted   []random.Accepted    // constants that functions have accepted in an earlier run
	Change     *load.Literals       // constants that a change of the package is about, nil if there is none
	Checks     []*testcase.Check
	Wanted     func(name string) bool // reports for which targets cases are wanted
	Confine    guard.Mode
	Stateful   bool // functions of the package change its variables
	Exhaustive bool // also make tests that enumerate all inputs again
	// Finitization is the user's function for the bounds of inputs, or "" for the default bounds.
	Finitization string
	// Mutants names the mutants that each case notices and no earlier one does.
	Mutants func(context.Context, []*testcase.Case) ([][]string, error)
	Log     func(form string, args ...any) // receives a line for -debug=stages
}

// Report says what an engine did for a task. It has all results other than cases.
type Report struct {
	Paths, States         int
	Instructions, Queries int64
	Solver                time.Duration
	Stops                 map[string]int
	Layers                event.Solver
	Cut                   bool // not every path was followed
	Excluded              []symbolic.Excluded
	Left                  string // why the engine did not explore everything that the task asks for
	Skip                  string // why the engine can do nothing for the target
	Unsatisfied           bool   // nothing satisfies the target's assumptions, which is what Skip says

	// Spare cases show nothing new by themselves and were not observed.
	Spare []*testcase.Case
	// Accepted are the constants that functions have accepted.
	Accepted []random.Accepted
	// Exhaustive are the tests that enumerate inputs, if the task asks for them.
	Exhaustive []*bounded.Exhaustive
}

// add adds the report of another engine on the same target.
func (r *Report) add(p Report) {
	r.Paths += p.Paths
	r.States += p.States
	r.Instructions += p.Instructions
	r.Queries += p.Queries
	r.Solver += p.Solver
	r.Layers.Add(p.Layers)
	r.Cut = r.Cut || p.Cut
	r.Excluded = append(r.Excluded, p.Excluded...)
	for k, n := range p.Stops {
		r.Stops[k] += n
	}
	if p.Skip != "" {
		r.Skip, r.Unsatisfied = p.Skip, p.Unsatisfied
	}
	if p.Left != "" {
		r.Left = p.Left
	}
}

// Select returns the engines with the given names, or all engines if there are no names.
func Select(all []Engine, names []string) ([]Engine, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []Engine
	for _, n := range names {
		i := slices.IndexFunc(all, func(e Engine) bool { return e.Name() == n })
		if i < 0 {
			var known []string
			for _, e := range all {
				known = append(known, e.Name())
			}
			return nil, session.UsageError(fmt.Sprintf("there is no engine %q; want %s", n, strings.Join(known, ", ")))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// Of returns the engines whose tasks are about the given unit.
func Of(engines []Engine, u Unit) []Engine {
	var out []Engine
	for _, e := range engines {
		if e.Unit() == u {
			out = append(out, e)
		}
	}
	return out
}
