package mutate

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// call rewrites the arguments of a call.
func (w *rewriter) call(e *ast.CallExpr) {
	if w.isPanic(e) || w.annotation(e) || w.message(e) {
		return
	}
	w.wrapped(e)
	argument := w.read
	if w.info.Types[e.Fun].IsType() {
		argument = w.expr // a conversion passes nothing on
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := w.info.Uses[id].(*types.Builtin); ok {
			switch b.Name() {
			case "make", "new":
				return // a length that is too large by one shows in the content; a capacity never shows
			case "append":
			default:
				argument = w.expr
			}
		}
	}
	for _, a := range e.Args {
		argument(a)
	}
}

// read rewrites a value that goes into a call, or that a map is asked for. A variable or a field may be read as if nothing had been
// put into it: only values other than zero show what becomes of it.
func (w *rewriter) read(e ast.Expr) {
	tv := w.info.Types[e]
	k, ok := "", false
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if b, isBasic := types.Unalias(tv.Type).Underlying().(*types.Basic); isBasic && tv.Value == nil && b.Info()&types.IsConstType != 0 {
			k, ok = w.site(e, Read, "reads as its zero value")
		}
	}
	if ok {
		w.insert(e.Pos(), "@zero("+k+", ")
	}
	w.expr(e)
	if ok {
		w.insert(e.End(), ")")
	}
}

// wrapped rewrites the function that is called, and puts helpers around it for mutants of the arguments as a whole and for
// the one that calls another function.
func (w *rewriter) wrapped(e *ast.CallExpr) {
	ends := ""
	if name, op, what, ok := w.ofArguments(e); ok {
		if k, ok := w.site(e, op, what); ok {
			w.insert(e.Fun.Pos(), "@"+name+"("+k+", ")
			ends = ")"
		}
	}
	if text, name, ok := w.instead(e); ok {
		if k, ok := w.site(e, Callee, "calls "+name); ok {
			w.insert(e.Fun.Pos(), "@pick("+k+", ")
			ends = ", " + text + ")" + ends
		}
	}
	w.expr(e.Fun)
	if ends != "" {
		w.insert(e.Fun.End(), ends)
	}
}

// ofArguments returns the helper for a mutant of a call's arguments as a whole: the call becomes its first argument of the
// result's type, or else the first two neighbours of one type are swapped.
func (w *rewriter) ofArguments(e *ast.CallExpr) (name string, op Operator, what string, ok bool) {
	f := gosyntax.Callee(w.info, e)
	if f == nil || e.Ellipsis.IsValid() {
		return "", "", "", false
	}
	sig, ok := w.info.TypeOf(e.Fun).(*types.Signature)
	if !ok || f.Signature().TypeParams() != nil || sig.Variadic() || sig.Params().Len() != len(e.Args) || len(e.Args) > mostWrapped {
		return "", "", "", false
	}
	n := sig.Params().Len()
	for i := range n {
		if sig.Results().Len() == 1 && types.Identical(sig.Params().At(i).Type(), sig.Results().At(0).Type()) {
			return fmt.Sprintf("first_%d_%d", n, i), Argument, "becomes " + shorten(w.text(e.Args[i])), true
		}
	}
	if isSymmetric(f.Name()) || sig.Results().Len() > 2 {
		return "", "", "", false
	}
	for i := range n - 1 {
		a, b := e.Args[i], e.Args[i+1]
		if types.Identical(sig.Params().At(i).Type(), sig.Params().At(i+1).Type()) && w.text(a) != w.text(b) {
			return fmt.Sprintf("swap_%d_%d_%d", n, i, sig.Results().Len()), Swap, "swaps " + shorten(w.text(a)) + " and " + shorten(w.text(b)), true
		}
	}
	return "", "", "", false
}

// isSymmetric reports whether the name of a function says that it makes no difference which of two arguments comes first.
func isSymmetric(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc([]string{"equal", "same", "swap", "max", "min"}, func(part string) bool { return strings.Contains(lower, part) })
}

func (w *rewriter) isPanic(e *ast.CallExpr) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := w.info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "panic" || b.Name() == "print" || b.Name() == "println")
}

// message reports whether a call makes an error. The texts of errors are not mutated.
func (w *rewriter) message(e *ast.CallExpr) bool {
	f := gosyntax.Callee(w.info, e)
	return f != nil && (f.FullName() == "errors.New" || f.FullName() == "fmt.Errorf")
}

// prints reports whether a call writes to the terminal or to a log, where no test
// looks.
func (w *rewriter) prints(e *ast.CallExpr) bool {
	f := gosyntax.Callee(w.info, e)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "log", "log/slog":
		return true
	case "fmt":
		return f.Name() == "Print" || f.Name() == "Printf" || f.Name() == "Println"
	}
	return false
}

// locks reports whether a call takes or gives back a lock of package sync. No test that runs by itself notices that a lock is not taken. That
// it is not given back is noticed by a second call, which would be in the test for nothing else: nobody who reads it would know why.
func (w *rewriter) locks(e *ast.CallExpr) bool {
	f := gosyntax.Callee(w.info, e)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" || f.Signature().Recv() == nil {
		return false
	}
	switch f.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return true
	}
	return false
}
