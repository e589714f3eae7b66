package statement

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A builder makes an object, usually a receiver, in one expression although that takes several calls: a
// constructor, and then one method repeatedly with a constant each time, as Insert fills a tree. A row
// of a table has room for an expression only.
type builder struct {
	stmt   int   // the statement of the constructor
	folded []int // the statements of the calls behind it
	fails  bool  // one of the calls is expected to return an error, like pushing a locked turnstile
}

// The bounds of the work that one expression may hide. Work beyond these bounds reads better as separate
// steps.
const (
	maxFolded = 12
	maxShown  = 24 // bytes of one constant
)

// FoldObject looks for a builder of result r, an argument of statement at, and folds its calls into one
// expression. It returns false if the object is not made in this way.
func (s *Script) FoldObject(r testcase.Ref, at int) bool {
	b := &builder{stmt: r.Stmt}
	made := s.Seq.At(r.Stmt)
	t := s.Types[r.Stmt][r.Result]
	if p, isPointer := t.Underlying().(*types.Pointer); !isPointer || types.IsInterface(p.Elem()) || r.Result != 0 || load.NamedOf(t) == nil || load.NamedOf(t).Obj().Pkg() != s.Pkg.Types {
		return false
	}
	switch made.Op.Kind {
	case testcase.OpFunc:
		if made.Op.Func.Pkg() != s.Pkg.Types || !s.errorAtMost(r.Stmt) {
			return false
		}
	case testcase.OpAddr:
		// A &T{} of constants is written as it is where it is used.
	default:
		return false
	}
	for i := r.Stmt + 1; i < at; i++ {
		st := s.Seq.At(i)
		if !IsCall(st.Op) {
			continue
		}
		if !uses(st, r.Stmt) {
			continue // the statement does not concern this object
		}
		if st.Op.Kind != testcase.OpMethod || st.Args[0] != r || !s.repeats(b, i) {
			return false
		}
		b.folded = append(b.folded, i)
	}
	if len(b.folded) > 0 && s.takesList(made) {
		return false // the helper would need two lists
	}
	if len(b.folded) > maxFolded || made.Op.Kind == testcase.OpAddr && len(b.folded) > 0 && !s.isZeroRef0(made.Args[0]) {
		return false
	}
	s.builders[r.Stmt] = b
	for _, i := range b.folded {
		s.folded[i] = true
	}
	return true
}

// takesList reports whether a call passes elements to a variadic function.
func (s *Script) takesList(st testcase.Statement) bool {
	if st.Op.Kind != testcase.OpFunc {
		return false
	}
	sig := st.Op.Signature()
	if !sig.Variadic() || len(st.Args) < sig.Params().Len() {
		return false
	}
	return !st.Op.Spread || !s.isZeroRef0(st.Args[len(st.Args)-1])
}

// isZeroRef0 does the same as isZeroRef before anything was planned: it reports whether a result is a zero
// value or a composite without elements.
func (s *Script) isZeroRef0(r testcase.Ref) bool {
	st := s.Seq.At(r.Stmt)
	return st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite && len(st.Args) == 0
}

// uses reports whether a statement uses a result of another one.
func uses(st testcase.Statement, of int) bool {
	return slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return a.Stmt == of })
}

// CountUses returns how many arguments of statement at are results of statement i.
func (s *Script) CountUses(i, at int) int {
	n := 0
	for _, a := range s.Seq.At(at).Args {
		if a.Stmt == i {
			n++
		}
	}
	return n
}

// errorAtMost reports whether a statement makes an object and nothing beside it, or only an error that was
// nil.
func (s *Script) errorAtMost(i int) bool {
	switch ts := s.Types[i]; len(ts) {
	case 1:
		return true
	case 2:
		return gosyntax.IsError(ts[1]) && s.Observed(testcase.Ref{Stmt: i, Result: 1}).Kind == testcase.Nil
	}
	return false
}

// repeats reports whether statement i calls the method that the builder repeats, with a
// constant and without an error.
func (s *Script) repeats(b *builder, i int) bool {
	op := s.Seq.At(i).Op
	sig := op.Signature()
	if sig.Params().Len() > 2 || sig.Variadic() && (sig.Params().Len() > 1 || op.Spread || len(s.Seq.At(i).Args) != 2) || !s.Selectable(op.Func) {
		return false
	}
	if len(b.folded) > 0 && s.Seq.At(b.folded[0]).Op.Func != op.Func {
		return false
	}
	for k := range sig.Params().Len() {
		st := s.Seq.At(s.Seq.At(i).Args[1+k].Stmt)
		arg, t := st.Op, addedType(sig, k)
		if gosyntax.IsAny(t) && arg.Kind == testcase.OpConvert {
			arg = s.Seq.At(st.Args[0].Stmt).Op
			t = arg.Type
		}
		if arg.Kind == testcase.OpZero && gosyntax.IsAny(addedType(sig, k)) {
			continue // a nil needs no argument
		}
		if t == nil || gofile.Basic(t) == nil || arg.Kind != testcase.OpLiteral && arg.Kind != testcase.OpZero || len(arg.Lit.Str) > maxShown {
			return false
		}
	}
	for r, t := range s.Types[i] {
		ref := testcase.Ref{Stmt: i, Result: r}
		if gosyntax.IsError(t) && s.Observed(ref).Kind != testcase.Nil {
			b.fails = true
		}
		for j := i + 1; j < s.Seq.Len(); j++ {
			for _, a := range s.Seq.At(j).Args {
				if a.Stmt == i {
					return false
				}
			}
		}
	}
	return true
}

// addedType returns the type of value k that a method takes by which an object is filled.
func addedType(sig *types.Signature, k int) types.Type {
	t := sig.Params().At(k).Type()
	if sig.Variadic() {
		return t.Underlying().(*types.Slice).Elem()
	}
	return t
}

// build returns the expression of a builder.
func (s *Script) build(b *builder) gofile.Expr {
	made := s.Seq.At(b.stmt)
	if len(b.folded) == 0 && len(s.Types[b.stmt]) == 1 {
		if made.Op.Kind == testcase.OpFunc {
			return s.callText(made)
		}
		return s.AddressOf(s.Ref(made.Args[0], nil), made.Op.Type)
	}
	h := s.builderHelper(made.Op, b, s)
	var args []string
	if h.fatal {
		args = append(args, "t")
	}
	if made.Op.Kind == testcase.OpFunc {
		_, exprs := s.callParts(made)
		for _, e := range exprs {
			args = append(args, e.Text)
		}
	}
	if h.once {
		return gofile.Primary(h.name + "(" + strings.Join(args, ", ") + ")")
	}
	if len(b.folded) > 0 && h.takes.Params().Len() == 0 {
		args = append(args, strconv.Itoa(len(b.folded)))
		return gofile.Primary(h.name + "(" + strings.Join(args, ", ") + ")")
	}
	for _, i := range b.folded {
		st := s.Seq.At(i)
		var values []string
		for k, a := range st.Args[1:] {
			if arg := s.Seq.At(a.Stmt); arg.Op.Kind == testcase.OpConvert {
				a = arg.Args[0] // the constant before its conversion to any
			}
			values = append(values, s.Op(a.Stmt, addedType(st.Op.Signature(), k)).Text)
		}
		text := strings.Join(values, ", ")
		if h.entry != "" {
			text = h.entry + "{" + text + "}"
		}
		args = append(args, text)
	}
	return gofile.Primary(h.name + "(" + strings.Join(args, ", ") + ")")
}

// builderFunc is a helper of the tests of a file that builds an object.
type builderFunc struct {
	name   string
	made   *testcase.Operation // the constructor's operation
	result types.Type
	errs   bool        // the constructor returns an error as well
	fills  *types.Func // the method that is called with each value, or nil if none is
	takes  *types.Signature
	entry  string // the struct type of the values, if the method takes two
	fatal  bool   // the helper takes the test, to end it where a step fails
	fails  bool   // a step may fail
	once   bool   // the method takes nothing and is called once
}

// builderHelper returns the file's helper function for a builder.
func (w *File) builderHelper(made *testcase.Operation, b *builder, s *Script) *builderFunc {
	f := &builderFunc{made: made, result: s.Types[b.stmt][0], errs: len(s.Types[b.stmt]) == 2}
	if len(b.folded) > 0 {
		op := s.Seq.At(b.folded[0]).Op
		f.fills, f.takes = op.Func, op.Signature()
		results := f.takes.Results()
		f.fails = b.fails
		f.once = len(b.folded) == 1 && f.takes.Params().Len() == 0
		f.fatal = !b.fails && results.Len() > 0 && gosyntax.IsError(results.At(results.Len()-1).Type())
	}
	f.fatal = f.fatal || f.errs
	for _, h := range w.builderFuncs {
		if h.same(f) {
			return h
		}
	}
	base := gofile.LowerFirst(load.NamedOf(f.result).Obj().Name())
	proposals := []string{"new" + gofile.UpperFirst(base)}
	if f.fills != nil {
		proposals = []string{base + "With", base + "After" + f.fills.Name(), base + "AfterEach" + f.fills.Name()}
		if f.takes.Params().Len() == 0 || f.fails {
			proposals = proposals[1:]
		}
	}
	if made.Kind == testcase.OpFunc && f.errs && f.fills == nil {
		proposals = append([]string{mustName(made.Func.Name(), base), "must" + gofile.UpperFirst(made.Func.Name())}, proposals...)
	}
	if made.Kind == testcase.OpFunc {
		proposals = append(proposals, base+"Of"+gofile.UpperFirst(made.Func.Name()))
	}
	f.name = w.Declare(proposals...)
	if f.fills != nil && f.takes.Params().Len() == 2 {
		f.entry = w.Declare(base+"Entry", f.name+"Entry")
	}
	w.builderFuncs = append(w.builderFuncs, f)
	return f
}

// mustName returns the name that Go programmers give to what calls a function and fails with its error: mustParse, and mustVersion for
// NewVersion. The parameter base has the name of the type for functions that are just called New.
func mustName(function, base string) string {
	for _, prefix := range []string{"New", "Make", "Create", "new", "make", "create"} {
		if rest, ok := strings.CutPrefix(function, prefix); ok && (rest == "" || token.IsExported(rest)) {
			return "must" + gofile.UpperFirst(cmp.Or(rest, base))
		}
	}
	return "must" + gofile.UpperFirst(function)
}

// same reports whether two helpers do the same, so that one declaration is enough.
func (f *builderFunc) same(g *builderFunc) bool {
	return f.made.Kind == g.made.Kind && f.made.Func == g.made.Func && f.fills == g.fills && f.fails == g.fails && f.once == g.once && types.Identical(f.result, g.result)
}

// builderText returns the declaration of a helper that builds an object.
func (w *File) builderText(f *builderFunc) string {
	scope := w.NewScope()
	object := scope.Pick(w.NameFor(f.result))
	var params, args []string
	if f.fatal {
		params = append(params, "t *"+w.Std("testing")+".T")
	}
	maker := "&" + w.Type(load.NamedOf(f.result)) + "{}"
	if f.made.Kind == testcase.OpFunc {
		sig := f.made.Signature()
		for i := range sig.Params().Len() {
			p := sig.Params().At(i)
			n := scope.Pick(p.Name(), w.NameFor(p.Type()))
			typ := w.Type(p.Type())
			if sig.Variadic() && i == sig.Params().Len()-1 {
				if f.fills != nil {
					continue // this parameter is not passed
				}
				args = append(args, n+"...")
				typ = "..." + w.Type(p.Type().Underlying().(*types.Slice).Elem())
			} else {
				args = append(args, n)
			}
			params = append(params, n+" "+typ)
		}
		maker = w.Object(f.made.Func)
		if len(f.made.TypeArgs) > 0 {
			maker += w.TypeArgs(f.made.TypeArgs)
		}
		maker += "(" + strings.Join(args, ", ") + ")"
	}
	doc := f.name + " returns " + strings.TrimPrefix(maker, "&")
	var body strings.Builder
	if f.fatal {
		body.WriteString("t.Helper()\n")
	}
	if f.errs {
		fmt.Fprintf(&body, "%s, err := %s\nif err != nil {\nt.Fatal(err)\n}\n", object, maker)
	} else {
		fmt.Fprintf(&body, "%s := %s\n", object, maker)
	}
	if f.fills != nil {
		text, param, how := w.fillText(f, object, scope)
		body.WriteString(text)
		if param != "" {
			params = append(params, param)
		}
		doc += " after " + how
	}
	entry := ""
	if f.entry != "" {
		first, second := w.entryFields(f)
		entry = fmt.Sprintf("// %s is what a call of %s takes.\ntype %s struct {\n%s %s\n%s %s\n}\n\n", f.entry, f.fills.Name(), f.entry,
			first, w.Type(addedType(f.takes, 0)), second, w.Type(addedType(f.takes, 1)))
	}
	return entry + fmt.Sprintf("%sfunc %s(%s) %s {\n%sreturn %s\n}\n", gofile.Comment(doc+"."), f.name, strings.Join(params, ", "), w.Type(f.result), body.String(), object)
}

// entryFields returns the field names of a builder's entry: the names of the method's parameters, if
// they have names.
func (w *File) entryFields(f *builderFunc) (first, second string) {
	name := func(k int, otherwise string) string {
		if n := f.takes.Params().At(k).Name(); n != "" && n != "_" {
			return n
		}
		return otherwise
	}
	return name(0, "first"), name(1, "second")
}

// fillText returns the loop that calls a builder's method repeatedly, or the call if there is one, the helper's
// parameter for it, "" for none, and a description for the helper's comment.
func (w *File) fillText(f *builderFunc, object string, scope *gofile.Names) (text, param, how string) {
	step := object + "." + f.fills.Name()
	head := ""
	switch {
	case f.once:
		how, step = f.fills.Name(), step+"()"
	case f.takes.Params().Len() == 0:
		times := scope.Pick("times", "n")
		param, how = times+" int", "so many calls of "+f.fills.Name()
		head = "for range " + times
		if !w.Since("go1.22") {
			i := scope.Pick("i", "k")
			head = fmt.Sprintf("for %[1]s := 0; %[1]s < %[2]s; %[1]s++", i, times)
		}
		step += "()"
	default:
		values, value := scope.Pick("values", "list"), scope.Pick("v", "value")
		typ, passed := f.entry, ""
		if f.entry == "" {
			typ, passed = w.Type(addedType(f.takes, 0)), value
		} else {
			values, value = scope.Pick("entries", "pairs"), scope.Pick("e", "entry")
			first, second := w.entryFields(f)
			passed = value + "." + first + ", " + value + "." + second
		}
		param, how = values+" ..."+typ, f.fills.Name()+" of each of the "+values
		head = "for _, " + value + " := range " + values
		step += "(" + passed + ")"
	}
	if f.fails {
		how += ", which may fail"
	}
	if n := f.takes.Results().Len(); f.fatal && n > 0 && gosyntax.IsError(f.takes.Results().At(n-1).Type()) {
		step = fmt.Sprintf("if %serr := %s; err != nil {\nt.Fatal(err)\n}", strings.Repeat("_, ", n-1), step)
	}
	if f.once {
		return step + "\n", param, how
	}
	return head + " {\n" + step + "\n}\n", param, how
}
