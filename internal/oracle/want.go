package oracle

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// This file turns values in texts into contracts. The text of a result is read as Go of the result's
// type or, if it is no Go, as the output of fmt for the result.

var (
	errorType  = types.Universe.Lookup("error").Type()
	stringType = types.Typ[types.String]
)

// checkOf returns the contract that a result (of type t) equals the claimed value. The body follows
// from the type, so results of one kind share a function.
func checkOf(t types.Type) *testcase.Check {
	c := &testcase.Check{
		Contract: Contract, Severity: testcase.Warning, Name: "documented", Free: true,
		Doc: "returns an error if a call does not come to what the documentation says.", Params: []types.Type{t, t},
	}
	verb := "%v"
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		verb = "%q"
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		if b, ok := s.Elem().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			verb = "%q"
		}
	}
	differ := "!«reflect».DeepEqual(x, y)"
	switch u := t.Underlying().(type) {
	case *types.Basic:
		differ = "x != y"
		if u.Info()&types.IsFloat != 0 {
			// The last digits of a computed number are not meant to be exact.
			differ += " && !(«math».Abs(float64(x-y)) <= 1e-9*«math».Abs(float64(y)))"
		}
	case *types.Slice, *types.Map:
		differ = "len(x)+len(y) > 0 && " + differ // documentation does not distinguish nil from an empty value
	case *types.Interface:
		if types.Identical(t, errorType) {
			differ = "!«errors».Is(x, y)"
		}
	case *types.Pointer, *types.Chan, *types.Signature:
		differ = "(x == nil) != (y == nil)" // documentation can only say whether pointers and the like are nil
	}
	c.Body = "\tif " + differ + " {\n\t\treturn «fmt».Errorf(\"documentation says " + verb + ", code returns " + verb + "\", y, x)\n\t}\n\treturn nil"
	return c
}

// anyError is the contract of a result of which the text only says that it is an error.
func anyError() *testcase.Check {
	return &testcase.Check{
		Contract: Contract, Severity: testcase.Warning, Name: "documentedError", Free: true,
		Doc: "returns an error if a call does not fail as the documentation says.", Params: []types.Type{errorType},
		Body: "\tif x == nil {\n\t\treturn «errors».New(\"documentation says an error, code returns nil\")\n\t}\n\treturn nil",
	}
}

// wanted is the claim of a text about the results of a call.
type wanted struct {
	checks []*testcase.Sequence
	rest   string // the text behind the claim
	soft   bool   // the text may be something else than a claim
}

// goesOn reports whether a text goes on behind its claim, so that it may say something else.
func (w wanted) goesOn() bool { return strings.TrimLeft(w.rest, " .") != "" }

// values reads the claimed results of the last statement of a translation: a value for each result, or
// for the first ones, or an error.
func (t *translator) values(call testcase.Ref, text string) (wanted, bool) {
	n := len(t.stmts)
	results := t.sequence(n).ResultTypes()[call.Stmt]
	if len(results) == 0 {
		return wanted{}, false
	}
	text = strings.TrimSpace(text)
	parens := strings.HasPrefix(text, "(") && len(results) > 1
	rest := strings.TrimPrefix(text, "(")
	if !parens {
		rest = text
	}
	w := wanted{}
	for i := 0; i < len(results); i++ {
		part, at, after, ok := t.value(results, i, rest)
		if !ok {
			if i == 0 {
				return wanted{}, false
			}
			break
		}
		w.checks = append(w.checks, t.compare(n, testcase.Ref{Stmt: call.Stmt, Result: at}, part))
		w.soft = w.soft || part.printed
		w.rest = after
		i = at
		next, more := cutSeparator(after)
		if !more || i+1 == len(results) {
			break
		}
		rest = next
	}
	if parens {
		w.rest = strings.TrimPrefix(strings.TrimSpace(w.rest), ")")
	}
	return w, endsValue(w.rest)
}

// cutSeparator removes the separator of a list of results from the beginning of a text.
func cutSeparator(s string) (string, bool) {
	s = strings.TrimLeft(s, " `")
	for _, sep := range []string{", and ", ",", "and ", "with "} {
		if rest, ok := strings.CutPrefix(s, sep); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return s, false
}

// endsValue reports whether a text may follow a value without changing the claim.
func endsValue(rest string) bool {
	rest = strings.TrimLeft(rest, " \t`)*_")
	if rest == "" || strings.ContainsAny(rest[:1], ".,;:!|/—–") {
		return true
	}
	word, _, _ := strings.Cut(rest, " ")
	return slices.Contains([]string{"and", "but", "because", "since", "while", "whereas", "instead", "not"}, strings.Trim(word, ".,;")) || strings.HasPrefix(rest, "(")
}

// part is the claim about one result.
type part struct {
	stmts    []testcase.Statement // statements that make the claimed value, behind those of the call
	value    testcase.Ref
	anyError bool
	printed  bool // the value is the text that fmt prints for the result
}

// value reads the claim about result i, or about the error among the results; the result at says which result
// the claim is about.
func (t *translator) value(results []types.Type, i int, text string) (p part, at int, rest string, ok bool) {
	text = strings.TrimLeft(text, " `")
	last := len(results) - 1
	for _, phrase := range []string{"an error", "a non-nil error", "non-nil error", "some error", "error"} {
		if after, ok := strings.CutPrefix(text, phrase); ok && types.Identical(results[last], errorType) && !startsWord(after) {
			return part{anyError: true}, last, after, true
		}
	}
	order := []int{i}
	if last != i && types.Identical(results[last], errorType) {
		order = append(order, last) // Foo("a") returns ErrUnit
	}
	for _, at := range order {
		if p, rest, ok := t.typed(results[at], text); ok {
			return p, at, rest, true
		}
	}
	if i == 0 {
		if p, rest, ok := t.printed(results[0], text); ok {
			return p, 0, rest, true
		}
	}
	return part{}, 0, text, false
}

func startsWord(s string) bool {
	return s != "" && (s[0] == '_' || s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z' || s[0] >= '0' && s[0] <= '9')
}

// typed reads the longest expression of a type that a text begins with.
func (t *translator) typed(typ types.Type, text string) (p part, rest string, ok bool) {
	source, prefix := text, ""
	switch typ.Underlying().(type) {
	case *types.Slice, *types.Array:
		if strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "[]") {
			// ["a", "b"], without the type
			if i := closing(text, '[', ']'); i > 0 {
				source = "{" + text[1:i] + "}" + text[i+1:]
				prefix = "assayWanted"
			}
		}
	}
	if prefix == "" && strings.HasPrefix(text, "{") {
		prefix = "assayWanted"
	}
	for _, end := range tokenEnds(source) {
		fset := token.NewFileSet()
		e, err := parser.ParseExprFrom(fset, "", prefix+source[:end], 0)
		if err != nil {
			continue
		}
		p, ok := t.valueOf(typ, fset, e)
		if ok {
			return p, source[end:], true
		}
	}
	return part{}, text, false
}

// valueOf checks and translates an expression as a value of a type.
func (t *translator) valueOf(typ types.Type, fset *token.FileSet, e ast.Expr) (part, bool) {
	if !pure(e) {
		return part{}, false
	}
	env := t.scope.env.Scope()
	// The value is the argument of a call of a function with such a parameter, so that constants and
	// nil are converted.
	name := "assay" + types.TypeString(typ, nil)
	if env.Lookup(name) == nil {
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, t.scope.env, "x", typ)), nil, false)
		env.Insert(types.NewVar(token.NoPos, t.scope.env, name, sig))
		env.Insert(types.NewTypeName(token.NoPos, t.scope.env, "type "+name, typ))
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "assayWanted" {
			id.Name = "type " + name
		}
		return true
	})
	call := &ast.CallExpr{Fun: &ast.Ident{Name: name}, Args: []ast.Expr{e}}
	info, ok := t.scope.typeCheck(fset, call)
	if !ok {
		return part{}, false
	}
	n, calls := len(t.stmts), len(t.calls)
	ref, ok := t.expr(info, e)
	p := part{stmts: slices.Clone(t.stmts[n:]), value: ref}
	t.stmts, t.calls = t.stmts[:n], t.calls[:calls]
	for _, st := range p.stmts {
		switch st.Op.Kind {
		case testcase.OpFunc, testcase.OpMethod:
			return part{}, false // the result of another call is no value
		case testcase.OpGlobal:
			if !types.Identical(typ, errorType) {
				return part{}, false // its value may be anything
			}
		}
	}
	return p, ok && ref.Stmt >= n
}

// pure reports whether an expression is a value by itself, without calls.
func pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.CallExpr:
			// A conversion looks like a call of a type.
			_, isType := n.Fun.(*ast.ArrayType)
			ok = ok && (isType || len(n.Args) == 1)
		}
		return ok
	})
	return ok
}

// printed reads a text that is not Go as fmt's output for a result: [a b], or a text without quotes.
func (t *translator) printed(typ types.Type, text string) (p part, rest string, ok bool) {
	said := ""
	switch {
	case strings.HasPrefix(text, "["):
		i := closing(text, '[', ']')
		if i < 0 {
			return part{}, text, false
		}
		said, rest = text[:i+1], text[i+1:]
	case strings.HasPrefix(text, "'"), strings.HasPrefix(text, "“"), strings.HasPrefix(text, "*"):
		open, size := text[:1], 1
		if strings.HasPrefix(text, "“") {
			open, size = "”", len("“")
		}
		i := strings.Index(text[size:], open)
		if i < 0 {
			return part{}, text, false
		}
		said, rest = text[size:size+i], text[size+i+len(open):]
	default:
		// The text of a code span, a word at the end of the line, or {1 2} and map[a:1].
		i := strings.IndexByte(text, '`')
		span := i >= 0
		if !span {
			i = len(text)
		}
		said, rest = strings.TrimRight(strings.TrimSpace(text[:i]), "."), text[i:]
		if !span && strings.Contains(said, " ") && !strings.HasPrefix(said, "{") && !strings.HasPrefix(said, "map[") {
			return part{}, text, false
		}
	}
	if said == "" {
		return part{}, text, false
	}
	n := len(t.stmts)
	lit := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: stringType, Lit: testcase.Literal{Kind: testcase.LitString, Str: said}}}
	return part{stmts: []testcase.Statement{lit}, value: testcase.Ref{Stmt: n}, printed: true}, rest, true
}

// compare returns the sequence that compares a result with the claim.
func (t *translator) compare(n int, result testcase.Ref, p part) *testcase.Sequence {
	seq := t.sequence(n)
	typ := seq.ResultTypes()[result.Stmt][result.Result]
	if p.anyError {
		return seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: anyError()}, Args: []testcase.Ref{result}})
	}
	if p.printed {
		return t.comparePrinted(seq, result, p.stmts[0].Op.Lit.Str)
	}
	seq = seq.Extend(p.stmts...)
	return seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: checkOf(typ)}, Args: []testcase.Ref{result, p.value}})
}

// comparePrinted returns the sequence that compares fmt's output for a result with a text.
func (t *translator) comparePrinted(seq *testcase.Sequence, result testcase.Ref, said string) *testcase.Sequence {
	print, err := t.scope.prog.Imported("fmt", "Sprint")
	if err != nil {
		return seq
	}
	n := seq.Len()
	return seq.Extend(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: print}, Args: []testcase.Ref{result}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: stringType, Lit: testcase.Literal{Kind: testcase.LitString, Str: said}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: checkOf(stringType)}, Args: []testcase.Ref{{Stmt: n}, {Stmt: n + 1}}},
	)
}

// tokenEnds returns where the tokens of a text end, the last first, because a value may end at each of them.
func tokenEnds(text string) []int {
	var s scanner.Scanner
	fset := token.NewFileSet()
	src := []byte(text)
	file := fset.AddFile("", fset.Base(), len(src))
	s.Init(file, src, func(token.Position, string) {}, 0)
	var ends []int
	for range maxTokensValue {
		pos, tok, lit := s.Scan()
		if tok == token.EOF || tok == token.ILLEGAL {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" || tok.IsOperator() {
			lit = tok.String()
		}
		end := file.Offset(pos) + len(lit)
		if tok == token.FLOAT {
			end -= len(lit) - len(strings.TrimRight(lit, ".")) // the dot ends the sentence
		}
		ends = append(ends, end)
	}
	slices.Reverse(ends)
	return ends
}

// closing returns where the bracket closes that a text begins with, or -1 if the text has no such bracket.
func closing(text string, open, end byte) int {
	level := 0
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '\'' && i+2 < len(text) && (text[i+2] == '\'' || text[i+1] == '\\'):
			if j := strings.IndexByte(text[i+2:], '\''); j >= 0 {
				i += j + 2
			}
		case c == open:
			level++
		case c == end:
			level--
			if level == 0 {
				return i
			}
		}
	}
	return -1
}
