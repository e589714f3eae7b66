package giver

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// This file has values that other packages read from text: the tree of a language, a filter, a document. Nobody writes these node by node.

// Limits of what is read of other packages, and passed.
const (
	mostParsers     = 3   // types
	mostParsed      = 10  // texts of a type
	longestParsed   = 400 // bytes of a text
	mostParserFiles = 40  // test files of a package
)

// reading is a function of another package that reads values of a type from text.
type reading struct {
	of   *types.Func
	t    types.Type // of the first result
	text int        // the parameter that is the text
}

// parsedFamilies returns a family for each type of another package that functions of the package take and for which a function of a
// package that it imports reads values from text.
func parsedFamilies(prog *load.Program, pkg *load.Package) []*family {
	var out []*family
	seen := make(map[string]bool)
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
			if r := readerOf(pkg, v.Type()); r != nil {
				if f := r.family(prog, pkg); f != nil {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// readerOf returns the function that reads values of a type from text, nil if there is none: of the package of the type, or of another one
// that the package imports. Of several it is the one with the fewest parameters, and of these the one called Parse.
func readerOf(pkg *load.Package, t types.Type) *reading {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg() == pkg.Types || gosyntax.IsStandard(named.Obj().Pkg().Path(), pkg.Module) || named.TypeParams().Len() > 0 {
		return nil
	}
	if _, basic := named.Underlying().(*types.Basic); basic {
		return nil
	}
	var found []*reading
	for _, p := range append([]*types.Package{named.Obj().Pkg()}, pkg.Types.Imports()...) {
		if gosyntax.IsStandard(p.Path(), pkg.Module) || !load.CanImport(pkg.Path, p.Path()) {
			continue
		}
		for _, name := range p.Scope().Names() {
			fn, ok := p.Scope().Lookup(name).(*types.Func)
			if !ok || !fn.Exported() || !slices.ContainsFunc([]string{"Parse", "MustParse", "Read", "Decode", "Load", "New"}, func(verb string) bool { return strings.HasPrefix(name, verb) }) {
				continue
			}
			if r := readingOf(fn, t); r != nil && !slices.ContainsFunc(found, func(o *reading) bool { return o.of == fn }) {
				found = append(found, r)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b *reading) int {
		isParse := func(r *reading) int {
			if strings.HasPrefix(r.of.Name(), "Parse") {
				return 0
			}
			return 1
		}
		return cmp.Or(isParse(a)-isParse(b), a.of.Signature().Params().Len()-b.of.Signature().Params().Len(), strings.Compare(a.of.FullName(), b.of.FullName()))
	})
}

// readingOf returns how a function reads values of a type from its last parameter that is a text, nil if it does not. The others may be
// left at zero.
func readingOf(fn *types.Func, t types.Type) *reading {
	sig := fn.Signature()
	results, params := sig.Results(), sig.Params()
	if sig.TypeParams().Len() > 0 || results.Len() == 0 || results.Len() > 2 || !types.Identical(results.At(0).Type(), t) || results.Len() == 2 && !gosyntax.IsError(results.At(1).Type()) {
		return nil
	}
	r := &reading{fn, t, -1}
	for i := range params.Len() {
		p := params.At(i)
		if sig.Variadic() && i == params.Len()-1 {
			continue
		}
		switch {
		case isTextParam(p):
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
	texts := r.texts(prog, pkg)
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
	f.parsed = texts
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

// texts returns what the function may read: Go code if its package reads such; else what the tests of its package, of the type's package
// and of the package under test spell out in several lines or with punctuation, and the examples of their documentation.
func (r *reading) texts(prog *load.Program, pkg *load.Package) []string {
	if slices.ContainsFunc(r.of.Pkg().Imports(), func(p *types.Package) bool { return p.Path() == "go/ast" }) {
		texts, _ := goTexts(pkg, true)
		return texts
	}
	var all []string
	add := func(text string) {
		if isWorthReading(text) && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if pkg.Literals != nil {
		for _, b := range pkg.Literals.Fenced {
			add(b.Text)
		}
	}
	for _, dir := range []string{pkg.Dir, prog.DirOf(r.of.Pkg().Path()), prog.DirOf(load.NamedOf(r.t).Obj().Pkg().Path())} {
		for _, text := range testTexts(dir, r.of.Name()) {
			add(text)
		}
	}
	return all[:min(len(all), mostParsed)]
}

// isWorthReading reports whether a text may be in a language: it has several words or signs, and is no message or format.
func isWorthReading(text string) bool {
	return len(text) > 2 && len(text) <= longestParsed && !strings.Contains(text, "%") && strings.ContainsAny(strings.TrimSpace(text), " \n\t=:(){}[]<>|&*.,;-") && strings.TrimSpace(text) != ""
}

// testTexts returns the texts in the test files of a directory: first those that calls of a function are passed, then those of rows and
// of other calls in which the text has several lines.
func testTexts(dir, function string) []string {
	if dir == "" {
		return nil
	}
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil
	}
	slices.Sort(names)
	var direct, others []string
	for _, name := range names[:min(len(names), mostParserFiles)] {
		src, err := os.ReadFile(name)
		if err != nil || strings.HasSuffix(name, "_assay_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && calls(call, function) {
				for _, a := range call.Args {
					direct = append(direct, literalsIn(a)...)
				}
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && (strings.Contains(s, "\n") || strings.HasPrefix(lit.Value, "`")) {
					others = append(others, s)
				}
			}
			return true
		})
	}
	return append(direct, others...)
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

// literalsIn returns the texts that an argument spells out.
func literalsIn(e ast.Expr) []string {
	var out []string
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}
