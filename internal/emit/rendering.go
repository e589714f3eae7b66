package emit

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/types"
	"go/version"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/fold"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

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
	parts := g.parts(f)
	renderings := make([]rendering, len(parts))
	for i, part := range parts {
		renderings[i] = g.best(part, false)
		if len(part.targets) > 0 {
			renderings[i] = g.shorten(part, renderings[i], g.cfg.MaxLines)
		}
	}
	if whole, fits := g.whole(f, parts); fits {
		renderings = []rendering{whole}
	}
	for i, r := range renderings {
		g.put(g.partPath(f.path, i), r)
	}
	g.put(testfile.TestPath(f.path, true), g.best(f, true))
}

// whole returns the tests of several parts as one file, and false if that is too long or if there is one part: a few long tests make several
// parts, and are then left out of them.
func (g *generator) whole(f *sourceFile, parts []*sourceFile) (rendering, bool) {
	if len(parts) < 2 {
		return rendering{}, false
	}
	one := &sourceFile{path: f.path, syntax: f.syntax}
	for _, part := range parts {
		one.targets = append(one.targets, part.targets...)
	}
	r := g.best(one, false)
	return r, r.over(g.cfg.MaxLines) <= 1
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
			File: &statement.File{Writer: gofile.NewWriter(g.pkg, external, lang, g.shared, imports), ReadsOnly: g.cfg.ReadsOnly, Callable: &g.callable, Bubbles: g.bubbles},
			fset: g.fset, floats: g.floats, inputs: g.inputs, leaves: g.cfg.Leaves, lacks: g.cfg.Lacks, rests: g.cfg.Rests, named: g.cfg.Named,
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
	n := words.New(g.pkg, fn, deciding, g.cfg.Ways, calls)
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
		if vs := c.Observed.Results[i]; len(vs) > 0 && c.Seq.At(i).Op.Via == nil && c.Seq.At(i).Op.Func != nil && namesOnlyOwn(c, i) {
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
	names, texts := w.Declarations()
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

// fold writes subtests that are alike as tables, if the file is still right with them.
func (r *rendering) fold(check func(string, []byte) *load.TypedTest, f *sourceFile) {
	path := testfile.TestPath(f.path, false)
	if !slices.ContainsFunc(r.functions, func(fn function) bool { return fn.steps > 1 }) {
		return
	}
	typed := check(path, r.text)
	if typed == nil {
		return
	}
	src := &fold.Source{Fset: typed.Fset, File: typed.File, Text: r.text, Info: typed.Info}
	folded := make(map[int]fold.Folded) // the bodies of functions that have become shorter
	for _, d := range typed.File.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil {
			continue
		}
		i := slices.IndexFunc(r.functions, func(fn function) bool { return fn.name == fd.Name.Name })
		if i < 0 || r.functions[i].steps < 2 {
			continue
		}
		if body, ok := fold.Tables(r.w.Writer, src, fd, r.functions[i].rows); ok {
			folded[i] = body
		}
	}
	if len(folded) == 0 || r.replace(folded, check, f) {
		return
	}
	// Some function is not right, and the others may be.
	for i := range r.functions {
		if body, ok := folded[i]; ok {
			r.replace(map[int]fold.Folded{i: body}, check, f)
		}
	}
}

// replace gives functions other bodies, and reports whether the file is right with these. If the file is not, it stays
// as it was.
func (r *rendering) replace(bodies map[int]fold.Folded, check func(string, []byte) *load.TypedTest, f *sourceFile) bool {
	before := *r
	r.functions = slices.Clone(r.functions)
	for i := range r.functions {
		if folded, ok := bodies[i]; ok {
			r.functions[i].body, r.functions[i].wide = folded.Body, false // the body begins with the skip
			r.functions[i].rows = renamed(r.functions[i].rows, folded.Renamed)
		}
	}
	r.assemble(f, false)
	if check(testfile.TestPath(f.path, false), r.text) == nil {
		*r = before
		return false
	}
	return true
}

// renamed returns the names of rows with those of some replaced.
func renamed(rows []string, with map[string]string) []string {
	out := slices.Clone(rows)
	for i, name := range rows {
		out[i] = cmp.Or(with[name], name)
	}
	return out
}
