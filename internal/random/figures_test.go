package random_test

import (
	"context"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

var (
	figures   = flag.String("figures", "", "directories of packages to measure, comma-separated")
	unchecked = flag.Bool("unchecked", false, "check no contracts of what is made")
	seconds   = flag.Float64("seconds", 30, "processor time to measure each package for")
)

// TestFigures prints the coverage that the engine reaches on packages within some processor time of its own
// and of the harness, and how many operations a second it executes. It checks nothing, and runs only if a
// flag asks for it.
func TestFigures(t *testing.T) {
	if *figures == "" {
		t.Skip("no -figures")
	}
	debug.SetGCPercent(400) // as the command does
	for dir := range strings.SplitSeq(*figures, ",") {
		t.Log(measure(t, measurable(t, dir), nil))
	}
}

// TestContainers checks that the engine covers the four containers of the Randoop paper's evaluation: more
// of them than the paper did, and nearly everything.
func TestContainers(t *testing.T) {
	subjects := make(map[string]*measured)
	for _, c := range []struct {
		dir, typ  string
		published string
		least     float64 // percent of the statements
	}{
		{"../sequence/testdata/subjects", "BinarySearchTree", "BinTree .78 of blocks in .21 s", 95},
		{"../sequence/testdata/subjects", "BinomialHeap", "BHeap .95 in .59 s", 95},
		{"testdata/containers", "FibonacciHeap", "FibHeap 1.00 in .63 s", 95},
		{"../sequence/testdata/subjects", "TreeMap", "TreeMap .72 in .84 s", 88},
	} {
		if subjects[c.dir] == nil {
			subjects[c.dir] = measurable(t, c.dir)
		}
		m := measure(t, subjects[c.dir], func(name string) bool { return strings.HasPrefix(name, c.typ+".") || name == "New"+c.typ })
		t.Logf("%s; the paper: %s", m, c.published)
		if m.statements < c.least {
			t.Errorf("%s: %.1f %% of the statements, want %.1f %%", c.typ, m.statements, c.least)
		}
	}
}

// warmUp is the effort of the run before the measured one. Figures need a larger one, so that everything
// that the harness lacks is built before the measurement.
func warmUp() int {
	if *figures == "" {
		return 20_000
	}
	return 1_000_000
}

// buildLog counts how often a harness was built, and how many of its processes a case has ended.
type buildLog struct{ builds, ended int }

func (l *buildLog) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "harness built") {
		l.builds++
	}
	if strings.Contains(string(p), "ended (") {
		l.ended++
	}
	return len(p), nil
}

// measurement has the figures of a run.
type measurement struct {
	name                 string
	statements, branches float64
	uncovered            string
	lines                []string
	ops                  int
	own, harness         float64 // seconds of processor
	builds, ended        int     // the builds of the harness, and the processes that a case ended: harness counts both
}

func (m measurement) String() string {
	return fmt.Sprintf("%s: %s; %d operations, %.0f a second of the harness's core (%.2f s, with %d builds and %d cases that ended the process), %.0f of the generator's (%.2f s); not covered: %s",
		m.name, strings.Join(m.lines, "; "), m.ops, float64(m.ops)/m.harness, m.harness, m.builds, m.ended, float64(m.ops)/m.own, m.own, m.uncovered)
}

// measured is a package to measure, with its harness.
type measured struct {
	name   string
	prog   *load.Program
	pkg    *load.Package
	checks []*testcase.Check
	h      *native.Harness
	log    *buildLog
}

// measurable loads the package in a directory and builds its harness.
func measurable(t *testing.T, dir string) *measured {
	t.Helper()
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	out := &measured{name: filepath.Base(dir), prog: prog, pkg: prog.Packages[0], log: &buildLog{}}
	if !*unchecked {
		out.checks = protocol.Of(out.pkg, nil)
	}
	if out.h, err = native.Build(t.Context(), prog, out.pkg, native.Config{Checks: out.checks, Log: out.log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.h.Close() })
	return out
}

// measure runs the engine on a package until the engine stops or the time is over. If wanted is given, only
// the functions that match it, and those that they call, count.
func measure(t *testing.T, of *measured, wanted func(string) bool) measurement {
	t.Helper()
	prog, pkg, checks, h, log := of.prog, of.pkg, of.checks, of.h, of.log
	m := measurement{name: of.name}
	// Methods of other exported types, and constructors, do not count. Other functions do, because the wanted
	// functions may call them.
	targets := wanted
	if wanted != nil {
		targets = func(name string) bool {
			typ, _, method := strings.Cut(name, ".")
			return wanted(name) || !(method && token.IsExported(typ)) && !strings.HasPrefix(name, "New")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// Everything that the harness lacks is built before the clock starts.
	if _, err := random.Run(ctx, random.Subject{Prog: prog, Pkg: pkg, Harness: h}, random.Config{Seed: 1, Ops: warmUp(), Targets: targets, Checks: checks}, func(*testcase.Case) bool { return true }); err != nil {
		t.Fatal(err)
	}
	h.Fresh()
	before := *log
	own, harness := processorTime()
	began := own + harness
	var covered testcase.Cover
	marks := []float64{1, 10, 30}
	note := func(at float64) {
		for len(marks) > 0 && at >= marks[0] {
			s, b, _ := share(h, covered, wanted)
			m.lines = append(m.lines, fmt.Sprintf("%g s %.1f %% of statements, %.1f %% of branches", marks[0], s, b))
			marks = marks[1:]
		}
	}
	now := func() float64 {
		a, b := processorTime()
		return a + b - began
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
				if now() > *seconds {
					cancel()
				}
			}
		}
	}()
	last := 0.0
	ops := 1 << 40
	if *figures == "" {
		ops = random.DefaultOps
	}
	res, err := random.Run(ctx, random.Subject{Prog: prog, Pkg: pkg, Harness: h}, random.Config{Seed: 1, Ops: ops, Targets: targets, Checks: checks}, func(c *testcase.Case) bool {
		at := now()
		note(at)
		if covered.Union(c.Observed.Cover) {
			last = at
		}
		return true
	})
	close(done)
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	a, b := processorTime()
	m.ops, m.own, m.harness = res.Ops, a-own, b-harness
	m.builds, m.ended = log.builds-before.builds, log.ended-before.ended
	note(m.own + m.harness)
	m.statements, m.branches, m.uncovered = share(h, covered, wanted)
	m.lines = append(m.lines, fmt.Sprintf("in the end %.1f %% of statements, %.1f %% of branches, the last after %.2f s", m.statements, m.branches, last))
	if wanted != nil {
		for i, b := range h.Blocks() {
			if b.Func != "" && wanted(b.Func) && covered.Has(i) {
				m.name = pkg.Name + " " + strings.SplitN(b.Func, ".", 2)[0]
			}
		}
	}
	return m
}

// share returns how many percent of the statements and of the outcomes of conditions are covered, and which
// are not. If functions are wanted, only the files that declare them count.
func share(h *native.Harness, c testcase.Cover, wanted func(string) bool) (statements, branches float64, uncovered string) {
	files := map[string]bool{}
	for _, b := range h.Blocks() {
		if wanted == nil || wanted(b.Func) {
			files[b.Pos.Filename] = true
		}
	}
	var s, b [2]int
	var missing []string
	for i, k := range h.Blocks() {
		if !files[k.Pos.Filename] {
			continue
		}
		s[1] += k.Stmts
		if k.Branch {
			b[1]++
		}
		if c.Has(i) {
			s[0] += k.Stmts
			if k.Branch {
				b[0]++
			}
		} else if len(missing) < 12 {
			missing = append(missing, fmt.Sprintf("%s:%d %s %t", k.Func, k.Pos.Line, k.Text, k.Value))
		}
	}
	percent := func(n [2]int) float64 { return 100 * float64(n[0]) / float64(max(n[1], 1)) }
	return percent(s), percent(b), strings.Join(missing, ", ")
}

// processorTime returns the seconds of processor time that this process and its children have used,
// including children that still run.
func processorTime() (own, children float64) {
	times := [2]float64{}
	for i, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			times[i] = float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
		}
	}
	own, children = times[0], times[1]
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return own, children
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for _, pid := range strings.Fields(string(text)) {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			if err != nil {
				continue // the process has ended
			}
			_, rest, _ := strings.Cut(string(stat), ") ")
			if f := strings.Fields(rest); len(f) > 12 {
				for _, ticks := range f[11:13] {
					if n, err := strconv.Atoi(ticks); err == nil {
						children += float64(n) / 100
					}
				}
			}
		}
	}
	return own, children
}
