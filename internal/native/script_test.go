package native_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// sequence compiles a script into a sequence: statements separated by semicolons,
// in Go's syntax, each a call, a selection, an assignment to a new variable or to a
// field or global. Literals take the type that the place asks for. Besides Go:
// stub(T, "M", r...) is a stub of interface T whose method M returns r..., and
// fn(T, r...) a function of type T that returns r....
func sequence(t testing.TB, pkg *load.Package, script string) *testcase.Sequence {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+script+"}", parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("script %q: %v", script, err)
	}
	c := &compiler{t: t, pkg: pkg.Types, vars: map[string]testcase.Ref{}}
	for _, s := range f.Decls[0].(*ast.FuncDecl).Body.List {
		c.stmt(s)
	}
	return c.b.Sequence()
}

type compiler struct {
	t    testing.TB
	pkg  *types.Package
	b    testcase.Builder
	vars map[string]testcase.Ref
}

func (c *compiler) types(r testcase.Ref) types.Type {
	return c.b.Sequence().ResultTypes()[r.Stmt][r.Result]
}

func (c *compiler) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "close" {
				c.b.Add(&testcase.Operation{Kind: testcase.OpClose}, c.expr(call.Args[0], nil))
				return
			}
		}
		c.expr(s.X, nil)
	case *ast.SendStmt:
		x := c.expr(s.Chan, nil)
		v := c.expr(s.Value, c.types(x).Underlying().(*types.Chan).Elem())
		c.b.Add(&testcase.Operation{Kind: testcase.OpSend}, x, v)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			r := c.expr(s.Rhs[0], nil)
			for i, l := range s.Lhs {
				c.vars[l.(*ast.Ident).Name] = testcase.Ref{Stmt: r.Stmt, Result: i}
			}
			return
		}
		switch l := s.Lhs[0].(type) {
		case *ast.SelectorExpr:
			x := c.expr(l.X, nil)
			f := c.field(c.types(x), l.Sel.Name)
			v := c.expr(s.Rhs[0], f.Type())
			c.b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: f}, x, v)
		case *ast.Ident:
			g := c.pkg.Scope().Lookup(l.Name).(*types.Var)
			v := c.expr(s.Rhs[0], g.Type())
			c.b.Add(&testcase.Operation{Kind: testcase.OpSetGlobal, Var: g}, v)
		case *ast.IndexExpr:
			x := c.expr(l.X, nil)
			m := c.types(x).Underlying().(*types.Map)
			k := c.expr(l.Index, m.Key())
			c.b.Add(&testcase.Operation{Kind: testcase.OpSetIndex}, x, k, c.expr(s.Rhs[0], m.Elem()))
		case *ast.StarExpr:
			x := c.expr(l.X, nil)
			v := c.expr(s.Rhs[0], c.types(x).Underlying().(*types.Pointer).Elem())
			c.b.Add(&testcase.Operation{Kind: testcase.OpStore}, x, v)
		}
	default:
		c.t.Fatalf("script: %T", s)
	}
}

func (c *compiler) field(t types.Type, name string) *types.Var {
	obj, _, _ := types.LookupFieldOrMethod(t, true, c.pkg, name)
	f, ok := obj.(*types.Var)
	if !ok {
		c.t.Fatalf("script: %s has no field %s", t, name)
	}
	return f
}

func (c *compiler) typ(e ast.Expr) types.Type {
	tv, err := types.Eval(token.NewFileSet(), c.pkg, token.NoPos, "(*"+types.ExprString(e)+")(nil)")
	if err == nil {
		return tv.Type.(*types.Pointer).Elem()
	}
	// Packages that the package under test imports are not in its scope.
	fset := token.NewFileSet()
	src := "package " + c.pkg.Name() + "\n"
	for _, p := range c.pkg.Imports() {
		src += fmt.Sprintf("import %s %q\n", p.Name(), p.Path())
	}
	src += "var x " + types.ExprString(e)
	f, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		c.t.Fatalf("script: type %s: %v", types.ExprString(e), err)
	}
	conf := types.Config{Importer: importer{c.pkg}, Error: func(error) {}}
	p, _ := conf.Check(c.pkg.Path(), fset, []*ast.File{f}, nil)
	return p.Scope().Lookup("x").Type()
}

// importer finds the imports of a package that was loaded.
type importer struct{ pkg *types.Package }

func (i importer) Import(path string) (*types.Package, error) {
	for _, p := range i.pkg.Imports() {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no package %s", path)
}

// expr compiles an expression; want is the type that its place asks for, or nil.
func (c *compiler) expr(e ast.Expr, want types.Type) testcase.Ref {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.expr(e.X, want)
	case *ast.BasicLit, *ast.UnaryExpr:
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			v := c.expr(u.X, nil)
			return c.b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(c.types(v))}, v)
		}
		return c.literal(e, want)
	case *ast.Ident:
		if r, ok := c.vars[e.Name]; ok {
			return r
		}
		switch e.Name {
		case "nil":
			return c.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: want})
		case "true", "false", "NaN", "Inf":
			return c.literal(e, want)
		}
		g := c.pkg.Scope().Lookup(e.Name)
		v, ok := g.(*types.Var)
		if !ok {
			c.t.Fatalf("script: %s", e.Name)
		}
		return c.b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Var: v})
	case *ast.SelectorExpr:
		x := c.expr(e.X, nil)
		f := c.field(c.types(x), e.Sel.Name)
		return c.b.Add(&testcase.Operation{Kind: testcase.OpField, Var: f, Type: f.Type()}, x)
	case *ast.StarExpr:
		x := c.expr(e.X, nil)
		return c.b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: c.types(x).Underlying().(*types.Pointer).Elem()}, x)
	case *ast.CompositeLit:
		return c.composite(e)
	case *ast.TypeAssertExpr:
		x := c.expr(e.X, nil)
		return c.b.Add(&testcase.Operation{Kind: testcase.OpAssert, Type: c.typ(e.Type)}, x)
	case *ast.CallExpr:
		return c.call(e)
	}
	c.t.Fatalf("script: %T", e)
	panic("unreachable")
}

func (c *compiler) composite(e *ast.CompositeLit) testcase.Ref {
	t := c.typ(e.Type)
	o := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	var args []testcase.Ref
	for i, el := range e.Elts {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			kv := el.(*ast.KeyValueExpr)
			for j := range u.NumFields() {
				if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
					o.Elems = append(o.Elems, j)
					args = append(args, c.expr(kv.Value, u.Field(j).Type()))
				}
			}
		case *types.Slice:
			args = append(args, c.expr(el, u.Elem()))
			o.N = i + 1
		case *types.Array:
			args = append(args, c.expr(el, u.Elem()))
		case *types.Map:
			kv := el.(*ast.KeyValueExpr)
			args = append(args, c.expr(kv.Key, u.Key()), c.expr(kv.Value, u.Elem()))
		}
	}
	return c.b.Add(o, args...)
}

func (c *compiler) call(e *ast.CallExpr) testcase.Ref {
	if id, ok := e.Fun.(*ast.Ident); ok {
		switch id.Name {
		case "stub", "fn":
			return c.stub(id.Name, e)
		case "convert":
			v := c.expr(e.Args[1], nil)
			return c.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: c.typ(e.Args[0])}, v)
		}
		if r, ok := c.vars[id.Name]; ok {
			sig := c.types(r).Underlying().(*types.Signature)
			o := &testcase.Operation{Kind: testcase.OpCallValue, Spread: e.Ellipsis.IsValid()}
			return c.b.Add(o, append([]testcase.Ref{r}, c.args(e, sig)...)...)
		}
	}
	fun := e.Fun
	var targs []types.Type
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun, targs = x.X, []types.Type{c.typ(x.Index)}
	case *ast.IndexListExpr:
		fun = x.X
		for _, i := range x.Indices {
			targs = append(targs, c.typ(i))
		}
	}
	o := &testcase.Operation{Spread: e.Ellipsis.IsValid(), TypeArgs: targs}
	switch fun := fun.(type) {
	case *ast.Ident:
		o.Kind, o.Func = testcase.OpFunc, c.pkg.Scope().Lookup(fun.Name).(*types.Func)
		return c.b.Add(o, c.args(e, o.Signature())...)
	case *ast.SelectorExpr:
		if id, ok := fun.X.(*ast.Ident); ok && c.vars[id.Name] == (testcase.Ref{}) {
			for _, p := range c.pkg.Imports() {
				if p.Name() == id.Name {
					o.Kind, o.Func = testcase.OpFunc, p.Scope().Lookup(fun.Sel.Name).(*types.Func)
					return c.b.Add(o, c.args(e, o.Signature())...)
				}
			}
		}
		x := c.expr(fun.X, nil)
		obj, _, _ := types.LookupFieldOrMethod(c.types(x), true, c.pkg, fun.Sel.Name)
		m, ok := obj.(*types.Func)
		if !ok {
			c.t.Fatalf("script: %s has no method %s", c.types(x), fun.Sel.Name)
		}
		args := append([]testcase.Ref{x}, c.args(e, m.Signature())...)
		o.Kind, o.Func = testcase.OpMethod, m.Origin()
		if n, ok := deref(c.types(x)).(*types.Named); ok && m.Origin() != m {
			for a := range n.TypeArgs().Types() {
				o.TypeArgs = append(o.TypeArgs, a)
			}
		}
		return c.b.Add(o, args...)
	}
	c.t.Fatalf("script: call of %T", fun)
	panic("unreachable")
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return types.Unalias(t)
}

func (c *compiler) args(e *ast.CallExpr, sig *types.Signature) []testcase.Ref {
	var out []testcase.Ref
	for i, a := range e.Args {
		n := sig.Params().Len()
		pt := sig.Params().At(min(i, n-1)).Type()
		if sig.Variadic() && i >= n-1 && !e.Ellipsis.IsValid() {
			pt = pt.(*types.Slice).Elem()
		}
		out = append(out, c.expr(a, pt))
	}
	return out
}

func (c *compiler) stub(kind string, e *ast.CallExpr) testcase.Ref {
	t := c.typ(e.Args[0])
	o := &testcase.Operation{Kind: testcase.OpStubFunc, Type: t}
	sig, _ := t.Underlying().(*types.Signature)
	rest := e.Args[1:]
	call := testcase.StubCall{}
	if kind == "stub" {
		o.Kind = testcase.OpStubIface
		call.Method, _ = strconv.Unquote(rest[0].(*ast.BasicLit).Value)
		rest = rest[1:]
		obj, _, _ := types.LookupFieldOrMethod(t, true, c.pkg, call.Method)
		sig = obj.(*types.Func).Signature()
	}
	var args []testcase.Ref
	for len(rest) > 0 {
		call.From = len(args)
		for i := range sig.Results().Len() {
			args = append(args, c.expr(rest[0], sig.Results().At(i).Type()))
			rest = rest[1:]
		}
		call.To = len(args)
		o.Stub = append(o.Stub, call)
	}
	return c.b.Add(o, args...)
}

func (c *compiler) literal(e ast.Expr, want types.Type) testcase.Ref {
	o := &testcase.Operation{Kind: testcase.OpLiteral, Type: want}
	if id, ok := e.(*ast.Ident); ok && (id.Name == "NaN" || id.Name == "Inf") {
		f := math.NaN()
		if id.Name == "Inf" {
			f = math.Inf(1)
		}
		o.Type = types.Typ[types.Float64]
		o.Lit = testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(f)}
		return c.b.Add(o)
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(e))
	if err != nil {
		c.t.Fatalf("script: %v", err)
	}
	if o.Type == nil || types.IsInterface(o.Type) {
		o.Type = types.Default(tv.Type)
	}
	b := o.Type.Underlying().(*types.Basic)
	switch v := tv.Value; {
	case b.Info()&types.IsString != 0:
		o.Lit = testcase.Literal{Kind: testcase.LitString, Str: constant.StringVal(v)}
	case b.Info()&types.IsBoolean != 0:
		o.Lit = testcase.Literal{Kind: testcase.LitBool}
		if constant.BoolVal(v) {
			o.Lit.Bits = 1
		}
	case b.Info()&types.IsUnsigned != 0:
		u, _ := constant.Uint64Val(v)
		o.Lit = testcase.Literal{Kind: testcase.LitUint, Bits: u}
	case b.Info()&types.IsInteger != 0:
		i, _ := constant.Int64Val(v)
		o.Lit = testcase.Literal{Kind: testcase.LitInt, Bits: uint64(i)}
	case b.Kind() == types.Float32:
		f, _ := constant.Float32Val(v)
		o.Lit = testcase.Literal{Kind: testcase.LitFloat, Bits: uint64(math.Float32bits(f))}
	default:
		f, _ := constant.Float64Val(v)
		o.Lit = testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(f)}
	}
	return c.b.Add(o)
}

// show prints an outcome on one line: the status, the results of the last statement, the arguments after it,
// and other observations.
func show(o *testcase.Outcome) string {
	var b strings.Builder
	b.WriteString(o.Status.String())
	if len(o.Results) > 0 && len(o.Results) > o.At {
		b.WriteString(" (" + showAll(o.Results[o.At]) + ")")
	}
	if len(o.Final) > 0 {
		b.WriteString(" after (" + showAll(o.Final) + ")")
	}
	if o.Panic != nil {
		fmt.Fprintf(&b, " %s %q", o.Panic.Kind, o.Panic.Message)
		for i, f := range o.Panic.Stack {
			if i == 5 {
				b.WriteString(" ...")
				break
			}
			b.WriteString(" " + f.Func[strings.LastIndex(f.Func, "/")+1:])
			if strings.HasPrefix(f.Func, "example.com/") { // other lines depend on the version of Go
				fmt.Fprintf(&b, ":%d", f.Pos.Line)
			}
		}
	} else if o.Message != "" {
		b.WriteString(" " + o.Message)
	}
	if o.Violated != "" {
		b.WriteString(" violated " + o.Violated)
	}
	if o.Held {
		b.WriteString(" holding a lock")
	}
	if o.Unstable {
		b.WriteString(" unstable")
	}
	return b.String()
}

func showAll(vs []testcase.Value) string {
	var out []string
	for _, v := range vs {
		out = append(out, showValue(v))
	}
	return strings.Join(out, ", ")
}

func showValue(v testcase.Value) string {
	s := ""
	id := func(open string) string {
		if v.ID == 0 {
			return open
		}
		return open + "#" + strconv.Itoa(v.ID) + " "
	}
	elems := func() string {
		if v.Again {
			return "again"
		}
		s := showAll(v.Elems)
		if v.Cut {
			s += fmt.Sprintf(" ...%d", v.Len)
		}
		return s
	}
	switch v.Kind {
	case testcase.Bool:
		s = strconv.FormatBool(v.Bits != 0)
	case testcase.Int:
		s = strconv.FormatInt(int64(v.Bits), 10)
	case testcase.Uint:
		s = strconv.FormatUint(v.Bits, 10) + "u"
	case testcase.Float:
		if b, ok := v.Type.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
			s = fmt.Sprint(math.Float32frombits(uint32(v.Bits))) + "f"
		} else {
			s = fmt.Sprint(math.Float64frombits(v.Bits))
		}
	case testcase.Complex:
		s = fmt.Sprint(complex(math.Float64frombits(v.Bits), math.Float64frombits(v.Imag)))
	case testcase.String:
		s = strconv.Quote(v.Str)
		if v.Cut {
			s = fmt.Sprintf("string %d of %d", len(v.Str), v.Len)
		}
	case testcase.Nil:
		s = "nil"
	case testcase.Slice, testcase.Array:
		s = id("[") + elems() + "]"
	case testcase.Map:
		s = id("map[") + elems() + "]"
	case testcase.Struct:
		s = "{" + elems() + "}"
	case testcase.Pointer:
		s = id("&") + elems()
	case testcase.Interface:
		e := v.Elems[0]
		name := e.TypeName
		if e.Type != nil {
			name = types.TypeString(e.Type, func(p *types.Package) string { return p.Name() })
		}
		s = name + "(" + showAll(v.Elems) + ")"
	case testcase.Opaque:
		s = "?"
	default:
		s = fmt.Sprintf("kind %d", v.Kind)
	}
	if v.Err != nil {
		var names []string
		for i, e := range v.Err.Sentinels {
			n := e.Pkg().Name() + "." + e.Name()
			if i == 0 && v.Err.Identical {
				n = "== " + n
			}
			names = append(names, n)
		}
		msg := strconv.Quote(v.Err.Message)
		if v.Err.Unstable {
			msg = "unstable"
		}
		s += fmt.Sprintf(" error %s [%s]", msg, strings.Join(names, ", "))
	}
	return s
}
