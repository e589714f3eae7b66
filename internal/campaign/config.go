package campaign

import (
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/session"
)

// Config says what gen is to do. Its zero value generates tests for the package in the current
// directory.
type Config struct {
	session.Config

	// Budget is the time for all packages together. They are then worked on side by side, in passes
	// that grow longer. With 0 the packages are done one after the other, each within its Timeout.
	Budget time.Duration

	// Remote does the work on packages elsewhere, on the given number at the same time. Nil means that the
	// work is done here.
	Remote        Remote
	RemoteWorkers int
	// Recheck says how many results of workers are checked once more where they are written: the tests of the first
	// package, and of one in so many others, are run here. With 0 none are.
	Recheck int
	// Shared has entries of caches of others, for results of workers. Nil shares nothing.
	Shared Shared

	Since    string   // a git revision: only functions that reach lines changed since are tested; "" means all
	Engines  []string // the names of the engines; nil means all
	MaxTests int      // for one function; 0 means no bound
	MaxLines int      // of one file of tests; 0 means no bound
	// Exhaustive makes the engine bounded write tests that enumerate all inputs again.
	Exhaustive bool
	// FuzzCorpus makes gen write inputs as seeds of the package's Fuzz functions, and propose such
	// functions if there are none.
	FuzzCorpus bool
	Concrete   bool // the engine sequence explores concrete states, as a baseline
	Depth      int  // calls after the constructor, for the engine sequence; 0 is its default
	// Waiting says that a person or an agent waits for the result: the random engine looks for failures with a part of
	// its effort. (Workers on other machines do not know it, because nobody waits for them.)
	Waiting bool
	// Unscored saves the time of counting, in the end, the mutants that the written tests kill: that says
	// something about the tests, and changes nothing.
	Unscored bool
	// Finitization is a function of the package that says the bounds of inputs for the engine
	// bounded, "" for the default bounds.
	Finitization string

	// Misuse makes gen report misuse, which is what users of the package may not do, as findings with
	// tests.
	Misuse bool

	// IgnoreExisting makes gen write tests also for behaviour that the package's hand-written tests
	// show.
	IgnoreExisting bool

	Update bool // replace earlier tests although the behaviour has changed
	DryRun bool // do everything but write

	// NoContracts has the names of the contracts that are not checked; see package protocol.
	NoContracts map[string]bool
	// NoMutants saves the time of choosing tests by the mutants that they kill, and of counting these
	// mutants.
	NoMutants bool

	// Cache keeps results of gen; nil keeps nothing. Program identifies the running program, because
	// another version may have other results.
	Cache   *cache.Dir
	Program string
}
