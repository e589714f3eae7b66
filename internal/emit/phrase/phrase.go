package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// A phrase is the text of a branch decision or a result.
type phrase struct {
	Text   string // for names of rows: "a > 0", "empty"
	word   string // for names of tests: "Empty", or "" if it cannot be part of an identifier
	clause string // for comments: "a > 0", "s is empty"
}

// Phraser describes the cases of one function: the branches that they take, and their outcomes.
type Phraser struct {
	w      *gofile.Writer
	fset   *token.FileSet
	inputs InputsTable
	Cases  int            // how many cases there are
	shared map[string]int // how many cases share a condition, by its clause
}

// New returns a Phraser for the cases of one function. It uses the names that are taken in a file.
func New(w *gofile.Writer, fset *token.FileSet, inputs InputsTable, cases []*testcase.Case) *Phraser {
	p := &Phraser{w: w, fset: fset, inputs: inputs, Cases: len(cases), shared: map[string]int{}}
	for _, c := range cases {
		for _, cond := range p.conditions(c) {
			p.shared[cond.clause]++
		}
	}
	return p
}

// conditions returns a phrase for each branch that the case took and that depends on its inputs alone, in the
// order in which the branches were taken. Each phrase is there once, however often its branch was taken.
func (p *Phraser) conditions(c *testcase.Case) []phrase {
	params := map[string]bool{}
	recv, single := "", ""
	var in *inputs
	if f := TargetFunc(c); f != nil {
		in = p.inputs.of(p.w.Pkg, p.fset, f)
		sig := f.Type().(*types.Signature)
		for i := range sig.Params().Len() {
			params[sig.Params().At(i).Name()] = true
		}
		if sig.Recv() != nil {
			recv = sig.Recv().Name()
			params[recv] = true
		}
		switch {
		case sig.Params().Len() == 1:
			single = sig.Params().At(0).Name()
		case sig.Params().Len() == 0:
			single = recv
		}
	}
	if in == nil {
		return nil
	}
	var out []phrase
	for _, d := range in.own(c.Path) {
		said, ok := conditionPhrase(d.Text, d.True, single, func(name string) (input, known bool) {
			if field := strings.HasPrefix(name, "."); field || params[name] {
				return !field, in.still(name, d.Pos)
			}
			return false, types.Universe.Lookup(name) != nil || p.w.Pkg.Types.Scope().Lookup(name) != nil || ast.IsExported(name)
		})
		if recv != "" && said.clause == recv+" is not nil" {
			continue // almost all tests take this branch
		}
		said.Text = withoutReceiver(said.Text, recv)
		if ok && !slices.ContainsFunc(out, func(q phrase) bool { return q.Text == said.Text }) {
			out = append(out, said)
		}
	}
	return out
}

// telling returns the conditions that set a case apart from the other cases of its function: the two
// that the fewest cases share, in the order in which they were taken. A condition that all cases share
// sets none apart.
func (p *Phraser) telling(c *testcase.Case) []phrase {
	conds := p.conditions(c)
	conds = slices.DeleteFunc(conds, func(cond phrase) bool { return p.Cases > 1 && p.shared[cond.clause] == p.Cases })
	if len(conds) <= 1 {
		return conds
	}
	order := slices.Clone(conds)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b phrase) int { return p.shared[a.clause] - p.shared[b.clause] })
	most := 2
	if p.shared[order[0].clause] == 1 && p.Cases > 1 {
		most = 1 // one condition is enough
	}
	return slices.DeleteFunc(conds, func(cond phrase) bool { return !slices.Contains(order[:most], cond) })
}

// withoutReceiver returns the text with the receiver's fields named without the receiver.
func withoutReceiver(text, recv string) string {
	if recv == "" {
		return text
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' })
	for i, w := range words {
		words[i] = strings.Replace(strings.TrimPrefix(w, recv+"."), "("+recv+".", "(", 1)
	}
	return strings.Join(words, " ")
}

// TargetFunc returns the function that the case was made for, or nil.
func TargetFunc(c *testcase.Case) *types.Func {
	op := c.Seq.At(c.TargetStmt()).Op
	if op.Func != nil && testcase.TargetName(op.Func) == c.Target {
		return op.Func
	}
	return nil
}

// conditionPhrase returns the phrase of a condition with the given truth. It returns false if the
// condition mentions anything but inputs, because the value of a local variable tells the reader of a
// test nothing. The function what reports whether a name in the condition is an input, and whether its
// meaning is known outside of the function. A field is passed with a dot before its name, and only the
// second answer counts.
func conditionPhrase(text string, truth bool, single string, what func(name string) (input, known bool)) (phrase, bool) {
	e, err := parser.ParseExpr(text)
	if err != nil || len(text) > 40 {
		return phrase{}, false
	}
	ok, about := true, false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			// The name of a field is not the name of a variable.
			_, known := what("." + n.Sel.Name)
			ok = ok && known
			ast.Inspect(n.X, func(m ast.Node) bool {
				if id, isIdent := m.(*ast.Ident); isIdent {
					input, known := what(id.Name)
					ok = ok && known
					about = about || input
				}
				return true
			})
			return false
		case *ast.FuncLit:
			ok = false
		case *ast.Ident:
			input, known := what(n.Name)
			ok = ok && known
			about = about || input
		}
		return true
	})
	if !ok || !about {
		return phrase{}, false
	}
	e, truth = stripNot(e, truth)
	switch x := e.(type) {
	case *ast.BinaryExpr:
		op := x.Op
		if !truth {
			n, isComparison := gosyntax.Negated(op)
			if !isComparison {
				return plainPhrase("not (" + source(text, x) + ")"), true
			}
			op = n
		}
		return comparisonPhrase(source(text, x.X), op, source(text, x.Y), single), true
	case *ast.CallExpr:
		if sel, isSel := x.Fun.(*ast.SelectorExpr); isSel && len(x.Args) == 0 {
			return predicatePhrase(source(text, x), source(text, sel.X), sel.Sel.Name, truth), true
		}
	case *ast.SelectorExpr:
		return predicatePhrase(source(text, x), source(text, x.X), x.Sel.Name, truth), true
	case *ast.Ident:
		return predicatePhrase(x.Name, "", x.Name, truth), true
	}
	t := source(text, e)
	if !truth {
		t = "not " + t
	}
	return plainPhrase(t), true
}

// plainPhrase returns the phrase of a condition that is said as the source has it.
func plainPhrase(text string) phrase { return phrase{Text: text, clause: text} }

// source returns the text of a part of a parsed expression.
func source(text string, e ast.Expr) string {
	return text[e.Pos()-1 : e.End()-1]
}

// stripNot removes parentheses and negations.
func stripNot(e ast.Expr, truth bool) (ast.Expr, bool) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.UnaryExpr:
			if x.Op == token.NOT {
				e, truth = x.X, !truth
				continue
			}
		}
		return e, truth
	}
}

// comparisonPhrase returns x op y in words if there are good ones. The parameter single is the name of the
// only input, which needs no mention.
func comparisonPhrase(x string, op token.Token, y, single string) phrase {
	length, isLen := strings.CutPrefix(x, "len(")
	if isLen {
		length, isLen = strings.CutSuffix(length, ")")
	} else {
		length, isLen = strings.CutSuffix(x, ".Len()")
	}
	if !isLen {
		length = x
	}
	about := func(subject, word string) phrase {
		short := subject[strings.LastIndexByte(subject, '.')+1:]
		clause := subject + " is " + word
		if subject == single {
			return phrase{word, camel(word), clause}
		}
		return phrase{subject + " " + word, camel(short + " " + word), clause}
	}
	zero := y == "0"
	last := x[strings.LastIndexByte(x, '.')+1:]
	name := token.IsIdentifier(last)
	switch {
	case isLen && (zero && (op == token.EQL || op == token.LEQ) || y == "1" && op == token.LSS), !isLen && y == `""` && op == token.EQL:
		if !isLen {
			length = x
		}
		return about(length, "empty")
	case isLen && (zero && (op == token.NEQ || op == token.GTR) || y == "1" && op == token.GEQ), !isLen && y == `""` && op == token.NEQ:
		if !isLen {
			length = x
		}
		return about(length, "not empty")
	case y == "nil" && op == token.EQL && x == single:
		return phrase{"nil", "Nil", x + " is nil"}
	case y == "nil" && op == token.EQL && !token.IsIdentifier(x):
		return plainPhrase(x + " is nil")
	case y == "nil" && op == token.EQL:
		return phrase{"nil " + x, "Nil" + camel(last), x + " is nil"}
	case y == "nil" && op == token.NEQ:
		return phrase{x + " not nil", "", x + " is not nil"}
	case zero && op == token.LSS && name:
		if x == single {
			return phrase{"negative", "Negative", x + " is negative"}
		}
		return phrase{"negative " + x, "Negative" + camel(last), x + " is negative"}
	case zero && op == token.EQL && name:
		if x == single {
			return phrase{"zero", "Zero", x + " is zero"}
		}
		return phrase{"zero " + x, "Zero" + camel(last), x + " is zero"}
	}
	p := plainPhrase(x + " " + op.String() + " " + y)
	p.word = comparisonWord(last, op, y, x == single)
	return p
}

// comparisonWord returns x op y as part of an identifier, or "" if its sides are no names.
func comparisonWord(x string, op token.Token, y string, single bool) string {
	const longest = 32
	if !token.IsIdentifier(x) {
		return ""
	}
	subject := gofile.UpperFirst(x)
	if single {
		subject = ""
	}
	if y == "0" {
		word := map[token.Token]string{token.GTR: "Positive", token.LEQ: "NotPositive", token.GEQ: "NotNegative", token.NEQ: "NotZero"}[op]
		if word == "" {
			return ""
		}
		return word + subject
	}
	y = y[strings.LastIndexByte(y, '.')+1:]
	word := map[token.Token]string{token.GTR: "Above", token.LSS: "Below", token.GEQ: "AtLeast", token.LEQ: "AtMost", token.EQL: "Is", token.NEQ: "IsNot"}[op]
	if _, err := strconv.Atoi(y); word == "" || err != nil && !token.IsIdentifier(y) {
		return ""
	}
	if out := subject + word + gofile.UpperFirst(y); len(out) <= longest {
		return out
	}
	return ""
}

// predicatePhrase returns the phrase of a predicate by its name: b.IsFull() and b.full are "full", or "b is
// full". Names that are no adjectives are written as they are.
func predicatePhrase(source, subject, name string, truth bool) phrase {
	parts := gosyntax.Words(name)
	switch {
	case len(parts) > 1 && parts[0] == "is":
		parts = parts[1:]
	case len(parts) == 1 && words.IsAdjective(parts[0]):
	default:
		p := phrase{Text: source, word: gofile.UpperFirst(name), clause: source + " is true"}
		if !truth {
			p = phrase{Text: "not " + source, word: "Not" + gofile.UpperFirst(name), clause: source + " is false"}
		}
		return p
	}
	text := strings.Join(parts, " ")
	if !truth {
		text = "not " + text
	}
	clause := subject + " is " + text
	if subject == "" {
		clause = source + " is true"
		if !truth {
			clause = source + " is false"
		}
	}
	return phrase{text, camel(text), clause}
}

// camel joins words to a part of an identifier. It returns "" if a character cannot be in an identifier.
func camel(text string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '.' }) {
		for _, r := range w {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return ""
			}
		}
		b.WriteString(gofile.UpperFirst(w))
	}
	return b.String()
}

// Result describes the result of the case's target call, as a verb and its object: "returns ErrFull",
// "reports true"; or the zero phrase if there is nothing to say.
func (p *Phraser) Result(c *testcase.Case) phrase {
	o := c.Observed
	i := c.TargetStmt()
	if o == nil || i >= len(o.Results) {
		return phrase{}
	}
	ts := c.Seq.ResultTypes()[i]
	rs := o.Results[i]
	if len(rs) != len(ts) || len(rs) == 0 {
		return phrase{}
	}
	for k, t := range ts {
		if !gosyntax.IsError(t) || rs[k].Kind == testcase.Nil || rs[k].Kind == testcase.Invalid {
			continue
		}
		if s := p.w.Sentinel(rs[k]); s != nil {
			return phrase{Text: "returns " + s.Name(), word: "Returns" + gofile.UpperFirst(s.Name())}
		}
		return phrase{Text: "returns an error", word: "Fails"}
	}
	v := rs[0]
	for k, t := range ts {
		if k > 0 && gofile.IsBasic(t, types.IsBoolean) && rs[k].Kind == testcase.Bool {
			if rs[k].Bits == 0 {
				return phrase{Text: "reports false", word: "ReportsFalse"}
			}
			break
		}
	}
	switch v.Kind {
	case testcase.Bool:
		if v.Bits != 0 {
			return phrase{Text: "returns true", word: "ReturnsTrue"}
		}
		return phrase{Text: "returns false", word: "ReturnsFalse"}
	case testcase.Nil:
		if !gosyntax.IsError(ts[0]) {
			return phrase{Text: "returns nil", word: "ReturnsNil"}
		}
		return phrase{Text: "succeeds"}
	case testcase.Int, testcase.Uint, testcase.Float, testcase.String, testcase.Complex:
		var text string
		if reason, _ := p.w.Attempt(func() { text = p.w.Value(v, ts[0], ts[0]).Text }); reason == "" && len(text) <= 24 && !strings.Contains(text, "\n") {
			word := camel(text)
			if word != "" {
				word = "Returns" + word
			}
			return phrase{Text: "returns " + text, word: word}
		}
	case testcase.Slice, testcase.Map, testcase.Struct, testcase.Array:
		if (v.Kind == testcase.Slice || v.Kind == testcase.Map) && v.Len == 0 && len(v.Elems) == 0 {
			return phrase{Text: "returns an empty " + kindName(v.Kind), word: "ReturnsEmpty"}
		}
		if !gofile.Whole(v) {
			break
		}
		var text string
		if reason, _ := p.w.Attempt(func() { text = p.w.Value(v, ts[0], ts[0]).Text }); reason == "" && len(text) <= 32 && !strings.Contains(text, "\n") {
			return phrase{Text: "returns " + NameText(text)}
		}
	}
	return phrase{}
}

// Object returns the words that the call returned an object, for functions that may return none.
func Object(c *testcase.Case) string {
	i := c.TargetStmt()
	ts := c.Seq.ResultTypes()[i]
	if c.Observed == nil || i >= len(c.Observed.Results) || len(ts) != 1 || len(c.Observed.Results[i]) != 1 || c.Observed.Results[i][0].Kind != testcase.Pointer {
		return ""
	}
	if p, ok := types.Unalias(ts[0]).(*types.Pointer); ok && load.NamedOf(p.Elem()) != nil {
		return "returns " + gofile.Article(gofile.ShortName(p.Elem()))
	}
	return ""
}

func kindName(k testcase.ValueKind) string {
	if k == testcase.Map {
		return "map"
	}
	return "slice"
}
