package usage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// facts are what the body of a function says about its inputs.
type facts struct {
	fn     *types.Func
	doc    string                // the comment, its lines joined
	nils   map[*types.Var]bool   // parameters, receivers and fields that are compared with nil
	bounds map[*types.Var]bool   // parameters, receivers and fields that are compared with another value, or whose length is taken
	fills  map[*types.Var]bool   // fields that are assigned in a branch that found them nil
	itself bool                  // a return statement returns the receiver
	errors int                   // return statements with an error that is not nil
	naked  bool                  // a return statement does not say what the results are
	none   int                   // return statements with nil for a pointer or an interface that is no error
	passes map[*types.Func][]int // the parameters for which the function passes nil to a function of the package
}

// read collects the facts of all functions of the package.
func (r *Rules) read() {
	r.known = make(map[*types.Func]*facts)
	for fn, fd := range r.Pkg.Funcs() {
		f := r.factsOf(fn, fd)
		r.known[fn] = f
		r.all = append(r.all, f)
	}
	r.made = r.makers()
	r.nodes = kindsOfNodes(r.Pkg)
	for _, exported := range []bool{true, false} {
		for fn, fd := range r.Pkg.Funcs() {
			if fd.Body == nil || fn.Exported() != exported {
				continue
			}
			var recv *types.Named
			if v := fn.Signature().Recv(); v != nil {
				recv = load.NamedOf(v.Type())
			}
			r.fillers(testcase.TargetName(fn), exported, recv, fd.Body)
			if exported {
				r.fillEmbedded(fn, fd)
			}
		}
	}
	for _, file := range r.Pkg.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				r.fillVariables(d)
			}
		}
	}
}

// fillVariables notes the types of which variables of the package have values, as fillers does. Errors are often made so.
func (r *Rules) fillVariables(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, x := range spec.Values {
			r.fillers(spec.Names[min(i, len(spec.Names)-1)].Name, true, nil, x)
		}
	}
}

// fillEmbedded notes the structs that an exported function fills inside of others.
func (r *Rules) fillEmbedded(fn *types.Func, fd *ast.FuncDecl) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok {
			r.fillsEmbedded(fn, set)
		}
		return true
	})
}

// fillers notes the types of which a function or a variable makes values by literals that set fields which are nil in the zero
// value. If no function returns such a type itself, users get its values as parts of other values, as interfaces, by that
// variable, or as arguments of a function of theirs that the package calls. What a function does that users cannot call counts if
// it sets a field that they cannot set, either (jsonschema's CompilerContext, cbor's MarshalerError, gojq's HaltError). The function's own receiver, if any, does not count.
func (r *Rules) fillers(name string, exported bool, recv *types.Named, in ast.Node) {
	ast.Inspect(in, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		named := load.NamedOf(r.Pkg.Info.TypeOf(lit))
		if named == nil || named.Obj().Pkg() != r.Pkg.Types || r.made[named.Origin().Obj()] != "" {
			return true
		}
		st, ok := named.Underlying().(*types.Struct)
		if !ok || SameNamed(recv, named) {
			return true
		}
		for i, e := range lit.Elts {
			hidden := i < st.NumFields() && !st.Field(i).Exported()
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				key, isName := kv.Key.(*ast.Ident)
				hidden, e = isName && !key.IsExported(), kv.Value
			}
			if !hidden && !exported {
				continue
			}
			if tv := r.Pkg.Info.Types[e]; tv.Type != nil && !tv.IsNil() && couldBeNil(tv.Type) {
				r.made[named.Origin().Obj()] = name
				break
			}
		}
		return true
	})
}

// fillsEmbedded notes a function that makes an object and sets, of a struct which is embedded in it, a field that users
// do not see, as in `mux.Group.mux = mux` (httptreemux; so do gin with its RouterGroup and package testing with common). Users get
// that struct as a part of the object.
func (r *Rules) fillsEmbedded(fn *types.Func, set *ast.AssignStmt) {
	results := fn.Signature().Results()
	if fn.Signature().Recv() != nil || !fn.Exported() || results.Len() == 0 || len(set.Lhs) != len(set.Rhs) {
		return
	}
	made := load.NamedOf(results.At(0).Type())
	if made == nil || made.Obj().Pkg() != r.Pkg.Types {
		return
	}
	st, ok := made.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, l := range set.Lhs {
		sel, ok := l.(*ast.SelectorExpr)
		tv := r.Pkg.Info.Types[set.Rhs[i]]
		if !ok || tv.Type == nil || tv.IsNil() || !couldBeNil(tv.Type) {
			continue
		}
		field, ok := r.Pkg.Info.Uses[sel.Sel].(*types.Var)
		if !ok || !field.IsField() || field.Exported() {
			continue
		}
		for f := range st.Fields() {
			inner := load.NamedOf(f.Type())
			if !f.Embedded() || inner == nil || inner.Obj().Pkg() != r.Pkg.Types || r.made[inner.Origin().Obj()] != "" {
				continue
			}
			if own, ok := inner.Underlying().(*types.Struct); ok && slices.Contains(slices.Collect(own.Fields()), field) {
				r.made[inner.Origin().Obj()] = testcase.TargetName(fn)
			}
		}
	}
}

// couldBeNil reports whether the zero value of a type is a nil with which little can be done.
func couldBeNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan, *types.Map:
		return true
	}
	return false
}

func (r *Rules) factsOf(fn *types.Func, fd *ast.FuncDecl) *facts {
	f := &facts{
		fn: fn, doc: oneLine(fd.Doc.Text()),
		nils: make(map[*types.Var]bool), bounds: make(map[*types.Var]bool), fills: make(map[*types.Var]bool),
		passes: make(map[*types.Func][]int),
	}
	if fd.Body == nil {
		return f
	}
	assigned := make(map[*types.Var]bool) // parameters that have another value by now
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					if v, ok := r.Pkg.Info.Uses[id].(*types.Var); ok {
						assigned[v] = true
					}
				}
			}
		case *ast.BinaryExpr:
			r.comparison(f, n, assigned)
		case *ast.IfStmt:
			r.filling(f, n)
		case *ast.SwitchStmt:
			if v := r.variable(n.Tag); v != nil {
				f.bounds[v] = true
			}
		case *ast.CallExpr:
			r.call(f, n)
		case *ast.RangeStmt:
			if v := r.variable(n.X); v != nil {
				f.bounds[v] = true
			}
		case *ast.ReturnStmt:
			if r.returnsError(fn, n) {
				f.errors++
			}
			f.naked = f.naked || len(n.Results) < fn.Signature().Results().Len()
			if r.returnsNone(fn, n) {
				f.none++
			}
			if recv := fn.Signature().Recv(); recv != nil && len(n.Results) > 0 && r.variable(n.Results[0]) == recv {
				f.itself = true
			}
		}
		return true
	})
	return f
}

// comparison notes what a comparison says about its operands. It says nothing about a parameter that was assigned to before: Walk of go/ast,
// of influxql and of vitess' sqlparser go on with `if v = v.Visit(node); v == nil`, and none takes a visitor that is nil.
func (r *Rules) comparison(f *facts, n *ast.BinaryExpr, assigned map[*types.Var]bool) {
	switch n.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return
	}
	for _, side := range []struct{ x, other ast.Expr }{{n.X, n.Y}, {n.Y, n.X}} {
		v := r.variable(side.x)
		switch {
		case v == nil:
		case r.isNil(side.other) && assigned[v]:
		case r.isNil(side.other):
			if _, behind := ast.Unparen(side.x).(*ast.StarExpr); !behind {
				f.nils[v] = true // *p == nil does not compare p
			}
		default:
			f.bounds[v] = true
		}
	}
}

// filling notes the fields to which `if x.f == nil { x.f = ... }` gives a value, in this function or in a
// method that it calls there.
func (r *Rules) filling(f *facts, n *ast.IfStmt) {
	cmp, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || cmp.Op != token.EQL || !r.isNil(cmp.Y) {
		return
	}
	v := r.variable(cmp.X)
	if v == nil || !v.IsField() {
		return
	}
	for _, s := range n.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if r.variable(l) == v {
					f.fills[v] = true
				}
			}
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && strings.Contains(strings.ToLower(nameOf(call.Fun)), "init") {
				f.fills[v] = true
			}
		}
	}
}

// call notes the nils that a call passes.
func (r *Rules) call(f *facts, n *ast.CallExpr) {
	callee := gosyntax.Callee(r.Pkg.Info, n)
	if callee == nil || callee.Pkg() != r.Pkg.Types {
		return
	}
	for i, a := range n.Args {
		if r.isNil(a) {
			f.passes[callee] = append(f.passes[callee], i)
		}
	}
}

// variable returns the parameter, receiver or field that an expression denotes, also inside len(x), *x or
// parentheses, or nil if it denotes none.
func (r *Rules) variable(x ast.Expr) *types.Var {
	for {
		switch e := x.(type) {
		case *ast.ParenExpr:
			x = e.X
			continue
		case *ast.StarExpr:
			x = e.X
			continue
		case *ast.CallExpr:
			if name := nameOf(e.Fun); (name != "len" && name != "cap") || len(e.Args) != 1 {
				return nil
			}
			x = e.Args[0]
			continue
		case *ast.Ident:
			v, _ := r.Pkg.Info.Uses[e].(*types.Var)
			return v
		case *ast.SelectorExpr:
			if s := r.Pkg.Info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
				v, _ := s.Obj().(*types.Var)
				if v != nil {
					return v.Origin()
				}
			}
			return nil
		}
		return nil
	}
}

func (r *Rules) isNil(x ast.Expr) bool {
	return x != nil && r.Pkg.Info.Types[x].IsNil()
}

// returnsError reports whether the last result of a return statement is an error other than the
// constant nil.
func (r *Rules) returnsError(fn *types.Func, n *ast.ReturnStmt) bool {
	if !gosyntax.ReturnsError(fn.Signature()) || len(n.Results) == 0 {
		return false
	}
	last := n.Results[len(n.Results)-1]
	if r.isNil(last) {
		return false
	}
	// A named result or a variable may be nil. It counts if the number of results shows that it is returned
	// explicitly: nearly all errors in `return err` were made for the return, or checked not to be nil
	// before.
	return len(n.Results) == fn.Signature().Results().Len()
}

// returnsNone reports whether a return statement has nil where the function returns a pointer or an interface that is no error.
func (r *Rules) returnsNone(fn *types.Func, n *ast.ReturnStmt) bool {
	results := fn.Signature().Results()
	for i, x := range n.Results {
		if i >= results.Len() || !r.isNil(x) || gosyntax.IsError(results.At(i).Type()) {
			continue
		}
		switch results.At(i).Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
			return true
		}
	}
	return false
}

func nameOf(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// makers names, for each type of the package with hidden fields, the function that makes its values for
// users: a function that returns it, by itself or in a list or a map; one called New and the type's
// name; or newT, if an exported function returns it as an interface.
func (r *Rules) makers() map[*types.TypeName]string {
	out := make(map[*types.TypeName]string)
	note := func(named *types.Named, name string) {
		if old := out[named.Origin().Obj()]; old == "" || len(name) < len(old) {
			out[named.Origin().Obj()] = name
		}
	}
	for _, t := range r.Pkg.Targets {
		for v := range t.Obj.Signature().Results().Variables() {
			for _, named := range namedIn(v.Type(), 0) {
				if named.Obj().Pkg() != r.Pkg.Types || t.Recv != nil && SameNamed(load.NamedOf(t.Recv), named) {
					continue
				}
				lower := strings.ToLower(t.Obj.Name())
				if t.Exported || strings.HasPrefix(lower, "new") || strings.HasPrefix(lower, "make") {
					note(named, t.Name)
				}
			}
		}
		if name, ok := strings.CutPrefix(t.Obj.Name(), "New"); ok && t.Recv == nil {
			if tn, ok := r.Pkg.Types.Scope().Lookup(name).(*types.TypeName); ok {
				if named, ok := tn.Type().(*types.Named); ok {
					note(named, t.Name)
				}
			}
		}
	}
	return out
}

// namedIn returns the named types that a value of type t is, points to, or has as elements.
func namedIn(t types.Type, depth int) []*types.Named {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return []*types.Named{n}
	}
	if depth > 3 {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return namedIn(u.Elem(), depth+1)
	case *types.Slice:
		return namedIn(u.Elem(), depth+1)
	case *types.Array:
		return namedIn(u.Elem(), depth+1)
	case *types.Map:
		return append(namedIn(u.Key(), depth+1), namedIn(u.Elem(), depth+1)...)
	}
	return nil
}

// SameNamed reports whether two named types are instances of one type.
func SameNamed(a, b *types.Named) bool { return a != nil && b != nil && a.Origin() == b.Origin() }
