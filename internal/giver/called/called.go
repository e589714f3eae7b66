// Package called knows where a package takes any value that it calls by reflection, and which functions tests pass there: event buses,
// registries of commands, dependency injection. Any other value is refused there, and no type says which functions are wanted.
//
//  1. [Of] reads the package's assignments, calls and literals, and follows what is called, or has to be a function, back to the parameters.
//  2. [Places.Functions] have as many parameters and results as the code asks for.
//
// Invariants: nothing here runs code; the same package has the same functions in the same order.
//
// Not supported: methods of objects that are called by their names; functions of types that the package declares; what goes through
// interfaces and function values.
package called

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Places are the parameters of a package that lead to such calls, with the functions to pass. A nil Places has none.
type Places struct {
	takes, passes map[types.Object]bool
	functions     []*testcase.Operation
}

// Bounds of what is passed to such code.
const (
	mostCalled  = 16 // functions
	mostParams  = 3  // parameters of a function
	usualParams = 2  // up to how many parameters a function has where the code does not say how many it wants
)

// Of reads a package's code. It returns nil for a package that calls nothing by reflection.
func Of(pkg *load.Package) *Places {
	if pkg.Info == nil || !slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "reflect" }) {
		return nil
	}
	f := &valueFlow{pkg: pkg, into: make(map[types.Object][]types.Object), read: make(map[*ast.BinaryExpr]bool)}
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			f.decl(d)
		}
	}
	if len(f.called) == 0 {
		return nil
	}
	if f.calls {
		f.called = append(f.called, f.identified...)
	}
	c := &Places{takes: f.reaching(f.called), passes: f.reaching(f.arguments)}
	if !slices.ContainsFunc(pkg.Targets, func(t *load.Target) bool { return c.of(t) }) {
		return nil
	}
	c.functions = functionsFor(pkg)
	return c
}

// of reports whether a function has a parameter where functions are passed.
func (c *Places) of(t *load.Target) bool {
	if t.Obj == nil {
		return false
	}
	for p := range t.Obj.Signature().Params().Variables() {
		if c.Takes(p) {
			return true
		}
	}
	return false
}

// Takes reports whether a parameter takes any value, and what it takes is called by reflection, or has to be a function.
func (c *Places) Takes(p *types.Var) bool {
	return c != nil && p != nil && c.takes[p] && gosyntax.IsAny(p.Type())
}

// Passes reports whether a parameter takes any value, or any number of them, which become arguments of such calls.
func (c *Places) Passes(p *types.Var) bool {
	if c == nil || p == nil || !c.passes[p] {
		return false
	}
	list, ok := p.Type().Underlying().(*types.Slice)
	return gosyntax.IsAny(p.Type()) || ok && gosyntax.IsAny(list.Elem())
}

// Functions returns operations that make the functions to pass, those first that the code asks for.
func (c *Places) Functions() []*testcase.Operation {
	if c == nil {
		return nil
	}
	return c.functions
}

// valueFlow says which variables, parameters, fields and results of functions get their values from which others, as the
// assignments, calls and literals of a package have it, whatever the order in which they are executed.
type valueFlow struct {
	pkg        *load.Package
	into       map[types.Object][]types.Object
	read       map[*ast.BinaryExpr]bool
	calls      bool           // the package calls a function by reflection somewhere
	called     []types.Object // those whose values are called, or have to be functions
	identified []types.Object // those whose values are asked by reflection where they are, as who looks for a function again does
	arguments  []types.Object // those whose values are arguments of such calls
}

// reaching returns the objects whose values come to one of some objects, with these.
func (f *valueFlow) reaching(ends []types.Object) map[types.Object]bool {
	out := make(map[types.Object]bool)
	for list := slices.Clone(ends); len(list) > 0; {
		o := list[len(list)-1]
		list = list[:len(list)-1]
		if !out[o] {
			out[o] = true
			list = append(list, f.into[o]...)
		}
	}
	return out
}

// flows notes that what an expression holds goes to an object.
func (f *valueFlow) flows(to types.Object, e ast.Expr) {
	if to != nil && e != nil {
		f.into[to] = append(f.into[to], f.sources(e)...)
	}
}

// decl reads a declaration.
func (f *valueFlow) decl(d ast.Decl) {
	var of types.Object // the function whose results return statements make
	if fd, ok := d.(*ast.FuncDecl); ok {
		of = f.pkg.Info.Defs[fd.Name]
		if fn, ok := of.(*types.Func); ok {
			for v := range fn.Signature().Results().Variables() {
				f.into[of] = append(f.into[of], v)
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			f.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			f.assign(names, n.Values)
		case *ast.RangeStmt:
			if n.Value != nil {
				f.flows(f.target(n.Value), n.X)
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				f.flows(of, e)
			}
		case *ast.CompositeLit:
			f.literal(n)
		case *ast.CallExpr:
			f.call(n)
		case *ast.BinaryExpr:
			f.comparison(n)
		case *ast.SwitchStmt:
			f.kinds(n)
		}
		return true
	})
}

func (f *valueFlow) assign(to, from []ast.Expr) {
	for i, l := range to {
		switch {
		case len(from) == len(to):
			f.flows(f.target(l), from[i])
		case len(from) == 1:
			f.flows(f.target(l), from[0])
		}
	}
}

// target returns what an assignment to an expression changes: of an element its list or map.
func (f *valueFlow) target(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := f.pkg.Info.Defs[e]; o != nil {
			return o
		}
		return f.pkg.Info.Uses[e]
	case *ast.SelectorExpr:
		return f.pkg.Info.Uses[e.Sel]
	case *ast.IndexExpr:
		return f.target(e.X)
	case *ast.StarExpr:
		return f.target(e.X)
	}
	return nil
}

// literal notes what the fields of a struct are set to.
func (f *valueFlow) literal(n *ast.CompositeLit) {
	t := f.pkg.Info.TypeOf(n)
	if t == nil {
		return
	}
	st, ok := gosyntax.Pointed(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, el := range n.Elts {
		if kv, keyed := el.(*ast.KeyValueExpr); keyed {
			if id, ok := kv.Key.(*ast.Ident); ok {
				f.flows(f.pkg.Info.Uses[id], kv.Value)
			}
		} else if i < st.NumFields() {
			f.flows(st.Field(i), el)
		}
	}
}

// call notes what the parameters of a function of the package are given, and what is called by reflection.
func (f *valueFlow) call(n *ast.CallExpr) {
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && isReflect(f.pkg.Info.TypeOf(sel.X), "Value") {
		switch sel.Sel.Name {
		case "Call", "CallSlice":
			f.calls = true
			f.called = append(f.called, f.sources(sel.X)...)
			for _, a := range n.Args {
				f.arguments = append(f.arguments, f.sources(a)...)
			}
		case "Pointer", "UnsafePointer":
			f.identified = append(f.identified, f.sources(sel.X)...)
		}
		return
	}
	fn := f.callee(n)
	if fn == nil || fn.Pkg() != f.pkg.Types {
		return
	}
	params := fn.Signature().Params()
	for i, a := range n.Args {
		if k := min(i, params.Len()-1); k == i || k >= 0 && fn.Signature().Variadic() {
			f.flows(params.At(k), a)
		}
	}
}

// callee returns the function or method that a call names, or nil.
func (f *valueFlow) callee(n *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		fn, _ := f.pkg.Info.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := f.pkg.Info.Uses[fun.Sel].(*types.Func)
		return fn
	}
	return nil
}

// comparison notes what has to be a function: its kind is compared with that of functions and with no other one in the same
// condition, as that of whatever may be nil is.
func (f *valueFlow) comparison(n *ast.BinaryExpr) {
	var compared []ast.Expr
	others := false
	var see func(e ast.Expr)
	see = func(e ast.Expr) {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if !ok || f.read[b] {
			return // the parts of a condition were read with the whole
		}
		f.read[b] = true
		switch {
		case b.Op == token.LOR || b.Op == token.LAND:
			see(b.X)
			see(b.Y)
		case b.Op == token.EQL || b.Op == token.NEQ:
			for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				switch f.kind(pair[1]) {
				case "":
				case "Func":
					compared = append(compared, pair[0])
				default:
					others = others || b.Op == token.EQL
				}
			}
		}
	}
	see(n)
	if !others {
		for _, e := range compared {
			f.called = append(f.called, f.sources(e)...)
		}
	}
}

// kinds notes what has to be a function because a switch has a case for functions alone.
func (f *valueFlow) kinds(n *ast.SwitchStmt) {
	if n.Tag == nil {
		return
	}
	for _, c := range n.Body.List {
		if list := c.(*ast.CaseClause).List; len(list) == 1 && f.kind(list[0]) == "Func" {
			f.called = append(f.called, f.sources(n.Tag)...)
		}
	}
}

// kind returns which constant of package reflect an expression is, "" if it is none of its kinds.
func (f *valueFlow) kind(e ast.Expr) string {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	c, ok := f.pkg.Info.Uses[sel.Sel].(*types.Const)
	if !ok || !isReflect(c.Type(), "Kind") {
		return ""
	}
	return c.Name()
}

// isReflect reports whether a type is one of package reflect.
func isReflect(t types.Type, name string) bool { return t != nil && load.IsNamed(t, "reflect", name) }

// sources returns the objects that an expression gets its value from. What package reflect says of a value counts as the value.
func (f *valueFlow) sources(e ast.Expr) []types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.pkg.Info.Uses[e].(*types.Var); ok {
			return []types.Object{v}
		}
	case *ast.SelectorExpr:
		if v, ok := f.pkg.Info.Uses[e.Sel].(*types.Var); ok {
			return []types.Object{v}
		}
	case *ast.StarExpr:
		return f.sources(e.X)
	case *ast.UnaryExpr:
		return f.sources(e.X)
	case *ast.IndexExpr:
		return f.sources(e.X)
	case *ast.SliceExpr:
		return f.sources(e.X)
	case *ast.TypeAssertExpr:
		return f.sources(e.X)
	case *ast.CompositeLit:
		var out []types.Object
		if t := f.pkg.Info.TypeOf(e); t != nil {
			switch t.Underlying().(type) {
			case *types.Slice, *types.Array, *types.Map:
				for _, el := range e.Elts {
					if kv, ok := el.(*ast.KeyValueExpr); ok {
						el = kv.Value
					}
					out = append(out, f.sources(el)...)
				}
			}
		}
		return out
	case *ast.CallExpr:
		return f.resultOf(e)
	}
	return nil
}

// resultOf returns the objects that a call gets its result from.
func (f *valueFlow) resultOf(e *ast.CallExpr) []types.Object {
	all := func(list []ast.Expr) []types.Object {
		var out []types.Object
		for _, a := range list {
			out = append(out, f.sources(a)...)
		}
		return out
	}
	if f.pkg.Info.Types[e.Fun].IsType() {
		return all(e.Args)
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := f.pkg.Info.Uses[id].(*types.Builtin); ok && b.Name() == "append" {
			return all(e.Args)
		}
	}
	fn := f.callee(e)
	switch {
	case fn == nil:
	case fn.Pkg() == f.pkg.Types:
		return []types.Object{fn}
	case fn.Pkg() != nil && fn.Pkg().Path() == "reflect" && fn.Signature().Recv() == nil:
		if slices.Contains([]string{"ValueOf", "TypeOf", "Indirect"}, fn.Name()) {
			return all(e.Args)
		}
	case fn.Pkg() != nil && fn.Pkg().Path() == "reflect":
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && slices.Contains([]string{"Type", "Interface", "Kind"}, fn.Name()) {
			return f.sources(sel.X)
		}
	}
	return nil
}

// functionsFor returns functions of the usual shapes: with as many parameters and results as the code compares their numbers with, and with
// contexts and errors where it asks for these.
func functionsFor(pkg *load.Package) []*testcase.Operation {
	ins, outs := comparedNumbers(pkg, "NumIn"), comparedNumbers(pkg, "NumOut")
	var first []types.Type // interfaces that the code asks parameters for
	fails := false
	for _, t := range pointedTypes(pkg) {
		switch {
		case gosyntax.IsError(t):
			fails = true
		case load.IsNamed(t, "context", "Context"):
			first = append(first, t)
		}
	}
	text, number := types.Typ[types.String], types.Typ[types.Int]
	plainLists := [][]types.Type{{text}, {}, {number}, {text, number}, {text, text}, {text, number, types.Typ[types.Bool]}}
	var params [][]types.Type
	for _, list := range plainLists {
		if len(ins) == 0 && len(list) <= usualParams || slices.Contains(ins, len(list)) {
			params = append(params, list)
		}
		for _, ctx := range first {
			if with := append([]types.Type{ctx}, list...); len(ins) == 0 && len(list) < usualParams || slices.Contains(ins, len(with)) {
				params = append(params, with)
			}
		}
	}
	if len(ins) > 0 && !slices.Contains(ins, 0) {
		params = append(params, nil) // which the code refuses
	}
	failure := types.Universe.Lookup("error").Type()
	results := [][]types.Type{nil}
	if len(outs) > 0 || asksResults(pkg) || fails {
		results = [][]types.Type{{text}, nil}
		if fails {
			results = [][]types.Type{{failure}, {text, failure}, {text}, nil}
		}
		if len(outs) > 0 {
			wanted := slices.DeleteFunc(slices.Clone(results), func(r []types.Type) bool { return !slices.Contains(outs, len(r)) })
			if len(wanted) > 0 && !slices.Contains(outs, 0) {
				wanted = append(wanted, nil)
			}
			if len(wanted) > 0 {
				results = wanted
			}
		}
	}
	var out []*testcase.Operation
	for _, r := range results {
		for _, p := range params {
			for _, failing := range []bool{false, true} {
				if failing && (len(r) == 0 || !gosyntax.IsError(r[len(r)-1]) || len(p) == 0) || len(out) == mostCalled {
					continue
				}
				out = append(out, functionOf(p, r, failing))
			}
		}
	}
	return out
}

// functionOf returns the operation that makes a function of a shape, which gives back what it is given, or fails.
func functionOf(params, results []types.Type, failing bool) *testcase.Operation {
	var ins, outs []*types.Var
	var decls, returned []string
	named := make(map[string]string) // the parameters, by their types
	for _, t := range params {
		name := nameFor(t, named)
		decls = append(decls, name+" "+spelled(t))
		ins = append(ins, types.NewParam(token.NoPos, nil, name, t))
	}
	for _, t := range results {
		outs = append(outs, types.NewParam(token.NoPos, nil, "", t))
		switch given := named[spelled(t)]; {
		case gosyntax.IsError(t) && failing:
			returned = append(returned, "«errors».New(\"failed\")")
		case gosyntax.IsError(t):
			returned = append(returned, "nil")
		case given != "" && !failing:
			returned = append(returned, given)
		case failing:
			returned = append(returned, `""`)
		default:
			returned = append(returned, `"done"`)
		}
	}
	result := ""
	for i, t := range results {
		if i > 0 {
			result += ", "
		}
		result += spelled(t)
	}
	if len(results) > 1 {
		result = "(" + result + ")"
	}
	text := "func(" + strings.Join(decls, ", ") + ") {}"
	if len(results) > 0 {
		text = "func(" + strings.Join(decls, ", ") + ") " + result + " { return " + strings.Join(returned, ", ") + " }"
	}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(ins...), types.NewTuple(outs...), false)
	return &testcase.Operation{Kind: testcase.OpFuncLit, Type: sig, Text: text}
}

// nameFor returns a name for a parameter that no other one has, and notes it for its type.
func nameFor(t types.Type, named map[string]string) string {
	name := "ok"
	switch {
	case load.IsNamed(t, "context", "Context"):
		name = "ctx"
	case types.Identical(t, types.Typ[types.String]):
		name = "s"
	case types.Identical(t, types.Typ[types.Int]):
		name = "n"
	}
	if named[spelled(t)] != "" {
		return fmt.Sprint(name, 2)
	}
	named[spelled(t)] = name
	return name
}

// comparedNumbers returns the numbers that the package compares the result of a method with, those that a function may have.
func comparedNumbers(pkg *load.Package, method string) []int {
	var out []int
	add := func(x, y ast.Expr) {
		call, ok := ast.Unparen(x).(*ast.CallExpr)
		if !ok {
			return
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method || !isReflect(pkg.Info.TypeOf(sel.X), "Type") {
			return
		}
		if v := pkg.Info.Types[y].Value; v != nil && v.Kind() == constant.Int {
			if n, exact := constant.Int64Val(v); exact && n >= 0 && n <= mostParams && !slices.Contains(out, int(n)) {
				out = append(out, int(n))
			}
		}
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				add(n.X, n.Y)
				add(n.Y, n.X)
			case *ast.SwitchStmt:
				if n.Tag != nil {
					for _, c := range n.Body.List {
						for _, e := range c.(*ast.CaseClause).List {
							add(n.Tag, e)
						}
					}
				}
			}
			return true
		})
	}
	return out
}

// pointedTypes returns the interfaces that the package's code asks package reflect for, by pointers to them or as type arguments:
// reflect.TypeOf((*error)(nil)).
func pointedTypes(pkg *load.Package) []types.Type {
	var out []types.Type
	add := func(t types.Type) {
		if t != nil && types.IsInterface(t) && !slices.ContainsFunc(out, func(o types.Type) bool { return types.Identical(o, t) }) {
			out = append(out, t)
		}
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if tv := pkg.Info.Types[n.Fun]; tv.IsType() && len(n.Args) == 1 && pkg.Info.Types[n.Args[0]].IsNil() {
					if p, ok := tv.Type.Underlying().(*types.Pointer); ok {
						add(p.Elem())
					}
				}
			case *ast.IndexExpr:
				if sel, ok := n.X.(*ast.SelectorExpr); ok && sel.Sel.Name == "TypeFor" {
					add(pkg.Info.TypeOf(n.Index))
				}
			}
			return true
		})
	}
	return out
}

// asksResults reports whether the package's code asks for the types of functions' results.
func asksResults(pkg *load.Package) bool {
	found := false
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				found = found || sel.Sel.Name == "Out" && isReflect(pkg.Info.TypeOf(sel.X), "Type")
			}
			return !found
		})
	}
	return found
}

// spelled writes a type in the text of a function literal.
func spelled(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return "«" + p.Path() + "»" })
}
