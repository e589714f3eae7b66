package verify

import (
	"go/ast"
	"go/constant"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// A function that looks at environment variables returns something else for whoever has set them. Its tests take the variables
// away that its code names: the user's environment is none of the test's inputs.

// askedVariables returns the environment variables that the package's functions ask for by name, by the function that asks. What a
// package-level variable asks for when the package is initialized is not among them: no test can take that away.
func askedVariables(pkg *load.Package) map[string][]testcase.Variable {
	out := make(map[string][]testcase.Variable)
	if pkg.Info == nil {
		return out
	}
	for obj := range pkg.Funcs() {
		decl := pkg.Func(obj)
		if decl == nil || decl.Body == nil {
			continue
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if v, ok := askedBy(pkg, n); ok {
				name := testcase.TargetName(obj)
				out[name] = append(out[name], v)
			}
			return true
		})
	}
	return out
}

// askedBy returns the variable that a node asks for, false if it is no such call.
func askedBy(pkg *load.Package, n ast.Node) (testcase.Variable, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return testcase.Variable{}, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return testcase.Variable{}, false
	}
	fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "os.Getenv" && fn.FullName() != "os.LookupEnv" && fn.FullName() != "syscall.Getenv" {
		return testcase.Variable{}, false
	}
	v := pkg.Info.Types[call.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return testcase.Variable{}, false
	}
	name := constant.StringVal(v)
	return testcase.Variable{Name: name, Exists: fn.FullName() != "os.Getenv"}, name != "" && !strings.ContainsAny(name, "=\x00")
}

// assignments sets the variables that the package's code asks for anywhere to a value, in the order of their names.
func assignments(pkg *load.Package, value string) []string {
	set := make(map[string]bool)
	if pkg.Info == nil {
		return nil
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := askedBy(pkg, n); ok {
				set[v.Name+"="+value] = true
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(set))
}

// unset has the cases of tests that failed in an environment take the variables of this environment away, and returns what is left
// of the failures: tests of functions that ask for none of them, and tests that do take them away.
func (d *doubter) unset(res *gotest.Result, env []string) *gotest.Result {
	asked := askedVariables(d.Pkg)
	for name, list := range asked {
		asked[name] = slices.DeleteFunc(list, func(v testcase.Variable) bool {
			return !slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, v.Name+"=") })
		})
	}
	left := *res
	left.Failed = nil
	for _, name := range res.Failed {
		some := false
		for _, f := range d.s.Files {
			for _, test := range f.Tests {
				if test.Name != name {
					continue
				}
				for _, c := range failedCases(test, res.Subtests[name]) {
					if vars := d.variablesOf(c, asked); c.Unset == nil && len(vars) > 0 {
						copied := *c
						copied.Unset = vars
						d.bad[c], d.replaced[c] = true, &copied
						some = true
					}
				}
			}
		}
		if !some {
			left.Failed = append(left.Failed, name)
		}
	}
	return &left
}

// setsEnvironment reports whether the package's tests may call t.Setenv, which Go has since 1.17.
func (d *doubter) setsEnvironment() bool {
	return d.Pkg.GoVersion == "" || version.Compare("go"+d.Pkg.GoVersion, "go1.17") >= 0
}

// variablesOf returns the variables that the function of a case asks for, or a function that it calls by name. If these ask for
// none, it returns all that the package asks for, since the function may call others.
func (d *doubter) variablesOf(c *testcase.Case, asked map[string][]testcase.Variable) []testcase.Variable {
	t := d.Pkg.Target(c.Target)
	if t == nil || t.Func == nil || !d.setsEnvironment() {
		return nil
	}
	found := make(map[string]testcase.Variable)
	for _, named := range []bool{true, false} {
		if !named && len(found) > 0 {
			break // what else the package asks for is hardly asked on the way
		}
		calls := purity.Calls(d.Pkg, t.Func)
		for name, list := range asked {
			if named && !calls[name] {
				continue
			}
			for _, v := range list {
				v.Exists = v.Exists || found[v.Name].Exists
				found[v.Name] = v
			}
		}
	}
	var out []testcase.Variable
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}
