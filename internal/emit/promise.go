package emit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
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
