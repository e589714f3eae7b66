package testcase

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// PackageTable returns a table for dumps that another process wrote. It resolves names by looking them up in
// packages: those of pkg itself, and those that the function imported returns. Contracts are found among checks.
// Names that only a process knows (of fields, of helpers, of types without a name that have methods) stay
// unknown, so that a sequence with such a name cannot be parsed.
func PackageTable(pkg *types.Package, imported func(path string) (*types.Package, error), checks []*Check) *Table {
	t := NewTable()
	t.elsewhere = func(path string) *types.Package {
		if path == pkg.Path() {
			return pkg
		}
		p, err := imported(path)
		if err != nil {
			return nil // the sequence used a package that is not there any more
		}
		return p
	}
	for _, c := range checks {
		t.check[c.Key()] = c
	}
	return t
}

// typeNamed returns the type with this name in dumps.
func (t *Table) typeNamed(name string) (types.Type, bool) {
	if typ, ok := t.types[name]; ok {
		return typ, typ != nil
	}
	if t.elsewhere == nil {
		return nil, false
	}
	r := typeReader{table: t, named: make(map[string]types.Type)}
	typ := r.read(name)
	if typ != nil && typeName(typ) != name {
		typ = nil
	}
	t.types[name] = typ // a nil type says that the name is known to have no type
	return typ, typ != nil
}

// funcNamed returns the function or method with this full name.
func (t *Table) funcNamed(name string) (*types.Func, bool) {
	if f, ok := t.funcs[name]; ok {
		return f, f != nil
	}
	if t.elsewhere == nil {
		return nil, false
	}
	f := t.findFunc(name)
	if f != nil && f.FullName() != name {
		f = nil
	}
	t.funcs[name] = f
	return f, f != nil
}

// findFunc looks for the function with a full name, which is path.Name, (path.Type).Name or (*path.Type).Name.
func (t *Table) findFunc(name string) *types.Func {
	if !strings.HasPrefix(name, "(") {
		f, _ := t.object(name).(*types.Func)
		return f
	}
	i := strings.LastIndex(name, ").")
	if i < 0 {
		return nil
	}
	recv, method := name[1:i], name[i+len(")."):]
	typ, ok := t.typeNamed(recv)
	if !ok {
		// The methods of a generic type have its type parameters in their names.
		generic, _, is := strings.Cut(strings.TrimPrefix(recv, "*"), "[")
		o, isType := t.object(generic).(*types.TypeName)
		if !is || !isType {
			return nil
		}
		typ = o.Type()
	}
	if p, ok := typ.(*types.Pointer); ok {
		typ = p.Elem()
	}
	named, ok := typ.(*types.Named)
	if !ok {
		return nil
	}
	o, _, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), method)
	f, _ := o.(*types.Func)
	return f
}

// varNamed returns the package-level variable with this name in dumps.
func (t *Table) varNamed(name string) (*types.Var, bool) {
	if v, ok := t.vars[name]; ok {
		return v, true
	}
	v, ok := t.object(name).(*types.Var)
	return v, ok
}

// object returns the package-level object with a name such as example.com/m/p.Name, or nil.
func (t *Table) object(name string) types.Object {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || t.elsewhere == nil {
		return nil
	}
	if p := t.elsewhere(name[:i]); p != nil {
		return p.Scope().Lookup(name[i+1:])
	}
	return nil
}

// typeReader reads a type as typeName writes it.
type typeReader struct {
	table *Table
	named map[string]types.Type // types of packages, by the words that stand for them
}

// qualified matches a name with the path of its package.
var qualified = regexp.MustCompile(`[\pL_][\w./~+-]*\.[\pL_][\pL\d_]*`)

// read returns the type, or nil if part of the text is unknown.
func (r *typeReader) read(text string) types.Type {
	known := true
	text = qualified.ReplaceAllStringFunc(text, func(name string) string {
		o, ok := r.table.object(name).(*types.TypeName)
		if !ok {
			known = false
			return name
		}
		word := fmt.Sprintf("type_%d", len(r.named))
		r.named[word] = o.Type()
		return word
	})
	if !known {
		return nil
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil
	}
	return r.typ(e)
}

// typ returns the type that an expression denotes, or nil.
func (r *typeReader) typ(e ast.Expr) types.Type {
	switch e := e.(type) {
	case *ast.Ident:
		if t, ok := r.named[e.Name]; ok {
			return t
		}
		if o, ok := types.Universe.Lookup(e.Name).(*types.TypeName); ok {
			return o.Type()
		}
	case *ast.ParenExpr:
		return r.typ(e.X)
	case *ast.StarExpr:
		if elem := r.typ(e.X); elem != nil {
			return types.NewPointer(elem)
		}
	case *ast.ArrayType:
		return r.list(e)
	case *ast.MapType:
		if k, v := r.typ(e.Key), r.typ(e.Value); k != nil && v != nil {
			return types.NewMap(k, v)
		}
	case *ast.ChanType:
		dir := map[ast.ChanDir]types.ChanDir{ast.SEND: types.SendOnly, ast.RECV: types.RecvOnly}[e.Dir]
		if elem := r.typ(e.Value); elem != nil {
			return types.NewChan(dir, elem)
		}
	case *ast.FuncType:
		return r.signature(e)
	case *ast.StructType:
		if len(e.Fields.List) == 0 {
			return types.NewStruct(nil, nil)
		}
	case *ast.InterfaceType:
		if len(e.Methods.List) == 0 {
			return types.NewInterfaceType(nil, nil)
		}
	case *ast.IndexExpr:
		return r.instance(e.X, e.Index)
	case *ast.IndexListExpr:
		return r.instance(e.X, e.Indices...)
	}
	return nil
}

// list returns the type of an array or a slice.
func (r *typeReader) list(e *ast.ArrayType) types.Type {
	elem := r.typ(e.Elt)
	if elem == nil || e.Len == nil {
		if elem == nil {
			return nil
		}
		return types.NewSlice(elem)
	}
	lit, ok := e.Len.(*ast.BasicLit)
	if !ok {
		return nil
	}
	n, exact := constant.Int64Val(constant.ToInt(constant.MakeFromLiteral(lit.Value, lit.Kind, 0)))
	if !exact {
		return nil
	}
	return types.NewArray(elem, n)
}

// instance returns a generic type with type arguments.
func (r *typeReader) instance(generic ast.Expr, args ...ast.Expr) types.Type {
	named, ok := r.typ(generic).(*types.Named)
	if !ok || named.TypeParams().Len() != len(args) {
		return nil
	}
	list := make([]types.Type, len(args))
	for i, a := range args {
		if list[i] = r.typ(a); list[i] == nil {
			return nil
		}
	}
	t, err := types.Instantiate(nil, named, list, true)
	if err != nil {
		return nil
	}
	return t
}

// signature returns the type of a function.
func (r *typeReader) signature(e *ast.FuncType) types.Type {
	variadic := false
	tuple := func(fields *ast.FieldList) (vars []*types.Var, ok bool) {
		if fields == nil {
			return nil, true
		}
		for _, f := range fields.List {
			typ := f.Type
			if rest, is := typ.(*ast.Ellipsis); is {
				typ, variadic = &ast.ArrayType{Elt: rest.Elt}, true
			}
			t := r.typ(typ)
			if t == nil {
				return nil, false
			}
			if len(f.Names) == 0 {
				vars = append(vars, types.NewParam(token.NoPos, nil, "", t))
			}
			for _, n := range f.Names {
				vars = append(vars, types.NewParam(token.NoPos, nil, n.Name, t))
			}
		}
		return vars, true
	}
	params, ok := tuple(e.Params)
	if !ok {
		return nil
	}
	takesRest := variadic
	results, ok := tuple(e.Results)
	if !ok {
		return nil
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), takesRest)
}
