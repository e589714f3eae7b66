package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// earlierTests runs the tests of earlier runs on the code as it is now, while the
// engines look for new ones. Where they fail, behaviour has changed.
type earlierTests struct {
	files  map[string]string // the name of a test to its file
	cancel context.CancelFunc
	done   chan struct{}
	res    *gotest.Result
	err    error
	// covered is how many statements they cover, -1 if that is not known.
	covered int
}

// startEarlier starts the earlier tests, if there are any that may be replaced. With
// -update nobody asks them.
func (g *gen) startEarlier(old []files.Own) *earlierTests {
	if g.cfg.Update || g.continues != nil {
		return nil // those of the pass before have passed on this code
	}
	e := &earlierTests{files: make(map[string]string), done: make(chan struct{}), covered: -1}
	for _, o := range old {
		if o.Edited || o.Bug {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
		if err != nil {
			continue // its hash is right, so it is a bug of an earlier version, and is replaced
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && strings.HasPrefix(fd.Name.Name, "Test") {
				e.files[fd.Name.Name] = o.Name
			}
		}
	}
	if len(e.files) == 0 {
		return nil
	}
	var ctx context.Context
	ctx, e.cancel = context.WithCancel(g.Ctx)
	go func() {
		defer close(e.done)
		work, err := os.MkdirTemp("", "assay-earlier-")
		if err != nil {
			e.err = err
			return
		}
		defer os.RemoveAll(work) // a leftover temporary directory harms nobody
		t := gotest.Run{
			Dir: g.Pkg.Dir, Tags: g.cfg.Tags, Names: slices.Sorted(maps.Keys(e.files)), Policy: g.Policy, NoVet: true,
			CoverProfile: filepath.Join(work, "cover.out"),
		}
		e.res, e.err = t.Do(ctx)
		if n, _, err := gotest.ReadCoverage(t.CoverProfile); err == nil {
			e.covered = n
		}
	}()
	return e
}

func (e *earlierTests) stop() {
	e.cancel()
	<-e.done
}

// reportChanged waits for the earlier tests, shows those that fail, and keeps their files.
// It reports false if the package cannot get new tests beside what is kept.
func (g *gen) reportChanged(scope scope) bool {
	e, earlier := scope.rerun, scope.earlier
	if e == nil {
		return true
	}
	<-e.done
	if e.err != nil {
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: the earlier tests could not be run: %v", g.Pkg.Path, e.err), Warning: true})
		} else {
			earlier.keepAll() // nobody knows whether they still pass
		}
		return true
	}
	stale := false
	for _, b := range e.res.Build {
		if slices.ContainsFunc(earlier.files, func(o files.Own) bool { return o.Name == b.Pos.Filename && !o.Edited }) {
			stale = true
			g.Events.Send(event.Diagnostic{Pos: b.Pos, Message: "the earlier test no longer compiles: " + b.Msg})
		}
	}
	if stale {
		g.Result.Failed = true
		g.Events.Send(event.Diagnostic{Message: g.Pkg.Path + ": the earlier tests are left as they are; -update replaces them"})
		return false
	}
	for _, name := range e.res.Failed {
		file := e.files[name]
		g.Result.Failed = true
		for _, c := range changes(e.res.Output[name]) {
			c.Package, c.Func, c.Test, c.File = g.Pkg.Path, g.testedBy(name), name, file
			g.Events.Send(c)
		}
		if !earlier.kept[file] {
			g.Events.Send(event.Diagnostic{Pos: token.Position{Filename: file}, Message: "left as it is; -update replaces it"})
			i := slices.IndexFunc(earlier.files, func(o files.Own) bool { return o.Name == file })
			earlier.keep(earlier.files[i])
		}
	}
	return true
}

// testedBy returns the function that an earlier test is about, as far as its name tells.
func (g *gen) testedBy(test string) string {
	best := ""
	for _, t := range g.Pkg.Targets {
		name := emit.TestName(t.Name)
		if rest, ok := strings.CutPrefix(test, name); ok && (rest == "" || rest[0] == '_') && len(t.Name) > len(best) {
			best = t.Name
		}
	}
	return best
}

// maxChanges is how many changes a failing test is asked for.
const maxChanges = 5

// observation is a line of a failing test of ours: what was called, what came out, and
// what the test was written to expect.
var observation = regexp.MustCompile(`^(?:\S+_test\.go:\d+: )?(.+?\)|\S+) = (.*)[,;] want (.*)$`)

// changes reads off a failing test's output what it was before and what it is now. What
// cannot be read is shown as it stands.
func changes(output []string) []event.Changed {
	var out []event.Changed
	test, expected := "", ""
	for _, line := range output {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "=== RUN"); ok {
			test = strings.TrimSpace(name)
		}
		m := observation.FindStringSubmatch(line)
		if want, ok := strings.CutPrefix(line, "expected: "); ok {
			expected = want // testify has a line for each
		} else if got, ok := strings.CutPrefix(line, "actual  : "); ok && expected != "" {
			m = []string{"", test, got, expected}
			expected = ""
		}
		if m == nil {
			continue
		}
		if len(out) == maxChanges {
			out[maxChanges-1].More = true
			break
		}
		out = append(out, event.Changed{Call: m[1], After: m[2], Before: m[3]})
	}
	if out == nil {
		out = append(out, event.Changed{After: gotest.Failure(output)})
	}
	return out
}

// keepBetter leaves as they are the earlier files beside which what there is now would be
// less: exploration was cut short. The tests are compared by the statements that they
// cover, those of findings by their number in each file.
func (s scope) keepBetter(bench *workbench, tests []*testcase.Case, findings []*testcase.Finding) {
	cover := testcase.CoverOf(tests)
	now := 0
	for i, b := range bench.Blocks() {
		if cover.Has(i) {
			now += b.Stmts
		}
	}
	less := s.rerun == nil || s.rerun.covered < 0 || now < s.rerun.covered
	found := make(map[string]int)
	for _, f := range findings {
		if f.Severity != testcase.Note {
			found[strings.TrimSuffix(f.Pos.Filename, ".go")+files.BugSuffix]++
		}
	}
	for _, o := range s.earlier.files {
		if !s.earlier.kept[o.Name] && (o.Bug && found[o.Name] < bytes.Count(o.Content, []byte("\nfunc Test")) || !o.Bug && less) {
			s.earlier.keep(o)
		}
	}
}
