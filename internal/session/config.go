package session

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/guard"
)

// DefaultTimeout bounds the work on a package if -timeout is not given. The default budgets normally end far
// below it. It is meant for slow machines with cold caches, where building alone takes most of a minute.
const DefaultTimeout = 3 * time.Minute

// Config is the part of the configuration that every verb has: which packages, how long, and where
// events go. Its zero value is about the package in the current directory.
type Config struct {
	Dir      string     // the directory in which patterns are resolved; "" is the current directory
	Tags     string     // build tags, comma-separated
	Patterns []string   // package patterns as for the go command
	Shard    load.Shard // the part of the packages; the zero value means all
	// Root is the directory of which all files are sent to workers, without links in its name, if packages may need others. Packages that do are
	// left out. It is "" if none can.
	Root    string
	Run     *regexp.Regexp // matches the targets' names ("Func", "Type.Method"); nil matches all
	Part    bool           // the packages are a part of what the user named, so that none of their targets may match Run
	Timeout time.Duration  // the time for a package, end to end; 0 means DefaultTimeout
	// FirstBuild is how much longer than Timeout a package may take because what it imports is compiled for the first time. What
	// loading and building take beyond a fifth of Timeout does not count then, as go test does not count it. 0 means that all counts.
	FirstBuild time.Duration
	Seed       uint64 // the seed of everything random
	Workers    int    // targets explored at the same time; 0 is one per CPU

	// Baseline names the file of known findings; "" means the one beside go.mod, if there is one. See
	// finding.BaselineName.
	Baseline string
	// BaselineWrite adds the findings of severity error and warning to that file.
	BaselineWrite bool

	// Overlay replaces the content of files, by absolute name. It holds text that an editor has not saved, or
	// an assertion that is asked about. Verbs that write files refuse it.
	Overlay map[string][]byte

	Unexported bool // also test functions that users cannot call, for their own sake
	Unsafe     bool // also test functions that certainly have effects on the world
	// Confine says what to do if the system cannot confine the code that is run.
	Confine guard.Mode
	Debug   map[string]bool // the topics given by -debug

	// Events receives events, one at a time. Nil drops them.
	Events func(event.Event)
}

// Bound returns the time that a package may take, end to end.
func (c Config) Bound() time.Duration {
	if c.Timeout <= 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

// uncounted returns the part of the time for loading or building that does not count for Timeout. A warm cache needs what counts.
func (c Config) uncounted(took time.Duration) time.Duration {
	return min(max(0, took-max(c.Bound()/5, 5*time.Second)), c.FirstBuild)
}

// WorkerCount returns how many targets are explored at the same time.
func (c Config) WorkerCount() int {
	if c.Workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}

// PatternText returns the package patterns as the user gave them, or the default.
func (c Config) PatternText() string {
	if len(c.Patterns) == 0 {
		return "."
	}
	return strings.Join(c.Patterns, " ")
}

// UsageError is a mistake in how assay was called that shows only once the packages are loaded: -run
// matches nothing, there is no such engine.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// Select has the configuration choose the targets whose names a regular expression matches, as -run does; "" chooses all.
func (c *Config) Select(run string) error {
	if run == "" {
		return nil
	}
	re, err := regexp.Compile(run)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	c.Run = re
	return nil
}

// Result is the result of a whole run; it decides the exit status.
type Result struct {
	// Failed says that assay failed for some package: it doesn't compile, a file was
	// in the way, the behaviour that earlier tests state has changed.
	Failed bool
	// ErrorFindings is the number of findings of severity error.
	ErrorFindings int
	// Interrupted says that the context was cancelled. Files that were ready have been written.
	Interrupted bool
}

// Add adds the result of another run.
func (r *Result) Add(s Result) {
	r.Failed = r.Failed || s.Failed
	r.ErrorFindings += s.ErrorFindings
	r.Interrupted = r.Interrupted || s.Interrupted
}
