package random

import (
	"context"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// dynamic knows which types the code asserts of values that may be anything. A function that asserts
// []complex128 does nothing for the types that people usually pass, and no other value gets beyond the
// assertion.
type dynamic struct {
	own   map[string][]types.Type // by function: the types that its body names
	calls map[string][]string     // by function: the functions of the package that it calls
	kinds map[string][]types.Type // by function: the basic types whose kinds it names, as reflect.Uint
	// With the types of the functions that a function calls, filled on demand.
	all, allKinds map[string][]types.Type
}

// Bounds of what is read: through how many calls, how many types of a function count, and how many there may
// be for the whole package to be given to the harness beforehand.
const (
	dynamicDepth = 4
	maxDynamic   = 40
)

// dynamicTypes reads the type assertions and type switches of a package.
func dynamicTypes(pkg *load.Package) *dynamic {
	d := &dynamic{
		own: map[string][]types.Type{}, calls: map[string][]string{}, kinds: map[string][]types.Type{},
		all: map[string][]types.Type{}, allKinds: map[string][]types.Type{},
	}
	if pkg.Info == nil {
		return d
	}
	for _, f := range pkg.Syntax {
		for _, decl := range f.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Body != nil {
				d.read(pkg, fd)
			}
		}
	}
	return d
}

// read reads one function.
func (d *dynamic) read(pkg *load.Package, fd *ast.FuncDecl) {
	name := gosyntax.DeclName(fd)
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if n.Type != nil && gosyntax.IsAny(pkg.Info.TypeOf(n.X)) {
				d.add(pkg, name, n.Type)
			}
		case *ast.TypeSwitchStmt:
			if gosyntax.IsAny(switchedType(pkg, n)) {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						d.add(pkg, name, e)
					}
				}
			}
		case *ast.Ident:
			switch o := pkg.Info.Uses[n].(type) {
			case *types.Func:
				if o.Pkg() == pkg.Types {
					d.calls[name] = append(d.calls[name], testcase.TargetName(o))
				}
			case *types.Const:
				if t := kindNamed(o); t != nil && !containsType(d.kinds[name], t) {
					d.kinds[name] = append(d.kinds[name], t)
				}
			}
		}
		return true
	})
}

// switchedType returns the static type of the value that a type switch is about.
func switchedType(pkg *load.Package, s *ast.TypeSwitchStmt) types.Type {
	var e ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		e = a.X
	case *ast.AssignStmt:
		e = a.Rhs[0]
	}
	if ta, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
		return pkg.Info.TypeOf(ta.X)
	}
	return nil
}

// add notes a type that a function asserts, if a test can make values of the type.
func (d *dynamic) add(pkg *load.Package, name string, e ast.Expr) {
	tv := pkg.Info.Types[e]
	if !tv.IsType() || types.IsInterface(tv.Type) || !nameable(tv.Type, pkg) {
		return
	}
	if !containsType(d.own[name], tv.Type) {
		d.own[name] = append(d.own[name], tv.Type)
	}
}

// kindNamed returns the basic type of the kind that a constant of package reflect stands for, or nil.
func kindNamed(c *types.Const) types.Type {
	if c.Pkg() == nil || c.Pkg().Path() != "reflect" {
		return nil
	}
	for _, t := range types.Typ {
		if b := t; b != nil && b.Info()&types.IsUntyped == 0 && b.Kind() != types.UnsafePointer && strings.EqualFold(b.Name(), c.Name()) {
			return b
		}
	}
	return nil
}

// of returns the types that a function asserts, or functions that it calls, its own first.
func (d *dynamic) of(name string) []types.Type { return d.reached(name, d.own, d.all) }

// kindsOf returns the basic types whose kinds a function names, or functions that it calls.
func (d *dynamic) kindsOf(name string) []types.Type { return d.reached(name, d.kinds, d.allKinds) }

// reached returns the types of a function and of the functions that it calls, given those of each by itself.
func (d *dynamic) reached(name string, own, all map[string][]types.Type) []types.Type {
	list, ok := all[name]
	if ok {
		return list
	}
	seen := map[string]bool{name: true}
	level := []string{name}
	for range dynamicDepth {
		var below []string
		for _, f := range level {
			for _, t := range own[f] {
				if len(list) < maxDynamic && !containsType(list, t) {
					list = append(list, t)
				}
			}
			for _, c := range d.calls[f] {
				if !seen[c] {
					seen[c] = true
					below = append(below, c)
				}
			}
		}
		level = below
	}
	all[name] = list
	return list
}

// nameable reports whether a test of the package can write a type: no type parameter and no type that only
// another package can name is in it.
func nameable(t types.Type, pkg *load.Package) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		return u.Info()&types.IsUntyped == 0 && u.Kind() != types.UnsafePointer
	case *types.Named:
		for a := range u.TypeArgs().Types() {
			if !nameable(a, pkg) {
				return false
			}
		}
		if p := u.Obj().Pkg(); p != nil && u.Obj().Parent() != p.Scope() {
			return false // it is declared within a function
		}
		return u.Obj().Pkg() == nil || u.Obj().Exported() || u.Obj().Pkg() == pkg.Types && !pkg.ExternalTests
	case *types.Pointer:
		return nameable(u.Elem(), pkg)
	case *types.Slice:
		return nameable(u.Elem(), pkg)
	case *types.Array:
		return nameable(u.Elem(), pkg)
	case *types.Map:
		return nameable(u.Key(), pkg) && nameable(u.Elem(), pkg)
	case *types.Interface:
		return u.IsMethodSet()
	}
	return false
}

func containsType(list []types.Type, t types.Type) bool {
	for _, u := range list {
		if types.Identical(u, t) {
			return true
		}
	}
	return false
}

// asserted makes a value for an interface without methods, of a type that the function being tried asserts.
func (e *engine) asserted(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	if !gosyntax.IsAny(t) {
		return testcase.Ref{}, false
	}
	list := e.dynamic.of(e.now)
	if len(list) == 0 || e.rnd.IntN(2) == 0 {
		return testcase.Ref{}, false
	}
	u := list[e.rnd.IntN(len(list))]
	if e.rnd.IntN(3) == 0 {
		u = list[0] // the types of the function itself come first, and the functions that it calls may have very many others
	}
	// A map or list that is as deep as values usually go still gets elements, because an empty one is soon done with.
	return e.value(d, u, min(level+1, maxLevel))
}

// produced makes a receiver by a method or function that may keep what it is given: the value for the
// assertions of the function being tried has to be inside of the receiver. Earlier results in the
// pool were made for other functions.
func (e *engine) produced(d *draft, t types.Type) (testcase.Ref, bool) {
	if len(e.dynamic.of(e.now)) == 0 || e.rnd.IntN(2) == 0 {
		return testcase.Ref{}, false
	}
	list := e.producers(t)
	if len(list) == 0 {
		return testcase.Ref{}, false
	}
	p := list[e.rnd.IntN(len(list))]
	mark := len(d.stmts)
	var args []testcase.Ref
	for i, param := range p.params {
		if p.spread && i == len(p.params)-1 {
			break
		}
		var r testcase.Ref
		var ok bool
		switch param.Underlying().(type) {
		case *types.Map, *types.Slice:
			r, ok = e.byShape(d, param, 1)
		default:
			r, ok = e.value(d, param, 1)
		}
		if !ok {
			d.stmts = d.stmts[:mark]
			d.forget(mark)
			return r, false
		}
		args = append(args, r)
	}
	return d.add(p.op, args...), true
}

// producers returns the exported functions and methods whose only result is a t and that take something that
// may hold any value.
func (e *engine) producers(t types.Type) []*action {
	key := e.pool.keys.of(t)
	list, ok := e.produce[key]
	if ok {
		return list
	}
	for _, a := range e.actions {
		if a.name == "" || a.private || a.op.Via != nil || len(a.results) != 1 || !types.Identical(a.results[0], t) {
			continue
		}
		for _, p := range a.params {
			if holdsAny(p) {
				list = append(list, a)
				break
			}
		}
	}
	e.produce[key] = list
	return list
}

// holdsAny reports whether a value may be anything, or is a list or map of such.
func holdsAny(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return gosyntax.IsAny(u.Elem())
	case *types.Map:
		return gosyntax.IsAny(u.Elem())
	}
	return gosyntax.IsAny(t)
}

// A function that returns an interface may make objects of several types, as a parser makes nodes of many kinds: which text becomes which
// node only runs tell. So new values of interfaces are run once more, observed, and what is in them goes into the pool under
// its own type as well: the receivers of its methods, and arguments that need the type itself.

// veiled is a value of an interface in the pool.
type veiled struct {
	entry
	hash uint64
}

// Bounds: how many values of interfaces are looked at, in all and between two batches.
const (
	maxUnveiled = 400
	maxVeiled   = 120
)

// noteVeiled notes a value that is new in the pool if it is an interface that may hold a type of the package.
func (e *engine) noteVeiled(t types.Type, hash uint64, v entry) {
	if types.IsInterface(t) && !gosyntax.IsError(t) && e.unveiled+len(e.veiled) < maxUnveiled && len(e.veiled) < maxVeiled {
		e.veiled = append(e.veiled, veiled{v, hash})
	}
}

// unveil looks at the noted values.
func (e *engine) unveil(ctx context.Context) error {
	if len(e.veiled) == 0 {
		return nil
	}
	list := e.veiled
	e.veiled, e.unveiled = nil, e.unveiled+len(list)
	seqs := make([]*testcase.Sequence, len(list))
	for i, v := range list {
		seqs[i] = v.seq.Sequence
	}
	if e.cfg.Stateful {
		e.h.Fresh()
	}
	outs, err := e.h.RunWith(ctx, seqs, native.Options{Capture: native.CaptureLast, Hasty: true})
	if err != nil {
		return err
	}
	for i, v := range list {
		e.res.Ops += calls(seqs[i], native.Probe{Outcome: outs[i]})
		held := heldType(outs[i], v.ref)
		if n := load.NamedOf(held); n == nil || n.Obj().Pkg() != e.pkg.Types || !nameable(held, e.pkg) || !e.pool.fresh(held, v.hash) {
			continue
		}
		at := testcase.Statement{Op: e.typedOp(testcase.OpAssert, held), Args: []testcase.Ref{v.ref}}
		inside := entry{e.pooled(v.seq.Extend(at)), testcase.Ref{Stmt: v.seq.Len()}}
		e.pool.put(held, inside)
		e.consider(held, inside)
	}
	return nil
}

// heldType returns the type of what an observed interface holds, nil if that is not known.
func heldType(o *testcase.Outcome, ref testcase.Ref) types.Type {
	if o.Status != testcase.Returned || ref.Stmt >= len(o.Results) || ref.Result >= len(o.Results[ref.Stmt]) {
		return nil
	}
	v := o.Results[ref.Stmt][ref.Result]
	if v.Kind != testcase.Interface || len(v.Elems) != 1 || v.Elems[0].Kind == testcase.Nil {
		return nil
	}
	return v.Elems[0].Type
}

// isAmong reports whether t is a type that exported functions of the package return in an interface for some arguments, and that no
// function always returns.
func (e *engine) isAmong(t types.Type) bool {
	key := e.pool.keys.of(t)
	is, ok := e.among[key]
	if !ok {
		makers := slices.DeleteFunc(e.pkg.Constructors(t), func(c *load.Target) bool { return !c.Exported })
		is = len(makers) > 0 && !slices.ContainsFunc(makers, func(c *load.Target) bool { return !c.IsAmong(t) })
		e.among[key] = is
	}
	return is
}

// neverMade reports whether the functions that make a t for some arguments have made none so far, although they were tried for a while.
// Then a literal has to do, or the type's methods would never be called.
func (e *engine) neverMade(t types.Type) bool {
	if !e.isAmong(t) || e.spent() < e.cfg.Ops/4 {
		return false
	}
	_, made := e.pick(t)
	return !made
}
