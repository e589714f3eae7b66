package requests

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
)

// mostElsewhere is how many functions of other packages are read for one package at the most.
const mostElsewhere = 400

// Source is a package with its syntax and the types of it.
type Source struct {
	Types  *types.Package
	Info   *types.Info
	Syntax []*ast.File
}

// Facts is what is known about the requests of a package.
type Facts struct {
	Statuses []int    // the statuses of responses that code compares with, in the order of the code
	Keys     []string // the keys that code asks the headers of responses for

	fields  map[string]*Compared
	into    map[place]Notation // the places into which code decodes
	sending bool
	funcs   map[string]*function
	methods map[string][]string // the methods that may be behind those of interfaces
}

// function is what is known about one function. The initial values of variables of a package are one function without a name.
type function struct {
	name     string
	source   *Source
	params   map[*types.Var]int
	sends    bool
	calls    []string  // the functions that it calls, by name
	behind   []string  // the methods that may be behind calls of interfaces
	decoded  []Decoded // what it decodes
	deferred []Decoded // what it decodes once its type parameters are known
}

// finder finds the facts about one package.
type finder struct {
	*Facts
	other     func(path string) *Source
	order     []*function // the functions that are to be read
	elsewhere int
	sources   map[string]*Source
	decls     map[string]*ast.FuncDecl // of all sources
	flows     []flow
	instances []instance
	statuses  map[*types.Var]bool // the variables that hold a status
	grown     bool
}

// Of finds out about the requests of a package. The function other returns another package of the module by its import path, or nil
// for one that is not to be read; it is not asked about anything if nothing that the package calls can send a request.
func Of(own *Source, other func(path string) *Source) *Facts {
	f := &finder{
		Facts: &Facts{fields: make(map[string]*Compared), into: make(map[place]Notation), funcs: make(map[string]*function), methods: make(map[string][]string)},
		other: other, sources: make(map[string]*Source), decls: make(map[string]*ast.FuncDecl),
		statuses: make(map[*types.Var]bool),
	}
	f.open(own.Types.Path(), own)
	start := &function{name: "", source: own}
	f.funcs[""] = start
	for _, file := range own.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if fn, ok := own.Info.Defs[d.Name].(*types.Func); ok {
					f.reach(fn.FullName(), own)
				}
			case *ast.GenDecl:
				f.read(start, d)
			}
		}
	}
	for i := 0; i < len(f.order); i++ {
		in := f.order[i]
		f.read(in, f.decls[in.name].Body)
	}
	f.followValues()
	f.followCalls()
	return f.Facts
}

// open notes the declared functions of a package.
func (f *finder) open(path string, s *Source) {
	f.sources[path] = s
	if s == nil {
		return
	}
	for _, file := range s.Syntax {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if fn, ok := s.Info.Defs[fd.Name].(*types.Func); ok {
					f.decls[fn.FullName()] = fd
				}
			}
		}
	}
}

// sourceOf returns the package that declares a function, or nil if it is not to be read.
func (f *finder) sourceOf(pkg *types.Package) *Source {
	if pkg == nil {
		return nil
	}
	s, known := f.sources[pkg.Path()]
	if !known {
		s = f.other(pkg.Path())
		f.open(pkg.Path(), s)
	}
	return s
}

// reach has a function read that is declared in a package, once.
func (f *finder) reach(name string, s *Source) {
	fd := f.decls[name]
	if fd == nil || f.funcs[name] != nil {
		return
	}
	own := s == f.funcs[""].source
	if !own {
		if f.elsewhere == mostElsewhere {
			return
		}
		f.elsewhere++
	}
	in := &function{name: name, source: s, params: make(map[*types.Var]int)}
	fn := s.Info.Defs[fd.Name].(*types.Func)
	for i := range fn.Signature().Params().Len() {
		in.params[fn.Signature().Params().At(i)] = i
	}
	f.funcs[name] = in
	f.order = append(f.order, in)
}

// read notes what the code of a function does.
func (f *finder) read(in *function, code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return false // it is a function of its own
		case *ast.CallExpr:
			f.call(in, n)
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i, x := range n.Lhs {
					f.flow(in, f.placeOf(in, x), n.Rhs[i])
					f.holdsStatus(in, x, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, x := range n.Names {
					f.flow(in, f.placeOf(in, x), n.Values[i])
				}
			}
		case *ast.CompositeLit:
			f.literal(in, n)
		case *ast.TypeSwitchStmt:
			f.typeSwitch(in, n)
		case *ast.BinaryExpr:
			f.comparison(in, n)
		case *ast.SwitchStmt:
			f.valueSwitch(in, n)
		}
		return true
	})
}

// call notes what a call of a function does.
func (f *finder) call(in *function, call *ast.CallExpr) {
	info := in.source.Info
	in.sends = in.sends || isResponse(info.TypeOf(call))
	f.headerKey(in, call)
	id := gosyntax.CalledIdent(call)
	if id == nil {
		return
	}
	callee, ok := info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	callee = callee.Origin()
	name, s := callee.FullName(), f.sourceOf(callee.Pkg())
	for k, arg := range call.Args {
		if last := callee.Signature().Params().Len() - 1; last >= 0 {
			f.flow(in, paramPlace(name, min(k, last)), arg)
		}
	}
	f.seed(callee)
	if s == nil {
		return
	}
	if !slices.Contains(in.calls, name) {
		in.calls = append(in.calls, name)
	}
	f.reach(name, s)
	f.instance(in, call, id, callee)
	if recv := callee.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if f.methods[name] == nil {
			f.implementers(callee, s)
		}
		in.behind = append(in.behind, f.methods[name]...)
	}
}

// implementers notes the methods of the interface's own package that may be behind the call of one of its methods.
func (f *finder) implementers(method *types.Func, s *Source) {
	named, ok := types.Unalias(method.Signature().Recv().Type()).(*types.Named)
	if !ok {
		return
	}
	obj, ok := s.Types.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !ok {
		return
	}
	iface, ok := obj.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	for _, name := range s.Types.Scope().Names() {
		tn, ok := s.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || isGeneric(tn.Type()) || !types.Implements(types.NewPointer(tn.Type()), iface) {
			continue
		}
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, s.Types, method.Name())
		fn, ok := m.(*types.Func)
		if !ok || fn.Pkg() != s.Types || slices.Contains(f.methods[method.FullName()], fn.FullName()) {
			continue
		}
		f.methods[method.FullName()] = append(f.methods[method.FullName()], fn.FullName())
		f.reach(fn.FullName(), s)
		for k := range fn.Signature().Params().Len() {
			f.flows = append(f.flows, flow{to: paramPlace(fn.FullName(), k), via: paramPlace(method.FullName(), k)})
		}
	}
}

// isGeneric reports whether a type is declared with type parameters.
func isGeneric(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.TypeParams().Len() > 0
}
