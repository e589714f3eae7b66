package load

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// mine fills in the package's literals, those of its code and of its hand-written
// tests.
func (p *Program) mine(pkg *Package) {
	tests := p.testFiles(pkg)
	all := newTally()
	lits := &Literals{ByFunc: make(map[string]*Literals), Calls: make(map[string][][]constant.Value)}
	pkg.Literals = lits
	if pkg.Info == nil {
		return
	}
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			own := newTally()
			name := ""
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body == nil {
					continue
				}
				typed{pkg.Info, own}.walk(d.Body)
				name = DeclName(d)
			case *ast.GenDecl:
				if d.Tok == token.IMPORT {
					continue
				}
				typed{pkg.Info, own}.walk(d)
			}
			all.merge(own)
			if name != "" {
				if l := own.literals(); l != nil {
					l.Rows = codeRows(pkg, d.(*ast.FuncDecl).Body)
					lits.ByFunc[name] = l
				}
			}
		}
	}
	for _, t := range tests {
		for _, d := range t.syntax.Decls {
			untyped{all}.walk(d)
		}
		calls(pkg, t, lits.Calls)
		lits.Rows = testRows(lits.Rows, t)
	}
	for _, s := range spelled(pkg) {
		all.add(constant.MakeString(s), 1)
	}
	lits.Seeds = corpus(pkg.Dir)
	for _, args := range lits.Seeds {
		for _, v := range args {
			all.add(v, 1)
		}
	}
	if l := all.literals(); l != nil {
		lits.Ints, lits.Floats, lits.Strings = l.Ints, l.Floats, l.Strings
	}
}

// DeclName is the Target.Name of a declared function.
func DeclName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.ParenExpr:
			t = u.X
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.Ident:
			return u.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// tally counts constants in the order in which they first occur.
type tally struct {
	counts map[string]int
	order  []constant.Value
}

func newTally() *tally { return &tally{counts: make(map[string]int)} }

func key(v constant.Value) string { return v.Kind().String() + v.ExactString() }

func (t *tally) add(v constant.Value, n int) {
	switch v.Kind() {
	case constant.Int, constant.Float, constant.String:
	default:
		return // booleans need no hint, complex numbers are rare
	}
	k := key(v)
	if t.counts[k] == 0 {
		t.order = append(t.order, v)
	}
	t.counts[k] += n
}

func (t *tally) merge(u *tally) {
	for _, v := range u.order {
		t.add(v, u.counts[key(v)])
	}
}

// literals sorts what was counted, the most frequent first; nil if there is nothing.
func (t *tally) literals() *Literals {
	if len(t.order) == 0 {
		return nil
	}
	sorted := slices.Clone(t.order)
	slices.SortStableFunc(sorted, func(a, b constant.Value) int {
		return -cmp.Compare(t.counts[key(a)], t.counts[key(b)])
	})
	l := &Literals{}
	for _, v := range sorted {
		switch v.Kind() {
		case constant.Int:
			l.Ints = append(l.Ints, v)
		case constant.Float:
			l.Floats = append(l.Floats, v)
		case constant.String:
			l.Strings = append(l.Strings, constant.StringVal(v))
		}
	}
	return l
}

// typed collects the constants of checked code: of an expression that is constant as
// a whole its value ("1<<20", a named constant), not its parts.
type typed struct {
	info *types.Info
	into *tally
}

func (c typed) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return false // types and tags
		case ast.Expr:
			tv, ok := c.info.Types[n]
			if !ok {
				return true
			}
			if tv.IsType() {
				return false
			}
			if tv.Value == nil {
				return true
			}
			v := tv.Value
			if b, ok := tv.Type.Underlying().(*types.Basic); ok {
				switch {
				case b.Info()&types.IsInteger != 0:
					v = constant.ToInt(v)
				case b.Info()&types.IsFloat != 0:
					v = floatOf(v)
				}
			}
			c.into.add(v, 1)
			return false
		}
		return true
	})
}

// untyped collects the literals of code that was parsed only. What tests print and
// how they are called says nothing about inputs and is left out.
type untyped struct{ into *tally }

func (c untyped) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field, *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			return !isReport(n)
		case ast.Expr:
			if v := constantOf(n); v != nil {
				c.into.add(v, 1)
				return false
			}
		}
		return true
	})
}

// isReport reports whether a call is one of *testing.T's that print.
func isReport(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch sel.Sel.Name {
	case "Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf":
		_, ok := sel.X.(*ast.Ident)
		return ok
	}
	return false
}

// constantOf evaluates an expression of literals and signs, or returns nil.
func constantOf(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(e.Value, e.Kind, 0); v.Kind() != constant.Unknown {
			return v
		}
	case *ast.ParenExpr:
		return constantOf(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.ADD {
			if v := constantOf(e.X); v != nil && v.Kind() != constant.String {
				return constant.UnaryOp(e.Op, v, 0)
			}
		}
	case *ast.BinaryExpr:
		x, y := constantOf(e.X), constantOf(e.Y)
		if x == nil || y == nil || x.Kind() != y.Kind() || e.Op != token.ADD {
			return nil
		}
		return constant.BinaryOp(x, e.Op, y)
	case *ast.Ident:
		switch e.Name {
		case "true":
			return constant.MakeBool(true)
		case "false":
			return constant.MakeBool(false)
		}
	case *ast.CallExpr:
		// A conversion: byte('x'), []byte("abc") and the like.
		if len(e.Args) != 1 {
			return nil
		}
		switch fun := e.Fun.(type) {
		case *ast.Ident:
			if _, isType := types.Universe.Lookup(fun.Name).(*types.TypeName); isType {
				return constantOf(e.Args[0])
			}
		case *ast.ArrayType:
			return constantOf(e.Args[0])
		}
	}
	return nil
}

// floatOf makes a floating-point constant of a number, also of a whole one, which
// go/constant would keep as an integer.
func floatOf(v constant.Value) constant.Value {
	f, _ := constant.Float64Val(v)
	if w := constant.MakeFloat64(f); w.Kind() == constant.Float {
		return w
	}
	return v
}
