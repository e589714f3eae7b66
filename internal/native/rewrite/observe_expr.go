package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// value rewrites an expression whose value is used.
func (o *observer) value(e ast.Expr) {
	if tv := o.info.Types[e]; tv.Value != nil || tv.IsType() {
		return // a constant reads nothing
	}
	switch e := e.(type) {
	case nil:
	case *ast.ParenExpr:
		o.value(e.X)
	case *ast.SelectorExpr:
		o.selector(e, true)
	case *ast.StarExpr:
		o.replace(e.Star, 1, "(*"+o.alias+".Read(", opening)
		o.value(e.X)
		o.close1(e.End(), "))")
	case *ast.IndexExpr:
		o.index(e, true)
	case *ast.IndexListExpr: // an instance of a generic function
	case *ast.SliceExpr:
		t := o.info.Types[e.X].Type
		switch {
		case isArray(t):
			o.place(e.X)
		case o.searched(t):
			o.call("Len", e.X, func() { o.value(e.X) })
		default:
			o.value(e.X)
		}
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				o.value(i)
			}
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			o.place(e.X)
		} else {
			o.value(e.X)
		}
	case *ast.BinaryExpr:
		o.value(e.X)
		o.value(e.Y)
	case *ast.CallExpr:
		o.callExpr(e)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if _, isStruct := o.info.Types[e].Type.Underlying().(*types.Struct); !isStruct {
					o.value(kv.Key)
				}
				x = kv.Value
			}
			o.value(x)
		}
	case *ast.FuncLit:
		o.body(e.Body)
	case *ast.TypeAssertExpr:
		o.value(e.X)
	}
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// place rewrites an expression that is assigned to, or whose address is taken. The expression itself is not
// read, but the expressions that lead to it are.
func (o *observer) place(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		o.place(e.X)
	case *ast.SelectorExpr:
		o.selector(e, false)
	case *ast.IndexExpr:
		o.index(e, false)
	case *ast.StarExpr:
		o.value(e.X)
	case *ast.Ident:
	default:
		o.value(e)
	}
}

// index rewrites x[i].
func (o *observer) index(e *ast.IndexExpr, read bool) {
	tv := o.info.Types[e.X]
	if !tv.IsValue() {
		return // an instance of a generic function
	}
	switch u := tv.Type.Underlying().(type) {
	case *types.Slice:
		if !o.searched(tv.Type) {
			o.value(e.X)
			o.value(e.Index)
			return
		}
		if !read { // the index is compared with the length all the same
			o.call("Len", e.X, func() { o.value(e.X) })
			o.value(e.Index)
			return
		}
		o.open1(e.Pos(), "(*"+o.alias+".Index(")
		o.value(e.X)
		o.replace(e.Lbrack, 1, ", ", 0)
		o.value(e.Index)
		o.replace(e.Rbrack, 1, "))", 0)
	case *types.Array, *types.Pointer:
		_, array := u.(*types.Array)
		addressable := !array || o.addressable(e.X)
		wrap := read && addressable
		if wrap {
			o.open1(e.Pos(), "(*"+o.alias+".Read(&")
		}
		if array && addressable {
			o.place(e.X)
		} else {
			o.value(e.X)
		}
		o.value(e.Index)
		if wrap {
			o.close1(e.End(), "))")
		}
	default:
		o.value(e.X)
		o.value(e.Index)
	}
}

// addressable reports whether e is a variable that may be part of a structure, because it is reached
// through a pointer or a slice. Local variables are not.
func (o *observer) addressable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return o.addressable(e.X)
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		sel := o.info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal {
			return false
		}
		return sel.Indirect() || o.addressable(e.X)
	case *ast.IndexExpr:
		switch o.info.Types[e.X].Type.Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return o.addressable(e.X)
		}
	}
	return false
}

// selector rewrites x.f, or x.m of a method value.
func (o *observer) selector(e *ast.SelectorExpr, read bool) {
	sel := o.info.Selections[e]
	if sel == nil {
		return // the selector names an object of a package
	}
	if sel.Kind() != types.FieldVal {
		if sel.Kind() == types.MethodVal {
			o.receiver(e, sel)
		}
		return
	}
	through := o.addressable(e)
	_, slice := sel.Type().Underlying().(*types.Slice)
	wrap := read && through && !slice // only the length and the elements of a slice are searched
	if wrap {
		o.open1(e.Pos(), "(*"+o.alias+".Read(&")
	}
	o.embedded(e.X, sel, len(sel.Index())-1)
	if wrap {
		o.close1(e.End(), "))")
	}
}

// embedded rewrites the x of x.f if the path to f goes through n embedded fields. Embedded pointers and interfaces on
// the way are read.
func (o *observer) embedded(x ast.Expr, sel *types.Selection, n int) {
	t := sel.Recv()
	var names []string
	var kinds []types.Type
	var pointer []bool // whether the field is read on the way: a pointer, or an interface at the end
	for _, i := range sel.Index()[:n] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		if !f.Exported() && f.Pkg() != nil && f.Pkg().Path() != o.pkg.Path {
			names = nil // the field cannot be named here, and no part of it is searched
			break
		}
		t = f.Type()
		names, kinds, pointer = append(names, f.Name()), append(kinds, t), append(pointer, IsPointer(t) || types.IsInterface(t))
	}
	text := ""
	place := IsPointer(o.info.Types[x].Type) || o.addressable(x) // whether the next field has an address
	for i, name := range names {
		if pointer[i] && place {
			o.open1(x.Pos(), "(*"+o.alias+".Read(&")
			text += "." + name + "))"
		} else {
			text += "." + name
		}
		place = place || pointer[i] && !types.IsInterface(kinds[i])
	}
	if IsPointer(o.info.Types[x].Type) || !o.addressable(x) {
		o.value(x)
	} else {
		o.place(x)
	}
	if text != "" {
		o.close1(x.End(), text)
	}
}

// receiver rewrites the x of a method call or method value x.m.
func (o *observer) receiver(e *ast.SelectorExpr, sel *types.Selection) {
	n := len(sel.Index()) - 1
	t := o.info.Types[e.X].Type
	sig := sel.Obj().(*types.Func).Signature()
	if types.IsInterface(sig.Recv().Type()) {
		if wrapped := o.wrapped(sel.Obj().(*types.Func)); len(wrapped) > 0 {
			o.open1(e.X.Pos(), o.alias+".Behind(")
			defer o.close1(e.X.End(), ", "+strings.Join(wrapped, ", ")+")")
		}
	}
	byValue := !IsPointer(sig.Recv().Type()) && !types.IsInterface(sig.Recv().Type())
	if n == 0 && byValue && IsPointer(t) {
		o.open1(e.X.Pos(), "(*"+o.alias+".Read(")
		o.value(e.X)
		o.close1(e.X.End(), "))")
		return
	}
	if n == 0 && (byValue || IsPointer(t) || types.IsInterface(t)) {
		o.value(e.X)
		return
	}
	if !byValue || !IsPointer(t) && !o.addressable(e.X) {
		o.embedded(e.X, sel, n)
		return
	}
	// The receiver is a copy of the embedded struct.
	last := sel.Recv()
	for _, i := range sel.Index()[:n] {
		if p, ok := last.Underlying().(*types.Pointer); ok {
			last = p.Elem()
		}
		last = last.Underlying().(*types.Struct).Field(i).Type()
	}
	if IsPointer(last) {
		o.open1(e.X.Pos(), "(*"+o.alias+".Read(")
	} else {
		o.open1(e.X.Pos(), "(*"+o.alias+".Read(&")
	}
	o.embedded(e.X, sel, n)
	o.close1(e.X.End(), "))")
}

// wrapped returns the types of which a method with a name, called by a pointer behind an interface, is a function that the
// compiler writes: the method takes a copy of the object, or is that of an embedded field. What this function reads is
// not rewritten. A type is in quotes, behind a plus if the function follows an embedded field.
func (o *observer) wrapped(method *types.Func) []string {
	if out, ok := o.wrappers[method.Name()]; ok {
		return out
	}
	var out []string
	for _, path := range o.paths() {
		pkg := o.sources[path].Types
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
				continue
			}
			sel := types.NewMethodSet(types.NewPointer(tn.Type())).Lookup(pkg, method.Name())
			switch {
			case sel == nil:
			case len(sel.Index()) > 1:
				out = append(out, strconv.Quote("+"+name))
			case !IsPointer(sel.Obj().(*types.Func).Signature().Recv().Type()):
				out = append(out, strconv.Quote(name))
			}
		}
	}
	o.wrappers[method.Name()] = out
	return out
}

// callExpr rewrites a call.
func (o *observer) callExpr(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	if tv := o.info.Types[e.Fun]; tv.IsType() {
		for _, a := range e.Args {
			o.escape(a, false)
		}
		return
	}
	var id *ast.Ident
	generic := false
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		generic = true
		id, _ = f.X.(*ast.Ident)
		if s, ok := f.X.(*ast.SelectorExpr); ok {
			id = s.Sel
		}
	}
	if id != nil {
		switch obj := o.info.Uses[id].(type) {
		case *types.Builtin:
			o.builtin(obj.Name(), e)
			return
		case *types.Func:
			if path := pathOf(obj); path != "" && o.sources[path] == nil {
				o.foreign(e, obj, path, generic || obj.Signature().TypeParams().Len() > 0)
				return
			}
		}
	}
	o.value(e.Fun)
	for _, a := range e.Args {
		o.value(a)
	}
}

func pathOf(f *types.Func) string {
	if f.Pkg() == nil {
		return "" // the method error.Error, which belongs to no package
	}
	return f.Pkg().Path()
}

// builtin rewrites a call of a predeclared function.
func (o *observer) builtin(name string, e *ast.CallExpr) {
	for i, a := range e.Args {
		tv := o.info.Types[a]
		if tv.IsType() {
			continue
		}
		searched := tv.Type != nil && o.searched(tv.Type)
		switch {
		case searched && (name == "len" || name == "cap"):
			o.call("Len", a, func() { o.value(a) })
		case searched && (name == "copy" || name == "append" && (i == 0 || e.Ellipsis.IsValid())):
			o.call("All", a, func() { o.value(a) })
		default:
			o.value(a)
		}
	}
}

// foreign rewrites a call of a function that is not rewritten itself.
func (o *observer) foreign(e *ast.CallExpr, f *types.Func, path string, generic bool) {
	if what := path + "." + f.Name(); f.Signature().Recv() == nil && !generic && impure(path, f.Name()) {
		o.open1(e.Fun.Pos(), o.alias+".Impure(")
		o.close1(e.Fun.End(), ", "+strconv.Quote(what)+")")
	} else {
		o.value(e.Fun)
	}
	for _, a := range e.Args {
		o.escape(a, deep(path))
	}
}

// impure reports whether a function's result depends on more than its arguments.
func impure(path, name string) bool {
	switch path {
	case "time":
		return name == "Now" || name == "Since" || name == "Until" || name == "Sleep" || name == "After"
	case "math/rand", "math/rand/v2":
		return !strings.HasPrefix(name, "New")
	case "crypto/rand", "os", "net", "net/http":
		return true
	}
	return false
}

// deep reports whether functions of a package that is not rewritten may follow pointers in their arguments.
// Standard-library functions that take values of any type follow pointers by reflection, and functions
// outside the standard library may do anything. Other functions only keep, copy and compare values whose
// types they do not know.
func deep(path string) bool {
	if !gosyntax.IsStandard(path, "") {
		return true
	}
	for _, p := range []string{"fmt", "log", "reflect", "encoding", "text/template", "html/template", "testing"} {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// escape rewrites an argument that is passed to code which is not rewritten.
func (o *observer) escape(a ast.Expr, deep bool) {
	tv := o.info.Types[a]
	inside := func() { o.value(a) }
	switch {
	case tv.Value != nil || tv.IsNil() || tv.IsType() || tv.Type == nil:
	case deep:
		if _, basic := tv.Type.Underlying().(*types.Basic); basic {
			inside()
		} else if _, tuple := tv.Type.(*types.Tuple); tuple {
			inside()
		} else {
			o.call("Escape", a, inside)
		}
	case o.searched(tv.Type):
		o.call("All", a, inside)
	default:
		inside()
	}
}
