package campaign

import (
	"regexp"
	"runtime"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/native/guard"
)

// DefaultTimeout bounds a package where -timeout is not given. The default budgets
// normally end far below it: it is for the slow machine with cold caches, where
// building alone takes most of a minute.
const DefaultTimeout = 3 * time.Minute

// Config says what to do. Its zero value generates tests for the package in the
// current directory.
type Config struct {
	Dir      string         // where the patterns are resolved; "" is the current directory
	Tags     string         // build tags, comma-separated
	Patterns []string       // package patterns as the go command has them
	Run      *regexp.Regexp // matches the targets' names ("Func", "Type.Method"); nil is all
	Since    string         // a git revision: only what reaches lines that changed since; "" is all
	Timeout  time.Duration  // of a package, end to end; 0 is DefaultTimeout
	Seed     uint64         // of everything random
	Workers  int            // targets explored at the same time; 0 is one per CPU
	Engines  []string       // names; nil is all that there are
	MaxTests int            // of one function; 0 is no bound of its own
	MaxLines int            // of one file of tests; 0 is no bound
	// Exhaustive has the engine bounded write tests that enumerate all inputs again.
	Exhaustive bool
	// FuzzCorpus writes inputs as seeds of the package's Fuzz functions, and proposes such
	// functions where there are none.
	FuzzCorpus bool
	Concrete   bool // the engine sequence explores concrete states, as a baseline

	// Baseline names the file of known findings; "" is the one beside go.mod, if there
	// is one. See BaselineName.
	Baseline string

	// BaselineWrite adds the findings of severity error and warning to that file.
	BaselineWrite bool

	// Misuse reports what users of the package may not do as findings, with tests.
	Misuse bool

	// IgnoreExisting writes tests for what the package's hand-written tests show, too.
	IgnoreExisting bool

	Update bool // replace earlier tests although the behaviour has changed
	DryRun bool // do everything but write
	Unsafe bool // also test what certainly touches the world

	// Confine says what happens where the system cannot confine what is run.
	Confine guard.Mode

	// NoContracts are the names of the contracts that are not checked; see package protocol.
	NoContracts map[string]bool
	// NoMutants saves the time that it takes to choose tests by the mutants that they kill,
	// and to count these.
	NoMutants bool

	// Of explore: show the state space of a type (by its name), with up to Depth calls
	// after the constructor (0 is the engine's default), as a graph if Dot.
	// With Count the paths of functions are only counted.
	Count bool
	Type  string
	Depth int
	Dot   bool

	// Of check: how verification results guide the tests, what is analysed, whether the
	// annotated source is shown, and whether that is all.
	Guide    check.Mode
	Checks   check.Config
	Annotate bool
	Static   bool

	// Cache keeps what gen came to, nil for nothing; Program identifies the program that
	// does, for another one may come to something else.
	Cache   *cache.Dir
	Program string

	Debug map[string]bool // what -debug names

	// Events receives what happens, one event at a time. Nil is to drop them.
	Events func(event.Event)
}

func (c Config) timeout() time.Duration {
	if c.Timeout <= 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

func (c Config) workers() int {
	if c.Workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}

// Result is what a whole run came to; it decides the exit status.
type Result struct {
	// Failed says that assay failed for some package: it doesn't compile, a file was
	// in the way, the behaviour that earlier tests state has changed.
	Failed bool
	// ErrorFindings is the number of findings of severity error.
	ErrorFindings int
	// Interrupted says that the context was cancelled: what was ready is written.
	Interrupted bool
}

func (r *Result) add(s Result) {
	r.Failed = r.Failed || s.Failed
	r.ErrorFindings += s.ErrorFindings
	r.Interrupted = r.Interrupted || s.Interrupted
}
