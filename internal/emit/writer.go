package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// writer writes one file. What cannot be expressed does not stop it: the first
// reason is kept (fail), and whoever began the piece drops it (attempt).
type writer struct {
	pkg      *load.Package
	fset     *token.FileSet
	external bool   // the file is in package p_test
	lang     string // language version, like "go1.21"
	names    *names // package-level names, of this and of the other files
	imports  *importSet
	helpers  *helpers

	reason    string // why the piece being written cannot be expressed, "" so far
	wide      bool   // the piece needs an int of 64 bits
	floats    *floatFacts
	inputs    inputsTable
	cases     int                            // of the function that is being written
	shared    map[string]int                 // how many of them share a condition, by its clause
	pure      func(*types.Func) bool         // or nil
	adds      func(*testcase.Case) bool      // or nil
	called    map[*testcase.Case]words.Name  // what the cases of the function that is being written are called
	readsOnly func(*testcase.Operation) bool // or nil
}

// fail records that the piece being written cannot be expressed.
func (w *writer) fail(reason string) {
	if w.reason == "" {
		w.reason = reason
	}
}

// attempt runs f and returns why what it wrote cannot be expressed, "" if it can,
// and whether it needs an int of 64 bits.
func (w *writer) attempt(f func()) (reason string, wide bool) {
	oldReason, oldWide := w.reason, w.wide
	w.reason, w.wide = "", false
	f()
	reason, wide = w.reason, w.wide
	w.reason, w.wide = oldReason, oldWide
	return reason, wide
}

// since reports whether the module's language version is at least v ("go1.21").
func (w *writer) since(v string) bool { return version.Compare(w.lang, v) >= 0 }

// std returns the name by which a standard package is called, importing it.
func (w *writer) std(path string) string {
	return w.imports.name(path, path[strings.LastIndexByte(path, '/')+1:])
}

// object returns the text of a package-level object.
func (w *writer) object(o types.Object) string {
	p := o.Pkg()
	if p == nil { // error, predeclared
		return o.Name()
	}
	if p.Path() == w.pkg.Path && !w.external {
		return o.Name()
	}
	if !w.reachable(o) {
		w.fail(o.Name() + " of package " + p.Path() + " is not accessible to a test")
		return o.Name()
	}
	return w.imports.name(p.Path(), p.Name()) + "." + o.Name()
}

// reachable reports whether a test in this file may name the package-level object.
func (w *writer) reachable(o types.Object) bool {
	p := o.Pkg()
	if p == nil {
		return true
	}
	if o.Parent() != p.Scope() {
		return false
	}
	if p.Path() == w.pkg.Path {
		return !w.external || o.Exported()
	}
	return o.Exported() && p.Name() != "main" && importable(p.Path(), w.pkg.Path)
}

// importable reports whether from may import path, by the rules of internal and
// vendor directories.
func importable(path, from string) bool {
	if strings.HasPrefix(path, "vendor/") || strings.Contains(path, "/vendor/") || path == "unsafe" || path == "C" {
		return false
	}
	rest := path
	for parent := ""; ; {
		i := strings.Index("/"+rest+"/", "/internal/")
		if i < 0 {
			return true
		}
		parent += rest[:i]
		p := strings.TrimSuffix(parent, "/")
		if p == "" || from != p && !strings.HasPrefix(from, p+"/") {
			return false
		}
		end := min(i+len("internal/"), len(rest))
		parent += rest[i:end]
		rest = rest[end:]
	}
}

// selectable reports whether a test in this file may name the field or method.
func (w *writer) selectable(o types.Object) bool {
	return o.Exported() || o.Pkg() != nil && o.Pkg().Path() == w.pkg.Path && !w.external
}

// typ returns the text of a type.
func (w *writer) typ(t types.Type) string {
	w.checkType(t, map[types.Type]bool{})
	text := types.TypeString(t, func(p *types.Package) string {
		if p.Path() == w.pkg.Path && !w.external {
			return ""
		}
		return w.imports.name(p.Path(), p.Name())
	})
	if strings.Contains(text, "any") && !w.hasAny() {
		text = withoutAny(text)
	}
	return text
}

// hasAny reports whether any can be written for interface{}. A package may have a function of that
// name.
func (w *writer) hasAny() bool {
	if w.external {
		return w.since("go1.18")
	}
	own := w.pkg.Types.Scope().Lookup("any")
	_, isType := own.(*types.TypeName) // then it is what the text of a type means
	return isType || own == nil && w.since("go1.18")
}

// withoutAny returns the text of a type with interface{} for any, which older versions of Go
// do not know. Fields and parameters may have that name.
func withoutAny(text string) string {
	const before = "package p; type _ "
	f, err := parser.ParseFile(token.NewFileSet(), "", before+text, parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("bug: emit: the type %s is no Go: %v", text, err))
	}
	var at []int // where there is one, in the order of the text
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			ast.Inspect(n.Type, visit)
			return false
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			if n.Name == "any" {
				at = append(at, int(n.Pos()-f.FileStart)-len(before))
			}
		}
		return true
	}
	ast.Inspect(f.Decls[0], visit)
	for _, i := range slices.Backward(at) {
		text = text[:i] + "interface{}" + text[i+len("any"):]
	}
	return text
}

// nameable reports whether the text of the type can be written in this file.
func (w *writer) nameable(t types.Type) bool {
	reason, _ := w.attempt(func() { w.checkType(t, map[types.Type]bool{}) })
	return reason == ""
}

// checkType fails if the type has a part that cannot be named here.
func (w *writer) checkType(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	check := func(o *types.TypeName, args *types.TypeList) {
		if !w.reachable(o) {
			w.fail("type " + o.Name() + " is not accessible to a test")
		}
		for i := range args.Len() {
			w.checkType(args.At(i), seen)
		}
	}
	switch t := t.(type) {
	case *types.Alias:
		check(t.Obj(), t.TypeArgs())
	case *types.Named:
		check(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		w.checkType(t.Elem(), seen)
	case *types.Slice:
		w.checkType(t.Elem(), seen)
	case *types.Array:
		w.checkType(t.Elem(), seen)
	case *types.Chan:
		w.checkType(t.Elem(), seen)
	case *types.Map:
		w.checkType(t.Key(), seen)
		w.checkType(t.Elem(), seen)
	case *types.Signature:
		w.checkType(t.Params(), seen)
		w.checkType(t.Results(), seen)
	case *types.Tuple:
		for i := range t.Len() {
			w.checkType(t.At(i).Type(), seen)
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); !w.selectable(f) {
				w.fail("a struct type with the field " + f.Name() + " of another package")
			}
			w.checkType(t.Field(i).Type(), seen)
		}
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			if m := t.ExplicitMethod(i); !w.selectable(m) {
				w.fail("an interface type with the method " + m.Name() + " of another package")
			}
			w.checkType(t.ExplicitMethod(i).Type(), seen)
		}
		for i := range t.NumEmbeddeds() {
			w.checkType(t.EmbeddedType(i), seen)
		}
	case *types.Union:
		for i := range t.Len() {
			w.checkType(t.Term(i).Type(), seen)
		}
	case *types.TypeParam:
		w.fail("a type parameter")
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			w.fail("an unsafe.Pointer")
		}
	}
}

// basic returns the basic type underlying t, or nil.
func basic(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

// isBasic reports whether t's underlying type is basic with the given property.
func isBasic(t types.Type, info types.BasicInfo) bool {
	b := basic(t)
	return b != nil && b.Info()&info != 0
}

// isError reports whether t is the predeclared type error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// named returns the named type of t or of what it points to, or nil.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}
