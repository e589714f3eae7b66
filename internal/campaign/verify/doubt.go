package verify

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// A suite that has passed twice may still fail on another machine. It therefore runs many times, and under
// conditions that other machines have. In one of eight runs a loop over a map of two
// elements goes the other way round. A hundred runs all go the same way in one of 600,000 cases.

const (
	// mostRepeats is how often the suite runs if there is enough time.
	mostRepeats = 200
	// atOnce is how often the suite runs in one process. It is large enough that starting the process costs
	// little, and small enough that the time can end between two processes.
	atOnce = 20
	// At first there are more processes, and each runs the suite fewer times. Tests that depend on one
	// another show in other orders, and a process runs the suite in one order only.
	orders, atFirst = 10, 4
	// patience is how many times as long as in the usual run a suite may take under another condition. The
	// constant atLeast is the least time that it may take.
	patience = 20
	atLeast  = 10 * time.Second
	// LeastDoubt is how long doubting may take even if it then exceeds its share of the time: slow suites
	// could otherwise not be doubted at all.
	LeastDoubt = 10 * time.Second
)

// condition is a condition under which the suite runs.
type condition struct {
	what  string // "with GOMAXPROCS=1"
	trial gotest.Trial
	// clock says that the package sees another time of day and of the year.
	clock bool
}

// foreignEnvironment is an environment like that of a person or a build service, who have programs where these mostly are, and the
// go command of a tool chain. Tests have run with almost no variables so far, and have found no program.
func foreignEnvironment(goroot string) []string {
	return []string{
		"PATH=" + strings.Join([]string{filepath.Join(goroot, "bin"), "/usr/local/bin", "/usr/bin", "/bin"}, string(filepath.ListSeparator)),
		"TERM=xterm-256color", "COLORTERM=truecolor", "FORCE_COLOR=1", "COLUMNS=132", "LINES=43", "LANG=de_DE.UTF-8", "LC_ALL=de_DE.UTF-8", "USER=somebody", "LOGNAME=somebody",
		"SHELL=/bin/bash", "EDITOR=vi", "PAGER=less", "HOSTNAME=elsewhere", "XDG_CONFIG_HOME=/nonexistent/config", "XDG_CACHE_HOME=/nonexistent/cache", "CI=true", "DEBUG=1", "VERBOSE=1",
	}
}

// conditions returns the conditions under which the suite has to pass. The first one is usual. The unusual
// ones follow, because they find failures that repeating the usual one does not find. The parameter goroot is where the tool chain
// is, and variables has the variables that the package asks for, each time with other values: with one of them the package may do
// what it does where the variable is not set.
func conditions(seed uint64, goroot string, variables ...[]string) []condition {
	var set []condition
	for _, v := range variables {
		set = append(set, condition{"with " + strings.Join(v, " "), gotest.Trial{Env: v}, false})
	}
	return slices.Concat(usualConditions(seed, goroot), set, elsewhere(seed))
}

// usualConditions are those that find most.
func usualConditions(seed uint64, goroot string) []condition {
	return []condition{
		{"in another order", gotest.Trial{Count: 2, Shuffle: seed + 2}, false},
		// The variables that the package asks for are set in trials of their own, because NO_COLOR, for example, would hide the
		// effect of TERM.
		{"in another environment", gotest.Trial{Shuffle: seed + 1, Env: foreignEnvironment(goroot)}, false},
	}
}

// elsewhere are the conditions of other machines and other times.
func elsewhere(seed uint64) []condition {
	return []condition{
		{"where the system knows no MIME types", gotest.Trial{Shuffle: seed + 1, NoMIME: true}, false},
		{"in a terminal", gotest.Trial{Shuffle: seed + 2, Terminal: true}, false},
		{"with GOMAXPROCS=1, in another time zone", gotest.Trial{Shuffle: seed + 3, Env: []string{"GOMAXPROCS=1", "TZ=Pacific/Auckland"}}, false},
		{"with -cpu 1,4, in another time zone", gotest.Trial{Shuffle: seed + 4, CPU: "1,4", Env: []string{"TZ=Pacific/Marquesas"}}, false},
		{"twelve hours later", gotest.Trial{Env: []string{clockVariable + "=" + otherTimes[0]}}, true},
		{"at another time of day", gotest.Trial{Env: []string{clockVariable + "=" + otherTimes[1]}}, true},
		{"in another year", gotest.Trial{Env: []string{clockVariable + "=" + otherTimes[2]}}, true},
	}
}

// doubts runs a suite that has passed under all conditions, until enough runs have passed or the time is
// over. It takes out tests that fail, and reports whether there were any.
func (v *verifier) doubts(ctx context.Context, s *Suite, bad map[*testcase.Case]bool) bool {
	names := v.testNames(s)
	if len(names) == 0 {
		return false
	}
	d := &doubter{trial: &trial{v, s, bad}, names: names}
	start := time.Now()
	err := d.run(ctx)
	v.Debug("stages", "%s: the tests were doubted for %s, in %d processes: %v", v.Pkg.Path, time.Since(start).Round(time.Millisecond), d.processes, err)
	if d.processes < len(conditions(0, "", nil, nil)) {
		v.MarkPartial() // with more time some test might have failed
	}
	if errors.Is(err, context.DeadlineExceeded) {
		d.takeStarting()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		v.Warn("the tests could not be run again: %v", err)
	}
	return len(bad) > 0
}

// doubter runs the tests of a suite.
type doubter struct {
	*trial
	names []string // the names of the tests that have not failed yet
	plain gotest.Binary
	usual time.Duration // how long a run of all tests takes
	// processes is how many processes have run the tests.
	processes int
}

// run runs the tests under all conditions, then many times with the conditions in turn, then each test
// by itself.
func (d *doubter) run(ctx context.Context) error {
	var err error
	if d.plain, err = d.buildPlain(ctx); err != nil {
		return err
	}
	d.last = d
	if d.litters {
		if err := d.tryWritable(ctx); err != nil {
			return err
		}
	}
	var shifted *gotest.Binary
	isBuilt := false // it takes a build, and what comes first needs none
	start := time.Now()
	for i, c := range slices.Concat(conditions(d.Config.Seed, d.Prog.GOROOT(), assignments(d.Pkg, "1"), assignments(d.Pkg, "7")), onOtherDays(start)) {
		binary := d.plain
		if c.clock {
			if !isBuilt {
				if shifted, err = d.shifted(ctx); err != nil {
					return err
				}
				isBuilt = true
			}
			if shifted == nil {
				continue // the package does not ask for the time
			}
			binary = *shifted
		}
		if c.what == "with " {
			continue // the package does not ask for variables
		}
		if err := d.try(ctx, binary, c.trial, c.what); err != nil {
			return err
		}
		if i == 0 {
			d.usual = time.Since(start) / 2
			if err := d.tryReadable(ctx); err != nil {
				return err
			}
			if err := d.tryInMemory(ctx); err != nil {
				return err
			}
			if err := d.tryYielding(ctx); err != nil {
				return err
			}
		}
	}
	if err := d.withoutOwn(ctx); err != nil {
		return err
	}
	if !d.litters {
		if err := d.tryWritable(ctx); err != nil {
			return err
		}
	}
	if err := d.tryPaused(ctx); err != nil {
		return err
	}
	if err := d.takeLeaving(ctx); err != nil {
		return err
	}
	if err := d.takeRacing(ctx); err != nil {
		return err
	}
	d.doubted = true
	// Tests must be doubted at least a little to be written, so the first runs may exceed the deadline. The
	// later runs may not.
	most := max(LeastDoubt, d.Config.Bound()/6)
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(min(most, time.Until(d.Deadline)*3/5)))
	defer cancel()
	if err := d.repeat(ctx, 0, orders*atFirst, atFirst); err != nil {
		return err
	}
	if err := d.runEachAlone(ctx, 1, "by itself"); err != nil {
		return err
	}
	return d.repeat(ctx, orders*atFirst, mostRepeats, atOnce)
}

// withoutOwn runs the tests without the package's hand-written ones, if those import packages that use
// cgo. assay builds such packages without cgo, and with cgo they may register other things. A test that
// depends on these fails without the hand-written tests, too.
func (d *doubter) withoutOwn(ctx context.Context) error {
	if len(d.Pkg.TestFiles) == 0 || d.skipOwn {
		return nil
	}
	with, err := gotest.Run{Dir: d.Pkg.Dir, Tags: d.Config.Tags}.NeedsCgo(ctx)
	if with == "" || err != nil {
		return err
	}
	left := make(map[string]string)
	for _, name := range d.Pkg.TestFiles {
		if !d.writes(name) {
			left[name] = ""
		}
	}
	b, err := d.build(ctx, "without.test", left)
	if err != nil {
		return err
	}
	return d.try(ctx, b, gotest.Trial{}, "where nothing imports "+with)
}

// writes reports whether the suite has a file of the given name.
func (d *doubter) writes(name string) bool {
	return slices.ContainsFunc(d.s.Files, func(f emit.File) bool { return f.Path == name })
}

// repeat runs the tests so many times in each process, until the number of runs has gone from done to
// most.
func (d *doubter) repeat(ctx context.Context, done, most, each int) error {
	for ; done < most; done += each {
		if err := d.try(ctx, d.plain, gotest.Trial{Count: each, Shuffle: d.Config.Seed + 5 + uint64(done)}, ""); err != nil {
			return err
		}
	}
	return nil
}

// spoilThemselves takes out the tests that do not pass twice in one process, for example tests that register
// something for good. Runs of the whole suite would find only one such test in each round.
func (v *verifier) spoilThemselves(ctx context.Context, s *Suite, bad map[*testcase.Case]bool) error {
	d := &doubter{trial: &trial{v, s, bad}, names: v.testNames(s)}
	var err error
	if d.plain, err = d.build(ctx, "twice.test", nil); err != nil {
		return err
	}
	return d.runEachAlone(ctx, 2, "twice in one process")
}

// runEachAlone runs each test by itself, so many times in one process: a test must not need state that another
// one has left.
func (d *doubter) runEachAlone(ctx context.Context, times int, condition string) error {
	for _, name := range slices.Clone(d.names) {
		all := d.names
		d.names = []string{name}
		err := d.try(ctx, d.plain, gotest.Trial{Count: times}, condition)
		failed := len(d.names) == 0
		d.names = slices.DeleteFunc(all, func(n string) bool { return failed && n == name })
		if err != nil {
			return err
		}
	}
	return nil
}

// try runs the tests once and takes out those that fail.
func (d *doubter) try(ctx context.Context, b gotest.Binary, t gotest.Trial, condition string) error {
	if len(d.names) == 0 {
		return nil
	}
	d.processes++
	t.Names = d.names
	// The context may end the process because the time for doubting is over. That says nothing against the
	// test that runs then: only a test that takes longer than its timeout has failed.
	t.Timeout = max(atLeast, t.Timeout, d.usual*patience*time.Duration(max(t.Count, 1)))
	res, err := b.Try(ctx, t)
	if errors.Is(err, gotest.ErrNoTerminal) {
		return nil
	}
	if err != nil {
		return err
	}
	if t.Count <= 1 {
		clear(res.Passed) // these tests have passed in other runs
	}
	switch {
	case d.usual > 0 && len(t.Env) > 0:
		d.takeFailed(d.unset(res, t.Env), condition)
	case d.usual > 0:
		d.takeFailed(res, condition)
	default:
		d.takeFailed(res, "")
	}
	d.names = slices.DeleteFunc(d.names, func(n string) bool { return slices.Contains(res.Failed, n) })
	return nil
}

// build builds a binary of the tests, with some of the package's files in another form.
func (d *doubter) build(ctx context.Context, name string, files map[string]string) (gotest.Binary, error) {
	return d.buildAs(ctx, name, files, false)
}

// buildAs does the same, with the race detector if race is set.
func (d *doubter) buildAs(ctx context.Context, name string, files map[string]string, race bool) (gotest.Binary, error) {
	build, err := d.building(d.s, name, files, race)
	if err != nil {
		return gotest.Binary{}, err
	}
	return build(ctx)
}

// building writes the files of a suite, and returns a function that builds a binary of its tests. The function reads
// nothing of the verifier, so that it may run beside other work.
func (v *verifier) building(s *Suite, name string, files map[string]string, race bool) (func(context.Context) (gotest.Binary, error), error) {
	replace, err := v.overlay(s)
	if err != nil {
		return nil, err
	}
	maps.Copy(replace, files)
	work := filepath.Join(v.work, "build-"+name)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return nil, err
	}
	binary := gotest.Binary{Name: filepath.Join(v.work, name), Dir: v.Pkg.Dir, Tmp: filepath.Join(v.work, "tmp"), Policy: v.Policy}
	run := gotest.Run{Dir: v.Pkg.Dir, Tags: v.Config.Tags, Overlay: replace, NoVet: true, Race: race}
	return func(ctx context.Context) (gotest.Binary, error) { return binary, run.Build(ctx, work, binary.Name) }, nil
}
