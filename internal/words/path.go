package words

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// Ways says which outcomes of a condition were seen when a case ran: that it was false, and that it was true. It says neither
// of a condition that was not evaluated, or of which nobody knows.
type Ways func(c *testcase.Case, condition ast.Expr) [2]bool

// WaysOf returns the ways of cases that ran in a harness which counts these blocks.
func WaysOf(fset *token.FileSet, blocks []testcase.Block) Ways {
	type place struct{ pos, end token.Position }
	at := make(map[place][2]int) // the numbers of a condition's blocks, and one more
	for i, b := range blocks {
		if b.Text != "" && b.Branch {
			of := at[place{b.Pos, b.End}]
			of[bit(b.Value)] = i + 1
			at[place{b.Pos, b.End}] = of
		}
	}
	return func(c *testcase.Case, condition ast.Expr) [2]bool {
		of, ok := at[place{fset.Position(condition.Pos()), fset.Position(condition.End())}]
		if !ok || c.Observed == nil {
			return [2]bool{}
		}
		seen := func(k int) bool { return k > 0 && c.Observed.Cover.Has(k-1) }
		return [2]bool{seen(of[0]), seen(of[1])}
	}
}

// path returns the decisions on a call's way that depend on its inputs alone, or that were seen when the call ran, as far as they can be
// followed in the source. If the case recorded more decisions when it was found, path returns the recorded ones.
func (k *code) path(c *call, i int) []decision {
	w := walker{code: k, call: i, changed: map[types.Object]bool{}}
	if k.n.decl != nil && k.n.decl.Body != nil {
		w.block(k.n.decl.Body.List)
	}
	ways := map[string][2]bool{}
	for _, d := range c.c.Path {
		w := ways[d.Text]
		w[bit(d.True)] = true
		ways[d.Text] = w
	}
	var out []decision
	for _, d := range c.c.Path {
		cond := k.byText[d.Text]
		if cond == nil || cond.eval != nil && !cond.firm || ways[d.Text] == [2]bool{true, true} || !cond.holds[bit(d.True)].has(i) {
			continue
		}
		out = append(out, decision{cond, d.True})
	}
	if len(out) > len(w.out) {
		return out
	}
	return w.out
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// walker follows a call through the source as far as the call's inputs decide the way.
type walker struct {
	*code
	call    int
	out     []decision
	changed map[types.Object]bool // variables that have changed since the call began
	stirred bool                  // memory that inputs lead to may have changed
}

// block follows statements. It returns false where the call has ended, or where its way cannot be followed
// any further.
func (w *walker) block(list []ast.Stmt) bool {
	for _, s := range list {
		if !w.stmt(s) {
			return false
		}
	}
	return true
}

func (w *walker) stmt(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return w.block(s.List)
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			w.change(e)
		}
		for _, e := range s.Rhs {
			w.pass(e)
		}
		return true
	case *ast.IncDecStmt:
		w.change(s.X)
		return true
	case *ast.ExprStmt:
		w.stirred = true
		return true
	case *ast.DeclStmt, *ast.DeferStmt, *ast.EmptyStmt:
		return true
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			w.cond(e)
		}
		return false
	case *ast.IfStmt:
		if s.Init != nil && !w.stmt(s.Init) {
			return false
		}
		switch w.cond(s.Cond) {
		case yes:
			return w.block(s.Body.List)
		case no:
			return s.Else == nil || w.stmt(s.Else)
		}
	case *ast.SwitchStmt:
		return w.branch(s)
	}
	return false
}

// change notes an assignment.
func (w *walker) change(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if obj := w.n.pkg.Info.Uses[id]; obj != nil {
			w.changed[obj] = true
		}
		return
	}
	w.stirred = true
}

// pass records changes that the evaluation of an expression may make.
func (w *walker) pass(e ast.Expr) {
	ast.Inspect(e, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				w.change(x.X)
			}
		case *ast.CallExpr:
			// Calls of observers change nothing.
			if id := calledName(x); id != nil {
				if f, ok := w.n.pkg.Info.Uses[id].(*types.Func); ok && w.n.observer(f) < 0 && f.Pkg() == w.n.pkg.Types {
					w.stirred = true
				}
			}
		}
		return true
	})
}

// branch follows a switch.
func (w *walker) branch(s *ast.SwitchStmt) bool {
	if s.Init != nil && !w.stmt(s.Init) {
		return false
	}
	var otherwise *ast.CaseClause
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			otherwise = clause
		}
		for _, e := range clause.List {
			t := unknown
			if s.Tag == nil {
				t = w.cond(e)
			} else {
				t = w.leaf(w.byNode[e])
			}
			switch t {
			case yes:
				return w.block(clause.Body)
			case unknown:
				return false
			}
		}
	}
	return otherwise == nil || w.block(otherwise.Body)
}

// cond follows the evaluation of a condition.
func (w *walker) cond(e ast.Expr) truth {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			a := w.cond(x.X)
			if a == unknown || a == truthOf(x.Op == token.LOR) {
				return a
			}
			return w.cond(x.Y)
		}
		return w.leaf(w.byNode[x])
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			switch w.cond(x.X) {
			case yes:
				return no
			case no:
				return yes
			}
		}
		return unknown
	default:
		return w.leaf(w.byNode[x])
	}
}

func (w *walker) leaf(c *condition) truth {
	if c == nil || c.eval == nil && w.n.ways == nil || c.eval != nil && w.stirred && c.memory {
		return unknown
	}
	for _, obj := range c.objects {
		if c.eval != nil && w.changed[obj] {
			return unknown
		}
	}
	for way := range 2 {
		if c.holds[way].has(w.call) {
			w.out = append(w.out, decision{c, way == 1})
			return truthOf(way == 1)
		}
	}
	return unknown
}
