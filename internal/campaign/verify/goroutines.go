package verify

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// Tests must not leave goroutines of the package behind: these go on during all later tests, may disturb them,
// and make tools fail that count goroutines. A test that does is written anew so that it closes what it has
// made. If the objects have no method for that, or goroutines are left nevertheless, the test is taken out.
//
// A goroutine that the package starts once, when it is first needed, is the package's own affair. What counts
// is therefore whether a second run of a test leaves more goroutines than the first one has left.

// countTest is the name of a test that compares how many goroutines are left, and countFile the name of its
// file. Go runs tests in the order of their files, and this one has to be last.
const (
	countTest = "TestAssayLeavesNoGoroutine"
	countFile = "zzzz_assay_goroutines_test.go"
)

// countSource is the source of that test. It waits as long as one of the goroutines may run: only goroutines
// that have waited for some time, all of them, are left behind. How busy the machine is thus has no influence. The time
// is counted in pauses of 10 ms.
const countSource = `package %s

import (
	"bytes"
	"runtime"
	"testing"
	"time"
)

var assayLeft = -1

func assayGoroutines() (n int, busy bool) {
	buf := make([]byte, 1<<22)
	buf = buf[:runtime.Stack(buf, true)]
	for _, g := range bytes.Split(buf, []byte("\n\n")) {
		if !bytes.Contains(g, []byte(%q)) || bytes.Contains(g, []byte("testing.tRunner(")) {
			continue
		}
		n++
		head := g[:bytes.IndexByte(g, '\n')]
		busy = busy || bytes.Contains(head, []byte("[run")) || bytes.Contains(head, []byte("[syscall"))
	}
	return n, busy
}

func %s(t *testing.T) {
	n, quiet := -1, 0
	for i := 0; i < 500 && quiet < %d; i++ {
		m, busy := assayGoroutines()
		if m == 0 || assayLeft >= 0 && m <= assayLeft {
			n = m
			break
		}
		quiet++
		if busy || m != n {
			quiet = 0
		}
		n = m
		time.Sleep(10 * time.Millisecond)
	}
	switch {
	case assayLeft < 0:
		assayLeft = n
	case n > assayLeft:
		t.Fatal("goroutines are left")
	}
}
`

// countRuns is how often tests run to compare how many goroutines are left. If goroutines of the first run
// end only during the second one, the third one shows the difference.
const countRuns = 3

// raceShare is the part of the time left that building with the race detector may take: a third. The first build on a machine
// compiles the standard library once more.
const raceShare = 3

// takeRacing takes out the tests in which the race detector sees a race: mostly one that reads what a goroutine of the package
// writes. Such a test passes until somebody runs go test -race. Where there is no detector, or no time for it, nothing is
// taken out.
func (d *doubter) takeRacing(ctx context.Context) error {
	if !d.Pkg.StartsGoroutines() || len(d.names) == 0 {
		return nil
	}
	building, cancel := context.WithTimeout(ctx, time.Until(d.Deadline)/raceShare)
	defer cancel()
	b, err := d.buildAs(building, "race.test", nil, true)
	if err != nil {
		d.Debug("stages", "%s: no tests with the race detector: %v", d.Pkg.Path, err)
		return ctx.Err()
	}
	d.processes++
	res, err := b.Try(ctx, gotest.Trial{Names: d.names, Timeout: max(atLeast, d.usual*patience)})
	if err != nil {
		return err
	}
	// A test may fail for another reason, for example since it takes longer with the detector. That says nothing against it.
	clear(res.Passed)
	res.Failed = slices.DeleteFunc(res.Failed, func(name string) bool { return !races(res.Output[name]) })
	d.takeFailed(res, "with the race detector")
	d.names = slices.DeleteFunc(d.names, func(n string) bool { return slices.Contains(res.Failed, n) })
	return nil
}

// races reports whether a test has printed that the race detector saw a race.
func races(output []string) bool {
	return slices.ContainsFunc(output, func(line string) bool {
		return strings.Contains(line, "race detected during execution of test") || strings.Contains(line, "WARNING: DATA RACE")
	})
}

// takeLeaving takes out the tests that leave goroutines of the package behind.
func (d *doubter) takeLeaving(ctx context.Context) error {
	if !d.Pkg.StartsGoroutines() || len(d.names) == 0 {
		return nil
	}
	source := filepath.Join(d.work, countFile)
	inDir := "\n\t" + filepath.ToSlash(d.Pkg.Dir) + "/"
	if err := os.WriteFile(source, fmt.Appendf(nil, countSource, d.Pkg.Name, inDir, countTest, d.pauses()), 0o600); err != nil {
		return err
	}
	b, err := d.build(ctx, "goroutines.test", map[string]string{filepath.Join(d.Pkg.Dir, countFile): source})
	if err != nil {
		return err
	}
	if leaving, err := d.leaves(ctx, b, d.names, ""); !leaving {
		return err
	}
	for _, name := range slices.Clone(d.names) {
		leaving, err := d.leaves(ctx, b, []string{name}, "")
		if err != nil {
			return err
		}
		if !leaving {
			continue
		}
		if err := d.takeOrClose(ctx, b, name); err != nil {
			return err
		}
		d.names = slices.DeleteFunc(d.names, func(n string) bool { return n == name })
	}
	return nil
}

// pauses is how many pauses a goroutine is waited for. A loop that looks at a flag whenever a ticker ticks ends up to a tick
// after its object was closed, and ticks of a second are usual.
func (d *doubter) pauses() int {
	if purity.Clocked(d.Pkg) {
		return 120
	}
	return 20
}

// leaves reports whether each run of the tests, or of one subtest, leaves more goroutines than the run before.
func (d *doubter) leaves(ctx context.Context, b gotest.Binary, names []string, subtest string) (bool, error) {
	d.processes++
	timeout := max(atLeast, d.usual*patience*countRuns) + countRuns*5*time.Second
	res, err := b.Try(ctx, gotest.Trial{Names: append(slices.Clone(names), countTest), Subtest: subtest, Count: countRuns, Timeout: timeout})
	if err != nil {
		return false, err
	}
	return slices.Contains(res.Failed, countTest), nil
}

// takeOrClose takes the cases of a test out that leave goroutines. Cases whose objects can be closed are tried
// again with that.
func (d *doubter) takeOrClose(ctx context.Context, b gotest.Binary, name string) error {
	for _, f := range d.s.Files {
		i := slices.IndexFunc(f.Tests, func(t emit.Test) bool { return t.Name == name })
		if i < 0 {
			continue
		}
		test := f.Tests[i]
		leaving, err := d.leavingCases(ctx, b, test)
		if err != nil {
			return err
		}
		closing := make([]*testcase.Case, len(leaving))
		for i, c := range leaving {
			closing[i] = d.closing(c)
		}
		if err := d.keepEnding(ctx, closing); err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(leaving), func(c *testcase.Case) bool {
			i := slices.Index(leaving, c)
			if closing[i] != nil {
				d.bad[c], d.replaced[c] = true, closing[i]
			}
			return closing[i] != nil
		})
		if len(left) > 0 || len(leaving) == 0 {
			d.takeCases(test, left, "it leaves goroutines of the package behind")
		}
	}
	return nil
}

// leavingCases returns the cases of a test that leave goroutines. If no subtest does so by itself, or there are
// none, it returns all cases of the test.
func (d *doubter) leavingCases(ctx context.Context, b gotest.Binary, test emit.Test) ([]*testcase.Case, error) {
	var out []*testcase.Case
	for i, c := range test.Cases {
		if len(test.Cases) == 1 || i >= len(test.Rows) || test.Rows[i] == "" {
			return test.Cases, nil
		}
		leaving, err := d.leaves(ctx, b, []string{test.Name}, gosyntax.SubtestName(test.Rows[i]))
		if err != nil {
			return nil, err
		}
		if leaving {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return test.Cases, nil
	}
	return out, nil
}

// closing returns the case with calls that close its objects at the end of the test, or nil if there is nothing
// to close or the case closes its objects already.
func (v *verifier) closing(c *testcase.Case) *testcase.Case {
	if c.Closes != nil {
		return nil
	}
	d := *c
	results := c.Seq.ResultTypes()
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		switch st.Op.Kind {
		case testcase.OpFunc, testcase.OpAddr:
		case testcase.OpMethod:
			if purity.Closer(results[st.Args[0].Stmt][st.Args[0].Result], v.Pkg.Types) != nil {
				// The result may be the receiver itself, or may be closed together with it. A transaction has to end before.
				for r, t := range results[i] {
					ref := testcase.Ref{Stmt: i, Result: r}
					if undo := methodNamed(t, v.Pkg.Types, undoing); undo != nil && !isNil(c.Observed, ref) && !calls(c.Seq, ref, undo.Name()) {
						d.Closes = append(d.Closes, testcase.Closing{Object: ref, Method: undo})
					}
				}
				continue
			}
		default:
			continue
		}
		for r, t := range results[i] {
			ref := testcase.Ref{Stmt: i, Result: r}
			if method := purity.Closer(t, v.Pkg.Types); method != nil && !isNil(c.Observed, ref) && !closes(c.Seq, ref) {
				d.Closes = append(d.Closes, testcase.Closing{Object: ref, Method: method})
			}
		}
	}
	if d.Closes == nil {
		return nil
	}
	return &d
}

// keepEnding drops, from a list of cases that close their objects, those that do not end then, or that panic: an object may wait for
// a lock that the case holds, or pass the call on to what a stand-in did not return. One test that does not end costs all tests of the suite, so this is tried in the harness before.
func (v *verifier) keepEnding(ctx context.Context, cases []*testcase.Case) error {
	var seqs []*testcase.Sequence
	var of []int
	for i, c := range cases {
		if c == nil || c.Closes == nil || v.bench == nil {
			continue
		}
		stmts := c.Seq.AppendTo(nil)
		for _, end := range slices.Backward(c.Closes) { // deferred calls run in the opposite order
			if end.Method.Signature().Params().Len() == 0 {
				stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: end.Method}, Args: []testcase.Ref{end.Object}})
			}
		}
		seqs, of = append(seqs, testcase.NewSequence(stmts...)), append(of, i)
	}
	if len(seqs) == 0 {
		return nil
	}
	outcomes, err := v.bench.Proposals(false).Run(ctx, seqs)
	if err != nil {
		return v.UnlessCut(err)
	}
	for i, o := range outcomes {
		if c := cases[of[i]]; o.Exhausted() || o.Status == testcase.Deadlock || o.Leaves || leaves(c) && o.Status != testcase.Returned || o.Status == testcase.Panicked && o.At >= c.Seq.Len() {
			cases[of[i]] = nil
			v.Debug("stages", "%s: a test of %s does not end, panics, or leaves goroutines, if it closes what it has made", v.Pkg.Path, c.Target)
		}
	}
	return nil
}

// undoing is the name of the method that ends a transaction without keeping what it did.
const undoing = "Rollback"

// methodNamed returns a type's method with a name and without parameters that the package declares, or nil.
func methodNamed(t types.Type, pkg *types.Package, name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	f, ok := obj.(*types.Func)
	if !ok || f.Pkg() != pkg || f.Signature().Params().Len() > 0 {
		return nil
	}
	return f
}

// calls reports whether a sequence calls an object's method with a name.
func calls(seq *testcase.Sequence, object testcase.Ref, method string) bool {
	for i := range seq.Len() {
		st := seq.At(i)
		if st.Op.Kind == testcase.OpMethod && st.Args[0] == object && st.Op.Func.Name() == method {
			return true
		}
	}
	return false
}

// starters returns the functions of the package whose body starts a goroutine.
func (v *verifier) starters() map[string]bool {
	out := make(map[string]bool)
	for _, fd := range v.Pkg.Funcs() {
		ast.Inspect(fd, func(n ast.Node) bool {
			if load.StartedBy(v.Pkg.Info, n) != nil {
				out[gosyntax.DeclName(fd)] = true
			}
			return true
		})
	}
	return out
}

// closingAhead returns the case with calls that close those of its objects that a function made which may start a goroutine,
// or the case itself if there are none. To find out later which tests leave goroutines takes long.
func (v *verifier) closingAhead(c *testcase.Case, starters map[string]bool) *testcase.Case {
	if len(starters) == 0 {
		return c
	}
	closing := v.closing(c)
	if closing == nil {
		return c
	}
	ends := false
	closing.Closes = slices.DeleteFunc(closing.Closes, func(end testcase.Closing) bool {
		starts := v.mayStart(c.Seq.At(end.Object.Stmt).Op.Func, starters)
		ends = ends || starts
		return !starts && end.Method.Name() != undoing
	})
	if !ends {
		return c
	}
	return closing
}

// mayStart reports whether a function is of the package, and a call of it may execute one that starts a goroutine.
func (v *verifier) mayStart(f *types.Func, starters map[string]bool) bool {
	if f == nil || f.Pkg() != v.Pkg.Types {
		return false
	}
	name := testcase.TargetName(f)
	starts, ok := v.starting[name]
	if ok {
		return starts
	}
	if t := v.Pkg.Target(name); t != nil && t.Func != nil {
		reached := purity.Reached(v.Pkg, t.Func)
		for starter := range starters {
			starts = starts || reached == nil || reached[starter]
		}
	}
	v.starting[name] = starts
	return starts
}

// isNil reports whether a result was observed to be nil.
func isNil(o *testcase.Outcome, ref testcase.Ref) bool {
	return o != nil && ref.Stmt < len(o.Results) && ref.Result < len(o.Results[ref.Stmt]) && o.Results[ref.Stmt][ref.Result].Kind == testcase.Nil
}

// closes reports whether a sequence itself closes an object.
func closes(seq *testcase.Sequence, object testcase.Ref) bool {
	for i := range seq.Len() {
		st := seq.At(i)
		if st.Op.Kind == testcase.OpMethod && st.Args[0] == object && purity.IsCloser(st.Op.Func.Name()) {
			return true
		}
	}
	return false
}
