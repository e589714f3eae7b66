// Package reduce is the verb reduce: it removes what is redundant from test files that an
// earlier run wrote. How tests are taken apart is internal/reduce/source; that cases are
// reduced before they are written is internal/reduce.
//
//  1. Each file is parsed into parts: tests, and rows of their tables.
//  2. reduceTests runs the parts that pass, for what each covers and which mutants it kills, and
//     removes those that are equal to another or show nothing of their own.
//  3. checkNothingLost runs what is left: it must cover and kill the same, or nothing is removed.
//  4. reduceBugs keeps, of the parts that fail for one cause, the shortest.
//  5. The files are replaced, unless this is a dry run.
package reduce

import (
	"bytes"
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/reduce/source"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Run removes what is redundant from test files that an earlier run wrote: tests and
// rows of tables that are equal once what is dead and pure is gone, or that cover nothing
// and kill no mutant that the others do not; of tests that reproduce findings, those with
// the same cause. With dryRun it only says what it would remove. What is left passes,
// covers the same and kills the same mutants, or nothing is written.
func Run(ctx context.Context, cfg session.Config, names []string, dryRun bool) (session.Result, error) {
	var dirs []string
	byDir := make(map[string][]string)
	for _, f := range names {
		name := f
		if !filepath.IsAbs(name) {
			name = filepath.Join(cfg.Dir, name)
		}
		name, err := filepath.Abs(name)
		if err != nil {
			return session.Result{}, err
		}
		if !strings.HasSuffix(name, "_test.go") {
			return session.Result{}, session.UsageError(f + ": no test file")
		}
		if _, err := os.Stat(name); err != nil {
			return session.Result{}, err
		}
		dir := filepath.Dir(name)
		if byDir[dir] == nil {
			dirs = append(dirs, dir)
		}
		if !slices.Contains(byDir[dir], name) {
			byDir[dir] = append(byDir[dir], name)
		}
	}
	var result session.Result
	for _, dir := range dirs {
		c := cfg
		c.Dir, c.Patterns = dir, []string{"."}
		res, err := session.Each(ctx, c, session.Verb{Name: "reduce", Do: func(s *session.Session) error {
			return (&reducer{Session: s, dryRun: dryRun}).reduce(byDir[dir])
		}})
		result.Add(res)
		if err != nil {
			return result, err
		}
	}
	return result, nil
}

// reducer is the work on the files of one package.
type reducer struct {
	*session.Session
	dryRun  bool
	sources []*written
}

// written is an earlier file with what is to be left of it.
type written struct {
	name   string
	bug    bool
	before []byte // all of it
	src    *source.File
	parts  []source.Part
	first  int // number of its first part among those of all files of its kind
	after  []byte
}

// removal says what is to go from a file, and why: by part.
type removal map[string]string

func (r removal) keep(test string, row int) bool { return r[fmt.Sprint(test, row)] == "" }

// reduce reduces the files of one package.
func (r *reducer) reduce(names []string) error {
	pure := r.purity()
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		generated, edited := emit.Verify(content)
		if !generated || edited {
			return fmt.Errorf("%s: not written by assay, or edited since", filepath.Base(name))
		}
		w := &written{name: name, bug: strings.HasSuffix(name, files.BugSuffix), before: content}
		if w.src, err = source.Parse(name, text(content), pure); err != nil {
			return err
		}
		w.parts = w.src.Parts()
		r.sources = append(r.sources, w)
	}
	if err := r.reduceTests(); err != nil {
		return err
	}
	if err := r.reduceBugs(); err != nil {
		return err
	}
	if r.dryRun {
		return nil
	}
	for _, w := range r.sources {
		if w.after == nil || bytes.Equal(w.after, w.before) {
			continue
		}
		if _, _, err := files.Replace(r.Pkg.Dir, nil, []files.New{{Name: w.name, Content: w.after}}, nil); err != nil {
			return err
		}
	}
	return nil
}

// text is a file without its header.
func text(content []byte) []byte {
	for range 2 {
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	return bytes.TrimLeft(content, "\n")
}

// purity says of names of functions and methods whether calls of them are pure, as far
// as names tell.
func (r *reducer) purity() func(name string, method bool) bool {
	analysis := purity.NewPurity(r.Prog)
	verdicts := make(map[string]bool)
	return func(name string, method bool) bool {
		key := fmt.Sprint(name, method)
		if v, ok := verdicts[key]; ok {
			return v
		}
		some, all := false, true
		for _, t := range r.Pkg.Targets {
			_, m, isMethod := strings.Cut(t.Name, ".")
			if !isMethod {
				m = t.Name
			}
			if m != name || isMethod && !method {
				continue
			}
			some = true
			all = all && analysis.Pure(t.Func)
		}
		if obj := r.Pkg.Types.Scope().Lookup(name); obj != nil {
			_, isType := obj.(*types.TypeName)
			some = some || isType
		} else if obj := types.Universe.Lookup(name); obj != nil && !method {
			switch name {
			case "len", "cap", "make", "new", "min", "max", "append":
				some = true // append's result is dead, and what it appends to is the test's own
			default:
				_, isType := obj.(*types.TypeName)
				some = some || isType
			}
		}
		verdicts[key] = some && all
		return some && all
	}
}

// reduceTests reduces the files whose tests pass.
func (r *reducer) reduceTests() error {
	var files []*written
	var suite []native.TestFile
	var parts []source.Part
	for _, w := range r.sources {
		if w.bug {
			continue
		}
		content, names := w.src.Split(len(parts))
		w.first = len(parts)
		parts = append(parts, w.parts...)
		files = append(files, w)
		suite = append(suite, native.TestFile{Path: w.name, Content: content, Tests: names})
	}
	if len(parts) == 0 {
		return nil
	}
	shown, err := r.show(suite, r.Config.Tags)
	if err != nil {
		return err
	}
	var sizes []int
	for _, p := range parts {
		sizes = append(sizes, p.Size)
	}
	needed := reduce.Needed(sizes, shown.elements)
	equal := make(map[string]string)
	statements := 0
	for _, w := range files {
		gone := make(removal)
		for i, p := range w.parts {
			k := w.first + i
			reason := ""
			switch {
			case shown.elements[k] == nil:
				r.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s does not pass: left as it is", filepath.Base(w.name), p.Name), Warning: true})
			case equal[p.Text] != "":
				reason = "the same as " + equal[p.Text]
			case !needed[k]:
				reason = "the others cover what it covers and kill the mutants that it kills"
			}
			if reason == "" {
				if shown.elements[k] != nil {
					equal[p.Text] = p.Name
				}
				continue
			}
			gone[fmt.Sprint(p.Test, p.Row)] = reason
			r.removed(w, p, reason)
		}
		statements += w.src.Dead()
		if err := w.keep(gone, true); err != nil {
			return err
		}
	}
	if statements > 0 {
		r.Events.Send(event.Reduced{Package: r.Pkg.Path, Reason: fmt.Sprintf("%d statements that are dead and pure", statements)})
	}
	return r.checkNothingLost(files, shown, statements > 0)
}

// removed says that a part goes.
func (r *reducer) removed(w *written, p source.Part, reason string) {
	e := event.Reduced{Package: r.Pkg.Path, File: w.name, Test: p.Test, Row: p.Row + 1, Reason: reason}
	r.Events.Send(e)
	if r.Summary.Redundant == nil {
		r.Summary.Redundant = event.Count(0)
	}
	*r.Summary.Redundant++
}

// keep computes what is left of the file.
func (w *written) keep(gone removal, clean bool) error {
	after, err := w.src.Keep(gone.keep, clean)
	if err != nil {
		return err
	}
	if after == nil {
		return fmt.Errorf("bug: campaign: nothing is left of %s", filepath.Base(w.name))
	}
	w.after = emit.Seal(after)
	return nil
}

// shown is what the parts of a suite show: nil for those that do not pass.
type shown struct {
	elements [][]int // blocks, then mutants behind them
	cover    testcase.Cover
	killed   map[int]bool
	score    mutate.Score
	covered  [2]int // statements, of all
}

// show runs a suite for what its tests cover and kill.
func (r *reducer) show(suite []native.TestFile, tags string) (*shown, error) {
	outs, blocks, err := r.RunSuite(r.Ctx, session.SuiteConfig{Files: suite, Tags: tags})
	if err != nil {
		return nil, err
	}
	s := &shown{killed: make(map[int]bool), elements: make([][]int, len(outs))}
	for i, o := range outs {
		if o.Status != testcase.Returned {
			continue
		}
		s.elements[i] = []int{}
		for b := range blocks {
			if o.Cover.Has(b) {
				s.elements[i] = append(s.elements[i], b)
			}
		}
		s.cover.Union(o.Cover)
	}
	for b := range blocks {
		s.covered[1] += blocks[b].Stmts
		if s.cover.Has(b) {
			s.covered[0] += blocks[b].Stmts
		}
	}
	a, err := mutate.Build(r.Ctx, r.Prog, r.Pkg, mutate.Config{Suite: suite, Tags: tags})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	verdicts, err := a.Suite(r.Ctx, mutate.Options{All: true})
	if err != nil {
		return nil, err
	}
	for _, v := range verdicts {
		for _, k := range v.By {
			s.elements[k] = append(s.elements[k], len(blocks)+v.Mutant.ID)
		}
		if v.Killed {
			s.killed[v.Mutant.ID] = true
		}
	}
	s.score = mutate.Sum(verdicts)
	return s, nil
}

// checkNothingLost checks that what is left shows the same as before, with the statements removed
// that seemed not to matter or, if that is not so, with them.
func (r *reducer) checkNothingLost(files []*written, before *shown, cleaned bool) error {
	var suite []native.TestFile
	tests := 0
	for _, w := range files {
		suite = append(suite, native.TestFile{Path: w.name, Content: w.after})
	}
	after, err := r.show(suite, r.Config.Tags)
	if err != nil {
		return err
	}
	for _, e := range after.elements {
		if e != nil {
			tests++
		}
	}
	lost := func() string {
		for id := range before.killed {
			if !after.killed[id] {
				return "a mutant less would be killed"
			}
		}
		for i := range before.cover {
			if i >= len(after.cover) || before.cover[i]&^after.cover[i] != 0 {
				return "less would be covered"
			}
		}
		return ""
	}()
	if lost != "" {
		for _, w := range files {
			w.after = nil
		}
		if cleaned {
			lost += "; a statement that seemed dead and pure may matter"
		}
		return fmt.Errorf("%s: %s: nothing is removed", r.Pkg.Path, lost)
	}
	r.Summary.Tests = event.Count(tests)
	r.Summary.StmtsCovered, r.Summary.StmtsTotal = after.covered[0], after.covered[1]
	r.Summary.SetCoverage()
	r.Summary.Mutants, r.Summary.Killed = event.Count(after.score.Mutants), event.Count(after.score.Killed)
	r.Summary.SetMutation()
	return nil
}

// reduceBugs reduces the files whose tests reproduce findings: of those that fail for the same
// cause, the shortest stays.
func (r *reducer) reduceBugs() error {
	var suite []native.TestFile
	var files []*written
	for _, w := range r.sources {
		if w.bug {
			files = append(files, w)
			suite = append(suite, native.TestFile{Path: w.name, Content: w.before})
		}
	}
	if len(files) == 0 {
		return nil
	}
	outs, _, err := r.RunSuite(r.Ctx, session.SuiteConfig{Files: suite, Tags: gotest.WithTag(r.Config.Tags, emit.BugTag)})
	if err != nil {
		return err
	}
	type place struct {
		w *written
		p source.Part
	}
	best := make(map[string]place)
	var order []string
	gone := make(map[*written]removal)
	at := 0
	for _, w := range files {
		gone[w] = make(removal)
		for _, p := range w.parts {
			cause := causeOf(outs[at], p)
			at++
			if cause == "" {
				r.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s passes: left as it is", filepath.Base(w.name), p.Name), Warning: true})
				continue
			}
			old, ok := best[cause]
			if !ok {
				order = append(order, cause)
				best[cause] = place{w, p}
				continue
			}
			worse := place{w, p}
			if p.Size < old.p.Size {
				best[cause], worse = worse, old
			}
			gone[worse.w][fmt.Sprint(worse.p.Test, worse.p.Row)] = cause
		}
	}
	for _, w := range files {
		for _, p := range w.parts {
			if cause := gone[w][fmt.Sprint(p.Test, p.Row)]; cause != "" {
				r.removed(w, p, "it fails for the same cause as "+best[cause].p.Name)
			}
		}
		if len(gone[w]) == len(w.parts) {
			continue // its causes are shown by another file: removing files is gen's business
		}
		if err := w.keep(gone[w], false); err != nil {
			return err
		}
	}
	if r.Summary.Findings = event.Count(len(order)); r.Summary.Tests == nil {
		r.Summary.Tests = event.Count(0)
	}
	return nil
}

// causeOf returns what a failing test is known by, "" if it passes: what it panics with
// and where, or how its process ended, or else its own text.
func causeOf(o *testcase.Outcome, p source.Part) string {
	switch {
	case o.Status == testcase.Returned:
		return ""
	case o.Panic != nil && o.Panic.Message != native.TestFailed:
		return o.Panic.Message
	case o.Status == testcase.Panicked:
		return p.Text
	}
	return o.Status.String() + " " + o.Message + " " + p.Text
}
