package campaign

import (
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/session"
)

// Config says what to do. Its zero value generates tests for the package in the
// current directory.
type Config struct {
	session.Config

	// Budget is for all packages together; they are worked on side by side then, in passes that
	// grow longer. 0 is none: each has its Timeout, one after the other.
	Budget time.Duration

	// Remote does the work on packages elsewhere, on so many at the same time; nil is that it is
	// done here.
	Remote        Remote
	RemoteWorkers int

	Since    string   // a git revision: only what reaches lines that changed since; "" is all
	Engines  []string // names; nil is all that there are
	MaxTests int      // of one function; 0 is no bound of its own
	MaxLines int      // of one file of tests; 0 is no bound
	// Exhaustive has the engine bounded write tests that enumerate all inputs again.
	Exhaustive bool
	// FuzzCorpus writes inputs as seeds of the package's Fuzz functions, and proposes such
	// functions where there are none.
	FuzzCorpus bool
	Concrete   bool // the engine sequence explores concrete states, as a baseline
	Depth      int  // calls after the constructor, for the engine sequence; 0 is its default
	// Finitization is a function of the package that says the bounds of inputs for the engine
	// bounded, "" for the default bounds.
	Finitization string

	// Misuse reports what users of the package may not do as findings, with tests.
	Misuse bool

	// IgnoreExisting writes tests for what the package's hand-written tests show, too.
	IgnoreExisting bool

	Update bool // replace earlier tests although the behaviour has changed
	DryRun bool // do everything but write

	// NoContracts are the names of the contracts that are not checked; see package protocol.
	NoContracts map[string]bool
	// NoMutants saves the time that it takes to choose tests by the mutants that they kill,
	// and to count these.
	NoMutants bool

	// Cache keeps what gen came to, nil for nothing; Program identifies the program that
	// does, for another one may come to something else.
	Cache   *cache.Dir
	Program string
}
