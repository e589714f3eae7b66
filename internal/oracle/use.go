package oracle

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the uses that are read from a package's documentation.
const (
	maxUses          = 120
	maxUsesOfOne     = 4   // uses of one function
	longestText      = 600 // bytes of a text that is passed: nobody reads a test with a whole help page in it
	maxUseStatements = 24  // calls and other statements from the first one that is needed to the call, without constants and lists of them
)

// A Use is a call in the documentation's code whose result the documentation does not mention. It shows
// which arguments the package's authors expect.
type Use struct {
	Target string             // the name of the called function, as in Case.Target
	Seq    *testcase.Sequence // the sequence, which ends with the call
	Pos    token.Position
}

// use notes the calls of the package among the statements translated since the one numbered from.
func (s *snippet) use(from, line int) {
	for _, stmt := range s.calls[from:] {
		call := s.called(stmt)
		call.seq = pruned(call.seq)
		if s.scope.near {
			call.seq = methodsOnly(call.seq)
		}
		key := call.seq.Key()
		if s.r.used[key] || len(s.r.uses) >= maxUses || s.r.usesOf[call.target] >= maxUsesOfOne || call.seq.Len() > testcase.MaxKnown || steps(call.seq) > maxUseStatements || leavesProcess(call.seq) || passesLong(call.seq) {
			continue
		}
		s.r.used[key] = true
		s.r.usesOf[call.target]++
		s.r.uses = append(s.r.uses, &Use{Target: call.target, Seq: call.seq, Pos: s.p.at(line)})
	}
}

// passesLong reports whether a sequence has a text that is too long to be read in a test.
func passesLong(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if op := s.At(i).Op; op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString && len(op.Lit.Str) > longestText {
			return true
		}
	}
	return false
}

// steps counts the statements of a sequence that are no constants and no lists.
func steps(s *testcase.Sequence) int {
	n := 0
	for i := range s.Len() {
		if k := s.At(i).Op.Kind; k != testcase.OpLiteral && k != testcase.OpComposite {
			n++
		}
	}
	return n
}

// leavesProcess reports whether a sequence uses a package whose functions and variables reach beyond the
// process. Such calls in documentation are not run.
func leavesProcess(s *testcase.Sequence) bool {
	for i := range s.Len() {
		op := s.At(i).Op
		var in *types.Package
		switch {
		case op.Func != nil:
			in = op.Func.Pkg()
		case op.Var != nil && op.Kind == testcase.OpGlobal:
			in = op.Var.Pkg()
		}
		if in == nil {
			continue
		}
		switch first, _, _ := strings.Cut(in.Path(), "/"); {
		case first == "os", first == "log", first == "syscall", first == "flag", first == "testing", first == "runtime", in.Path() == "net":
			return true
		case in.Path() == "net/http" && op.Kind == testcase.OpFunc && !strings.HasPrefix(op.Func.Name(), "New"):
			return true
		}
	}
	return false
}

// parts translates parts of a statement that cannot be translated as a whole: the statements and calls in it,
// including those in function literals and in both branches.
func (s *snippet) parts(whole ast.Stmt) {
	ast.Inspect(whole, func(n ast.Node) bool {
		if n == nil || n == whole || s.r.considered > maxConsidered {
			return n != nil && s.r.considered <= maxConsidered
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			return true
		case ast.Stmt:
			s.r.considered++
			return !s.statement(n)
		case *ast.CallExpr:
			s.r.considered++
			if _, ok := s.typeCheck(n); ok {
				return false
			}
			s.passedAlone(n)
		}
		return true
	})
}

// passedAlone notes the constant arguments of a call that could not be translated because of its other
// arguments.
func (s *snippet) passedAlone(call *ast.CallExpr) {
	var f *types.Func
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		f, _ = s.scope.env.Scope().Lookup(fun.Name).(*types.Func)
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok && s.isPackage(x.Name) {
			f, _ = s.scope.pkg.Types.Scope().Lookup(fun.Sel.Name).(*types.Func)
		} else if !s.scope.near { // in code that has much to do with other packages, a method of that name may be one of theirs
			f = onlyMethod(s.scope.pkg, fun.Sel.Name)
		}
	}
	if f == nil || f.Signature().Variadic() || f.Signature().Params().Len() != len(call.Args) {
		return
	}
	list := make([]constant.Value, len(call.Args))
	for i, a := range call.Args {
		if ref, ok := s.typeCheck(a); ok {
			list[i] = constantOf(s.stmts[ref.Stmt].Op)
		}
	}
	if slices.ContainsFunc(list, func(v constant.Value) bool { return v != nil }) {
		s.scope.note(testcase.TargetName(f), list)
	}
}

// isPackage reports whether a name denotes the package under test.
func (s *snippet) isPackage(name string) bool {
	if path := s.scope.imports[name]; path != "" {
		return path == s.scope.pkg.Path
	}
	return name == s.scope.pkg.Name
}

// onlyMethod returns the method of that name, if one type of the package has one.
func onlyMethod(pkg *load.Package, name string) *types.Func {
	var found *types.Func
	for _, t := range pkg.Targets {
		if t.Recv == nil || t.Obj.Name() != name || t.Obj == found {
			continue
		}
		if found != nil {
			return nil
		}
		found = t.Obj
	}
	return found
}
