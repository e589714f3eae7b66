package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// condition is a comparison or a call that the function branches on, or returns, without
// the && and || that it may be a part of.
type condition struct {
	text string
	eval node // on the inputs as they were handed over; nil where it reads anything else
	reads
	// objects are the variables that it reads, memory says that it reads what the receiver
	// or another input leads to.
	objects []types.Object
	memory  bool
	// firm says that nothing that the source has before it changes what it reads, so that
	// its value on the inputs is the way that a call takes.
	firm bool
	// said are its phrases where it is false and where it is true; without text where
	// there are no words.
	said  [2]phrase
	holds [2]set // the calls on which it is known to be false, and true
	open  set    // the calls on which it is not known
}

// comparesWithZero reports whether the code compares just what is read with 0.
func (k *code) comparesWithZero(r reads) bool {
	return slices.ContainsFunc(k.list, func(c *condition) bool { return c.reads == r && strings.HasSuffix(c.text, " 0") })
}

// decision is a condition that went one way.
type decision struct {
	cond *condition
	way  bool
}

// code is what names can be taken from in a function's source.
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

// note notes what a node changes.
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
	c := &condition{text: text}
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
		old.firm = old.firm && c.firm && slices.Equal(old.objects, c.objects) // whichever of them a path speaks of
		if slices.Equal(old.objects, c.objects) {
			k.byNode[at] = old
			return
		}
	}
	if c.eval != nil {
		c.said[1] = k.n.conditionPhrase(x, op, y, true)
		c.said[0] = k.n.conditionPhrase(x, op, y, false)
	}
	k.list = append(k.list, c)
	k.byNode[at] = c
	if old == nil {
		k.byText[text] = c
	}
}

// needs notes what a condition reads.
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

// still reports whether nothing in the source before a condition changes what it reads.
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

// evaluate fills in on which calls each condition holds.
func (k *code) evaluate() {
	for _, c := range k.list {
		if c.eval == nil {
			continue
		}
		c.holds = [2]set{newSet(len(k.n.calls)), newSet(len(k.n.calls))}
		c.open = newSet(len(k.n.calls))
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

// path returns the decisions on a call's way that its inputs alone decide: as far as they
// can be followed in the source, or those of its case if these are more.
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
		if cond == nil || cond.eval == nil || !cond.firm || ways[d.Text] == [2]bool{true, true} || !cond.holds[bit(d.True)].has(i) {
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

// walker follows a call through the source as far as its inputs decide.
type walker struct {
	*code
	call    int
	out     []decision
	changed map[types.Object]bool // since the call began
	stirred bool                  // what inputs lead to may have changed
}

// block follows statements; it is false where the call has ended or nobody knows its way.
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

// pass notes what the evaluation of an expression may change.
func (w *walker) pass(e ast.Expr) {
	ast.Inspect(e, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				w.change(x.X)
			}
		case *ast.CallExpr:
			// An observer changes nothing.
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
	if c == nil || c.eval == nil || w.stirred && c.memory {
		return unknown
	}
	for _, obj := range c.objects {
		if w.changed[obj] {
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

// negated returns the comparison that holds where op does not, NaN aside: that a predicate
// holds is always evaluated, so the words may be those of numbers.
func negated(op token.Token) token.Token {
	switch op {
	case token.EQL:
		return token.NEQ
	case token.NEQ:
		return token.EQL
	case token.LSS:
		return token.GEQ
	case token.GEQ:
		return token.LSS
	case token.GTR:
		return token.LEQ
	case token.LEQ:
		return token.GTR
	}
	return op
}

// mirrored returns the comparison y op x for x op y.
func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// conditionPhrase says a condition, or that it is false.
func (n *Namer) conditionPhrase(x ast.Expr, op token.Token, y ast.Expr, truth bool) phrase {
	info := n.pkg.Info
	if op == token.ILLEGAL {
		return n.callPhrase(ast.Unparen(x), truth)
	}
	if !truth {
		op = negated(op)
	}
	if tv := info.Types[x]; tv.Value != nil || tv.IsNil() {
		x, y, op = y, x, mirrored(op)
	}
	x, y = ast.Unparen(x), ast.Unparen(y)
	value := info.Types[y].Value
	if c, ok := x.(*ast.CallExpr); ok && value != nil && len(c.Args) == 1 {
		if b, ok := info.Uses[calledName(c)].(*types.Builtin); ok && b.Name() == "len" {
			if s, ok := n.subjectOf(c.Args[0]); ok {
				if k, exact := constant.Int64Val(constant.ToInt(value)); exact && k >= 0 {
					return s.against(op, int(k))
				}
			}
		}
	}
	if b, ok := x.(*ast.BinaryExpr); ok && b.Op == token.REM && value != nil && constant.Sign(value) == 0 {
		if p := n.divisible(b, op); p.text != "" {
			return p
		}
	}
	if p := n.firstOrLast(x, op, value); p.text != "" {
		return p
	}
	s, ok := n.subjectOf(x)
	switch {
	case !ok:
		text := types.ExprString(x) + " " + op.String() + " " + types.ExprString(y)
		return phrase{text: text, clause: text, strain: slight}
	case info.Types[y].IsNil() && op == token.EQL:
		return s.isNil()
	case info.Types[y].IsNil():
		p := s.stands("not nil")
		p.strain = clumsy
		return p
	case value == nil:
		p := phrase{text: types.ExprString(x) + " " + op.String() + " " + types.ExprString(y), strain: slight}
		if t, ok := n.subjectOf(y); ok && op != token.EQL && op != token.NEQ {
			t.alone, s.alone = false, false
			if t.name != "" && s.name != "" {
				p = s.compared(op, t.name, false)
			}
		}
		if p.clause == "" {
			p.clause = p.text
		}
		return p
	}
	return n.constantPhrase(s, op, value, y, info.TypeOf(x))
}

// calledName returns the name that a call calls.
func calledName(c *ast.CallExpr) *ast.Ident {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}

// constantPhrase says how a subject compares with a constant.
func (n *Namer) constantPhrase(s subject, op token.Token, value constant.Value, y ast.Expr, t types.Type) phrase {
	word, declared := types.ExprString(y), false
	switch y := y.(type) {
	case *ast.Ident:
		_, declared = n.pkg.Info.Uses[y].(*types.Const)
	case *ast.SelectorExpr:
		declared = true
	}
	if e := n.enums.of(t); e != nil && declared {
		if id, ok := y.(*ast.Ident); ok {
			word = constantWords(id.Name, e.named.Obj().Name())
			switch op {
			case token.EQL:
				return s.state(word, true)
			case token.NEQ:
				return s.state(word, false)
			}
		}
	}
	switch {
	case value.Kind() == constant.Bool:
		return phrase{}
	case value.Kind() == constant.String && constant.StringVal(value) == "" && (op == token.EQL || op == token.NEQ):
		p := s.is("empty")
		if op == token.NEQ {
			p = s.stands("not empty")
			p.strain = clumsy
		}
		return p
	case value.Kind() == constant.String:
		if !declared {
			word = strconv.Quote(constant.StringVal(value))
		}
	case s.many != "" && s.one == "element" && value.Kind() == constant.Int:
		if k, exact := constant.Int64Val(value); exact && k >= 0 {
			return s.against(op, int(k))
		}
	case constant.Sign(value) == 0 && !declared:
		return s.againstZero(op)
	}
	return s.compared(op, word, declared)
}

// divisible says x % k == 0, or that it is not.
func (n *Namer) divisible(b *ast.BinaryExpr, op token.Token) phrase {
	s, ok := n.subjectOf(ast.Unparen(b.X))
	k := n.pkg.Info.Types[b.Y].Value
	if !ok || k == nil || op != token.EQL && op != token.NEQ {
		return phrase{}
	}
	if k.ExactString() == "2" {
		return s.state("even", op == token.EQL)
	}
	if op == token.EQL {
		return s.stands("divisible by " + types.ExprString(b.Y))
	}
	p := s.stands("not divisible by " + types.ExprString(b.Y))
	p.strain = slight
	return p
}

// firstOrLast says what x[0] or x[len(x)-1] is.
func (n *Namer) firstOrLast(x ast.Expr, op token.Token, value constant.Value) phrase {
	ix, ok := x.(*ast.IndexExpr)
	if !ok || value == nil || op != token.EQL && op != token.NEQ {
		return phrase{}
	}
	s, ok := n.subjectOf(ast.Unparen(ix.X))
	if !ok {
		return phrase{}
	}
	what := value.ExactString()
	if b, ok := underlying(n.pkg.Info.TypeOf(x)).(*types.Basic); ok && b.Kind() == types.Uint8 {
		c, _ := constant.Int64Val(value)
		if c < ' ' || c > '~' {
			return phrase{}
		}
		what = strconv.QuoteRune(rune(c))
	}
	verb := ""
	at := n.pkg.Info.Types[ix.Index].Value
	switch {
	case at != nil && constant.Sign(at) == 0:
		verb = "begins with "
	case types.ExprString(ix.Index) == "len("+types.ExprString(ix.X)+") - 1":
		verb = "ends with "
	default:
		return phrase{}
	}
	if op == token.NEQ {
		p := s.does("does not " + strings.TrimSuffix(strings.Replace(verb, "s ", " ", 1), " ") + " " + what)
		p.strain = clumsy
		return p
	}
	return s.does(verb + what)
}

// callPhrase says a condition that is a call or a name.
func (n *Namer) callPhrase(x ast.Expr, truth bool) phrase {
	switch x := x.(type) {
	case *ast.Ident:
		return subject{name: "", clause: "", alone: true}.variable(x.Name, truth)
	case *ast.SelectorExpr:
		return subject{alone: true}.variable(types.ExprString(x), truth)
	case *ast.CallExpr:
		id := calledName(x)
		if id == nil {
			return phrase{}
		}
		if len(x.Args) == 0 {
			return n.receiver().called(id.Name, truth)
		}
		s, ok := n.subjectOf(ast.Unparen(x.Args[0]))
		if !ok {
			break
		}
		if len(x.Args) == 2 {
			verbs := map[string]string{"Contains": "contain", "HasPrefix": "begin with", "HasSuffix": "end with"}
			verb := verbs[id.Name]
			if verb == "" {
				break
			}
			arg := types.ExprString(x.Args[1])
			if truth {
				first, rest, _ := strings.Cut(verb, " ")
				return s.does(strings.TrimSpace(first+"s "+rest) + " " + arg)
			}
			p := s.does("does not " + verb + " " + arg)
			p.strain = clumsy
			return p
		}
		if id.Name == "IsNaN" {
			p := s.equals("NaN", true)
			if !truth {
				p = s.differs("NaN")
			}
			return p
		}
	}
	text := types.ExprString(x)
	if !truth {
		text = "not " + text
	}
	return phrase{text: text, clause: text, strain: clumsy}
}

// variable says that a variable of type bool is true or false.
func (s subject) variable(name string, truth bool) phrase {
	word := strings.Join(splitWords(name[strings.LastIndexByte(name, '.')+1:]), " ")
	if truth {
		return phrase{text: word, clause: name + " is true"}
	}
	return phrase{text: "not " + word, clause: name + " is false", strain: slight}
}

// subjectOf returns the subject that an expression is: an input, an exported field of one,
// an observer of the receiver.
func (n *Namer) subjectOf(e ast.Expr) (subject, bool) {
	info := n.pkg.Info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if i := n.input(info.Uses[e]); i >= 0 {
			return n.subjects[i], true
		}
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal && sel.Obj().Exported() {
			if id, ok := e.X.(*ast.Ident); ok && n.input(info.Uses[id]) >= 0 {
				text := types.ExprString(e)
				one, many := nouns(e.Sel.Name)
				return subject{name: text, clause: text, one: one, many: many}, true
			}
		}
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && len(e.Args) == 0 {
			if f, ok := info.Uses[sel.Sel].(*types.Func); ok {
				if i := n.observer(f); i >= 0 {
					return n.seen[i], true
				}
			}
		}
	}
	return subject{}, false
}
