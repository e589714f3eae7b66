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

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A promise is the rule that a finding's case broke, in the form that a test can check.
type promise struct {
	object string   // the invariant's method, or ""
	cond   ast.Expr // a condition over the function's inputs and results, or nil
	text   string   // the source text of cond
	locals map[string]ast.Expr
	float  bool // cond compares floats, so its negation is not the opposite comparison
	uses   bool // cond may read any argument after the call
	result bool // cond may read results
	pos    token.Position
	of     *contract.Type // the type whose invariant cond is, or nil
	// inside says that the code itself checks the condition and fails the test, so the test only calls the
	// code.
	inside bool
	// asserted says that cond is an assertion's. A test that cannot read it leaves the check to the code.
	asserted bool
}

// promise returns the promise that a finding broke.
func (s *script) promise(fd *testcase.Finding) promise {
	v := fd.Case.Observed.Violated
	method := v[strings.LastIndexByte(v, '.')+1:]
	if load.IsInvariant(method) {
		return promise{object: method, uses: true}
	}
	if cond, ok := strings.CutPrefix(v, "ensures "); ok {
		e, err := parser.ParseExpr(cond)
		if err != nil {
			return promise{}
		}
		return promise{cond: e, text: cond, uses: true, result: true, float: true}
	}
	if cond, ok := strings.CutPrefix(v, "invariant "); ok {
		e, err := parser.ParseExpr(cond)
		of := s.invariantOf(cond, fd.Case.Observed.ViolatedAt)
		if err != nil || of == nil {
			return promise{}
		}
		return promise{cond: e, text: cond, uses: true, result: true, float: true, of: of, pos: fd.Case.Observed.ViolatedAt}
	}
	if v == "assert" || strings.HasPrefix(v, "assert ") || fd.Kind == "assertion" {
		return s.assertionAt(fd)
	}
	return promise{}
}

// invariantOf returns the type that has the invariants cond, or nil if no type has them. Of several types with the same
// invariants it is the one that declares them at a place.
func (s *script) invariantOf(cond string, at token.Position) *contract.Type {
	var found *contract.Type
	for _, t := range s.Pkg.Contracts.Types {
		if t.Text() != cond {
			continue
		}
		if p := t.Clauses[0].Pos; found == nil || p.Filename == at.Filename && p.Line == at.Line {
			found = t
		}
	}
	return found
}

// An object is an expression for an object whose invariant a test checks.
type object struct {
	text  string
	guard string // the condition under which there is an object, or ""
	open  string // the head of the block in which there is an object, or ""
}

// brokenObjects returns the objects whose invariant a call may have broken, among its arguments, its results and what
// they lead to. The call cannot break an argument of which it has a copy, so such an argument counts only if there is
// nothing else. The results that are among the objects, or lead to them, get names.
func (s *script) brokenObjects(t *contract.Type, args []testcase.Ref, results []string) []object {
	is := func(have types.Type) bool {
		if p, ok := types.Unalias(have).(*types.Pointer); ok {
			have = p.Elem()
		}
		n, ok := types.Unalias(have).(*types.Named)
		return ok && n.Obj().Pkg() == s.Pkg.Types && n.Obj().Name() == t.Spec.Name.Name
	}
	var objects, copies, parts []object
	for _, a := range args {
		have := s.TypeOf(a)
		text := s.Ref(a, nil).Operand()
		if is(have) {
			o := object{text: dereferenced(t, have, text)}
			switch have.Underlying().(type) {
			case *types.Pointer, *types.Slice, *types.Map:
				objects = append(objects, o)
			default:
				copies = append(copies, o)
			}
		}
		parts = append(parts, s.partsOf(t, have, text, is)...)
	}
	last := s.Seq.Len() - 1
	for r, have := range s.Types[last] {
		const name = "\x00" // a name is picked only for a result that is asked
		led := append(s.partsOf(t, have, name, is), s.elementsOf(t, have, name, is)...)
		if !is(have) && len(led) == 0 {
			continue
		}
		results[r] = s.Scope.Pick("got")
		if is(have) {
			o := object{text: dereferenced(t, have, results[r])}
			if _, pointer := types.Unalias(have).(*types.Pointer); pointer && len(results) > 1 {
				o.guard = results[r] + " != nil" // another result may say that there is none
			}
			objects = append(objects, o)
		}
		for _, o := range led {
			called := func(text string) string { return strings.ReplaceAll(text, name, results[r]) }
			objects = append(objects, object{called(o.text), called(o.guard), called(o.open)})
		}
	}
	objects = append(objects, parts...)
	if len(objects) == 0 {
		return copies
	}
	return objects
}

// dereferenced returns an object as an operand of the type that an invariant is about.
func dereferenced(t *contract.Type, have types.Type, text string) string {
	if _, pointer := types.Unalias(have).(*types.Pointer); pointer && !t.Pointer {
		return "(*" + text + ")"
	}
	return text
}

// partsOf returns the objects that the fields of a struct hold, or of one that a pointer leads to, as far as a test can
// name them.
func (s *script) partsOf(t *contract.Type, have types.Type, text string, is func(types.Type) bool) []object {
	if p, ok := types.Unalias(have).(*types.Pointer); ok {
		have = p.Elem()
	}
	st, ok := have.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []object
	for f := range st.Fields() {
		if !s.Selectable(f) {
			continue
		}
		field := text + "." + f.Name()
		if _, pointer := types.Unalias(f.Type()).(*types.Pointer); is(f.Type()) && pointer {
			out = append(out, object{text: dereferenced(t, f.Type(), field), guard: field + " != nil"})
		} else if is(f.Type()) && types.Comparable(f.Type()) {
			out = append(out, object{text: field, guard: field + " != " + parenthesised(s.Zero(f.Type(), f.Type()))})
		}
		out = append(out, s.elementsOf(t, f.Type(), field, is)...)
	}
	return out
}

// elementsOf returns the objects that a list or a map holds, or an interface.
func (s *script) elementsOf(t *contract.Type, have types.Type, text string, is func(types.Type) bool) []object {
	var elem types.Type
	switch u := have.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	case *types.Interface:
		named, ok := s.Pkg.Types.Scope().Lookup(t.Spec.Name.Name).(*types.TypeName)
		if !ok || named.Type().(*types.Named).TypeParams().Len() > 0 || !s.Reachable(named) {
			return nil
		}
		var out []object
		for _, held := range []types.Type{named.Type(), types.NewPointer(named.Type())} {
			if types.Implements(held, u) {
				part, ok := s.Scope.Pick("part"), s.Scope.Pick("ok")
				out = append(out, object{text: dereferenced(t, held, part), open: "if " + part + ", " + ok + " := " + text + ".(" + s.Type(held) + "); " + ok + " {"})
			}
		}
		return out
	default:
		return nil
	}
	if !is(elem) {
		return nil
	}
	part := s.Scope.Pick("part")
	o := object{text: dereferenced(t, elem, part), open: "for _, " + part + " := range " + text + " {"}
	if _, pointer := types.Unalias(elem).(*types.Pointer); pointer {
		o.guard = part + " != nil"
	}
	return []object{o}
}

// assertionAt returns the condition of the assertion call at the finding's place,
// with the definitions of the locals that it reads. Where the assertion is in another function than the one that the
// test calls, only the code itself can say that it is broken: what the call returns is right all the same.
func (s *script) assertionAt(fd *testcase.Finding) promise {
	obj := phrase.TargetFunc(fd.Case)
	decl := s.Pkg.Func(obj)
	if decl == nil || decl.Body == nil {
		return promise{inside: true}
	}
	found := s.assertCall(decl.Body, fd.Pos)
	if found == nil {
		return promise{inside: true}
	}
	out := promise{asserted: true, cond: found.Args[0], text: s.sourceText(found.Args[0]), uses: true, locals: map[string]ast.Expr{},
		pos: s.w.fset.PositionFor(found.Pos(), false)}
	out.inside = s.checksItself(found) || !s.dependsOnCall(found.Args[0], obj.Signature())
	ast.Inspect(found.Args[0], func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && gofile.IsBasic(s.Pkg.Info.Types[e].Type, types.IsFloat) {
			out.float = true
		}
		return true
	})
	// Local variables that are defined once, at the top of the function, hold values from before the
	// call.
	for _, st := range decl.Body.List {
		if guard, ok := st.(*ast.IfStmt); ok && guard.Else == nil && len(guard.Body.List) == 1 {
			if _, leaves := guard.Body.List[0].(*ast.ReturnStmt); leaves {
				continue // the path ended before this assertion
			}
		}
		as, ok := st.(*ast.AssignStmt)
		if !ok || as.Tok != token.DEFINE || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			break
		}
		if id, ok := as.Lhs[0].(*ast.Ident); ok {
			out.locals[id.Name] = as.Rhs[0]
		}
	}
	return out
}

// checksItself reports whether an assertion fails by itself in a test of a finding: it calls assay's
// function, or a function of the package that does something.
func (s *script) checksItself(call *ast.CallExpr) bool {
	var obj types.Object
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		obj = s.Pkg.Info.Uses[f]
	case *ast.SelectorExpr:
		obj = s.Pkg.Info.Uses[f.Sel]
	}
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	if contract.Own(fn) {
		return true
	}
	decl := s.Pkg.Func(fn)
	return decl == nil || decl.Body == nil || len(decl.Body.List) > 0
}

// dependsOnCall reports whether a condition in the middle of a function reads something that a test sees
// after the call and that the call may change: memory that its receiver or an argument leads to, or a
// variable of the package. A value computed from the arguments alone stays the same however the function is
// mended, so a test of such a value would fail for ever.
func (s *script) dependsOnCall(cond ast.Expr, sig *types.Signature) bool {
	seen := false
	ast.Inspect(cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !seen
		}
		v, ok := s.Pkg.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() {
			return !seen
		}
		given := v == sig.Recv()
		for p := range sig.Params().Variables() {
			given = given || v == p
		}
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice:
			seen = seen || given
		}
		seen = seen || v.Parent() == s.Pkg.Types.Scope()
		return !seen
	})
	return seen
}

// assertCall returns the call of an assertion at the given place. If no call stands there, it returns the
// only call of a function named assert in the body. It returns nil if there is no such call, or several.
func (s *script) assertCall(body *ast.BlockStmt, at token.Position) *ast.CallExpr {
	var there, named []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || !gofile.IsBasic(s.Pkg.Info.Types[call.Args[0]].Type, types.IsBoolean) {
			return true
		}
		p, end := s.w.fset.PositionFor(call.Pos(), false), s.w.fset.PositionFor(call.End(), false)
		if p.Line <= at.Line && at.Line <= end.Line && (at.Column == 0 || at.Line > p.Line || at.Column >= p.Column) {
			there = append(there, call)
		}
		name := ""
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if strings.EqualFold(name, "assert") {
			named = append(named, call)
		}
		return true
	})
	switch {
	case len(there) > 0:
		return there[0]
	case len(named) == 1:
		return named[0]
	}
	return nil
}

// sourceText returns the text of an expression of the package, as gofmt prints it.
func (s *script) sourceText(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, s.w.fset, e); err != nil {
		panic("bug: emit: an expression of the source does not print: " + err.Error())
	}
	return b.String()
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
