package campaign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// engine is what makes cases: a targetEngine, a typeEngine or a packageEngine.
type engine interface{ name() string }

// targetEngine makes cases for one target at a time. Several run at the same time.
type targetEngine interface {
	engine
	run(ctx context.Context, j job, yield func(*testcase.Case) bool) (effort, error)
}

// typeEngine makes cases for all methods of the type that j.target is a method of. It
// works on types whose methods the targetEngines left uncovered.
type typeEngine interface {
	engine
	runType(ctx context.Context, j job, yield func(*testcase.Case) bool) (effort, error)
}

// perType has a typeEngine work in the place of a targetEngine.
type perType struct{ typeEngine }

func (e perType) run(ctx context.Context, j job, yield func(*testcase.Case) bool) (effort, error) {
	return e.runType(ctx, j, yield)
}

// packageEngine makes cases for a whole package and runs them itself: they come with
// what was observed. It works on what the target engines left uncovered.
type packageEngine interface {
	engine
	runPackage(ctx context.Context, j packageJob, yield func(*testcase.Case) bool) error
}

// job is what an engine is asked for.
type job struct {
	prog     *load.Program
	pkg      *load.Package
	target   *load.Target
	seed     uint64
	concrete bool                // concrete states instead of symbolic ones, where the engine has both
	all      bool                // a case of every path, not only of those that cover something new
	queries  func(script string) // is given each query as SMT-LIB 2, if not nil
	count    bool                // follow every path and make no case
	order    func() *vm.Guide    // what orders the search, if not nil
}

// packageJob is what a packageEngine is asked for.
type packageJob struct {
	prog    *load.Program
	pkg     *load.Package
	harness *native.Harness
	seed    uint64
	share   float64 // of the usual effort that is to be spent; below 1 contracts are not checked
	covered testcase.Cover
	known   []*testcase.Sequence // what was found so far, to build upon
	checks  []*testcase.Check
	wanted  func(name string) bool // of which targets cases are wanted
	tags    string
	confine guard.Mode
	// exhaustive receives the tests that enumerate, if they are wanted, else nil.
	exhaustive func(*bounded.Exhaustive)
	// mutants names the mutants that each case notices and no earlier one does.
	mutants func(context.Context, []*testcase.Case) ([][]string, error)
	// spare receives cases that show nothing new by themselves and were not observed.
	spare func([]*testcase.Case)
	log   func(form string, args ...any) // a line for -debug=stages
}

// effort is what an engine spent.
type effort struct {
	paths, states         int
	instructions, queries int64
	solver                time.Duration
	stops                 map[string]int
	layers                event.Solver
	cut                   bool // not every path was followed
	excluded              []symbolic.Excluded
	left                  string // why the engine did not explore all that it was asked for
	skip                  string // why the engine can do nothing for the target
}

// engines returns the engines of the given names, all of them if there are none.
func engines(names []string) ([]engine, error) {
	all := allEngines()
	if len(names) == 0 {
		return all, nil
	}
	var out []engine
	for _, n := range names {
		found := false
		for _, e := range all {
			if e.name() == n {
				out = append(out, e)
				found = true
			}
		}
		if found {
			continue
		}
		var known []string
		for _, e := range all {
			known = append(known, e.name())
		}
		return nil, UsageError(fmt.Sprintf("no engine %q; there are %s", n, strings.Join(known, ", ")))
	}
	return out, nil
}
