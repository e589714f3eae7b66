package giver

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/written"
	"github.com/goassay/assay/internal/testcase"
)

// This file has values that other packages read from text: the tree of a language, a filter, a document. Nobody writes these node by node.

// Limits of what is read of other packages, and passed.
const (
	mostParsers     = 3   // types
	mostParsed      = 16  // texts of a type
	longestParsed   = 400 // bytes of a text
	mostParserFiles = 40  // test files of a package
)

// reading is a function of another package that reads values of a type from text.
type reading struct {
	of   *types.Func
	t    types.Type // to which the first result can be assigned
	text int        // the parameter that is the text
}

// parsedFamilies returns a family for each type of another package that functions of the package take and for which a function of
// another package reads values from text.
func parsedFamilies(prog *load.Program, pkg *load.Package) []*family {
	var out []*family
	seen := make(map[string]bool)
	known := make(map[*types.Package][]*types.Package) // what readers returns
	for _, t := range pkg.Targets {
		if t.Skip != "" {
			continue
		}
		for v := range t.Obj.Signature().Params().Variables() {
			k := key(v.Type())
			if seen[k] || len(out) == mostParsers {
				continue
			}
			seen[k] = true
			named := namedElsewhere(pkg, v.Type())
			if named == nil {
				continue
			}
			of := named.Obj().Pkg()
			if _, ok := known[of]; !ok {
				known[of] = readers(prog, pkg, of)
			}
			if r := readerOf(known[of], v.Type()); r != nil {
				if f := r.family(prog, pkg); f != nil {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// Limits of what the module writes out.
const (
	mostWrittenTypes = 4
	mostWritten      = 6 // values of a type
)

// writtenFamilies returns a family for each type of another package that functions of the package take, or lists of them, and of which the
// module's code and tests write values out. Types whose values are read from text are in known and left out.
func writtenFamilies(prog *load.Program, pkg *load.Package, known []*family) []*family {
	var out []*family
	seen := make(map[string]bool)
	for _, f := range known {
		for _, g := range f.givers {
			seen[g.typ] = true
		}
	}
	found := make(map[string][]written.Expression) // by the package of the type
	helpers := make(map[string]bool)               // packages of the module that help tests, and whether tests of this one may import them
	allowed := func(at string) bool {
		if !gosyntax.Importable(at, pkg.Path) || at == pkg.Path {
			return false
		}
		if prog.DependsOn(pkg, at) {
			return true
		}
		may, ok := helpers[at]
		if !ok {
			if isTestHelper(pkg, at) {
				_, err := prog.Import(at)
				may = err == nil && !slices.Contains(prog.Reached(at), pkg.Path)
			}
			helpers[at] = may
		}
		return may
	}
	for _, t := range pkg.Targets {
		if t.Skip != "" {
			continue
		}
		for v := range t.Obj.Signature().Params().Variables() {
			typ := elementOf(v.Type())
			named := namedElsewhere(pkg, typ)
			if named == nil || seen[key(typ)] || len(out) == mostWrittenTypes {
				continue
			}
			seen[key(typ)] = true
			of := named.Obj().Pkg()
			if _, ok := found[of.Path()]; !ok {
				found[of.Path()] = written.Of(prog.Importing(pkg, of.Path()), allowed)
			}
			f, texts := writtenFamily(prog, typ, of, found[of.Path()])
			if f == nil {
				continue
			}
			out = append(out, f)
			for _, text := range texts { // they have a meaning, so that nothing spells them in another way
				if pkg.Literals != nil && !slices.Contains(pkg.Literals.Strings, text) {
					pkg.Literals.Strings = append(pkg.Literals.Strings, text)
				}
			}
		}
	}
	return out
}

// elementOf returns the type of a list's elements, and other types as they are.
func elementOf(t types.Type) types.Type {
	if list, ok := t.Underlying().(*types.Slice); ok {
		return list.Elem()
	}
	return t
}

// isTestHelper reports whether a package of the module is there for tests, by its path.
func isTestHelper(pkg *load.Package, at string) bool {
	rest, ok := strings.CutPrefix(at, pkg.Module+"/")
	return ok && slices.ContainsFunc([]string{"test", "mock", "fake", "stub", "fixture"}, func(word string) bool { return strings.Contains(rest, word) })
}

// writtenFamily returns the family of those expressions that have a type, nil if there are none, and the texts in them.
func writtenFamily(prog *load.Program, t types.Type, of *types.Package, all []written.Expression) (*family, []string) {
	if len(all) == 0 {
		return nil, nil
	}
	as := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	f := &family{name: "values of " + as + " in the module", path: of.Path(), imports: []string{of.Path()}, written: true}
	for _, e := range all {
		for _, at := range e.Imports {
			if !slices.Contains(f.imports, at) {
				f.imports = append(f.imports, at)
			}
		}
		f.givers = append(f.givers, giver{typ: key(t), as: as, doc: "what the module writes out", code: e.Code, fixed: true})
	}
	s, err := typeCheck(f, nil, f.givers, func(at string) (*types.Package, error) { return prog.Import(at) })
	if err != nil {
		return nil, nil
	}
	var fit []giver
	var texts []string
	for i, g := range f.givers {
		seq, err := s.sequence(i, true)
		if err != nil || seq == nil || len(fit) == mostWritten {
			continue
		}
		if k := seq.Last().Op.Kind; k != testcase.OpLiteral && k != testcase.OpConvert { // engines find texts for types of text by themselves
			fit = append(fit, g)
			for _, st := range seq.AppendTo(nil) {
				if st.Op.Kind == testcase.OpLiteral && st.Op.Lit.Kind == testcase.LitString && len(st.Op.Lit.Str) > 1 {
					texts = append(texts, st.Op.Lit.Str)
				}
			}
		}
	}
	if f.givers = fit; len(fit) == 0 {
		return nil, nil
	}
	return f, texts
}

// namedElsewhere returns the named type of another package that is not the standard library's, that a type is or points to, nil if it is
// none, or one whose values anybody writes.
func namedElsewhere(pkg *load.Package, t types.Type) *types.Named {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg() == pkg.Types || gosyntax.IsStandard(named.Obj().Pkg().Path(), pkg.Module) || named.TypeParams().Len() > 0 {
		return nil
	}
	switch u := named.Underlying().(type) {
	case *types.Basic:
		return nil
	case *types.Interface:
		if u.NumMethods() == 0 {
			return nil // everything has the type
		}
	}
	return named
}

// readerOf returns the function of these packages that reads values of a type from text, nil if there is none. Of several it is the one
// called Parse, else one whose name begins so, and of these the one with the fewest parameters.
func readerOf(in []*types.Package, t types.Type) *reading {
	var found []*reading
	for _, p := range in {
		for _, name := range p.Scope().Names() {
			fn, ok := p.Scope().Lookup(name).(*types.Func)
			if !ok || !fn.Exported() || !slices.ContainsFunc([]string{"Parse", "MustParse", "Read", "Decode", "Load", "New"}, func(verb string) bool { return strings.HasPrefix(name, verb) }) {
				continue
			}
			if r := readingOf(fn, t); r != nil {
				found = append(found, r)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b *reading) int {
		rank := func(r *reading) int {
			switch name := r.of.Name(); {
			case name == "Parse":
				return 0
			case strings.HasPrefix(name, "Parse"):
				return 1
			}
			return 2
		}
		return cmp.Or(rank(a)-rank(b), a.of.Signature().Params().Len()-b.of.Signature().Params().Len(), strings.Compare(a.of.FullName(), b.of.FullName()))
	})
}

// readers returns the packages that may read values of a package's types: that package itself, those that the package under test imports,
// and those of readerPaths. Tests can import all of them.
func readers(prog *load.Program, pkg *load.Package, of *types.Package) []*types.Package {
	var out []*types.Package
	add := func(p *types.Package) {
		if !slices.Contains(out, p) && p.Name() != "main" && !gosyntax.IsStandard(p.Path(), pkg.Module) && gosyntax.Importable(p.Path(), pkg.Path) {
			out = append(out, p)
		}
	}
	add(of)
	for _, p := range pkg.Types.Imports() {
		add(p)
	}
	for _, at := range readerPaths(prog, pkg, of) {
		// A package that cannot be loaded reads nothing, and one that imports the package under test cannot be imported by its tests.
		if p, err := prog.Import(at); err == nil && !slices.Contains(prog.Reached(at), pkg.Path) {
			add(p)
		}
	}
	return out
}

// readerPaths returns the import paths of packages that may read values of a package's types though the package under test need not
// import them: those beside and below it that are called parsers, and those of its module and of the type's that its tests import. Other
// modules are not asked: what tests need of them may be much, and takes long to compile.
func readerPaths(prog *load.Program, pkg *load.Package, of *types.Package) []string {
	var paths []string
	for at := range pkg.TestImports {
		if strings.HasPrefix(at, pkg.Module+"/") || repository(at) == repository(of.Path()) {
			paths = append(paths, at)
		}
	}
	if dir := prog.DirOf(of.Path()); dir != "" {
		for _, parent := range []string{".", ".."} {
			dirs, err := filepath.Glob(filepath.Join(dir, parent, "*pars*"))
			for _, d := range dirs {
				if info, statErr := os.Stat(d); err == nil && statErr == nil && info.IsDir() {
					paths = append(paths, path.Join(of.Path(), parent, filepath.Base(d)))
				}
			}
		}
	}
	paths = slices.DeleteFunc(paths, func(at string) bool {
		return at == pkg.Path || gosyntax.IsStandard(at, pkg.Module) || !gosyntax.Importable(at, pkg.Path)
	})
	slices.Sort(paths)
	return slices.Compact(paths)
}

// ParserFiles returns the Go files of the package's module on which its suite may depend though the package does not import them: those
// of packages that may read or make values of the types that its functions take, and the tests of these types' packages.
func ParserFiles(prog *load.Program, pkg *load.Package) []string {
	root := strings.TrimSuffix(pkg.Dir, filepath.FromSlash(strings.TrimPrefix(pkg.Path, pkg.Module)))
	var out []string
	add := func(at, pattern string) {
		if at != pkg.Module && !strings.HasPrefix(at, pkg.Module+"/") {
			return // which version of another module it is says go.mod
		}
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(at, pkg.Module)), pattern))
		if err == nil { // else the directory's name is no pattern
			out = append(out, names...)
		}
	}
	seen := make(map[*types.Package]bool)
	for _, t := range pkg.Targets {
		for v := range t.Obj.Signature().Params().Variables() {
			named := namedElsewhere(pkg, elementOf(v.Type()))
			if named == nil || seen[named.Obj().Pkg()] {
				continue
			}
			of := named.Obj().Pkg()
			seen[of] = true
			add(of.Path(), "*_test.go")
			for _, at := range readerPaths(prog, pkg, of) {
				add(at, "*.go")
			}
			for _, at := range prog.ImportedWith(pkg, of.Path()) {
				if isTestHelper(pkg, at) {
					add(at, "*.go")
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(name string) bool { return strings.HasSuffix(name, "_assay_test.go") })
	slices.Sort(out)
	return slices.Compact(out)
}

// repository returns the first three elements of a path, which mostly are those of a module.
func repository(of string) string {
	parts := strings.SplitN(of, "/", 4)
	return strings.Join(parts[:min(len(parts), 3)], "/")
}

// readingOf returns how a function reads values of a type from its first parameter that is a text, nil if it does not. The others may be
// left at zero.
func readingOf(fn *types.Func, t types.Type) *reading {
	sig := fn.Signature()
	results, params := sig.Results(), sig.Params()
	if sig.TypeParams().Len() > 0 || results.Len() == 0 || results.Len() > 2 || !types.AssignableTo(results.At(0).Type(), t) || results.Len() == 2 && !gosyntax.IsError(results.At(1).Type()) {
		return nil
	}
	r := &reading{fn, t, -1}
	for i := range params.Len() {
		p := params.At(i)
		if sig.Variadic() && i == params.Len()-1 {
			continue
		}
		switch {
		case r.text < 0 && isTextParam(p):
			r.text = i
		case types.IsInterface(p.Type()) && p.Type().Underlying().(*types.Interface).NumMethods() > 0:
			return nil // it may be asked for something
		}
	}
	// What New makes of a text is mostly called by it, and a name is nothing to read.
	if r.text < 0 || strings.HasPrefix(fn.Name(), "New") && !isSource(params.At(r.text).Name()) {
		return nil
	}
	return r
}

// isTextParam reports whether a parameter takes a text to be read: as a text, as bytes, by a reader, or as anything if it is called so.
func isTextParam(p *types.Var) bool {
	switch {
	case slices.Contains([]string{"path", "file", "filename", "fname", "name", "url", "uri", "dir", "root"}, strings.ToLower(p.Name())):
		return false // it says where the text is
	case types.TypeString(p.Type(), nil) == "io.Reader":
		return true
	case gosyntax.IsAny(p.Type()):
		return isSource(p.Name())
	}
	b, ok := p.Type().Underlying().(*types.Basic)
	s, isList := p.Type().Underlying().(*types.Slice)
	return ok && b.Info()&types.IsString != 0 || isList && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// isSource reports whether a name is that of a text to be read.
func isSource(name string) bool {
	return slices.Contains([]string{"src", "source", "text", "data", "input", "in", "content", "raw", "code", "query", "expr", "exp", "s", "r", "b", "body", "doc", "document", "bytes"}, strings.ToLower(name))
}

// family returns the values that a function reads, nil if no text is known that it may read.
func (r *reading) family(prog *load.Program, pkg *load.Package) *family {
	texts, names := r.texts(prog, pkg)
	if len(texts) == 0 {
		return nil
	}
	qualifier := func(p *types.Package) string { return p.Name() }
	result := types.TypeString(r.t, qualifier)
	name := "parse" + load.NamedOf(r.t).Obj().Name()
	of := r.of.Pkg()
	f := &family{name: "texts of " + of.Path(), path: of.Path(), imports: []string{of.Path()}}
	if p := load.NamedOf(r.t).Obj().Pkg(); p != of {
		f.imports = append(f.imports, p.Path())
	}
	params := r.of.Signature().Params()
	var args []string
	for i := range params.Len() {
		p := params.At(i)
		switch {
		case r.of.Signature().Variadic() && i == params.Len()-1:
		case i != r.text:
			args = append(args, zeroText(p.Type(), qualifier))
		case types.TypeString(p.Type(), nil) == "io.Reader":
			args, f.imports = append(args, "strings.NewReader(text)"), append(f.imports, "strings")
		case types.Identical(p.Type(), types.Typ[types.String]) || gosyntax.IsAny(p.Type()):
			args = append(args, "text")
		default:
			args = append(args, types.TypeString(p.Type(), qualifier)+"(text)")
		}
	}
	call := of.Name() + "." + r.of.Name() + "(" + strings.Join(args, ", ") + ")"
	code := fmt.Sprintf("func %s(text string) %s { return %s }", name, result, call)
	if r.of.Signature().Results().Len() == 2 {
		code = fmt.Sprintf("func %s(text string) %s {\n\tv, err := %s\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\treturn v\n}", name, result, call)
	}
	f.helpers = []helper{{doc: "returns what " + of.Name() + "." + r.of.Name() + " reads in a text.", titles: 1, code: code}}
	f.parsed, f.parsedNames = texts, names
	for _, text := range texts {
		f.givers = append(f.givers, giver{typ: key(r.t), as: result, doc: "what is read in a text", code: fmt.Sprintf("%s(%q)", name, text), fixed: true})
	}
	return f
}

// zeroText writes the zero value of a parameter's type.
func zeroText(t types.Type, qualifier types.Qualifier) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		}
		return "0"
	case *types.Struct, *types.Array:
		return types.TypeString(t, qualifier) + "{}"
	}
	return "nil"
}

// texts returns what the function may read, and names for these texts: the examples in the documentation of the package under test, and
// what the tests of that package, of the function's and of the type's spell out.
func (r *reading) texts(prog *load.Program, pkg *load.Package) ([]string, map[string]string) {
	var all []string
	names := make(map[string]string)
	add := func(text, name string) {
		if isWorthReading(text) && !slices.Contains(all, text) && len(all) < mostParsed {
			all = append(all, text)
			names[text] = cmp.Or(name, firstLine(text))
		}
	}
	if pkg.Literals != nil {
		for _, b := range pkg.Literals.Fenced {
			add(b.Text, "")
		}
	}
	var read []string
	for _, dir := range []string{pkg.Dir, prog.DirOf(r.of.Pkg().Path()), prog.DirOf(load.NamedOf(r.t).Obj().Pkg().Path())} {
		if dir == "" || slices.Contains(read, dir) {
			continue
		}
		read = append(read, dir)
		texts, rows := testTexts(dir, r.of.Name())
		for _, text := range texts {
			add(text, rows[text])
		}
	}
	return all, names
}

// firstLine returns the first line of a text that is not empty, by which the text is known.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// isWorthReading reports whether a text may be in a language: it has several words or signs, and is no message or format.
func isWorthReading(text string) bool {
	return len(text) > 2 && len(text) <= longestParsed && !strings.Contains(text, "%") && strings.ContainsAny(strings.TrimSpace(text), " \n\t=:(){}[]<>|&*.,;-") && strings.TrimSpace(text) != ""
}

// testTexts returns the texts in the test files of a directory: first those that calls of a function are passed, then those in several
// lines or in raw literals. names are those of the rows of tables that the texts are in.
func testTexts(dir, function string) (texts []string, names map[string]string) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, nil // the directory's name is no pattern
	}
	slices.Sort(files)
	names = make(map[string]string)
	var direct, others []string
	for _, name := range files[:min(len(files), mostParserFiles)] {
		if strings.HasSuffix(name, "_assay_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the go command tells the user of tests that are no Go
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if calls(n, function) {
					direct = append(direct, literalsIn(n.Args...)...)
				}
			case *ast.CompositeLit:
				if row := rowName(n); row != "" {
					for _, text := range literalsIn(n) {
						if strings.ReplaceAll(text, "_", " ") != row && names[text] == "" {
							names[text] = row
						}
					}
				}
			case *ast.BasicLit:
				if s, ok := textOf(n); ok && (strings.Contains(s, "\n") || n.Value[0] == '`') {
					others = append(others, s)
				}
			}
			return true
		})
	}
	return append(direct, others...), names
}

// rowName returns what a row of a table says that it is called, "" if it says nothing. Underscores stand for spaces in such names.
func rowName(row *ast.CompositeLit) string {
	for _, e := range row.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		field, isIdent := kv.Key.(*ast.Ident)
		lit, isLit := kv.Value.(*ast.BasicLit)
		if isIdent && isLit && slices.Contains([]string{"name", "desc", "title", "testname"}, strings.ToLower(field.Name)) {
			s, _ := textOf(lit)
			return strings.ReplaceAll(s, "_", " ")
		}
	}
	return ""
}

// textOf returns the text that a literal spells, and whether it is one.
func textOf(lit *ast.BasicLit) (string, bool) {
	if lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// calls reports whether a call is one of a function of that name, of whichever package.
func calls(call *ast.CallExpr, name string) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name == name
	case *ast.SelectorExpr:
		return f.Sel.Name == name
	}
	return false
}

// literalsIn returns the texts that expressions spell out.
func literalsIn[E ast.Expr](all ...E) []string {
	var out []string
	for _, e := range all {
		ast.Inspect(e, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				if s, ok := textOf(lit); ok {
					out = append(out, s)
				}
			}
			return true
		})
	}
	return out
}
