package emit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// This file writes the check that a call keeps a promise: the call, and the promise's condition with the test's own
// variables in the place of the function's parameters and results.

// brokenCondition writes the call and the check of a condition on it.
func (s *script) brokenCondition(last int, p promise) (string, bool) {
	st := s.Seq.At(last)
	if st.Op.Func == nil || st.Op.Via != nil {
		return "", false
	}
	if st.Op.Signature().Variadic() && !st.Op.Spread {
		return "", false
	}
	sig := st.Op.Func.Type().(*types.Signature)
	env, args := s.passed(st)
	// Values from before the call go into variables. So do constants that the condition computes with,
	// because the compiler would compute with them exactly, without overflow.
	var before []string
	text := p.text
	ok := true
	for i, a := range args {
		name := sig.Params().At(i).Name()
		if def := s.definition(a, name, env[name], text); def != "" {
			v := s.Scope.Pick(name)
			before = append(before, strings.Replace(def, "%", v, 1))
			env[name] = v
		}
	}
	if isChoice(text) {
		before = append(before, s.apart(st, text, env)...)
	}
	remember := func(name, value string) string {
		v := s.Scope.Pick(name)
		value, good := s.rewrite(value, env)
		ok = ok && good
		before = append(before, v+" := "+value)
		return v
	}
	text = oldCall.ReplaceAllStringFunc(text, func(m string) string {
		inner := oldCall.FindStringSubmatch(m)[1]
		v := remember("old"+gofile.UpperFirst(gofile.Identifier(inner[strings.LastIndexByte(inner, '.')+1:])), inner)
		env[v] = v
		return v
	})
	if e, err := parser.ParseExpr(text); err == nil {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, isIdent := n.(*ast.Ident); isIdent && p.locals[id.Name] != nil && env[id.Name] == "" {
				env[id.Name] = remember(id.Name, s.sourceText(p.locals[id.Name]))
			}
			return true
		})
	}
	display := s.Display(last)
	callText := s.Op(last, nil).Text
	names := s.resultsIn(text, last, sig, env)
	checks, good := s.checksOf(p, text, env, names)
	if !ok || !good {
		return "", false
	}
	for _, b := range before {
		s.Line(b)
	}
	if strings.Trim(strings.Join(names, ""), "_") == "" {
		s.Line(callText)
	} else {
		s.Line(strings.Join(names, ", "), " := ", callText)
	}
	s.Blank()
	for _, c := range checks {
		if c.open != "" {
			s.Line(c.open)
		}
		s.Line("if ", c.guard, opposite(c.cond, p.float), " {")
		s.complain(display, p.text, c.cond)
		s.Line("}")
		if c.open != "" {
			s.Line("}")
		}
	}
	return s.Out.String(), true
}

// objectCheck is the condition of a promise for one object.
type objectCheck struct {
	cond  string
	guard string // what comes before the condition's opposite, up to "&&"
	open  string // the head of the block around it, or ""
}

// checksOf returns the condition of a promise as the test writes it, for each object that it may be about, and false if
// it cannot be written. The results of the call that are among the objects get names.
func (s *script) checksOf(p promise, text string, env map[string]string, results []string) ([]objectCheck, bool) {
	objects := []object{{}}
	if p.of != nil {
		objects = s.brokenObjects(p.of, s.Seq.Last().Args, results)
	}
	var out []objectCheck
	for _, o := range objects {
		if p.of != nil {
			env[p.of.Object] = o.text
		}
		cond, ok := s.rewrite(text, env)
		if !ok {
			return nil, false
		}
		guard := ""
		if o.guard != "" {
			guard = o.guard + " && "
		}
		out = append(out, objectCheck{cond, guard, o.open})
	}
	return out, len(out) > 0
}

// oldCall matches old(...) in a condition, with at most one level of nested parentheses.
var oldCall = regexp.MustCompile(`\bold\(((?:[^()]|\([^()]*\))*)\)`)

// passed returns the texts of a call's receiver and arguments by the names that the function has for them, and the
// arguments without the receiver.
func (s *script) passed(st testcase.Statement) (env map[string]string, args []testcase.Ref) {
	sig := st.Op.Func.Type().(*types.Signature)
	env, args = map[string]string{}, st.Args
	if st.Op.Kind == testcase.OpMethod {
		env[sig.Recv().Name()] = s.Ref(args[0], nil).Operand()
		args = args[1:]
	}
	for i, a := range args {
		env[sig.Params().At(i).Name()] = s.Ref(a, st.Op.Signature().Params().At(i).Type()).Text
	}
	delete(env, "")
	delete(env, "_")
	return env, args
}

// apart defines variables for arguments that a condition mentions and that are written like another one in front of them:
// go vet refuses "3 > 0 || 3 > 0", and a test that it refuses does not run. It maps the condition's names to the variables in env.
func (s *script) apart(st testcase.Statement, text string, env map[string]string) (before []string) {
	sig := st.Op.Func.Type().(*types.Signature)
	var names []string
	if st.Op.Kind == testcase.OpMethod {
		names = append(names, sig.Recv().Name())
	}
	for p := range sig.Params().Variables() {
		names = append(names, p.Name())
	}
	seen := make(map[string]bool)
	for i, name := range names {
		passed := env[name]
		if passed == "" || !mentionsIdent(text, name) {
			continue
		}
		if !seen[passed] {
			seen[passed] = true
			continue
		}
		v := s.Scope.Pick(name)
		before = append(before, v+" := "+s.Ref(st.Args[i], nil).Text)
		env[name] = v
	}
	return before
}

// definition returns the statement that defines a variable, called %, for an argument that the text of a condition
// mentions, or "" if the condition can have the argument's own text.
func (s *script) definition(a testcase.Ref, name, passed, text string) string {
	switch {
	case s.constantNumber(a) && s.computesWith(text, name):
		return "% := " + s.Ref(a, nil).Text
	case passed == "nil" && mentionsIdent(text, name):
		return "var % " + s.Type(s.TypeOf(a)) // a nil that is compared with nil needs a type
	}
	return ""
}

// resultsIn returns names for the results of a call: a name for each result that a condition mentions, and
// "_" for the others. It maps the condition's names of results to these names in env.
func (s *script) resultsIn(text string, last int, sig *types.Signature, env map[string]string) []string {
	names := make([]string, len(s.Types[last]))
	for r := range names {
		name := "result" + strconv.Itoa(r)
		if len(names) == 1 {
			name = "result"
		}
		own := sig.Results().At(r).Name()
		names[r] = "_"
		if mentionsIdent(text, name) || own != "" && mentionsIdent(text, own) {
			names[r] = s.Scope.Pick("got")
			env[name], env[own] = names[r], names[r]
		}
	}
	return names
}

// constantNumber reports whether an argument is a number that the test writes as a constant.
func (s *script) constantNumber(r testcase.Ref) bool {
	return s.Seq.At(r.Stmt).Op.Kind == testcase.OpLiteral && gofile.IsBasic(s.TypeOf(r), types.IsNumeric)
}

// computesWith reports whether an expression has an identifier as an operand of arithmetic, or converts it.
func (s *script) computesWith(text, name string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		var operands []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if _, comparison := gosyntax.Negated(n.Op); !comparison {
				operands = []ast.Expr{n.X, n.Y}
			}
		case *ast.UnaryExpr:
			operands = []ast.Expr{n.X}
		case *ast.CallExpr:
			if s.isType(n.Fun) {
				operands = n.Args
			}
		}
		for _, o := range operands {
			id, ok := ast.Unparen(o).(*ast.Ident)
			found = found || ok && id.Name == name
		}
		return !found
	})
	return found
}

// isType reports whether an expression of a condition may be a type: a predeclared one, one of the package, or a name of another
// package.
func (s *script) isType(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := s.Pkg.Types.Scope().Lookup(e.Name)
		if obj == nil {
			obj = types.Universe.Lookup(e.Name)
		}
		_, ok := obj.(*types.TypeName)
		return ok
	case *ast.SelectorExpr:
		return true
	}
	return false
}

// isChoice reports whether an expression has alternatives or several conditions.
func isChoice(text string) bool {
	return hasNode(text, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		return ok && (b.Op == token.LOR || b.Op == token.LAND)
	})
}

// mentionsIdent reports whether the expression mentions the identifier.
func mentionsIdent(text, name string) bool {
	return hasNode(text, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == name
	})
}

// hasNode reports whether a text is an expression and a node of it is what is looked for.
func hasNode(text string, is func(ast.Node) bool) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		found = found || is(n)
		return !found
	})
	return found
}

// rewrite returns the expression with its names replaced by their texts in the test, and false if a name has
// no meaning there.
func (s *script) rewrite(text string, env map[string]string) (string, bool) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "", false
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if !ast.IsExported(n.Sel.Name) && s.External {
				ok = false
			}
			if s.qualified(n, env) {
				return false
			}
			ast.Inspect(n.X, func(m ast.Node) bool { return s.replace(m, env, &ok) })
			return false
		default:
			return s.replace(n, env, &ok)
		}
	})
	if !ok {
		return "", false
	}
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), e); err != nil {
		return "", false
	}
	return b.String(), true
}

// replace replaces an identifier by its text in the test.
func (s *script) replace(n ast.Node, env map[string]string, ok *bool) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if s.qualified(n, env) {
			return false
		}
		ast.Inspect(n.X, func(m ast.Node) bool { return s.replace(m, env, ok) })
		return false
	case *ast.FuncLit, *ast.KeyValueExpr:
		*ok = false
		return false
	case *ast.Ident:
		if v, known := env[n.Name]; known {
			n.Name = v
			return true
		}
		if types.Universe.Lookup(n.Name) != nil {
			return true
		}
		if obj := s.Pkg.Types.Scope().Lookup(n.Name); obj != nil && s.Reachable(obj) {
			n.Name = s.Object(obj)
			return true
		}
		*ok = false
	}
	return true
}

// qualified replaces the name of a package in front of one of its names by the name that the test imports it by. It returns false
// if the expression begins with something else, or with a name that files of the package give to different packages.
func (s *script) qualified(sel *ast.SelectorExpr, env map[string]string) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok || s.Pkg.Types.Scope().Lookup(id.Name) != nil {
		return false
	}
	if _, known := env[id.Name]; known {
		return false
	}
	var found *types.Package
	for _, f := range s.Pkg.Syntax {
		for _, spec := range f.Imports {
			name := s.Pkg.Info.PkgNameOf(spec)
			if name == nil || name.Name() != id.Name {
				continue
			}
			if found != nil && found != name.Imported() {
				return false
			}
			found = name.Imported()
		}
	}
	if found == nil {
		return false
	}
	obj := found.Scope().Lookup(sel.Sel.Name)
	if obj == nil || !obj.Exported() {
		return false
	}
	id.Name, _, ok = strings.Cut(s.Object(obj), ".")
	return ok
}

// opposite returns the negation of a condition.
func opposite(cond string, float bool) string {
	e, err := parser.ParseExpr(cond)
	if not, ok := e.(*ast.UnaryExpr); err == nil && ok && not.Op == token.NOT {
		return cond[not.X.Pos()-1:]
	}
	if err == nil && !float {
		if b, ok := e.(*ast.BinaryExpr); ok {
			if op, comparison := gosyntax.Negated(b.Op); comparison {
				return cond[:b.OpPos-1] + op.String() + cond[int(b.OpPos)-1+len(b.Op.String()):]
			}
		}
	}
	return "!(" + cond + ")"
}
