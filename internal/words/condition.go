package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// condition is a comparison or a call that the function branches on, or returns, without
// the && and || that it may be a part of.
type condition struct {
	text string
	at   []ast.Expr // where the condition stands
	eval node       // computes the condition from the inputs as they were before the call, or nil if it reads anything else
	reads
	// objects are the variables that the condition reads. memory says that it also reads memory that
	// the receiver or another input leads to.
	objects []types.Object
	memory  bool
	// firm says that no earlier statement changes anything that the condition reads. Its value on the
	// inputs is then the way that a call takes.
	firm bool
	// said has the condition's phrases where it is false and where it is true. A phrase is empty where there
	// are no words.
	said [2]phrase
	// strict has, where said has "at most" or "at least", the phrases with "below" and "above"; same reports whether the two
	// sides are equal, and is nil for other conditions.
	strict [2]phrase
	same   node
	holds  [2]set // the calls on which the condition is known to be false, and to be true
	open   set    // the calls on which its value is not known
}

// comparesWithZero reports whether the code compares a value itself, and nothing computed from it, with
// 0.
func (k *code) comparesWithZero(r reads) bool {
	return slices.ContainsFunc(k.list, func(c *condition) bool { return c.reads == r && strings.HasSuffix(c.text, " 0") })
}

// decision is a condition that went one way.
type decision struct {
	cond *condition
	way  bool
}

// code holds the parts of a function's source that names are made of.
type code struct {
	n      *Namer
	list   []*condition
	byText map[string]*condition
	byNode map[ast.Expr]*condition
	// changes are where variables and fields get another value for the first time.
	changes map[types.Object]token.Pos
	stirs   token.Pos // where the receiver may be changed for the first time; 0 if nowhere
	loops   []ast.Node
}

// readCode finds the conditions of the function.
func (n *Namer) readCode() *code {
	k := &code{n: n, byText: map[string]*condition{}, byNode: map[ast.Expr]*condition{}, changes: map[types.Object]token.Pos{}}
	if n.decl == nil || n.decl.Body == nil || n.pkg.Info == nil {
		return k
	}
	ast.Inspect(n.decl.Body, k.note)
	ast.Inspect(n.decl.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			k.leaves(x.Cond)
		case *ast.ForStmt:
			k.leaves(x.Cond)
		case *ast.SwitchStmt:
			for _, c := range x.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if x.Tag == nil {
						k.leaves(e)
					} else {
						k.add(e, x.Tag, token.EQL, e)
					}
				}
			}
		case *ast.ReturnStmt:
			for _, e := range x.Results {
				if b, ok := underlying(n.pkg.Info.TypeOf(e)).(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
					k.leaves(e)
				}
			}
		}
		return true
	})
	return k
}

// note records the variables and memory that a node changes.
func (k *code) note(x ast.Node) bool {
	change := func(e ast.Expr) {
		var id *ast.Ident
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			id = e
		case *ast.SelectorExpr:
			id = e.Sel
			k.stir(e.Pos())
		case *ast.IndexExpr, *ast.StarExpr:
			k.stir(e.Pos())
		}
		if id == nil {
			return
		}
		if obj := k.n.pkg.Info.Uses[id]; obj != nil && (k.changes[obj] == 0 || id.Pos() < k.changes[obj]) {
			k.changes[obj] = id.Pos()
		}
	}
	switch x := x.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		k.loops = append(k.loops, x)
		if r, ok := x.(*ast.RangeStmt); ok && r.Tok == token.ASSIGN {
			change(r.Key)
			change(r.Value)
		}
	case *ast.AssignStmt:
		for _, e := range x.Lhs {
			change(e)
		}
	case *ast.IncDecStmt:
		change(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			change(x.X)
		}
	case *ast.ExprStmt:
		k.stir(x.Pos())
	}
	return true
}

func (k *code) stir(at token.Pos) {
	if k.stirs == 0 || at < k.stirs {
		k.stirs = at
	}
}

// leaves adds the parts of a condition that are no && or ||.
func (k *code) leaves(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case nil:
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR:
			k.leaves(x.X)
			k.leaves(x.Y)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			k.add(x, x.X, x.Op, x.Y)
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			k.leaves(x.X)
		}
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
		if k.n.pkg.Info.Types[x].Value == nil {
			k.add(x, x, token.ILLEGAL, nil)
		}
	}
}

// add adds the condition x op y, or x alone.
func (k *code) add(at, x ast.Expr, op token.Token, y ast.Expr) {
	text := types.ExprString(x)
	if op != token.ILLEGAL {
		text += " " + op.String() + " " + types.ExprString(y)
	}
	comp := &compiler{info: k.n.pkg.Info, input: k.n.input, observer: k.n.observer}
	nx := comp.expr(x)
	var ny node
	if y != nil {
		ny = comp.expr(y)
	}
	c := &condition{text: text, at: []ast.Expr{at}}
	switch {
	case nx == nil || y != nil && ny == nil || comp.reads.inputs|comp.reads.observers == 0:
	case op == token.ILLEGAL:
		c.eval = nx
	default:
		whole := comp.binary
		if b, ok := at.(*ast.BinaryExpr); ok && b.X == x {
			c.eval = whole(b)
		} else {
			c.eval = func(k *call) val { return compare(op, nx(k), ny(k)) }
		}
	}
	c.reads = comp.reads
	k.needs(c, x, y)
	c.firm = k.still(at, c)
	old := k.byText[text]
	if old != nil {
		old.firm = old.firm && c.firm && slices.Equal(old.objects, c.objects) // the condition stands in two places, and is firm only if it is firm in both
		if slices.Equal(old.objects, c.objects) {
			k.byNode[at], old.at = old, append(old.at, at)
			return
		}
	}
	if c.eval == nil {
		c.said = [2]phrase{k.n.localPhrase(x, op, y, false), k.n.localPhrase(x, op, y, true)}
	} else {
		c.said = [2]phrase{k.n.conditionPhrase(x, op, y, false), k.n.conditionPhrase(x, op, y, true)}
		k.addStrict(c, x, op, y)
		if ny != nil {
			c.same = func(call *call) val { return compare(token.EQL, nx(call), ny(call)) }
		}
	}
	k.list = append(k.list, c)
	k.byNode[at] = c
	if old == nil {
		k.byText[text] = c
	}
}

// addStrict adds the phrases for two sides of a comparison that differ. If neither side is a constant, a reader who is told
// "at most" thinks of equal sides.
func (k *code) addStrict(c *condition, x ast.Expr, op token.Token, y ast.Expr) {
	if y == nil || k.n.pkg.Info.Types[y].Value != nil || k.n.pkg.Info.Types[x].Value != nil {
		return
	}
	strict := map[token.Token]token.Token{token.LEQ: token.LSS, token.GEQ: token.GTR}
	if s, ok := strict[op]; ok {
		c.strict[1] = k.n.conditionPhrase(x, s, y, true)
	}
	if not, ok := gosyntax.Negated(op); ok {
		if s, ok := strict[not]; ok {
			c.strict[0] = k.n.conditionPhrase(x, s, y, true)
		}
	}
}

// needs records the variables and memory that a condition reads.
func (k *code) needs(c *condition, x, y ast.Expr) {
	c.memory = c.observers != 0
	for _, e := range []ast.Expr{x, y} {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if obj := k.n.pkg.Info.Uses[n]; obj != nil {
					c.objects = append(c.objects, obj)
				}
			case *ast.IndexExpr, *ast.StarExpr:
				c.memory = true
			}
			return true
		})
	}
}

// still reports whether no statement before a condition changes anything that it reads.
func (k *code) still(at ast.Expr, c *condition) bool {
	for _, l := range k.loops {
		if l.Pos() < at.Pos() && at.End() <= l.End() {
			return false
		}
	}
	if c.memory && k.stirs != 0 && k.stirs < at.Pos() {
		return false
	}
	for _, obj := range c.objects {
		if since := k.changes[obj]; since != 0 && since < at.Pos() {
			return false
		}
	}
	return true
}

// evaluate computes for each condition the calls on which it holds.
func (k *code) evaluate() {
	for _, c := range k.list {
		c.holds = [2]set{newSet(len(k.n.calls)), newSet(len(k.n.calls))}
		c.open = newSet(len(k.n.calls))
		if c.eval == nil {
			k.recall(c)
			continue
		}
		for i, call := range k.n.calls {
			v := c.eval(call)
			switch {
			case v.state == hidden || v.state == known && v.Kind != testcase.Bool:
				c.open.add(i)
			case v.state == known:
				c.holds[v.Bits&1].add(i)
			}
		}
	}
}

// recall adds, for a condition that the inputs alone do not decide, the outcomes that the recorded
// paths of calls have for it, or else those that were seen when the calls ran.
func (k *code) recall(c *condition) {
	for i, call := range k.n.calls {
		ways := [2]bool{}
		for _, d := range call.c.Path {
			if d.Text == c.text {
				ways[bit(d.True)] = true
			}
		}
		if len(call.c.Path) == 0 {
			if k.n.ways == nil {
				c.open.add(i)
				continue
			}
			for _, at := range c.at {
				seen := k.n.ways(call.c, at)
				ways = [2]bool{ways[0] || seen[0], ways[1] || seen[1]}
			}
		}
		switch ways {
		case [2]bool{true, true}:
			c.open.add(i)
		case [2]bool{true, false}:
			c.holds[0].add(i)
		case [2]bool{false, true}:
			c.holds[1].add(i)
		}
	}
}

// characters are the kinds of characters that a function's code asks for. Where the code does not look at
// digits, a text with a digit in it gets no name for having one.
type characters struct {
	any                           bool // code of other packages decides, so any character may matter
	digits, letters, cases, space bool
	others                        string // characters that the code spells out
}

// deepestCode is how many calls deep the code of a function is read.
const deepestCode = 3

// characters reads the function's code, and that of the package's functions that it calls.
func (n *Namer) characters() characters {
	var out characters
	if n.decl == nil || n.pkg.Info == nil {
		return characters{any: true}
	}
	seen := map[*ast.FuncDecl]bool{}
	var read func(decl *ast.FuncDecl, depth int)
	read = func(decl *ast.FuncDecl, depth int) {
		if decl == nil || decl.Body == nil || seen[decl] {
			return
		}
		seen[decl] = true
		ast.Inspect(decl, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.BasicLit:
				if tv := n.pkg.Info.Types[x]; tv.Value != nil && (x.Kind == token.CHAR || x.Kind == token.STRING) {
					out.literal(x.Kind, tv.Value)
				}
			case *ast.Ident:
				fn, ok := n.pkg.Info.Uses[x].(*types.Func)
				switch {
				case !ok:
				case fn.Pkg() == n.pkg.Types && depth < deepestCode:
					read(n.pkg.Func(fn.Origin()), depth+1)
				case fn.Pkg() != n.pkg.Types:
					out.foreign(fn)
				}
			}
			return true
		})
	}
	read(n.decl, 0)
	return out
}

// literal reads a character or text that the code spells out.
func (c *characters) literal(kind token.Token, v constant.Value) {
	const short = 8 // a longer text is a message
	text := ""
	if kind == token.CHAR {
		r, _ := constant.Int64Val(v)
		text = string(rune(r))
	} else if text = constant.StringVal(v); len(text) > short || strings.Contains(text, "%") {
		return
	}
	c.others += text
	c.digits = c.digits || kind == token.CHAR && (text == "0" || text == "9")
	c.space = c.space || strings.Contains(text, " ")
	if kind == token.CHAR && (strings.EqualFold(text, "a") || strings.EqualFold(text, "z")) {
		c.letters, c.cases = true, true
	}
}

// foreign reads a call of another package's function.
func (c *characters) foreign(fn *types.Func) {
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path()
	}
	name := fn.Name()
	switch {
	case path == "unicode":
		c.digits = c.digits || name == "IsDigit" || name == "IsNumber"
		c.letters = c.letters || name == "IsLetter"
		c.cases = c.cases || strings.Contains(name, "Upper") || strings.Contains(name, "Lower") || strings.Contains(name, "Title")
		c.space = c.space || name == "IsSpace"
		c.any = c.any || name == "IsControl" || name == "IsPrint" || name == "IsPunct" || name == "Is" || name == "In"
	case path == "strings" || path == "bytes":
		c.cases = c.cases || strings.Contains(name, "Upper") || strings.Contains(name, "Lower") || strings.Contains(name, "Title") || name == "EqualFold"
		c.space = c.space || strings.HasPrefix(name, "Fields") || name == "TrimSpace"
	case path == "strconv":
		c.digits = c.digits || name == "Atoi" || strings.HasPrefix(name, "Parse")
		c.any = c.any || strings.Contains(name, "uote")
	case path == "fmt" || path == "errors" || path == "sort" || path == "slices" || path == "unicode/utf8":
		c.digits = c.digits || strings.Contains(name, "can") // the scanning functions: Sscanf
	default:
		// What another package's parser makes of the text is said by its error, and not by one of the characters.
		c.any = c.any || path == "regexp"
	}
}

// asks reports whether the code may ask for one of the characters.
func (c characters) asks(chars string) bool { return c.any || strings.ContainsAny(c.others, chars) }
