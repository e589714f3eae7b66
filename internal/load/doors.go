package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/gosyntax"
)

// doors says what users of a package can reach: the exported functions and variables, and from there
// the types of results, fields and elements, and their exported methods, even if the type itself is not
// exported.
type doors struct {
	pkg   *types.Package
	types map[*types.TypeName]bool
	// behind has the methods that can be called through an interface that hides the concrete type: for each
	// type, the interfaces to which it was converted.
	behind map[*types.TypeName][]*types.Interface
}

// doors computes what can be reached from outside. The package's SSA must be built.
func (p *Program) doors(pkg *Package) *doors {
	d := &doors{
		pkg:    pkg.Types,
		types:  make(map[*types.TypeName]bool),
		behind: make(map[*types.TypeName][]*types.Interface),
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.TypeName, *types.Var:
			d.reach(obj.Type())
		case *types.Func:
			d.reachTuple(obj.Signature().Results())
			d.reachCallbacks(obj.Signature().Params())
		}
	}
	d.conversions(pkg)
	return d
}

// reaches reports whether users can call the function or method.
func (d *doors) reaches(obj *types.Func) bool {
	if !obj.Exported() {
		return false
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return true
	}
	named := NamedOf(recv.Type())
	if named == nil {
		return false
	}
	tn := named.Origin().Obj()
	if d.types[tn] {
		return true
	}
	return slices.ContainsFunc(d.behind[tn], func(i *types.Interface) bool {
		m, _, _ := types.LookupFieldOrMethod(i, false, obj.Pkg(), obj.Name())
		return m != nil
	})
}

// reach adds everything that a value of type t gives access to.
func (d *doors) reach(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		tn := t.Origin().Obj()
		for a := range t.TypeArgs().Types() {
			d.reach(a)
		}
		if tn.Pkg() != d.pkg || d.types[tn] {
			return
		}
		d.types[tn] = true
		for m := range t.Origin().Methods() {
			if m.Exported() {
				d.reachTuple(m.Signature().Results())
				d.reachCallbacks(m.Signature().Params())
			}
		}
		d.reach(t.Origin().Underlying())
	case *types.Pointer:
		d.reach(t.Elem())
	case *types.Slice:
		d.reach(t.Elem())
	case *types.Array:
		d.reach(t.Elem())
	case *types.Chan:
		d.reach(t.Elem())
	case *types.Map:
		d.reach(t.Key())
		d.reach(t.Elem())
	case *types.Signature:
		d.reachTuple(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			// An embedded field that is not exported still promotes its methods.
			if f.Exported() || f.Embedded() {
				d.reach(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() {
				d.reachTuple(m.Signature().Results())
			}
		}
	}
}

func (d *doors) reachTuple(t *types.Tuple) {
	for v := range t.Variables() {
		d.reach(v.Type())
	}
}

// reachCallbacks adds the arguments with which the package calls functions that users pass in.
func (d *doors) reachCallbacks(params *types.Tuple) {
	for v := range params.Variables() {
		if sig, ok := v.Type().Underlying().(*types.Signature); ok {
			d.reachTuple(sig.Params())
		}
	}
}

// hidden reports whether t is a type of the package whose values users cannot get.
func (d *doors) hidden(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == d.pkg && !d.types[n.Origin().Obj()]
}

// conversions records which types of the package its code converts to which interfaces, because a constructor
// that returns an interface gives users the methods of the type behind it. It does not track which conversion
// flows into which result, but what is only passed to functions of other packages, like sort.Sort and heap.Push, is for these
// to call.
func (d *doors) conversions(pkg *Package) {
	seen := make(map[*ssa.Function]bool)
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				mi, ok := in.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				iface, _ := mi.Type().Underlying().(*types.Interface)
				named := NamedOf(mi.X.Type())
				if iface == nil || iface.NumMethods() == 0 || named == nil || named.Obj().Pkg() != d.pkg || d.hidden(mi.Type()) || d.onlyLent(mi) {
					continue
				}
				tn := named.Origin().Obj()
				if !slices.Contains(d.behind[tn], iface) {
					d.behind[tn] = append(d.behind[tn], iface)
				}
			}
		}
		for _, a := range fn.AnonFuncs {
			visit(a)
		}
	}
	for _, m := range pkg.SSA.Members {
		if fn, ok := m.(*ssa.Function); ok {
			visit(fn)
		}
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if named, ok := types.Unalias(tn.Type()).(*types.Named); ok {
			for m := range named.Methods() {
				visit(pkg.SSA.Prog.FuncValue(m))
			}
		}
	}
}

// onlyLent reports whether an interface value is nothing but an argument of functions of other packages.
func (d *doors) onlyLent(mi *ssa.MakeInterface) bool {
	lent := false
	for _, user := range *mi.Referrers() {
		switch user := user.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Call:
			callee := user.Common().StaticCallee()
			if callee == nil || callee.Pkg == nil || callee.Pkg.Pkg == d.pkg {
				return false
			}
			lent = true
		default:
			return false
		}
	}
	return lent
}

// Accessor returns the exported method with which users of the package read an unexported field of a struct: it takes nothing,
// and all that it returns is the field. It returns nil if there is none. A test that asks the method says what users see.
func (pkg *Package) Accessor(t types.Type, field *types.Var) *types.Func {
	named := NamedOf(t)
	if named == nil || field.Exported() || pkg.Info == nil {
		return nil
	}
	if known, ok := pkg.accessors.Load(field.Origin()); ok {
		return known.(*types.Func)
	}
	m := pkg.findAccessor(named, field)
	pkg.accessors.Store(field.Origin(), m)
	return m
}

// findAccessor does the same without a look at what was found before.
func (pkg *Package) findAccessor(named *types.Named, field *types.Var) *types.Func {
	for m := range named.Origin().Methods() {
		sig := m.Signature()
		if !m.Exported() || sig.Params().Len() > 0 || sig.Results().Len() != 1 || !sameType(sig.Results().At(0).Type(), field.Origin().Type()) {
			continue
		}
		if decl := pkg.Func(m); decl != nil && pkg.returnsField(decl, field.Origin()) {
			return m
		}
	}
	return nil
}

// sameType reports whether two types are the same, or type parameters: those of a type and of its methods are no identical
// objects.
func sameType(a, b types.Type) bool {
	_, isParamA := types.Unalias(a).(*types.TypeParam)
	_, isParamB := types.Unalias(b).(*types.TypeParam)
	return types.Identical(a, b) || isParamA && isParamB
}

// returnsField reports whether all return statements of a method return a field of its receiver, and the method does nothing
// else but lock and unlock, and look whether its receiver is nil. The field may be read by package sync/atomic, and converted to
// its type then.
func (pkg *Package) returnsField(decl *ast.FuncDecl, field *types.Var) bool {
	if decl.Body == nil || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return false
	}
	recv := pkg.Info.Defs[decl.Recv.List[0].Names[0]]
	returns, other := 0, false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			return !pkg.asksForNil(n, recv)
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.FuncLit, *ast.GoStmt, *ast.SendStmt:
			other = true
		case *ast.CallExpr:
			f := gosyntax.Callee(pkg.Info, n)
			other = other || f == nil || !slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock"}, f.Name())
		case *ast.ReturnStmt:
			returns++
			if len(n.Results) != 1 {
				other = true
				break
			}
			sel, ok := ast.Unparen(n.Results[0]).(*ast.SelectorExpr)
			if load, isCall := gosyntax.Unconverted(pkg.Info, n.Results[0]).(*ast.CallExpr); isCall && loads(pkg.Info, load) {
				sel = gosyntax.AtomicField(pkg.Info, load)
				ok = sel != nil
			}
			x, isIdent := (*ast.Ident)(nil), false
			if ok {
				x, isIdent = ast.Unparen(sel.X).(*ast.Ident)
			}
			if !isIdent || pkg.Info.Uses[x] != recv {
				other = true
				break
			}
			read, _ := pkg.Info.Uses[sel.Sel].(*types.Var)
			other = other || read == nil || read.Origin() != field
			return false // that what is returned is loaded atomically was looked at
		}
		return !other
	})
	return returns > 0 && !other
}

// loads reports whether a call is one of the Load functions of package sync/atomic.
func loads(info *types.Info, call *ast.CallExpr) bool {
	f := gosyntax.Callee(info, call)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" && strings.HasPrefix(f.Name(), "Load")
}

// asksForNil reports whether a statement does nothing but return a constant if an object is nil.
func (pkg *Package) asksForNil(st *ast.IfStmt, object types.Object) bool {
	cond, ok := st.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.EQL || st.Init != nil || st.Else != nil || len(st.Body.List) != 1 {
		return false
	}
	x, isIdent := ast.Unparen(cond.X).(*ast.Ident)
	ret, returns := st.Body.List[0].(*ast.ReturnStmt)
	if !isIdent || pkg.Info.Uses[x] != object || !pkg.Info.Types[cond.Y].IsNil() || !returns || len(ret.Results) != 1 {
		return false
	}
	v := pkg.Info.Types[ret.Results[0]]
	return v.Value != nil || v.IsNil()
}
