package campaign

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// yield is the result that the work of a pass has, because no engine runs here.
type yield struct {
	covered, tests  int
	cut, fails      bool // the time cuts the pass short, and nothing is verified
	killed, mutants int  // there was no time for mutants if there are none
}

// tests is the content of a file with so many tests.
func (y yield) file() []byte {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"testing\"\n")
	for i := range y.tests {
		fmt.Fprintf(&b, "\nfunc TestF_%d_%d(t *testing.T) {}\n", y.covered, i)
	}
	return testfile.Seal([]byte(b.String()))
}

// work does what passes need of generate: it sets the summary and writes the file.
func (y yield) work(g *gen) error {
	if y.cut || y.fails {
		g.MarkPartial()
	}
	path := filepath.Join(g.Pkg.Dir, "p_assay_test.go")
	s := &verify.Suite{Verified: !y.fails, Files: []emit.File{{Path: path, Content: y.file(), Tests: make([]emit.Test, y.tests)}}}
	g.Summary.StmtsCovered, g.Summary.StmtsTotal, g.Summary.Tests = y.covered, 100, event.Count(y.tests)
	if g.comesToLess(s) {
		return errStands
	}
	if y.fails {
		return context.DeadlineExceeded
	}
	g.Events.Send(event.Test{Package: g.Pkg.Path, Func: "F", Name: fmt.Sprintf("TestF_%d", y.covered)})
	if err := os.WriteFile(path, y.file(), 0o666); err != nil {
		return err
	}
	if y.mutants > 0 {
		g.Summary.Killed, g.Summary.Mutants = event.Count(y.killed), event.Count(y.mutants)
	}
	if g.noticesLess() {
		return errStands
	}
	return nil
}

// cases are calls of F with the numbers from 1 to the number of tests. Each covers a block of its own.
func (y yield) cases(pkg *load.Package) []*testcase.Case {
	f := pkg.Types.Scope().Lookup("F").(*types.Func)
	var out []*testcase.Case
	for i := range y.tests {
		var b testcase.Builder
		n := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(1 + i)}})
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, n)
		out = append(out, &testcase.Case{Target: "F", Engine: "random", Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, Cover: testcase.Cover{1 << i}}})
	}
	return out
}

// bench is a package with a cache, on which passes work one after the other.
type passBench struct {
	t    *testing.T
	dir  string
	kept keeper
	runs int      // how often there was work
	from []string // what the last work went on from
}

// pass runs a pass as another process would: the package is loaded again.
func (b *passBench) pass(ctx context.Context, quick bool, bound time.Duration, y yield) (event.Summary, *passJob, []string) {
	b.t.Helper()
	return b.do(ctx, schedule.Job{Package: "example.com/p", Quick: quick, Bound: bound}, y)
}

// do runs any pass in that way.
func (b *passBench) do(ctx context.Context, j schedule.Job, y yield) (event.Summary, *passJob, []string) {
	b.t.Helper()
	job := &passJob{Job: j, begin: time.Now()}
	var said []string
	cfg := session.Config{Dir: b.dir, Timeout: time.Hour, Events: func(e event.Event) {
		switch e := e.(type) {
		case event.Test:
			said = append(said, e.Name)
		case event.Diagnostic:
			b.t.Log(e.Message)
		}
	}}
	packages, _, err := session.Open(ctx, cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		g := &gen{Session: s, cfg: Config{Config: s.Config}, kept: b.kept, job: job}
		return g.passOrRecall(func() error {
			b.runs++
			b.from = nil
			for _, c := range g.earlierCases().Cases {
				b.from = append(b.from, c.Seq.String())
			}
			g.noteCorpus(verdicts{tests: y.cases(s.Pkg)}, choose.Selection{})
			return y.work(g)
		})
	}})
	if err != nil {
		b.t.Fatal(err)
	}
	s := packages.Work(ctx, "example.com/p", session.Terms{Continued: true})
	if s.Result.Failed {
		b.t.Error("the pass failed")
	}
	return s.Summary, job, said
}

// last returns what was kept last of the package.
func (b *passBench) last() ([]byte, bool) {
	b.t.Helper()
	var data []byte
	ok := false
	packages, _, err := session.Open(b.t.Context(), session.Config{Dir: b.dir}, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		data, ok = b.kept.Get((&gen{Session: s, cfg: Config{Config: s.Config}}).lastPassKey())
		return nil
	}})
	if err != nil {
		b.t.Fatal(err)
	}
	packages.Work(b.t.Context(), "example.com/p", session.Terms{})
	return data, ok
}

func newPassBench(t *testing.T) *passBench {
	b := &passBench{t: t, dir: t.TempDir(), kept: cache.NewMemory()}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n\nfunc F(n int) int { return n }\n"} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// check compares the files and the summary with the ones that a pass should have left.
func (b *passBench) check(what string, s event.Summary, said []string, want yield) {
	b.t.Helper()
	content, err := os.ReadFile(filepath.Join(b.dir, "p_assay_test.go"))
	if err != nil || string(content) != string(want.file()) {
		b.t.Errorf("%s: the file is %q (%v)", what, content, err)
	}
	if s.StmtsCovered != want.covered || *s.Tests != want.tests || len(said) != 1 || said[0] != fmt.Sprintf("TestF_%d", want.covered) {
		b.t.Errorf("%s: %d covered, %d tests, %v announced, want those of %+v", what, s.StmtsCovered, *s.Tests, said, want)
	}
	if s.Cut != want.cut {
		b.t.Errorf("%s: cut %v, want %v", what, s.Cut, want.cut)
	}
}

// A pass never leaves or reports less than the pass before it, and does no work a second time.
func TestPasses(t *testing.T) {
	b := newPassBench(t)
	first := yield{covered: 40, tests: 3, cut: true}
	s, _, said := b.pass(t.Context(), true, 5*time.Second, first)
	b.check("the first pass", s, said, first)

	s, job, said := b.pass(t.Context(), true, 4*time.Second, yield{covered: 99, tests: 9})
	b.check("a quick pass of the next run", s, said, first)
	if b.runs != 1 || !s.Cached || job.recalled == nil || job.recalled.Bound != 5*time.Second || job.recalled.Gained != 40 {
		t.Errorf("the next run works again: %d, cached %v, %+v", b.runs, s.Cached, job.recalled)
	}

	s, _, said = b.pass(t.Context(), false, 15*time.Second, yield{covered: 30, tests: 9, cut: true})
	b.check("one that covers less", s, said, first)
	s, _, said = b.pass(t.Context(), false, 15*time.Second, yield{covered: 40, tests: 3, cut: true})
	b.check("one that comes to the same", s, said, first)
	s, _, said = b.pass(t.Context(), false, 45*time.Second, yield{fails: true, covered: 90, tests: 9})
	b.check("one of which nothing holds", s, said, first)

	s, job, _ = b.pass(t.Context(), true, 5*time.Second, yield{})
	if b.runs != 4 || job.recalled == nil || job.recalled.Bound != 45*time.Second || job.recalled.Gained != 0 {
		t.Errorf("after passes in vain: %d runs, cached %v, %+v", b.runs, s.Cached, job.recalled)
	}

	more := yield{covered: 60, tests: 2, cut: true}
	s, _, said = b.pass(t.Context(), false, time.Minute, more)
	b.check("one that covers more", s, said, more)
	ended := yield{covered: 60, tests: 1}
	s, _, said = b.pass(t.Context(), false, 3*time.Minute, ended)
	b.check("one that was not cut short", s, said, ended)
	s, job, said = b.pass(t.Context(), true, 5*time.Second, yield{})
	b.check("the run after that", s, said, ended)
	if b.runs != 6 || !s.Cached || job.recalled != nil {
		t.Errorf("what has been done to the end is done again: %d runs", b.runs)
	}
}

// A pass whose tests notice fewer of the same mutants than those of the pass before, or that had no time for mutants where that one
// had, leaves it as it was, also if it covers more. Where the mutants differ they are not compared.
func TestPasses_mutants(t *testing.T) {
	b := newPassBench(t)
	scored := func(what string, s event.Summary, want yield) {
		t.Helper()
		if countOf(s.Killed) != want.killed || countOf(s.Mutants) != want.mutants {
			t.Errorf("%s: %d of %d mutants, want %d of %d", what, countOf(s.Killed), countOf(s.Mutants), want.killed, want.mutants)
		}
	}
	first := yield{covered: 40, tests: 3, cut: true, killed: 8, mutants: 10}
	b.pass(t.Context(), true, 5*time.Second, first)
	for i, tt := range []struct {
		what   string
		y      yield
		better bool
	}{
		{"one that kills fewer", yield{covered: 50, tests: 4, cut: true, killed: 7, mutants: 10}, false},
		{"one without time for mutants", yield{covered: 50, tests: 4, cut: true}, false},
		{"one that kills more and covers less", yield{covered: 39, tests: 4, cut: true, killed: 10, mutants: 10}, false},
		{"one that kills as many", yield{covered: 41, tests: 4, cut: true, killed: 8, mutants: 10}, true},
		{"one with other mutants", yield{covered: 42, tests: 4, cut: true, killed: 5, mutants: 9}, true},
		{"a pass to the end", yield{covered: 42, tests: 4, killed: 4, mutants: 9}, true},
	} {
		s, _, said := b.pass(t.Context(), false, time.Duration(15*(i+1))*time.Second, tt.y)
		if tt.better {
			first = tt.y
		}
		b.check(tt.what, s, said, first)
		scored(tt.what, s, first)
		data, _ := b.last()
		if k, _ := Describe(data); tt.y.cut && k.Cases != max(tt.y.tests, first.tests) && tt.y.covered >= first.covered {
			t.Errorf("%s: kept are %d cases, want those of the pass that covers most", tt.what, k.Cases)
		}
	}
}

// A round goes on from the cases of the pass before it, in another process, and leaves nothing that is less. It is no
// final result, even if nothing cuts it short. Each round counts, in vain or not, for the runs that follow.
func TestPasses_rounds(t *testing.T) {
	b := newPassBench(t)
	round := func(n int, y yield) (event.Summary, []string) {
		s, _, said := b.do(t.Context(), schedule.Job{Package: "example.com/p", Bound: 15 * time.Second, Round: n}, y)
		return s, said
	}
	counted := func(rounds, vain, gained int) {
		t.Helper()
		_, job, _ := b.pass(t.Context(), true, 5*time.Second, yield{})
		if p := job.recalled; p == nil || p.Rounds != rounds || p.Vain != vain || p.Gained != gained || p.Bound != 15*time.Second {
			t.Errorf("kept is %+v, want %d rounds, %d in vain, the last gained %d", p, rounds, vain, gained)
		}
	}
	first := yield{covered: 40, tests: 2, cut: true}
	b.pass(t.Context(), true, 15*time.Second, first)
	if len(b.from) != 0 {
		t.Errorf("the first pass goes on from %v", b.from)
	}
	more := yield{covered: 50, tests: 3, cut: true}
	s, said := round(1, yield{covered: 50, tests: 3})
	b.check("a round that nothing cuts short", s, said, more)
	if want := []string{"F(1)", "F(2)"}; !slices.Equal(b.from, want) {
		t.Errorf("the round goes on from %v, want %v", b.from, want)
	}
	counted(1, 0, 10)
	s, said = round(2, yield{covered: 45, tests: 9, cut: true})
	b.check("a round that covers less", s, said, more)
	s, said = round(3, yield{fails: true})
	b.check("a round of which nothing holds", s, said, more)
	if want := []string{"F(1)", "F(2)", "F(3)"}; !slices.Equal(b.from, want) {
		t.Errorf("a round goes on from %v, want %v, whatever the one before came to", b.from, want)
	}
	counted(3, 2, 0)

	data, ok := b.last()
	if k, is := Describe(data); !ok || !is || !k.Cut || k.Cases != 3 || k.Rounds != 3 || k.Covered != 50 {
		t.Errorf("assay cache shows %+v", k)
	}

	// A pass that begins anew and ends by itself may have missed what the rounds found.
	s, _, said = b.pass(t.Context(), false, 45*time.Second, yield{covered: 45, tests: 4})
	more.cut = false
	b.check("a pass to the end that covers less", s, said, more)
	_, job, _ := b.pass(t.Context(), true, 5*time.Second, yield{})
	if job.recalled == nil || job.recalled.Vain != schedule.InVain {
		t.Errorf("kept is %+v, want that no further pass is worth its time", job.recalled)
	}
	ended := yield{covered: 50, tests: 1}
	s, _, said = b.pass(t.Context(), false, 45*time.Second, ended)
	b.check("a pass to the end that covers as much", s, said, ended)
}

// An interrupted pass is kept like a pass without time: the next run begins with a quick pass, and that pass
// leaves better results alone.
func TestPasses_interrupted(t *testing.T) {
	b := newPassBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	first := yield{covered: 40, tests: 3, cut: true}
	job := &passJob{Job: schedule.Job{Quick: true, Bound: 5 * time.Second}, begin: time.Now()}
	packages, _, err := session.Open(ctx, session.Config{Dir: b.dir}, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		g := &gen{Session: s, cfg: Config{Config: s.Config}, kept: b.kept, job: job}
		cancel()
		return g.passOrRecall(func() error { return first.work(g) })
	}})
	if err != nil {
		t.Fatal(err)
	}
	packages.Work(ctx, "example.com/p", session.Terms{Continued: true})

	s, _, said := b.pass(t.Context(), true, 5*time.Second, yield{covered: 20, tests: 1, cut: true})
	b.check("the run after an interrupt", s, said, first)
	if b.runs != 1 {
		t.Errorf("%d passes after the interrupt, want 1", b.runs)
	}
}

// Passes notice what the user does to the files between them: a file that is gone is written again, and if
// the code has changed, earlier results do not count.
func TestPasses_changed(t *testing.T) {
	b := newPassBench(t)
	first := yield{covered: 40, tests: 3, cut: true}
	b.pass(t.Context(), true, 5*time.Second, first)
	if err := os.Remove(filepath.Join(b.dir, "p_assay_test.go")); err != nil {
		t.Fatal(err)
	}
	other := yield{covered: 20, tests: 1, cut: true}
	s, _, said := b.pass(t.Context(), true, 5*time.Second, other)
	b.check("without the file", s, said, other)
	if err := os.WriteFile(filepath.Join(b.dir, "p.go"), []byte("package p\n\nfunc F(n int) int { return n + 1 }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b.pass(t.Context(), true, 5*time.Second, yield{covered: 10, tests: 1, cut: true}); b.runs != 3 {
		t.Errorf("%d passes, want one for the changed code as well", b.runs)
	}
	if want := []string{"F(1)"}; !slices.Equal(b.from, want) {
		t.Errorf("the pass over the changed code goes on from %v, want %v", b.from, want)
	}

	// After a result to the end there is nothing to go on from.
	b.pass(t.Context(), false, 15*time.Second, yield{covered: 90, tests: 3})
	if err := os.WriteFile(filepath.Join(b.dir, "p.go"), []byte("package p\n\nvar x = 1\n\nfunc F(n int) int { return n + x }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b.pass(t.Context(), true, 5*time.Second, yield{covered: 10, tests: 1, cut: true}); b.runs != 5 || len(b.from) != 0 {
		t.Errorf("%d passes, the last one goes on from %v, want 5, and from nothing", b.runs, b.from)
	}
}
