package phrase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// inputs finds the branches on a case's path that depend on the target's inputs as a test passes them.
// A condition in a function that the target calls may have the same words as one in the target, and so
// may a condition behind an assignment to a parameter. Both are about other values than the inputs.
type inputs struct {
	fset    *token.FileSet
	decl    *ast.FuncDecl        // nil if there is no syntax; then every condition is taken to be about inputs
	changes map[string]token.Pos // the place from which on a variable, or a field (".f"), may have another value
	calls   bool                 // the function calls itself
}

// InputsTable holds the inputs of each function that was read.
type InputsTable map[*types.Func]*inputs

func (t InputsTable) of(pkg *load.Package, fset *token.FileSet, f *types.Func) *inputs {
	in := t[f.Origin()]
	if in == nil {
		in = inputsOf(pkg, fset, f)
		t[f.Origin()] = in
	}
	return in
}

// inputsOf reads the declaration of a function.
func inputsOf(pkg *load.Package, fset *token.FileSet, f *types.Func) *inputs {
	in := &inputs{fset: fset, decl: pkg.Func(f.Origin()), changes: make(map[string]token.Pos)}
	if in.decl == nil || in.decl.Body == nil {
		in.decl = nil
		return in
	}
	change := func(e ast.Expr, since token.Pos) {
		name := ""
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			name = e.Name
		case *ast.SelectorExpr:
			name = "." + e.Sel.Name
		}
		if old, ok := in.changes[name]; name != "" && (!ok || since < old) {
			in.changes[name] = since
		}
	}
	var loops []ast.Node
	var stack []ast.Node
	ast.Inspect(in.decl.Body, func(n ast.Node) bool {
		if n == nil {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(loops) > 0 && loops[len(loops)-1] == last {
				loops = loops[:len(loops)-1]
			}
			return true
		}
		stack = append(stack, n)
		since := n.Pos()
		if len(loops) > 0 {
			since = loops[0].Pos() // an earlier round of the loop changes the variable
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			loops = append(loops, n)
		case *ast.RangeStmt:
			loops = append(loops, n)
			change(n.Key, since)
			change(n.Value, since)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				change(e, since)
			}
		case *ast.IncDecStmt:
			change(n.X, since)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				change(id, since)
			}
		case *ast.FuncLit:
			for _, field := range n.Type.Params.List {
				for _, id := range field.Names {
					change(id, since)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				change(n.X, since)
			}
		case *ast.CallExpr:
			if pkg.Info != nil {
				in.calls = in.calls || gosyntax.Callee(pkg.Info, n) == f.Origin()
			}
		}
		return true
	})
	return in
}

// own returns the decisions of a path that were taken in the function itself, in its first activation, if
// they went only one way.
func (in *inputs) own(path []testcase.Condition) []testcase.Condition {
	if in.decl == nil {
		return path
	}
	var out []testcase.Condition
	for _, d := range path {
		if !in.declares(d.Pos) {
			continue
		}
		if in.calls && len(out) > 0 && d.Pos == out[0].Pos {
			break // from here on the function has called itself
		}
		out = append(out, d)
	}
	ways := make(map[string][2]bool)
	for _, d := range out {
		w := ways[d.Text]
		w[way(d.True)] = true
		ways[d.Text] = w
	}
	kept := out[:0]
	for _, d := range out {
		if ways[d.Text] != [2]bool{true, true} {
			kept = append(kept, d)
		}
	}
	return kept
}

func way(taken bool) int {
	if taken {
		return 1
	}
	return 0
}

// declares reports whether a position is in the function. An unknown position counts as one that is.
func (in *inputs) declares(p token.Position) bool {
	if !p.IsValid() {
		return true
	}
	from, to := in.fset.Position(in.decl.Pos()), in.fset.Position(in.decl.End())
	return p.Filename == from.Filename && from.Line <= p.Line && p.Line <= to.Line
}

// still reports whether a variable has the value that the test has passed when the condition at the position
// is evaluated. A field (".f") counts for all objects together.
func (in *inputs) still(name string, p token.Position) bool {
	since, ok := in.changes[name]
	if !ok || !p.IsValid() {
		return true
	}
	at := in.fset.Position(since)
	return p.Line < at.Line || p.Line == at.Line && p.Column < at.Column
}
