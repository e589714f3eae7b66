package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// conditionPhrase returns the words for a condition, or for its being false.
func (n *Namer) conditionPhrase(x ast.Expr, op token.Token, y ast.Expr, truth bool) phrase {
	info := n.pkg.Info
	if op == token.ILLEGAL {
		return n.callPhrase(ast.Unparen(x), truth)
	}
	if !truth {
		op, _ = gosyntax.Negated(op)
	}
	if tv := info.Types[x]; tv.Value != nil || tv.IsNil() {
		x, y, op = y, x, gosyntax.Mirrored(op)
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

// constantPhrase returns words for the comparison of a subject with a constant.
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
				return s.chosen(word, true)
			case token.NEQ:
				return s.chosen(word, false)
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
	return s.compared(op, word, declared && value.Kind() != constant.String) // OS Windows, but amount of limit
}

// divisible returns words for x % k == 0, or for its being false.
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

// firstOrLast returns a phrase for a comparison of x[0] or x[len(x)-1].
func (n *Namer) firstOrLast(x ast.Expr, op token.Token, value constant.Value) phrase {
	ix, ok := x.(*ast.IndexExpr)
	if !ok || value == nil || op != token.EQL && op != token.NEQ {
		return phrase{}
	}
	if _, isMap := underlying(n.pkg.Info.TypeOf(ix.X)).(*types.Map); isMap {
		return phrase{} // a map's key has no place
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

// callPhrase returns words for a condition that is a call or a name.
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
		if len(x.Args) == 2 && id.Name == "IsInf" && truth {
			switch types.ExprString(x.Args[1]) {
			case "0":
				return s.is("infinite")
			case "1":
				return s.is("+Inf")
			case "-1":
				return s.is("-Inf")
			}
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
			if !truth {
				return s.differs("NaN")
			}
			return s.is("NaN")
		}
	}
	text := types.ExprString(x)
	if !truth {
		text = "not " + text
	}
	return phrase{text: text, clause: text, strain: clumsy}
}

// variable returns words for a variable of type bool being true or false.
func (s subject) variable(name string, truth bool) phrase {
	word := strings.Join(splitWords(name[strings.LastIndexByte(name, '.')+1:]), " ")
	if truth {
		return phrase{text: word, clause: name + " is true"}
	}
	return phrase{text: "not " + word, clause: name + " is false", strain: slight}
}

// subjectOf returns the subject that an expression is: an input, an exported field of an input, a local variable whose name is a word,
// or an observer of the receiver.
func (n *Namer) subjectOf(e ast.Expr) (subject, bool) {
	info := n.pkg.Info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if i := n.input(info.Uses[e]); i >= 0 {
			return n.subjects[i], true
		}
		return n.local(e)
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal && sel.Obj().Exported() {
			if id, ok := e.X.(*ast.Ident); ok && n.input(info.Uses[id]) >= 0 {
				text := types.ExprString(e)
				s := subject{name: text, clause: text}
				if n.hasRecv && n.input(info.Uses[id]) == 0 {
					s.name = e.Sel.Name // a test has one receiver
				}
				if elemOf(sel.Obj().Type()) != nil {
					s.one, s.many = nouns(e.Sel.Name)
				}
				return s, true
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

// local returns a local variable as a subject. It returns false for variables whose names are no words. Local variables have no meaning
// for users of a function, but who reads a package's tests knows its code, or can look there. Where the function decides by a variable of
// its own, "empty extension" says more of a row than the row's number does.
func (n *Namer) local(id *ast.Ident) (subject, bool) {
	v, ok := n.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Pkg() != n.pkg.Types || v.Parent() == n.pkg.Types.Scope() || !isSpoken(v) {
		return subject{}, false
	}
	s := subject{name: v.Name(), strain: slight}
	switch {
	case basicIs(v.Type(), types.IsString), isBytes(v.Type()):
		s.one, s.many = "byte", "bytes"
	case isRunes(v.Type()):
		s.one, s.many = "character", "characters"
	case elemOf(v.Type()) != nil:
		s.one, s.many = nouns(v.Name())
	}
	return s, true
}

// isSpoken reports whether the name of a local variable is a word that tells a reader something. Errors are said by their messages.
func isSpoken(v *types.Var) bool {
	const shortest = 3
	unspoken := []string{"err", "tmp", "res", "ret", "out", "val", "got", "idx", "cur", "ptr", "obj", "elem", "value", "result", "data"}
	done := strings.HasSuffix(v.Name(), "ed") && !strings.HasSuffix(v.Name(), "eed") // used, copied: a count or a truth of what has been done
	return len(v.Name()) >= shortest && !done && !gosyntax.IsError(v.Type()) && !slices.Contains(unspoken, v.Name())
}

// localPhrase returns words for a condition that reads local variables, or for its being false. It returns none for what would be no more
// than the code again.
func (n *Namer) localPhrase(x ast.Expr, op token.Token, y ast.Expr, truth bool) phrase {
	var p phrase
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr: // a truth by itself, like copied, says nothing to who does not know where it comes from
		verb := calledName(x)
		if op != token.ILLEGAL || verb == nil || len(x.Args) != 2 || n.pkg.Info.Types[x.Args[1]].Value == nil || !slices.Contains([]string{"Contains", "HasPrefix", "HasSuffix"}, verb.Name) {
			break
		}
		if _, ok := n.subjectOf(x.Args[0]); ok {
			p = n.callPhrase(x, truth)
		}
	}
	if op != token.ILLEGAL && n.isSaid(x) && n.isSaid(y) {
		p = n.conditionPhrase(x, op, y, truth)
	}
	if p.text != "" {
		p.clause = "" // sentences are for users, who do not know the variable
		p.strain += slight
	}
	return p
}

// isSaid reports whether there is a word for one side of a comparison: it is a constant, nil, a subject, or the length of one.
func (n *Namer) isSaid(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv := n.pkg.Info.Types[e]; tv.Value != nil || tv.IsNil() {
		return true
	}
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 1 {
		if b, ok := n.pkg.Info.Uses[calledName(c)].(*types.Builtin); ok && b.Name() == "len" {
			_, ok := n.subjectOf(c.Args[0])
			return ok
		}
		return false
	}
	_, ok := n.subjectOf(e)
	return ok
}
