package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// This file finds the function or method that takes the place of one that is called. Both have the same signature, so that a
// programmer may confuse them, and a test whose input gives the same with both does not tell which one the code is to call:
// FormatDecimal(7) is FormatBinary(7). Functions that a program would not end with are left out, and so are two names of one
// function.

// pairs are functions and methods of the standard library that are the counterparts of one another.
var pairs = [][2]string{
	{"strings.HasPrefix", "HasSuffix"}, {"strings.TrimPrefix", "TrimSuffix"}, {"strings.TrimLeft", "TrimRight"}, {"strings.TrimLeftFunc", "TrimRightFunc"},
	{"strings.Index", "LastIndex"}, {"strings.IndexByte", "LastIndexByte"}, {"strings.IndexAny", "LastIndexAny"}, {"strings.IndexFunc", "LastIndexFunc"},
	{"strings.ToUpper", "ToLower"}, {"strings.Split", "SplitAfter"}, {"strings.SplitN", "SplitAfterN"},
	{"bytes.HasPrefix", "HasSuffix"}, {"bytes.TrimPrefix", "TrimSuffix"}, {"bytes.TrimLeft", "TrimRight"}, {"bytes.Index", "LastIndex"},
	{"bytes.IndexByte", "LastIndexByte"}, {"bytes.ToUpper", "ToLower"},
	{"unicode.IsUpper", "IsLower"}, {"unicode.ToUpper", "ToLower"}, {"unicode.IsLetter", "IsDigit"},
	{"math.Floor", "Ceil"}, {"math.Max", "Min"}, {"math.Sin", "Cos"}, {"math.Round", "RoundToEven"},
	{"path.Base", "Dir"}, {"path/filepath.Base", "Dir"},
	{"net/url.QueryEscape", "PathEscape"}, {"net/url.QueryUnescape", "PathUnescape"},
	{"(net/http.Header).Add", "Set"}, {"(net/url.Values).Add", "Set"}, {"(net/textproto.MIMEHeader).Add", "Set"},
	{"(time.Time).Before", "After"},
	{"(*container/list.List).PushFront", "PushBack"}, {"(*container/list.List).Front", "Back"}, {"(*container/list.List).MoveToFront", "MoveToBack"},
	{"(*container/list.List).InsertBefore", "InsertAfter"}, {"(*container/list.Element).Next", "Prev"},
}

// counterpart returns the name of the other one of a pair, "" if a function is in none.
func counterpart(f *types.Func) string {
	for _, p := range pairs {
		at := strings.LastIndexByte(p[0], '.') + 1
		switch f.FullName() {
		case p[0]:
			return p[1]
		case p[0][:at] + p[1]:
			return p[0][at:]
		}
	}
	return ""
}

// instead returns the expression of a function that may be called in the place of the one that a call names, and the name of
// this function.
func (w *rewriter) instead(e *ast.CallExpr) (text, name string, ok bool) {
	f := gosyntax.Callee(w.info, e)
	if f == nil || f.Pkg() == nil || f.Signature().TypeParams() != nil {
		return "", "", false
	}
	if f.Pkg() == w.pkg.Types {
		name = w.namesake(f)
	} else {
		name = counterpart(f)
	}
	if name == "" {
		return "", "", false
	}
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		if in := w.pkg.Types.Scope().Innermost(e.Pos()); in != nil {
			if _, seen := in.LookupParent(name, e.Pos()); seen != w.pkg.Types.Scope().Lookup(name) {
				return "", "", false // the name means something else here
			}
		}
		return name, name, true
	case *ast.SelectorExpr:
		if !w.repeatable(fun.X) {
			return "", "", false
		}
		return w.text(fun.X) + "." + name, name, true
	}
	return "", "", false
}

// function is a function or method that the package declares.
type function struct {
	obj  *types.Func
	decl *ast.FuncDecl
}

// commonWords begin the names of many methods that have nothing else in common.
var commonWords = []string{"get", "set", "new", "is", "has", "to", "with", "of", "by", "from"}

// namesake returns the name of the function or method of the package that has the signature of another one and shares most
// words of its name; of several the one that stands nearest, behind it rather than before it. It returns "" if there is none.
func (w *rewriter) namesake(f *types.Func) string {
	if w.functions == nil {
		w.functions = w.findFunctions()
	}
	own := gosyntax.Words(f.Name())
	best, most, nearest := "", 0, 0
	at := slices.IndexFunc(w.functions, func(g function) bool { return g.obj == f })
	if at < 0 {
		return ""
	}
	for i, g := range w.functions {
		if i == at || !sameReceiver(g.obj, f) || !types.Identical(withoutReceiver(g.obj), withoutReceiver(f)) {
			continue
		}
		shared := 0
		for _, word := range gosyntax.Words(g.obj.Name()) {
			if slices.Contains(own, word) && !slices.Contains(commonWords, word) {
				shared++
			}
		}
		far := i - at
		if far < 0 {
			far = len(w.functions) - i // behind all that follow
		}
		if shared == 0 || shared < most || shared == most && far >= nearest || forwards(w.info, g, f) || forwards(w.info, w.functions[at], g.obj) || w.leadsBack(g.obj) {
			continue
		}
		best, most, nearest = g.obj.Name(), shared, far
	}
	return best
}

// findFunctions returns the functions and methods of the package in the order of the source.
func (w *rewriter) findFunctions() []function {
	var out []function
	for _, f := range w.pkg.Syntax {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			if obj, ok := w.info.Defs[decl.Name].(*types.Func); ok && obj.Signature().TypeParams() == nil && obj.Signature().RecvTypeParams() == nil {
				out = append(out, function{obj, decl})
			}
		}
	}
	return out
}

// sameReceiver reports whether two functions are methods of one type, or no methods.
func sameReceiver(a, b *types.Func) bool {
	ra, rb := a.Signature().Recv(), b.Signature().Recv()
	return ra == nil && rb == nil || ra != nil && rb != nil && types.Identical(ra.Type(), rb.Type())
}

// withoutReceiver returns the parameters and results of a function.
func withoutReceiver(f *types.Func) *types.Signature {
	sig := f.Signature()
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// forwards reports whether a function only passes its parameters on to another one, and so is a second name of it.
func forwards(info *types.Info, g function, to *types.Func) bool {
	if len(g.decl.Body.List) != 1 {
		return false
	}
	var call ast.Expr
	switch st := g.decl.Body.List[0].(type) {
	case *ast.ReturnStmt:
		if len(st.Results) == 1 {
			call = st.Results[0]
		}
	case *ast.ExprStmt:
		call = st.X
	}
	c, ok := call.(*ast.CallExpr)
	if !ok || gosyntax.Callee(info, c) != to || len(c.Args) != g.obj.Signature().Params().Len() {
		return false
	}
	for i, a := range c.Args {
		if id, ok := a.(*ast.Ident); !ok || info.Uses[id] != g.obj.Signature().Params().At(i) {
			return false
		}
	}
	return true
}

// leadsBack reports whether a function leads to the one that is being rewritten, by calls that the package's code has. In its
// place it would be called for ever.
func (w *rewriter) leadsBack(f *types.Func) bool {
	seen := make(map[*types.Func]bool)
	var leads func(f *types.Func) bool
	leads = func(f *types.Func) bool {
		if seen[f] {
			return false
		}
		seen[f] = true
		i := slices.IndexFunc(w.functions, func(g function) bool { return g.obj == f })
		if i < 0 {
			return false
		}
		decl := w.functions[i].decl
		found := gosyntax.DeclName(decl) == w.fn
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !found {
				if next, ok := w.info.Uses[id].(*types.Func); ok && next.Pkg() == w.pkg.Types {
					found = leads(next)
				}
			}
			return !found
		})
		return found
	}
	return leads(f)
}
