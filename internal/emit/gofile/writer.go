package gofile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// Writer writes the parts of one Go file: types, values and comparisons as expressions. It imports the
// packages that its texts name and declares the small functions that they call. If something cannot be
// expressed, the Writer keeps the first reason (Fail) and goes on; the caller that began the piece drops it
// (Attempt).
type Writer struct {
	Pkg      *load.Package
	External bool   // the file is in package p_test
	lang     string // language version, like "go1.21"
	Names    *Names // package-level names, of this and of the other files
	Imports  *Imports

	reason   string            // why the piece being written cannot be expressed, "" so far
	Wide     bool              // the piece needs an int of 64 bits
	helpers  map[string]string // kind of helper to its name in this file
	order    []string          // kinds of helpers in the order of their first use
	pointers []*pointerFunc
	hex      *bool // whether the package writes large numbers in hexadecimal; nil until it is known
}

// NewWriter returns a writer of a file of the package or, if external is set, of the package of its
// external tests. The file's new names avoid the taken ones, and it begins with the given imports.
func NewWriter(pkg *load.Package, external bool, lang string, taken *Names, imports *Imports) *Writer {
	w := &Writer{Pkg: pkg, External: external, lang: lang, Names: NewNames(taken), Imports: imports, helpers: map[string]string{}}
	imports.taken = w.Names
	return w
}

// Fail records that the piece being written cannot be expressed.
func (w *Writer) Fail(reason string) {
	if w.reason == "" {
		w.reason = reason
	}
}

// Attempt runs f. It returns the reason why f's text cannot be expressed, or "" if it can, and whether the
// text needs an int of 64 bits.
func (w *Writer) Attempt(f func()) (reason string, wide bool) {
	oldReason, oldWide := w.reason, w.Wide
	w.reason, w.Wide = "", false
	f()
	reason, wide = w.reason, w.Wide
	w.reason, w.Wide = oldReason, oldWide
	return reason, wide
}

// Declare takes and returns a name for a declaration of the package: the first proposed one that is free, like [Names.Pick], and under which no
// file of the package imports another one.
func (w *Writer) Declare(proposed ...string) string {
	inner := NewNames(w.Names)
	for _, n := range w.Pkg.ImportNames() {
		inner.Add(n)
	}
	n := inner.Pick(proposed...)
	w.Names.Add(n)
	return n
}

// NewScope returns the scope of a test function: t and all names outside of the function are taken.
func (w *Writer) NewScope() *Names {
	scope := NewNames(w.Names)
	scope.Add("t")
	for _, n := range w.Imports.byPath {
		scope.Add(n)
	}
	return scope
}

// Since reports whether the module's language version is at least v ("go1.21").
func (w *Writer) Since(v string) bool { return version.Compare(w.lang, v) >= 0 }

// Std imports a standard package and returns its local name.
func (w *Writer) Std(path string) string {
	return w.Imports.Name(path, path[strings.LastIndexByte(path, '/')+1:])
}

// Object returns the text of a package-level object.
func (w *Writer) Object(o types.Object) string {
	p := o.Pkg()
	if p == nil { // the predeclared identifier error
		return o.Name()
	}
	if p.Path() == w.Pkg.Path && !w.External {
		return o.Name()
	}
	if !w.Reachable(o) {
		w.Fail(o.Name() + " of package " + p.Path() + " is not accessible to a test")
		return o.Name()
	}
	return w.Imports.Name(p.Path(), p.Name()) + "." + o.Name()
}

// Reachable reports whether a test in this file may name the package-level object.
func (w *Writer) Reachable(o types.Object) bool {
	p := o.Pkg()
	if p == nil {
		return true
	}
	if o.Parent() != p.Scope() {
		return false
	}
	if p.Path() == w.Pkg.Path {
		return !w.External || o.Exported()
	}
	return o.Exported() && p.Name() != "main" && gosyntax.Importable(p.Path(), w.Pkg.Path)
}

// Selectable reports whether a test in this file may name the field or method.
func (w *Writer) Selectable(o types.Object) bool {
	return o.Exported() || o.Pkg() != nil && o.Pkg().Path() == w.Pkg.Path && !w.External
}

// Type returns the text of a type.
func (w *Writer) Type(t types.Type) string {
	w.CheckType(t, map[types.Type]bool{})
	text := types.TypeString(t, func(p *types.Package) string {
		if p.Path() == w.Pkg.Path && !w.External {
			return ""
		}
		return w.Imports.Name(p.Path(), p.Name())
	})
	if strings.Contains(text, "any") && !w.hasAny() {
		text = withoutAny(text)
	}
	return withRawTags(text)
}

// withRawTags returns the text of a type with the tags of fields, which are the only quoted texts in it, between
// backquotes, as people write them.
func withRawTags(text string) string {
	var out strings.Builder
	for {
		k := strings.IndexByte(text, '"')
		if k < 0 {
			break
		}
		quoted, err := strconv.QuotedPrefix(text[k:])
		if err != nil {
			break
		}
		out.WriteString(text[:k])
		if tag, err := strconv.Unquote(quoted); err == nil && strconv.CanBackquote(tag) {
			out.WriteString("`" + tag + "`")
		} else {
			out.WriteString(quoted)
		}
		text = text[k+len(quoted):]
	}
	return out.String() + text
}

// hasAny reports whether interface{} can be written as any. It cannot if the package declares something else
// under this name.
func (w *Writer) hasAny() bool {
	if w.External {
		return w.Since("go1.18")
	}
	own := w.Pkg.Types.Scope().Lookup("any")
	_, isType := own.(*types.TypeName) // if it is a type, the text of the type may denote it
	return isType || own == nil && w.Since("go1.18")
}

// withoutAny returns the text of a type with interface{} in place of any, which older versions of Go do not
// have. Fields and parameters named any stay.
func withoutAny(text string) string {
	const before = "package p; type _ "
	f, err := parser.ParseFile(token.NewFileSet(), "", before+text, parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("bug: gofile: the type %s is no Go: %v", text, err))
	}
	var at []int // where any stands for the type, in the order of the text
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

// Nameable reports whether the text of the type can be written in this file.
func (w *Writer) Nameable(t types.Type) bool {
	reason, _ := w.Attempt(func() { w.CheckType(t, map[types.Type]bool{}) })
	return reason == ""
}

// CheckType fails if the type has a part that cannot be named in this file.
func (w *Writer) CheckType(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	check := func(o *types.TypeName, args *types.TypeList) {
		if !w.Reachable(o) {
			w.Fail("type " + o.Name() + " is not accessible to a test")
		}
		for i := range args.Len() {
			w.CheckType(args.At(i), seen)
		}
	}
	switch t := t.(type) {
	case *types.Alias:
		check(t.Obj(), t.TypeArgs())
	case *types.Named:
		check(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		w.CheckType(t.Elem(), seen)
	case *types.Slice:
		w.CheckType(t.Elem(), seen)
	case *types.Array:
		w.CheckType(t.Elem(), seen)
	case *types.Chan:
		w.CheckType(t.Elem(), seen)
	case *types.Map:
		w.CheckType(t.Key(), seen)
		w.CheckType(t.Elem(), seen)
	case *types.Signature:
		w.CheckType(t.Params(), seen)
		w.CheckType(t.Results(), seen)
	case *types.Tuple:
		for i := range t.Len() {
			w.CheckType(t.At(i).Type(), seen)
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); !w.Selectable(f) {
				w.Fail("a struct type with the field " + f.Name() + " of another package")
			}
			w.CheckType(t.Field(i).Type(), seen)
		}
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			if m := t.ExplicitMethod(i); !w.Selectable(m) {
				w.Fail("an interface type with the method " + m.Name() + " of another package")
			}
			w.CheckType(t.ExplicitMethod(i).Type(), seen)
		}
		for i := range t.NumEmbeddeds() {
			w.CheckType(t.EmbeddedType(i), seen)
		}
	case *types.Union:
		for i := range t.Len() {
			w.CheckType(t.Term(i).Type(), seen)
		}
	case *types.TypeParam:
		w.Fail("a type parameter")
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			w.Fail("an unsafe.Pointer")
		}
	}
}

// Basic returns the basic type underlying t, or nil.
func Basic(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

// IsBasic reports whether t's underlying type is basic with the given property.
func IsBasic(t types.Type, info types.BasicInfo) bool {
	b := Basic(t)
	return b != nil && b.Info()&info != 0
}

// Nilable reports whether values of type t may be nil.
func Nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	}
	return false
}
