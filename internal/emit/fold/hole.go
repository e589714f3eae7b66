package fold

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
)

// A place is what is known of where an expression stands.
type place struct {
	typ  types.Type // the type that the place has, or nil
	name string     // what a column for the place is called
	want bool       // the place has an expected value
	soft bool       // the only expected value may be called want, whatever is compared with it
	of   string     // the method without arguments whose result is compared, or ""
	alt  string     // another name for the column, for where the first one is taken
}

// A hole is a place in which the subtests of a group have different expressions.
type hole struct {
	place
	id    int
	exprs []ast.Expr // for each row its expression, or nil for a value that only the form of a check says
	cells []string   // for each row the text of its expression
	col   *column    // the column that the hole belongs to
	// A hole of variadic arguments has these as texts for each row, and in messages the text before the first one.
	lists []string
	lead  string
}

// mark returns what stands for the hole's column in a text as long as the column has no name.
func (h *hole) mark() string { return "\x00" + strconv.Itoa(h.id) + "\x00" }

// edit replaces a part of the first subtest's text by a text, or by what late returns once columns have names.
type edit struct {
	from, to token.Pos
	text     string
	late     func() string
}

// hole makes a hole of expressions in a place, and writes its column in the place of the first subtest.
func (m *match) hole(at ast.Expr, es []ast.Expr, in place) bool {
	t := m.columnType(es, in)
	if t == nil || isFunc(t) || gosyntax.HasLock(t) {
		return false
	}
	in.typ = t
	cells := make([]string, len(es))
	for i, e := range es {
		cells[i] = m.cell(e, t)
	}
	h, ok := m.addHole(in, cells, es)
	if ok {
		m.edits = append(m.edits, edit{from: at.Pos(), to: at.End(), text: h.mark()})
	}
	return ok
}

// addHole adds a hole with these cells. It returns false if a test cannot name the type of the column.
func (m *match) addHole(in place, cells []string, es []ast.Expr) (*hole, bool) {
	if reason, _ := m.w.Attempt(func() { m.w.Type(in.typ) }); reason != "" {
		return nil, false
	}
	h := &hole{place: in, id: len(m.holes), exprs: es, cells: cells}
	m.holes = append(m.holes, h)
	return h, true
}

// columnType returns the type of a column for expressions: the type that all of them have, or the interface that the
// place has. It returns nil if there is none.
func (m *match) columnType(es []ast.Expr, in place) types.Type {
	var t types.Type
	for _, e := range es {
		if m.isNil(e) {
			if in.typ == nil || !gofile.Nilable(in.typ) {
				return nil
			}
			return in.typ
		}
		et := m.src.typeOf(e)
		if et == nil {
			return nil
		}
		et = types.Default(et)
		if t != nil && !types.Identical(t, et) {
			if in.typ != nil && types.IsInterface(in.typ) {
				return in.typ
			}
			return nil
		}
		t = et
	}
	return t
}

func (m *match) isNil(e ast.Expr) bool { return m.src.Info.Types[e].IsNil() }

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// cell returns the text of an expression in a column. A constant needs no conversion to the type of its column.
func (m *match) cell(e ast.Expr, t types.Type) string {
	call, ok := e.(*ast.CallExpr)
	if ok && len(call.Args) == 1 && m.isConstant(e) && m.src.Info.Types[call.Fun].IsType() && types.Identical(m.src.typeOf(call), t) {
		if arg := ast.Unparen(call.Args[0]); m.isConstant(arg) {
			if lit, isLit := arg.(*ast.BasicLit); isLit && kindFits(lit.Kind, t) {
				return lit.Value
			}
		}
	}
	return m.src.text(e)
}

// kindFits reports whether a literal means the same without a conversion to the type.
func kindFits(k token.Token, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch k {
	case token.INT, token.CHAR:
		return b.Info()&types.IsNumeric != 0
	case token.FLOAT:
		return b.Info()&types.IsFloat != 0
	case token.STRING:
		return b.Info()&types.IsString != 0
	}
	return false
}

func (m *match) isConstant(e ast.Expr) bool { return m.src.Info.Types[e].Value != nil }

// constantText returns the value of a constant text.
func (m *match) constantText(e ast.Expr) (string, bool) {
	v := m.src.Info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// movable reports whether an expression means the same in a row as in its statement: it has no effect, depends on no
// local variable, and makes a value of its own each time.
func (m *match) movable(e ast.Expr) bool {
	if m.isConstant(e) || m.isNil(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return m.movable(e.X)
	case *ast.Ident:
		return m.isPackageVar(e)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		_, isPackage := m.src.Info.Uses[x].(*types.PkgName)
		return ok && isPackage && m.isPackageVar(e.Sel)
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(x ast.Expr) bool {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				_, isField := kv.Key.(*ast.Ident)
				return !isField && !m.movable(kv.Key) || !m.movable(kv.Value)
			}
			return !m.movable(x)
		})
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && m.movable(e.X)
	case *ast.BinaryExpr:
		return e.Op != token.LAND && e.Op != token.LOR && m.movable(e.X) && m.movable(e.Y)
	case *ast.CallExpr:
		return (m.src.Info.Types[e.Fun].IsType() || m.makesValue(e)) && !slices.ContainsFunc(e.Args, func(x ast.Expr) bool { return !m.movable(x) })
	}
	return false
}

// isPackageVar reports whether an identifier is a variable of a package that calls are not expected to change: an
// exported one or an error.
func (m *match) isPackageVar(id *ast.Ident) bool {
	v, ok := m.src.Info.Uses[id].(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !isFunc(v.Type()) && (v.Exported() || gosyntax.IsError(v.Type()))
}

// valueFuncs are functions of the standard library that make a value of constants and do nothing else; a path alone
// stands for all functions of its package.
var valueFuncs = []string{
	"math", "time.Date", "time.Unix", "time.UnixMilli", "strings.Repeat", "strings.NewReader", "bytes.NewReader", "bytes.NewBufferString",
	"bytes.NewBuffer", "bytes.Repeat", "errors.New", "math/big.NewInt", "math/big.NewFloat", "math/big.NewRat", "net.ParseIP", "net.IPv4", "net/netip.MustParseAddr",
	"net/netip.MustParsePrefix", "regexp.MustCompile", "reflect.TypeOf", "reflect.ValueOf",
}

// makesValue reports whether a call makes a value: one of the standard library's, or that of a helper in the file.
func (m *match) makesValue(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return false
	}
	f, ok := m.src.Info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil || f.Signature().Results().Len() != 1 {
		return false
	}
	if m.src.File.FileStart <= f.Pos() && f.Pos() < m.src.File.FileEnd {
		return true
	}
	return slices.Contains(valueFuncs, f.Pkg().Path()) || slices.Contains(valueFuncs, f.Pkg().Path()+"."+f.Name())
}

// expected returns the place of the expected value of an expression.
func (m *match) expected(got ast.Expr) place {
	soft := false
	switch e := ast.Unparen(got).(type) {
	case *ast.SelectorExpr:
		soft = true
	case *ast.CallExpr:
		_, isIdent := e.Fun.(*ast.Ident) // len and errText say more than want
		soft = !isIdent && m.wantName(got) != "wantErr"
	}
	return place{typ: m.src.typeOf(got), name: m.wantName(got), want: true, soft: soft, of: m.observer(got)}
}

// observer returns the name of the method without arguments of which a variable is the result, "calls" if it has the calls of a
// recorded dependency, or "" if it is something else.
func (m *match) observer(got ast.Expr) (name string) {
	id, ok := got.(*ast.Ident)
	if !ok || m.src.Info.Uses[id] == nil {
		return ""
	}
	ast.Inspect(m.rows[0].body, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			return true
		}
		left, isIdent := as.Lhs[0].(*ast.Ident)
		if star, ok := as.Rhs[0].(*ast.StarExpr); ok && isIdent && m.src.Info.Defs[left] == m.src.Info.Uses[id] {
			if v, ok := star.X.(*ast.Ident); ok && strings.HasSuffix(v.Name, "Calls") {
				name = "calls"
			}
			return false
		}
		call, isCall := as.Rhs[0].(*ast.CallExpr)
		if !isIdent || !isCall || len(call.Args) > 0 || m.src.Info.Defs[left] != m.src.Info.Uses[id] {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			name = sel.Sel.Name
		}
		return false
	})
	for _, prefix := range []string{"Is", "Get"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			return rest
		}
	}
	return name
}

// wantName returns the name of a column for the expected value of an expression.
func (m *match) wantName(got ast.Expr) string {
	switch e := ast.Unparen(got).(type) {
	case *ast.Ident:
		switch {
		case strings.HasPrefix(e.Name, "got"):
			return "want"
		case e.Name == "ok":
			return "wantOK"
		}
		return "want" + gofile.UpperFirst(e.Name)
	case *ast.SelectorExpr:
		return "want" + gofile.UpperFirst(e.Sel.Name)
	case *ast.StarExpr:
		return m.wantName(e.X)
	case *ast.IndexExpr:
		return m.wantName(e.X)
	case *ast.CallExpr:
		switch fun := ast.Unparen(e.Fun).(type) {
		case *ast.SelectorExpr:
			if fun.Sel.Name == "Error" && len(e.Args) == 0 || fun.Sel.Name == "Sprint" && len(e.Args) == 1 {
				if fun.Sel.Name == "Error" {
					return m.wantName(fun.X)
				}
				return m.wantName(e.Args[0])
			}
			if part, ok := fun.X.(*ast.SelectorExpr); ok && fun.Sel.Name == "String" && len(e.Args) == 0 {
				return m.wantName(part) // a URL as a text is the URL
			}
			return "want" + gofile.UpperFirst(fun.Sel.Name)
		case *ast.Ident:
			switch {
			case fun.Name == "len" && len(e.Args) == 1:
				return "wantLen"
			case len(e.Args) == 1 && (fun.Name == "errText" || fun.Name == "string"):
				return m.wantName(e.Args[0])
			}
		}
	}
	return "want"
}
