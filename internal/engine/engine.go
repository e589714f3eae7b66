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
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// All is the table of engines, in the order in which they work. A new engine is a file with
// its adapter and a line here; what it makes cases for decides when it works, with and
// without -engine (see the phases in package strategy).
func All() []Engine {
	return []Engine{
		Symbolic{},
		Sequence{},
		Bounded{},
		Random{},
	}
}

// Engine makes cases.
type Engine interface {
	// Name is what -engine and events call it.
	Name() string
	// Unit is what a task of it is about.
	Unit() Unit
	// Run makes cases for a task and gives each to yield, until that returns false or ctx
	// ends. An engine of functions or of types runs several tasks at the same time.
	Run(ctx context.Context, t Task, yield func(*testcase.Case) bool) (Report, error)
}

// Preparer is an engine whose cases call what the harness has to be built with.
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
	// PerFunction engines make cases for one function; what they make is run afterwards.
	PerFunction Unit = iota
	// PerType engines make cases for all methods of the type that Task.Target is a method of.
	// They work on types whose methods the engines of functions left uncovered.
	PerType
	// PerPackage engines make cases for a package and run them themselves: the cases come
	// with what was observed. They work on what the others left uncovered.
	PerPackage
)

// Task is what an engine is asked for.
type Task struct {
	Prog   *load.Program
	Pkg    *load.Package
	Target *load.Target // what the task is about; nil if it is about the package
	Seed   uint64
	Tags   string
	// Share is which part of its usual effort the engine spends; 0 is all of it.
	Share float64

	// For engines of functions and types.
	Concrete bool                 // concrete states instead of symbolic ones, where the engine has both
	Depth    int                  // how many calls sequences have after the constructor; 0 is the engine's default
	AllPaths bool                 // a case of every path, not only of those that cover something new
	Count    bool                 // follow every path and make no case
	Queries  func(script string)  // is given each query as SMT-LIB 2, if not nil
	Order    func() *vm.Guide     // what orders the search, if not nil
	Seeds    []*testcase.Sequence // of a Follower: what it follows; nothing else is explored then

	// For engines of packages.
	Harness    *native.Harness
	Covered    testcase.Cover
	Known      []*testcase.Sequence // what was found so far, to build upon
	Checks     []*testcase.Check
	Wanted     func(name string) bool // of which targets cases are wanted
	Confine    guard.Mode
	Stateful   bool // functions of the package change its variables
	Exhaustive bool // tests that enumerate all inputs again are wanted
	// Finitization is the user's function for the bounds of inputs, "" for the default bounds.
	Finitization string
	// Mutants names the mutants that each case notices and no earlier one does.
	Mutants func(context.Context, []*testcase.Case) ([][]string, error)
	Log     func(form string, args ...any) // a line for -debug=stages
}

// Report is what an engine spent on a task, and what it has beside the cases.
type Report struct {
	Paths, States         int
	Instructions, Queries int64
	Solver                time.Duration
	Stops                 map[string]int
	Layers                event.Solver
	Cut                   bool // not every path was followed
	Excluded              []symbolic.Excluded
	Left                  string // why the engine did not explore all that it was asked for
	Skip                  string // why the engine can do nothing for the target

	// Spare cases show nothing new by themselves and were not observed.
	Spare []*testcase.Case
	// Exhaustive are the tests that enumerate, where they are wanted.
	Exhaustive []*bounded.Exhaustive
}

// add adds what was spent on the same target by another engine.
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
		r.Skip = p.Skip
	}
	if p.Left != "" {
		r.Left = p.Left
	}
}

// Select returns those of the engines that have one of the names, all of them if there are
// no names.
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
			return nil, session.UsageError(fmt.Sprintf("no engine %q; there are %s", n, strings.Join(known, ", ")))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// Of returns those of the engines whose tasks are about such a unit.
func Of(engines []Engine, u Unit) []Engine {
	var out []Engine
	for _, e := range engines {
		if e.Unit() == u {
			out = append(out, e)
		}
	}
	return out
}
