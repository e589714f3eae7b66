// Package defaults finds the objects that a package keeps behind variables for those of its users who want no object of their
// own, and has cases put new ones in their place.
//
//  1. [Of] reads which variables lead to such objects, and which functions use and change them.
//  2. [Objects.Lacks] says which of them a sequence changes without having put a new one there.
//  3. [Objects.Renewed] makes it begin with one.
package defaults

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// Objects are the default objects of a package: flag.CommandLine, the standard logger of package log. Functions without a receiver
// call the object's methods. What one such call does is there for all later ones, so that a flag can be defined once in a process;
// a test therefore puts a new object behind the variable first, and the old one back at its end.
type Objects struct {
	objects []object
}

// object is one of them.
type object struct {
	v       *types.Var
	makes   []*load.Target  // the constructors of such objects, the best first
	users   map[string]bool // the functions without a receiver that use the object, by Target.Name
	changes map[string]bool // those of them that may change it
}

// Of finds the default objects of a package: package-level variables that are pointers to structs of the package with
// a constructor of numbers, texts and truths, and that functions without a receiver use and may change. Functions are followed to the functions without a
// receiver that they call; what only methods use is a matter of their own objects.
func Of(pkg *load.Package) *Objects {
	d := &Objects{}
	if pkg.Info == nil || pkg.Types == nil {
		return d
	}
	var mentions map[types.Object][]string
	for _, name := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok || !v.Exported() && pkg.ExternalTests {
			continue
		}
		makes := makersOf(pkg, v.Type())
		if len(makes) == 0 {
			continue
		}
		if mentions == nil {
			mentions = mentionedByFunctions(pkg)
		}
		o := object{v: v, makes: makes, users: usersOf(pkg, v, mentions), changes: make(map[string]bool)}
		stores := storesInto(pkg, v.Type())
		for _, t := range pkg.Targets {
			if !o.users[t.Name] || t.Func == nil || t.Obj.Signature().Recv() != nil {
				continue
			}
			for called := range purity.Calls(pkg, t.Func) {
				if stores[called] {
					o.changes[t.Name] = true
				}
			}
		}
		if len(o.changes) > 0 && o.renewal() != nil {
			d.objects = append(d.objects, o)
		}
	}
	return d
}

// makersOf returns the constructors that return a t, which is a pointer to a struct of the package, and nothing else.
func makersOf(pkg *load.Package, t types.Type) []*load.Target {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg.Types {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return slices.DeleteFunc(pkg.Constructors(t), func(c *load.Target) bool {
		rs := c.Obj.Signature().Results()
		return len(c.TypeArgs) > 0 || rs.Len() != 1 || !types.Identical(rs.At(0).Type(), t)
	})
}

// mentionedByFunctions returns, for each variable and function of the package, the functions without a receiver that mention
// it. Functions called init are left out, which make the objects.
func mentionedByFunctions(pkg *load.Package) map[types.Object][]string {
	out := make(map[types.Object][]string)
	for _, fd := range pkg.Funcs() {
		name := gosyntax.DeclName(fd)
		if fd.Recv != nil || name == "init" || fd.Body == nil {
			continue
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := pkg.Info.Uses[id]; obj != nil && obj.Pkg() == pkg.Types && !slices.Contains(out[obj], name) {
					out[obj] = append(out[obj], name)
				}
			}
			return true
		})
	}
	return out
}

// usersOf returns the functions without a receiver that use a variable, themselves or by others of these.
func usersOf(pkg *load.Package, v *types.Var, mentions map[types.Object][]string) map[string]bool {
	users := make(map[string]bool)
	todo := slices.Clone(mentions[v])
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if users[name] {
			continue
		}
		users[name] = true
		if f := pkg.Types.Scope().Lookup(name); f != nil {
			todo = append(todo, mentions[f]...)
		}
	}
	return users
}

// storesInto returns the functions of a package, by Target.Name, that change fields of an object that they have not made,
// or maps and slices in them. t is a pointer to the object.
func storesInto(pkg *load.Package, t types.Type) map[string]bool {
	out := make(map[string]bool)
	for _, target := range pkg.Targets {
		if target.Func != nil && changesFields(target.Func, t) {
			out[target.Name] = true
		}
	}
	return out
}

// changesFields reports whether a function or a literal in it stores to a field of a t that it has not allocated, or passes the
// address of one on.
func changesFields(fn *ssa.Function, t types.Type) bool {
	inside := func(v ssa.Value) bool {
		for {
			switch x := v.(type) {
			case *ssa.FieldAddr:
				if types.Identical(x.X.Type(), t) {
					_, own := x.X.(*ssa.Alloc)
					return !own && !isLock(x.Type())
				}
				v = x.X
			case *ssa.IndexAddr:
				v = x.X
			case *ssa.UnOp:
				v = x.X
			default:
				return false
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if inside(in.Addr) {
					return true
				}
			case *ssa.MapUpdate:
				if inside(in.Map) {
					return true
				}
			case ssa.CallInstruction:
				for _, a := range in.Common().Args {
					if _, address := a.(*ssa.FieldAddr); address && inside(a) {
						return true
					}
				}
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(f *ssa.Function) bool { return changesFields(f, t) })
}

// Used returns the variables whose objects a function uses, by Target.Name.
func (d *Objects) Used(target string) []*types.Var {
	var out []*types.Var
	for _, o := range d.objects {
		if o.users[target] {
			out = append(out, o.v)
		}
	}
	return out
}

// Is reports whether a variable leads to a default object.
func (d *Objects) Is(v *types.Var) bool {
	return slices.ContainsFunc(d.objects, func(o object) bool { return o.v == v })
}

// Lacks returns the variables whose objects a sequence may change, by functions or as a value that it has read, and behind which
// it has not put a new object before.
func (d *Objects) Lacks(s *testcase.Sequence) []*types.Var {
	if len(d.objects) == 0 {
		return nil
	}
	var out []*types.Var
	set := make(map[*types.Var]bool)
	for i := range s.Len() {
		op := s.At(i).Op
		switch op.Kind {
		case testcase.OpSetGlobal:
			set[op.Var] = true
		case testcase.OpGlobal:
			if d.Is(op.Var) && !set[op.Var] { // its methods may be called
				set[op.Var] = true
				out = append(out, op.Var)
			}
		case testcase.OpFunc:
			for _, o := range d.objects {
				if o.changes[op.Func.Name()] && op.Func.Pkg() == o.v.Pkg() && !set[o.v] {
					set[o.v] = true
					out = append(out, o.v)
				}
			}
		}
	}
	return out
}

// Renewed returns a case that begins by putting new objects behind the variables that it lacks them of, or the case itself if
// it lacks none, or if no constructor takes arguments that are known.
func (d *Objects) Renewed(c *testcase.Case) *testcase.Case {
	for _, v := range slices.Backward(d.Lacks(c.Seq)) {
		for _, o := range d.objects {
			if o.v == v {
				if stmts := o.renewal(); stmts != nil {
					c = c.Behind(stmts)
				}
			}
		}
	}
	return c
}

// renewal returns statements that put a new object behind a variable: by the first constructor whose arguments may be zero.
func (o object) renewal() []testcase.Statement {
	for _, c := range o.makes {
		sig := c.Obj.Signature()
		var stmts []testcase.Statement
		var args []testcase.Ref
		n := sig.Params().Len()
		if sig.Variadic() {
			n-- // none are passed
		}
		for i := range n {
			t := sig.Params().At(i).Type()
			if _, plain := t.Underlying().(*types.Basic); !plain {
				args = nil
				break
			}
			args = append(args, testcase.Ref{Stmt: len(stmts)})
			stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}})
		}
		if len(args) < n {
			continue
		}
		stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: c.Obj}, Args: args})
		return append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpSetGlobal, Var: o.v}, Args: []testcase.Ref{{Stmt: len(stmts) - 1}}})
	}
	return nil
}

// Vars returns the variables, in the order of their names.
func (d *Objects) Vars() []*types.Var {
	var out []*types.Var
	for _, o := range d.objects {
		out = append(out, o.v)
	}
	return out
}

// isLock reports whether t is a pointer to a type of package sync: to take a lock changes nothing that a test sees.
func isLock(t types.Type) bool {
	n := load.NamedOf(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}
