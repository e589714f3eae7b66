// Package fuzzing knows Go's own fuzzing ("go help testflag", -fuzz). The verb gen uses it to make seeds for
// the fuzzer from interesting inputs of the engines.
//
//  1. Functions finds the Fuzz functions of a test file, and in each the call that the property is about:
//     the first one to which the fuzzed arguments are passed, directly or converted. It does not
//     follow arguments from which the property computes something else first.
//  2. Constant and Input.Convert turn arguments of a test into fuzzed arguments (input.go).
//  3. Input.File writes an input as a file of a corpus, and Input.Go as Go for f.Add.
package fuzzing

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Function is a Fuzz function of the package's tests.
type Function struct {
	Name string // "FuzzParse"
	Pos  token.Pos
	// Types are the types of the fuzzed arguments: "string", "[]byte", "int8", ...
	Types []string
	// Target is the function of the package under test that gets the fuzzed arguments, or "" if there is
	// none. Args says which of Target's parameters each argument is passed to.
	Target string
	Args   []int
}

// Functions finds the Fuzz functions of a test file. names reports whether the package under test,
// whose name is pkg, has a function of that name; import aliases of the package are not followed.
func Functions(f *ast.File, pkg string, names func(string) bool) []Function {
	external := f.Name.Name != pkg
	var out []Function
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil || fd.Body == nil || !IsName(fd.Name.Name) {
			continue
		}
		property := propertyOf(fd.Body)
		if property == nil {
			continue
		}
		fn := Function{Name: fd.Name.Name, Pos: fd.Name.Pos()}
		var params []string
		for _, field := range property.Type.Params.List[1:] {
			for _, n := range field.Names {
				fn.Types = append(fn.Types, canonical(types.ExprString(field.Type)))
				params = append(params, n.Name)
			}
		}
		ast.Inspect(property.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || fn.Target != "" {
				return fn.Target == ""
			}
			name := callee(call, pkg, external)
			if name == "" || !names(name) {
				return true
			}
			if args := passed(call, params); args != nil {
				fn.Target, fn.Args = name, args
			}
			return true
		})
		if len(params) > 0 && len(params) == len(fn.Types) {
			out = append(out, fn)
		}
	}
	return out
}

// IsName reports whether go test takes a function of that name for a Fuzz function.
func IsName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
}

// propertyOf returns the function literal that is passed to f.Fuzz.
func propertyOf(body *ast.BlockStmt) *ast.FuncLit {
	var out *ast.FuncLit
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Fuzz" {
			return true
		}
		lit, ok := call.Args[0].(*ast.FuncLit)
		if ok && out == nil && len(lit.Type.Params.List) > 0 && len(lit.Type.Params.List[0].Names) == 1 {
			out = lit
		}
		return out == nil
	})
	return out
}

// callee returns the name of the function of the package under test that is called.
func callee(call *ast.CallExpr, pkg string, external bool) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if !external {
			return f.Name
		}
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && external && x.Name == pkg {
			return f.Sel.Name
		}
	}
	return ""
}

// passed says at which place a call has each of the fuzzed arguments, directly or converted. It returns nil
// if the call does not have all of them.
func passed(call *ast.CallExpr, params []string) []int {
	out := make([]int, len(params))
	for i, p := range params {
		out[i] = slices.IndexFunc(call.Args, func(e ast.Expr) bool {
			if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 1 && canonical(types.ExprString(c.Fun)) != "" {
				e = c.Args[0]
			}
			id, ok := e.(*ast.Ident)
			return ok && id.Name == p
		})
		if out[i] < 0 {
			return nil
		}
	}
	return out
}

// canonical returns the name that the corpus has for a type that can be fuzzed, or "" for another type.
func canonical(typ string) string {
	switch typ {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "[]uint8":
		return "[]byte"
	case "[]byte", "string", "bool", "int", "int8", "int16", "int32", "int64",
		"uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64":
		return typ
	}
	return ""
}

// TypeOf returns the corpus's name for a type, or "" if the type cannot be fuzzed. A named type is fuzzed as
// its underlying type, and converted.
func TypeOf(t types.Type) string {
	u := t.Underlying()
	if s, ok := u.(*types.Slice); ok {
		if b, ok := s.Elem().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "[]byte"
		}
		return ""
	}
	if b, ok := u.(*types.Basic); ok {
		return canonical(b.Name())
	}
	return ""
}
