package emit

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// Config says how to write. The zero value works for packages with SSA.
type Config struct {
	// MaxTests is the largest number of cases to write for one function, those that Rank puts first; 0
	// means 20.
	MaxTests int
	// MaxLines bounds each file of tests, except bug tests: to so many lines, and to 41 bytes for each
	// of them; 0 means no bound. If a file would be longer, the cases that Rank puts last are left out.
	MaxLines int
	// Rank is a case's place among all cases; a smaller rank is better. Nil stands for the order of the
	// cases.
	Rank func(*testcase.Case) int
	// Adds reports whether a case covers something that no case of a better rank covers. Cases that add
	// nothing are written only if they fit into a first file; further files are begun only for cases that add
	// something. Nil means that every case adds something.
	Adds func(*testcase.Case) bool
	// Calls returns all executed calls of a function, by the name of the target. The names of the
	// written cases tell them apart from all these calls. Nil means that only the written cases are
	// known.
	Calls func(target string) []words.Call
	// ReadsOnly reports whether a call changes nothing that outlives it. Changes in the arguments of such a
	// call are due to earlier calls, and are not asserted. Nil means that no call does.
	ReadsOnly func(*testcase.Operation) bool
	// Leaves reports whether a call cannot change a field. What differs in such a field was set up, and is no effect of the
	// call. It may be nil.
	Leaves func(*testcase.Operation, *types.Var) bool
	// Lacks reports whether a package that the package's own tests import has no function of that name, in
	// the version that is used. Nil means that every package has all functions of its newest version.
	Lacks func(path, name string) bool
	// Types type-checks the text of a test file as if it lay in the package's directory, and returns nil if there
	// are errors. Subtests that are alike become tables with it. Nil means that they do not.
	Types func(path string, text []byte) *load.TypedTest
	// Rests reports whether a case needs no bubble of testing/synctest although its calls may need one. Nil means that none does.
	Rests func(*testcase.Case) bool
	// Fset is the file set of the package; nil means that of its SSA program.
	Fset *token.FileSet
}

// File is a test file to be written.
type File struct {
	Path    string // absolute: <file>_assay_test.go or <file>_assay_bug_test.go beside the source
	Content []byte
	Tests   []Test
}

// Test is a test function in a file.
type Test struct {
	Name  string
	Func  string            // the name of the function under test, as in Case.Target
	Cases []*testcase.Case  // the test's cases; nil for findings
	Rows  []string          // for each case the name of its row or subtest, or "" if the test has this case only
	Bug   *testcase.Finding // the finding that it reproduces, or nil
}

// Unwritten is a case or finding that was not written.
type Unwritten struct {
	Case   *testcase.Case
	Reason string
}

// Files returns the test files for the cases, which were reduced and have Observed outcomes, and for
// the findings of severity error and warning, sorted by path. It reads nothing but the package's
// earlier generated files, whose names may be used again, and writes nothing. An error means that a
// case's function is not in the package's source.
func Files(pkg *load.Package, cases []*testcase.Case, findings []*testcase.Finding, cfg Config) ([]File, []Unwritten, error) {
	g := &generator{pkg: pkg, cfg: cfg, fset: cfg.Fset, floats: gofile.NewFloatFacts(pkg), inputs: make(phrase.InputsTable), bubbles: purity.NewBubbles(pkg), namers: make(map[string]*words.Namer)}
	if g.fset == nil {
		if pkg.SSA == nil {
			return nil, nil, fmt.Errorf("emit: package %s has neither SSA nor a file set", pkg.Path)
		}
		g.fset = pkg.SSA.Prog.Fset
	}
	g.shared = gofile.NewNames(nil)
	for _, n := range pkg.Types.Scope().Names() {
		g.shared.Add(n)
	}
	earlier := earlierNames(pkg)
	for n := range pkg.TestNames {
		if !earlier[n] {
			g.shared.Add(n)
		}
	}
	g.shared.Add("init")
	groups, err := g.group(cases, findings)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range groups {
		g.file(f)
	}
	return g.files, g.unwritten, nil
}

// latest is the language version of packages that belong to no module: those of the standard library.
const latest = "go1.26"

// generator writes the files of one package.
type generator struct {
	pkg       *load.Package
	cfg       Config
	fset      *token.FileSet
	floats    *gofile.FloatFacts
	inputs    phrase.InputsTable
	callable  callable
	bubbles   *purity.Bubbles
	namers    map[string]*words.Namer // by target
	shared    *gofile.Names           // package-level names, those of files written so far included
	files     []File
	unwritten []Unwritten
}

// sourceFile holds the tests to write for one source file.
type sourceFile struct {
	path     string
	syntax   *ast.File
	targets  []*targetCases // in the order of the source
	findings []*testcase.Finding
}

// targetCases are the cases of one function.
type targetCases struct {
	name  string
	pos   token.Pos
	cases []*testcase.Case
}

// group sorts cases and findings by the source file of the function under test.
func (g *generator) group(cases []*testcase.Case, findings []*testcase.Finding) ([]*sourceFile, error) {
	byPath := map[string]*sourceFile{}
	at := func(target string) (*sourceFile, token.Pos, error) {
		obj := lookup(g.pkg.Types, target)
		if obj == nil {
			return nil, 0, fmt.Errorf("emit: package %s has no function %s", g.pkg.Path, target)
		}
		path := g.fset.PositionFor(obj.Pos(), false).Filename
		f := byPath[path]
		if f == nil {
			f = &sourceFile{path: path}
			for _, s := range g.pkg.Syntax {
				if s.FileStart <= obj.Pos() && obj.Pos() < s.FileEnd {
					f.syntax = s
				}
			}
			byPath[path] = f
		}
		return f, obj.Pos(), nil
	}
	for _, c := range cases {
		f, pos, err := at(c.Target)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(f.targets, func(t *targetCases) bool { return t.name == c.Target })
		if i < 0 {
			i = len(f.targets)
			f.targets = append(f.targets, &targetCases{name: c.Target, pos: pos})
		}
		f.targets[i].cases = append(f.targets[i].cases, c)
	}
	for _, fd := range findings {
		if fd.Severity == testcase.Note {
			continue
		}
		f, _, err := at(fd.Func)
		if err != nil {
			return nil, err
		}
		f.findings = append(f.findings, fd)
	}
	var out []*sourceFile
	for _, f := range byPath {
		slices.SortStableFunc(f.targets, func(a, b *targetCases) int { return cmp.Compare(a.pos, b.pos) })
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *sourceFile) int { return cmp.Compare(a.path, b.path) })
	return out, nil
}

// lookup returns the function "Func" or the method "Type.Method" of a package, or nil if the package has
// none.
func lookup(pkg *types.Package, target string) types.Object {
	typ, method, ok := strings.Cut(target, ".")
	obj := pkg.Scope().Lookup(typ)
	if obj == nil || !ok {
		return obj
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, pkg, method)
	if f, isFunc := m.(*types.Func); isFunc {
		return f
	}
	return nil
}

// earlierNames returns the names that are declared in files which earlier runs of assay wrote.
func earlierNames(pkg *load.Package) map[string]bool {
	out := map[string]bool{}
	for _, path := range pkg.TestFiles {
		if !strings.HasSuffix(path, "_assay_test.go") && !strings.HasSuffix(path, "_assay_bug_test.go") {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			continue // the file is gone, and so are its names
		}
		if generated, _ := testfile.Verify(content); !generated {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					out[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok {
						out[ts.Name.Name] = true
					}
				}
			}
		}
	}
	return out
}

// rendering is a file as it came out of one way of writing it.
type rendering struct {
	w         *writer
	functions []function
	tests     []Test
	unwritten []Unwritten
	text      []byte
	imports   *gofile.Imports // the imports that the text uses
}

// file writes the test files of a source file.
func (g *generator) file(f *sourceFile) {
	for i, part := range g.parts(f) {
		r := g.best(part, false)
		if len(part.targets) > 0 {
			r = g.shorten(part, r, g.cfg.MaxLines)
		}
		g.put(g.partPath(f.path, i), r)
	}
	g.put(testfile.TestPath(f.path, true), g.best(f, true))
}

// put adds a file that has tests in it.
func (g *generator) put(path string, r rendering) {
	g.unwritten = append(g.unwritten, r.unwritten...)
	if len(r.functions) == 0 {
		return
	}
	for n := range r.w.Names.Taken {
		g.shared.Add(n)
	}
	g.files = append(g.files, File{Path: path, Content: testfile.Seal(r.text), Tests: r.tests})
}

// best writes one file. The file belongs to the external test package if the package's own tests do, and if
// no case is lost by that.
func (g *generator) best(f *sourceFile, bugs bool) rendering {
	r := g.render(f, bugs, false)
	if g.pkg.ExternalTests && g.pkg.Name != "main" {
		if x := g.render(f, bugs, true); len(x.unwritten) <= len(r.unwritten) {
			r = x
		}
	}
	if !bugs && g.cfg.Types != nil {
		r.fold(g.cfg.Types, f)
	}
	return r
}

// lineBytes is the largest average length of lines in a file whose number of lines is bounded: 500
// lines have at most 20 KB.
const lineBytes = 41

// over says how many times too long a file is: 1 is the bound.
func (r *rendering) over(most int) float64 {
	lines := bytes.Count(r.text, []byte("\n")) + testfile.HeaderLines
	return max(float64(lines)/float64(most), float64(len(r.text))/float64(most*lineBytes))
}

// shorten takes cases out of a file until it is no longer than it may be.
func (g *generator) shorten(f *sourceFile, r rendering, most int) rendering {
	for most > 0 && r.over(most) > 1 {
		var all []*testcase.Case
		for _, t := range f.targets {
			all = append(all, t.cases...)
		}
		if len(all) <= 1 {
			break // a single test is written even if it is too long
		}
		if g.cfg.Rank != nil {
			slices.SortStableFunc(all, func(a, b *testcase.Case) int { return cmp.Compare(g.cfg.Rank(a), g.cfg.Rank(b)) })
		}
		// Cases differ in length, so the number of cases is reduced in steps.
		keep := min(len(all)-1, max(1, int(float64(len(all))*(1+1/r.over(most))/2)))
		for _, c := range all[keep:] {
			g.unwritten = append(g.unwritten, Unwritten{c, fmt.Sprintf("the file would have more than %d lines", most)})
			for _, t := range f.targets {
				t.cases = slices.DeleteFunc(t.cases, func(d *testcase.Case) bool { return c == d })
			}
		}
		f.targets = slices.DeleteFunc(f.targets, func(t *targetCases) bool { return len(t.cases) == 0 })
		r = g.best(f, false)
	}
	return r
}

// render writes one file twice: the first time finds out which imports there are,
// so that the second avoids their names, and only theirs, for variables.
func (g *generator) render(f *sourceFile, bugs, external bool) rendering {
	imports := gofile.NewImports()
	var r rendering
	for range 2 {
		lang := cmp.Or(g.pkg.FileLanguage(f.syntax), latest)
		w := &writer{
			Writer: gofile.NewWriter(g.pkg, external, lang, g.shared, imports),
			fset:   g.fset, floats: g.floats, inputs: g.inputs, readsOnly: g.cfg.ReadsOnly, leaves: g.cfg.Leaves, lacks: g.cfg.Lacks, callable: &g.callable, bubbles: g.bubbles, rests: g.cfg.Rests,
		}
		r = rendering{w: w}
		if bugs {
			g.bugTests(&r, f)
		} else {
			g.tests(&r, f)
		}
		if len(r.functions) == 0 {
			return r
		}
		r.assemble(f, bugs)
		imports = r.imports
	}
	return r
}

// tests writes the tests of the functions of a file.
func (g *generator) tests(r *rendering, f *sourceFile) {
	for _, t := range f.targets {
		cases, properties := withoutProperties(t.cases) // a property is one test, however many instances it has
		most := cmp.Or(g.cfg.MaxTests, 20)
		if len(cases) > most {
			keep := g.worthMost(cases, most)
			for _, c := range cases {
				if !keep[c] {
					r.unwritten = append(r.unwritten, Unwritten{c, fmt.Sprintf("%s already has %d cases", t.name, most)})
				}
			}
			cases = slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return !keep[c] })
		}
		functions, unwritten := r.w.target(t.name, slices.Concat(cases, properties), g.namer(t.name, cases))
		r.unwritten = append(r.unwritten, unwritten...)
		for _, fn := range functions {
			r.functions = append(r.functions, fn)
			r.tests = append(r.tests, Test{Name: fn.name, Func: t.name, Cases: fn.cases, Rows: fn.rows})
		}
	}
}

// worthMost returns the given number of cases: those with the best rank, or the first ones if there is no
// rank.
func (g *generator) worthMost(cases []*testcase.Case, most int) map[*testcase.Case]bool {
	order := slices.Clone(cases)
	if g.cfg.Rank != nil {
		slices.SortStableFunc(order, func(a, b *testcase.Case) int { return cmp.Compare(g.cfg.Rank(a), g.cfg.Rank(b)) })
	}
	keep := make(map[*testcase.Case]bool)
	for _, c := range order[:most] {
		keep[c] = true
	}
	return keep
}

// namer returns the Namer for the cases of a target, or nil if the cases do not call it.
func (g *generator) namer(target string, cases []*testcase.Case) *words.Namer {
	if n, ok := g.namers[target]; ok {
		return n
	}
	fn, ok := lookup(g.pkg.Types, target).(*types.Func)
	if !ok {
		return nil
	}
	var calls []words.Call
	if g.cfg.Calls != nil {
		calls = g.cfg.Calls(target)
	}
	calls = slices.Clone(calls)
	for _, c := range cases {
		i := slices.IndexFunc(calls, func(k words.Call) bool { return k.Case.Seq == c.Seq })
		if i < 0 {
			i = len(calls)
			calls = append(calls, words.Call{After: after(c)})
		}
		calls[i].Case = c
	}
	var deciding []bool
	if t := g.pkg.FirstTargetOf(fn); t != nil && t.Func != nil {
		deciding = purity.Deciding(t.Func)
	}
	n := words.New(g.pkg, fn, deciding, calls)
	g.namers[target] = n
	return n
}

// after returns the results of the observers that follow the call of a case.
func after(c *testcase.Case) []words.Observation {
	if _, shown := c.Shown(); !shown || c.Observed == nil {
		return nil
	}
	var out []words.Observation
	for i := c.TargetStmt() + 1; i < c.Seq.Len() && i < len(c.Observed.Results); i++ {
		if vs := c.Observed.Results[i]; len(vs) > 0 && c.Seq.At(i).Op.Via == nil && namesOnlyOwn(c, i) {
			out = append(out, words.Observation{Method: c.Seq.At(i).Op.Func, Value: vs[0]})
		}
	}
	return out
}

// namesOnlyOwn reports whether a call behind a case's own takes nothing but arguments of that call.
func namesOnlyOwn(c *testcase.Case, i int) bool {
	own := c.Seq.At(c.TargetStmt()).Args
	return !slices.ContainsFunc(c.Seq.At(i).Args[1:], func(a testcase.Ref) bool { return !slices.Contains(own, a) })
}

// libraryFor returns the version of Go that has the methods of tests which a file calls, if the module says that it builds
// with an older one, too: there the file is left out. It returns "" for all other files.
func (w *writer) libraryFor(text []byte) string {
	for _, m := range []struct{ call, since string }{{"t.Setenv(", "go1.17"}, {"t.TempDir(", "go1.16"}} {
		if bytes.Contains(text, []byte(m.call)) && w.Pkg.GoVersion != "" && version.Compare("go"+w.Pkg.GoVersion, m.since) < 0 {
			return m.since
		}
	}
	return ""
}

// assemble puts the file together: constraint, package, imports, tests, helpers.
func (r *rendering) assemble(f *sourceFile, bugs bool) {
	w := r.w
	testing := w.Std("testing")
	var body bytes.Buffer
	for _, fn := range r.functions {
		body.WriteString("\n")
		if fn.doc != "" {
			body.WriteString(gofile.Comment(fn.doc))
		}
		fmt.Fprintf(&body, "func %s(t *%s.T) {\n", fn.name, testing)
		if fn.wide {
			fmt.Fprintf(&body, "if %s.IntSize < 64 {\nt.Skip(\"needs an int of 64 bits\")\n}\n\n", w.Std("strconv"))
		}
		body.WriteString(strings.TrimRight(fn.body, "\n") + "\n}\n")
	}
	// Helpers that only a dropped piece asked for are left out. A helper may use another helper.
	names, texts := w.declarations()
	kept := body.Bytes()
	used := gofile.Identifiers(kept)
	for i := range names {
		if used[names[i]] {
			kept = append(append(kept, '\n'), texts[i]...)
		}
	}

	kept = gofile.NameStructs(kept, func() string { return w.Names.Pick("record") })

	var out bytes.Buffer
	c := testfile.SourceConstraint(f.syntax, f.path)
	if bugs {
		c = testfile.Both(c, bugConstraint())
	}
	if v := w.libraryFor(kept); v != "" {
		c = testfile.Both(c, &constraint.TagExpr{Tag: v})
	}
	if c != nil {
		out.WriteString("//go:build " + c.String() + "\n\n")
	}
	name := w.Pkg.Name
	if w.External {
		name += "_test"
	}
	out.WriteString("package " + name + "\n\n")
	r.imports = w.Imports.Only(gofile.Qualifiers(kept))
	out.WriteString(r.imports.Text(w.Pkg.Module))
	out.Write(kept)
	text, err := format.Source(out.Bytes())
	if err != nil {
		panic(fmt.Sprintf("bug: emit: wrote what is no Go: %v\n%s", err, out.Bytes()))
	}
	r.text = text
}
