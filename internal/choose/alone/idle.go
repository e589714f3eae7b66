package alone

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Idle returns a way that passes nil for those parameters of a case's own call which the function does not mention in what the case
// executes: where the input is refused, nobody looks at the options beside it, and a reader would ask what they are for. Only what is easily taken
// for a part of the case goes: maps, lists, functions, values of any type, and pointers to structs of the package.
func Idle(fset *token.FileSet, blocks []testcase.Block) plain.Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		st := c.Seq.At(c.TargetStmt())
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || c.Observed == nil || pkg.Info == nil {
			return nil, false
		}
		decl := pkg.Func(st.Op.Func.Origin())
		sig := st.Op.Signature()
		if decl == nil || decl.Body == nil || sig.Variadic() {
			return nil, false
		}
		with := make(map[int]plain.Part)
		first := st.Op.FirstParam()
		for k := first; k < len(st.Args); k++ {
			p := st.Op.Func.Origin().Signature().Params().At(k - first)
			op := c.Seq.At(st.Args[k].Stmt).Op
			if op.Kind == testcase.OpZero || !isBaggage(pkg, sig.Params().At(k-first).Type()) || usedElsewhere(c.Seq, st.Args[k].Stmt, c.TargetStmt()) || mentions(uses(fset, pkg.Info, decl, p), c.Observed.Cover, blocks) {
				continue
			}
			nothing := &testcase.Operation{Kind: testcase.OpZero, Type: sig.Params().At(k - first).Type()}
			with[st.Args[k].Stmt] = plain.Part{Seq: testcase.NewSequence(testcase.Statement{Op: nothing})}
		}
		return plain.Replaced(c.Seq, with)
	}
}

// isBaggage reports whether a reader takes a value of a type for a part of what a case is about, and nobody misses it.
func isBaggage(pkg *load.Package, t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Signature:
		return load.NamedOf(t) == nil || load.NamedOf(t).Obj().Pkg() == pkg.Types
	case *types.Interface:
		return gosyntax.IsAny(t)
	case *types.Pointer:
		named := load.NamedOf(u.Elem())
		return named != nil && named.Obj().Pkg() == pkg.Types
	}
	return false
}

// usedElsewhere reports whether another statement than the given one takes the result of a statement.
func usedElsewhere(s *testcase.Sequence, made, by int) bool {
	for i := made + 1; i < s.Len(); i++ {
		for _, a := range s.At(i).Args {
			if a.Stmt == made && i != by {
				return true
			}
		}
	}
	return false
}

// uses returns where a function names a parameter.
func uses(fset *token.FileSet, info *types.Info, decl *ast.FuncDecl, p *types.Var) (out []token.Position) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == p {
			out = append(out, fset.Position(id.Pos()))
		}
		return true
	})
	return out
}

// mentions reports whether one of these places is in a block that a case executes, or in none.
func mentions(places []token.Position, cover testcase.Cover, blocks []testcase.Block) bool {
	return slices.ContainsFunc(places, func(at token.Position) bool {
		inBlock := false
		for b, block := range blocks {
			if block.Stmts == 0 || block.Pos.Filename != at.Filename || !before(block.Pos, at) || !before(at, block.End) {
				continue
			}
			if inBlock = true; cover.Has(b) {
				return true
			}
		}
		return !inBlock
	})
}

// before reports whether one position of a file is not behind another one.
func before(a, b token.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column <= b.Column
}
