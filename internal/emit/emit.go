package emit

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/emit/statement"
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
	// Ways says which outcomes of a condition were seen when a case ran. It may be nil.
	Ways words.Ways
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
	// Named reports whether the row of a case has to be a subtest, because its table failed as a plain loop and go test names
	// nothing smaller than a subtest. Nil means that none has.
	Named func(*testcase.Case) bool
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
	Rows  []string          // for each case the name of its row or subtest, or "" if the test has this case only or is a loop without subtests
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
	callable  statement.Callable
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
