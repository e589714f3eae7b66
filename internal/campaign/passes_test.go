package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/session"
)

// yield is the result that the work of a pass has, because no engine runs here.
type yield struct {
	covered, tests int
	cut, fails     bool // the time cuts the pass short, and nothing is verified
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
	return os.WriteFile(path, y.file(), 0o666)
}

// bench is a package with a cache, on which passes work one after the other.
type passBench struct {
	t    *testing.T
	dir  string
	kept keeper
	runs int // how often there was work
}

// pass runs a pass as another process would: the package is loaded again.
func (b *passBench) pass(ctx context.Context, quick bool, bound time.Duration, y yield) (event.Summary, *passJob, []string) {
	b.t.Helper()
	job := &passJob{Job: schedule.Job{Package: "example.com/p", Quick: quick, Bound: bound}, begin: time.Now()}
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
		return g.passOrRecall(func() error { b.runs++; return y.work(g) })
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
}
