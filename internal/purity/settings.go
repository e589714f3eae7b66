package purity

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Settings returns, by function, the exported variables of a package by which its users choose what the function does, and
// which the function or what it calls reads: switches (variables of type bool), and the clock (variables that hold
// a func() time.Time). Of a call by way of an interface any method of that name may be meant.
func Settings(pkg *load.Package) map[string][]*types.Var {
	reads := make(map[string][]*types.Var)
	if pkg.Info == nil {
		return reads
	}
	methods := make(map[string][]string) // functions of the package with a receiver, by their names without it
	for _, fd := range pkg.Funcs() {
		if fd.Recv != nil {
			methods[fd.Name.Name] = append(methods[fd.Name.Name], gosyntax.DeclName(fd))
		}
	}
	callers := make(map[string]map[string]bool)
	for _, fd := range pkg.Funcs() {
		name := gosyntax.DeclName(fd)
		ast.Inspect(fd, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch obj := pkg.Info.Uses[id].(type) {
			case *types.Var:
				if isSetting(pkg, obj) {
					reads[name] = with(reads[name], obj)
				}
			case *types.Func:
				if obj.Pkg() != pkg.Types {
					return true
				}
				for _, called := range meant(obj, methods) {
					if callers[called] == nil {
						callers[called] = make(map[string]bool)
					}
					callers[called][name] = true
				}
			}
			return true
		})
	}
	todo := slices.Sorted(maps.Keys(reads))
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for caller := range callers[name] {
			before := len(reads[caller])
			if reads[caller] = with(reads[caller], reads[name]...); len(reads[caller]) > before {
				todo = append(todo, caller)
			}
		}
	}
	for _, vars := range reads {
		slices.SortFunc(vars, func(a, b *types.Var) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return reads
}

// meant returns the names of the functions that a mention of one may lead to: of an interface's method all methods of its name.
func meant(f *types.Func, methods map[string][]string) []string {
	recv := f.Signature().Recv()
	switch {
	case recv == nil:
		return []string{f.Name()}
	case types.IsInterface(recv.Type()):
		return methods[f.Name()]
	}
	if named := load.NamedOf(recv.Type()); named != nil {
		return []string{named.Obj().Name() + "." + f.Name()}
	}
	return nil
}

// isSetting reports whether a variable is a switch or a clock that users of the package can set.
func isSetting(pkg *load.Package, v *types.Var) bool {
	if !v.Exported() || v.Parent() != pkg.Types.Scope() {
		return false
	}
	if b, ok := v.Type().Underlying().(*types.Basic); ok {
		return b.Kind() == types.Bool
	}
	return IsClock(v.Type())
}

// IsClock reports whether a type is that of functions that tell the time.
func IsClock(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 && load.IsNamed(sig.Results().At(0).Type(), "time", "Time")
}

// Set returns statements that set a switch to a truth, or make a clock stand still.
func Set(v *types.Var, on bool) []testcase.Statement {
	value := &testcase.Operation{Kind: testcase.OpLiteral, Type: v.Type(), Lit: testcase.Literal{Kind: testcase.LitBool}}
	switch {
	case IsClock(v.Type()):
		value = &testcase.Operation{Kind: testcase.OpFuncLit, Type: v.Type(), Text: "func() «time».Time { return «time».Date(2024, 3, 5, 7, 8, 9, 0, «time».UTC) }"}
	case on:
		value.Lit.Bits = 1
	}
	return []testcase.Statement{{Op: value}, {Op: &testcase.Operation{Kind: testcase.OpSetGlobal, Var: v}, Args: []testcase.Ref{{Stmt: 0}}}}
}

// with returns a list with those variables added that it lacks.
func with(list []*types.Var, vars ...*types.Var) []*types.Var {
	for _, v := range vars {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
