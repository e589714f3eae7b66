package protocol

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// iterators checks methods and functions that return an iterator, and methods that are iterators: their only
// parameter is called yield.
func iterators(s *subject) []*testcase.Check {
	if s.typ == nil {
		return s.iterator(s.fn, s.sig, nil)
	}
	var out []*testcase.Check
	seen := map[string]bool{}
	for _, t := range []types.Type{s.typ, types.NewPointer(s.typ)} {
		for sel := range types.NewMethodSet(t).Methods() {
			f, ok := sel.Obj().(*types.Func)
			if !ok || !f.Exported() || f.Pkg() != s.pkg || seen[f.Name()] {
				continue
			}
			seen[f.Name()] = true
			out = append(out, s.iterator(f, sel.Type().(*types.Signature), t)...)
		}
	}
	return out
}

// iterator returns the check of a function or method, if it is an iterator or returns one. The type t is that
// of the method's receiver.
func (s *subject) iterator(f *types.Func, sig *types.Signature, t types.Type) []*testcase.Check {
	names := [...]string{"x", "y", "z"}
	var params []types.Type
	call := "«f»"
	if t != nil {
		params = append(params, t)
		call = "x." + f.Name()
	}
	var yield *types.Signature
	if t != nil && sig.Params().Len() == 1 && sig.Params().At(0).Name() == "yield" {
		yield = gosyntax.Yield(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), false))
	}
	if yield == nil {
		if sig.Variadic() || sig.Results().Len() != 1 || sig.TypeParams().Len() > 0 {
			return nil
		}
		if yield = gosyntax.Yield(sig.Results().At(0).Type()); yield == nil {
			return nil
		}
		for p := range sig.Params().Variables() {
			params = append(params, p.Type())
		}
		if len(params) == 0 || len(params) > len(names) {
			return nil
		}
		args := names[:len(params)]
		if t != nil {
			args = args[1:]
		}
		call += "(" + strings.Join(args, ", ") + ")"
	}
	var elems []types.Type
	var list []string
	for i := range yield.Params().Len() {
		elems = append(elems, yield.Params().At(i).Type())
		list = append(list, "«t"+strconv.Itoa(i)+"»")
	}
	cs := s.check(f, "checkIterator", "reports whether "+strings.Replace(call, "«f»", f.Name(), 1)+" stops when it is told to.", nil, 0,
		`stop := func(after int) (err error) {`,
		`	n := 0`,
		`	defer func() {`,
		`		if n > after+1 {`,
		`			recover()`,
		`			err = «errors».New("it goes on after yield has returned false")`,
		`		}`,
		`	}()`,
		`	`+call+`(func(`+strings.Join(list, ", ")+`) bool {`,
		`		n++`,
		`		if n > after+1 {`,
		`			panic("it was told to stop")`,
		`		}`,
		`		return n <= after`,
		`	})`,
		`	return nil`,
		`}`,
		`for after := 0; after < 3; after++ {`,
		`	if err := stop(after); err != nil {`,
		`		return err`,
		`	}`,
		`}`,
		`return nil`)
	cs[0].Params, cs[0].Types, cs[0].Free = params, elems, len(params) > 1 || t == nil
	return cs
}

// IsAboutStopping reports whether a check is about what an iterator does once it is told to stop. It says nothing of calls that take all
// that the iterator yields.
func IsAboutStopping(c *testcase.Check) bool { return c.Contract == "iterator" }

// OnlyRanged reports whether the code of a package uses a function that is, or returns, an iterator in range statements only, or passes the iterator
// to package slices or maps, which do that. If such an iterator goes on where it is told to stop, the program panics: what the code
// makes of the iterator where it does not panic is right.
func OnlyRanged(pkg *load.Package, fn types.Object) bool {
	if f, ok := fn.(*types.Func); ok {
		fn = f.Origin()
	}
	ranged := make(map[*ast.Ident]bool)
	note := func(e ast.Expr) {
		e = ast.Unparen(e)
		if call, ok := e.(*ast.CallExpr); ok {
			e = ast.Unparen(call.Fun)
		}
		switch e := e.(type) {
		case *ast.Ident:
			ranged[e] = true
		case *ast.SelectorExpr:
			ranged[e.Sel] = true
		}
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				note(n.X)
			case *ast.CallExpr:
				if f := gosyntax.Callee(pkg.Info, n); f != nil && f.Pkg() != nil && (f.Pkg().Path() == "slices" || f.Pkg().Path() == "maps") {
					for _, a := range n.Args {
						note(a)
					}
				}
			}
			return true
		})
	}
	for id, used := range pkg.Info.Uses {
		if f, ok := used.(*types.Func); ok && f.Origin() == fn && !ranged[id] {
			return false
		}
	}
	return true
}
