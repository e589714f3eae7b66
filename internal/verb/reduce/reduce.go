// Package reduce is the verb reduce: it removes redundant parts from test files that an earlier run
// wrote. Package reduce/source takes tests apart. (Package internal/reduce reduces cases before they
// are written.)
//
//  1. Each file is parsed into parts: tests, and rows of their tables.
//  2. reduceTests (tests.go) runs the parts that pass to find out what each covers and which mutants
//     it kills. It removes parts that are equal to another or show nothing new.
//  3. The remaining tests are run: they must cover and kill the same, or nothing is removed.
//  4. reduceBugs (bugs.go) keeps, of the parts that fail for one cause, the shortest.
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
	"time"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce/source"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Run removes redundant parts from test files that an earlier run wrote: tests and rows of tables that
// are equal to another once dead and pure statements are removed, or that cover nothing and kill no
// mutant that the others do not; and of tests that reproduce findings, those with the same cause. With
// dryRun it only reports what it would remove. It writes only if the remaining tests pass, cover the
// same and kill the same mutants.
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
			return session.Result{}, session.UsageError(f + ": not a test file (_test.go)")
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
	began, total := time.Now(), event.Summary{Verb: "reduce"}
	for _, dir := range dirs {
		c := cfg
		c.Events = func(e event.Event) {
			if s, ok := e.(event.Summary); ok && s.Package == "" {
				total.AddUp(s) // of this directory alone
				return
			}
			if cfg.Events != nil {
				cfg.Events(e)
			}
		}
		c.Dir, c.Patterns = dir, []string{"."}
		res, err := session.Each(ctx, c, session.Verb{Name: "reduce", Writes: !dryRun, Do: func(s *session.Session) error {
			return (&reducer{Session: s, dryRun: dryRun}).reduce(byDir[dir])
		}})
		result.Add(res)
		if err != nil {
			return result, err
		}
	}
	total.ElapsedS = event.Seconds(time.Since(began))
	if cfg.Events != nil {
		cfg.Events(total)
	}
	return result, nil
}

// reducer is the work on the files of one package.
type reducer struct {
	*session.Session
	dryRun  bool
	sources []*written
	beside  []gotest.File // the helpers that the sources share; they stay as they are
	dead    int           // how many statements are removed
}

// written is an earlier file, with the content that is to stay.
type written struct {
	name   string
	bug    bool
	before []byte // the whole content
	src    *source.File
	parts  []source.Part
	after  []byte
	gone   bool // no part stays
}

// fates maps the parts of a file to their fates.
type fates map[string]source.Fate

func fateKey(test string, row int) string { return fmt.Sprint(test, row) }

func (f fates) of(test string, row int) source.Fate { return f[fateKey(test, row)] }

// dead returns how many dead statements go from the parts of a file that stay. The rows of a table, which follow each other,
// have the dead statements of their test in common.
func (f fates) dead(parts []source.Part) int {
	n, union := 0, source.Gone
	for i, p := range parts {
		union |= f.of(p.Test, p.Row)
		if i+1 < len(parts) && parts[i+1].Test == p.Test {
			continue
		}
		if union != source.Gone {
			n += p.Dead(union)
		}
		union = source.Gone
	}
	return n
}

// reduce reduces the files of one package.
func (r *reducer) reduce(names []string) error {
	said := source.Names{Call: r.callEffects(), Global: func(name string) bool {
		_, ok := r.Pkg.Types.Scope().Lookup(name).(*types.Var)
		return ok
	}}
	earlier, err := files.Earlier(r.Pkg.Dir)
	if err != nil {
		return err
	}
	for _, own := range earlier {
		if _, ok := testfile.OnlyHelpers(own.Content); ok {
			r.beside = append(r.beside, gotest.File{Path: own.Name, Content: own.Content})
		}
	}
	for _, name := range names {
		if slices.ContainsFunc(r.beside, func(f gotest.File) bool { return f.Path == name }) {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		generated, edited := testfile.Verify(content)
		if !generated || edited {
			return fmt.Errorf("%s: not written by assay, or edited since", filepath.Base(name))
		}
		w := &written{name: name, bug: strings.HasSuffix(name, files.BugSuffix), before: content}
		said.Findings = w.bug
		if w.src, err = source.Parse(name, text(content), said); err != nil {
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
	if r.dead > 0 {
		r.Events.Send(event.Reduced{Package: r.Pkg.Path, Reason: fmt.Sprintf("%d statements are dead: nothing that is tested depends on them", r.dead)})
	}
	if r.dryRun {
		return nil
	}
	for _, w := range r.sources {
		if w.gone {
			if err := os.Remove(w.name); err != nil {
				return err
			}
		}
		if w.after == nil || bytes.Equal(w.after, w.before) {
			continue
		}
		if _, _, err := files.Replace(r.Pkg.Dir, nil, []files.New{{Name: w.name, Content: w.after}}, nil); err != nil {
			return err
		}
	}
	return nil
}

// text returns a file without its header.
func text(content []byte) []byte {
	for range 2 {
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	return bytes.TrimLeft(content, "\n")
}

// callEffects returns a function that says what calls of functions and methods do, as far as their
// names tell.
func (r *reducer) callEffects() func(name string, method bool) source.Effects {
	analysis := purity.New(r.Prog)
	known := make(map[string]source.Effects)
	return func(name string, method bool) source.Effects {
		key := fmt.Sprint(name, method)
		if e, ok := known[key]; ok {
			return e
		}
		some, all := false, source.Effects{Plain: true}
		for _, t := range r.Pkg.Targets {
			_, m, isMethod := strings.Cut(t.Name, ".")
			if !isMethod {
				m = t.Name
			}
			if m != name || isMethod && !method {
				continue
			}
			some = true
			e := analysis.EffectsOf(t.Func)
			all.Beyond = all.Beyond || e.Beyond
			all.Arguments = all.Arguments || e.Arguments
			all.Shares = all.Shares || e.Results
			all.Plain = all.Plain && withoutObjects(t.Func.Signature.Results())
		}
		if obj := r.Pkg.Types.Scope().Lookup(name); obj != nil {
			if _, isType := obj.(*types.TypeName); isType {
				some, all.Shares, all.Plain = true, true, all.Plain && withoutObjects(types.NewTuple(types.NewVar(0, nil, "", obj.Type())))
			}
		} else if obj := types.Universe.Lookup(name); obj != nil && !method {
			if _, isType := obj.(*types.TypeName); isType {
				some = true
			}
			switch name {
			case "len", "cap", "min", "max":
				some = true
			case "make", "new", "append":
				// The slice that append extends belongs to the test.
				some, all.Shares, all.Plain = true, name == "append", false
			}
		}
		if !some {
			all = source.Effects{Beyond: true}
		}
		known[key] = all
		return all
	}
}

// withoutObjects reports whether values of these types lead to no object.
func withoutObjects(list *types.Tuple) bool {
	for v := range list.Variables() {
		if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Kind() == types.UnsafePointer {
			return false
		}
	}
	return list.Len() > 0
}

// reduceTests reduces the files whose tests pass. It keeps the smallest parts that together show what
// all parts show, without their dead statements if nothing is lost with them.
func (r *reducer) reduceTests() error {
	var files []*written
	var suite []gotest.File
	var versions []partVersion
	for _, w := range r.sources {
		if w.bug {
			continue
		}
		content, names := w.src.Split(len(versions))
		files = append(files, w)
		suite = append(suite, gotest.File{Path: w.name, Content: content, Tests: names})
		versions = append(versions, w.versions()...)
	}
	if len(versions) == 0 {
		return nil
	}
	shown, err := r.show(suite, r.Config.Tags)
	if err != nil {
		return err
	}
	for i := range versions {
		versions[i].shows = shown.elements[i]
	}
	whole := wholeShown(versions)
	for range maxRestored {
		choose(versions)
		after, err := r.runRemaining(files, versions)
		if err != nil {
			return err
		}
		lost := slices.DeleteFunc(slices.Clone(whole), func(e int) bool { return after.has[e] })
		if len(lost) == 0 {
			r.say(files, versions)
			r.shows(after)
			return nil
		}
		// A test may change the state from which later tests start, so parts are restored if something is
		// lost without them.
		restore(versions, lost)
	}
	for _, w := range files {
		w.after, w.gone = nil, false
	}
	r.Events.Send(event.Diagnostic{Message: r.Pkg.Path + ": what a test covers depends on which other tests run, so the tests are left as they are", Warning: true})
	return nil
}

// shown has what the parts of a suite show. An entry is nil for a part that does not pass.
type shown struct {
	elements [][]int      // blocks, followed by mutants
	has      map[int]bool // all elements
	cover    testcase.Cover
	score    mutate.Score
	covered  [2]int // statements: covered, and all
}

// show runs a suite to find out what its tests cover and kill.
func (r *reducer) show(suite []gotest.File, tags string) (*shown, error) {
	suite = slices.Concat(suite, r.beside)
	outs, blocks, err := r.RunSuite(r.Ctx, session.SuiteConfig{Files: suite, Tags: tags})
	if err != nil {
		return nil, err
	}
	s := &shown{has: make(map[int]bool), elements: make([][]int, len(outs))}
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
	a, err := mutate.Build(r.Ctx, r.Prog, r.Pkg, mutate.Config{Suite: suite, Tags: tags, Confine: r.Config.Confine})
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
	}
	for _, list := range s.elements {
		for _, e := range list {
			s.has[e] = true
		}
	}
	s.score = mutate.Sum(verdicts)
	return s, nil
}
