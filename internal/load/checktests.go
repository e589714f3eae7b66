package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strings"
)

// TestSource is a test file that is not on the disk yet.
type TestSource struct {
	Name    string // the absolute name; its build constraint holds
	Content []byte
}

// CheckTests type-checks test files as if they lay in the package's directory, with the language version of
// its module and of their own build constraints. It returns the errors that the compiler would report in
// them, in the order of the files. If an import cannot be found, this may not be the test's fault. The file
// then counts as right, and the compiler decides later.
//
// The package itself and its other test files are not checked again. Names that these files and the new ones
// share are not noticed.
func (p *Program) CheckTests(pkg *Package, files []TestSource) []Diagnostic {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	var inside, outside []*ast.File
	var out []Diagnostic
	for _, t := range files {
		f, err := parser.ParseFile(p.Fset, t.Name, t.Content, parser.ParseComments|parser.SkipObjectResolution)
		switch {
		case err != nil:
			out = append(out, Diagnostic{Pos: p.Fset.Position(f.Package), Message: err.Error()})
		case f.Name.Name == pkg.Name:
			inside = append(inside, f)
		default:
			outside = append(outside, f)
		}
	}
	for _, c := range []*testsCheck{
		{into: types.NewPackage(pkg.Path, pkg.Name), tests: inside, beside: declarations(pkg.Syntax)},
		{into: types.NewPackage(pkg.Path+"_test", pkg.Name+"_test"), tests: outside},
	} {
		p.checkTestFiles(pkg, c)
		if !c.missing {
			out = append(out, c.errors...)
		}
	}
	return out
}

// TypedTest is a test file that is not on the disk, with the types of its expressions.
type TypedTest struct {
	Fset *token.FileSet
	File *ast.File
	Info *types.Info
}

// TypeTest type-checks one test file as CheckTests does. It returns nil if the file has errors or an import cannot be
// found.
func (p *Program) TypeTest(pkg *Package, t TestSource) *TypedTest {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	f, err := parser.ParseFile(p.Fset, t.Name, t.Content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	out := &TypedTest{p.Fset, f, &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
	}}
	c := &testsCheck{into: types.NewPackage(pkg.Path, pkg.Name), tests: []*ast.File{f}, beside: declarations(pkg.Syntax), info: *out.Info}
	if f.Name.Name != pkg.Name {
		c.into, c.beside = types.NewPackage(pkg.Path+"_test", f.Name.Name), nil
	}
	if p.checkTestFiles(pkg, c); len(c.errors) > 0 || c.missing {
		return nil
	}
	return out
}

// declarations returns files without the bodies of their functions. This is the part that other files of the
// package see.
func declarations(files []*ast.File) []*ast.File {
	out := make([]*ast.File, len(files))
	for i, f := range files {
		c := *f
		c.Decls = make([]ast.Decl, len(f.Decls))
		for k, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				short := *fd
				short.Body = nil
				d = &short
			}
			c.Decls[k] = d
		}
		out[i] = &c
	}
	return out
}

// A testsCheck is a type check of tests together with other files of their package.
type testsCheck struct {
	into          *types.Package
	tests, beside []*ast.File
	info          types.Info   // the facts about the files that the check records; the zero value records nothing
	errors        []Diagnostic // in the tests
	missing       bool         // an import cannot be found
}

// checkTestFiles does a check. Lock held.
func (p *Program) checkTestFiles(pkg *Package, c *testsCheck) {
	if len(c.tests) == 0 {
		return
	}
	imports := &testImporter{importer: importer{p, p.deps.listed[pkg.Path]}, missing: make(map[string]bool)}
	conf := types.Config{
		Importer:  imports,
		Sizes:     p.Sizes,
		GoVersion: pkg.language(),
		Error: func(err error) {
			var te types.Error
			if !errors.As(err, &te) {
				panic(fmt.Sprintf("bug: load: the type checker says %v", err))
			}
			in := func(f *ast.File) bool { return f.FileStart <= te.Pos && te.Pos < f.FileEnd }
			// A line that begins with a tab continues the previous error.
			if slices.ContainsFunc(c.tests, in) && !strings.HasPrefix(te.Msg, "\t") {
				c.errors = append(c.errors, Diagnostic{Pos: p.Fset.Position(te.Pos), Message: te.Msg})
			}
		},
	}
	c.info.FileVersions = make(map[*ast.File]string)
	// The errors were noted by conf.Error.
	_ = types.NewChecker(&conf, p.Fset, c.into, &c.info).Files(slices.Concat(c.beside, c.tests))
	c.missing = len(imports.missing) > 0
}

// testImporter notes imports that cannot be found.
type testImporter struct {
	importer
	missing map[string]bool
}

func (i *testImporter) Import(path string) (*types.Package, error) {
	pkg, err := i.importer.Import(path)
	if err != nil {
		i.missing[path] = true
	}
	return pkg, err
}

// language returns the version of Go that the package is written in, like "go1.21"; or "" for the latest
// version.
func (pkg *Package) language() string {
	if pkg.GoVersion == "" {
		return ""
	}
	return "go" + pkg.GoVersion
}

// FileLanguage returns the version of Go, like "go1.21", for a test file of the given file, which has the
// same build constraint; "" means the latest. It is the module's version, or the one that the file's constraint asks for if
// that is newer. What the compiler itself says of the file can be newer still, because it takes each constraint below go1.21
// for go1.21; a test does not rely on that.
func (pkg *Package) FileLanguage(f *ast.File) string {
	module := pkg.language()
	if pkg.Info == nil || f == nil || module == "" {
		return module
	}
	asks := module
	if version.Compare(f.GoVersion, asks) > 0 {
		asks = f.GoVersion
	}
	if has := pkg.Info.FileVersions[f]; has != "" && version.Compare(has, asks) < 0 {
		return has
	}
	return asks
}
