package emit

import (
	"fmt"
	"go/types"
	"strings"
	"time"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/testcase"
)

// ref returns a result for a place of type ctx: its variable, or the expression itself. A nil ctx is a place
// that takes the type from the expression.
func (s *script) ref(r testcase.Ref, ctx types.Type) gofile.Expr {
	if v, ok := s.vars[r]; ok {
		return gofile.Primary(v)
	}
	if !s.inline[r.Stmt] && s.measuring {
		return gofile.Primary("name")
	}
	if !s.inline[r.Stmt] {
		panic("bug: emit: a statement uses a result that was not written: " + s.seq.String())
	}
	return s.op(r.Stmt, ctx)
}

// op returns the expression of statement i for a place of type ctx.
func (s *script) op(i int, ctx types.Type) gofile.Expr {
	if b := s.builders[i]; b != nil {
		return s.build(b)
	}
	st := s.seq.At(i)
	op := st.Op
	switch op.Kind {
	case testcase.OpLiteral:
		if e, ok := s.FlagSet(op.Lit, s.flags[i]); ok {
			return e
		}
		if c := s.choices[i]; c != nil {
			return gofile.Primary(s.Object(c))
		}
		return s.Literal(op.Lit, op.Type, ctx)
	case testcase.OpZero:
		return s.Zero(op.Type, ctx)
	case testcase.OpComposite:
		return s.composite(st)
	case testcase.OpAddr:
		if t, ok := op.Type.Underlying().(*types.Pointer); ok && types.IsInterface(t.Elem()) {
			return s.AddressOf(s.Convert(t.Elem(), s.ref(st.Args[0], nil)), op.Type)
		}
		if v, ok := s.vars[st.Args[0]]; ok && s.receives[i] {
			return gofile.Primary(v)
		}
		if v, ok := s.vars[st.Args[0]]; ok && s.uses[st.Args[0]] == 1 && !s.keep[st.Args[0]] {
			return gofile.Expr{Text: "&" + v, Prec: gofile.Unary}
		}
		return s.AddressOf(s.ref(st.Args[0], nil), op.Type)
	case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue:
		if e, ok := s.date(st); ok {
			return e
		}
		return s.callText(st)
	case testcase.OpFuncValue:
		return s.function(s.declaredFunc(op), op.Type, ctx)
	case testcase.OpFuncLit:
		return s.function(gofile.Expr{Text: op.Source(s.imported), Prec: gofile.Binary}, op.Type, ctx)
	case testcase.OpClosure:
		return s.function(s.closure(st), op.Type, ctx)
	case testcase.OpCheck:
		args := make([]string, len(st.Args))
		for k, a := range st.Args {
			args[k] = s.ref(a, op.Check.Params[k]).Text
		}
		return gofile.Primary(s.check(op.Check) + "(" + strings.Join(args, ", ") + ")")
	case testcase.OpGlobal:
		return gofile.Primary(s.Object(op.Var))
	case testcase.OpField:
		if !s.Selectable(op.Var) {
			s.Fail("field " + op.Var.Name() + " is not accessible to a test")
		}
		return gofile.Primary(s.ref(st.Args[0], nil).Operand() + "." + op.Var.Name())
	case testcase.OpDeref:
		return s.deref(st)
	case testcase.OpIndex:
		return s.index(st)
	case testcase.OpConvert:
		return s.conversion(st, ctx)
	case testcase.OpAssert:
		if s.receives[i] {
			return s.ref(st.Args[0], nil)
		}
		return gofile.Primary(s.ref(st.Args[0], nil).Operand() + ".(" + s.Type(op.Type) + ")")
	case testcase.OpStubFunc:
		text := s.scripted(op, st.Args, "", op.Type.Underlying().(*types.Signature))
		return s.function(gofile.Expr{Text: text, Prec: gofile.Binary}, op.Type, ctx)
	case testcase.OpStubIface:
		return s.stubLiteral(op, st.Args)
	case testcase.OpMakeChan:
		return gofile.Primary(s.makeChanText(op, op.Type.Underlying().(*types.Chan)))
	}
	s.Fail("the operation " + op.Kind.String())
	return gofile.Primary("nil")
}

// deref returns what is behind a pointer.
func (s *script) deref(st testcase.Statement) gofile.Expr {
	e := s.ref(st.Args[0], nil)
	if s.receives[st.Args[0].Stmt] && s.seq.At(st.Args[0].Stmt).Op.Kind == testcase.OpAddr {
		return e // the variable itself
	}
	if made := s.seq.At(st.Args[0].Stmt); made.Op.Kind == testcase.OpAddr && s.inline[st.Args[0].Stmt] && s.vars[made.Args[0]] != "" {
		return gofile.Primary(s.vars[made.Args[0]]) // v rather than *(&v)
	}
	if t, ok := strings.CutPrefix(e.Composite, "&"); ok { // T{} rather than *&T{}
		return gofile.Expr{Text: strings.TrimPrefix(e.Text, "&"), Composite: t}
	}
	return gofile.Expr{Text: "*" + e.Operand(), Prec: gofile.Unary}
}

// declaredFunc returns the name of a function that a package declares, with type arguments.
func (s *script) declaredFunc(op *testcase.Operation) gofile.Expr {
	text := s.Object(op.Func)
	if len(op.TypeArgs) > 0 {
		text += s.typeArgs(op.TypeArgs)
	}
	return gofile.Primary(text)
}

// function returns a function of type t for a place of type ctx. Where the place is an interface, or takes
// the type from the expression and the type has methods, the type is written, because the type of a function
// by itself has no name.
func (s *script) function(e gofile.Expr, t, ctx types.Type) gofile.Expr {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || ctx == nil && n.NumMethods() == 0 || ctx != nil && !types.IsInterface(ctx) {
		return e
	}
	return s.Convert(t, e)
}

// date writes a moment that is made of seconds since 1970 as people write dates, in UTC: what the zone of the machine makes of it
// would differ elsewhere. Tests are observed where the zone is UTC. It returns false for other statements.
func (s *script) date(st testcase.Statement) (gofile.Expr, bool) {
	unix := st
	if st.Op.Kind == testcase.OpMethod && st.Op.Func.FullName() == "(time.Time).UTC" && s.inline[st.Args[0].Stmt] {
		unix = s.seq.At(st.Args[0].Stmt)
	}
	if unix.Op.Kind != testcase.OpFunc || unix.Op.Via != nil {
		return gofile.Expr{}, false
	}
	local := func() (gofile.Expr, bool) { return gofile.Primary(s.callText(unix).Text + ".UTC()"), true }
	switch unix.Op.Func.FullName() {
	case "time.UnixMilli", "time.UnixMicro":
		return local()
	case "time.Unix":
	default:
		return gofile.Expr{}, false
	}
	var parts [2]int64
	for k, a := range unix.Args {
		op := s.seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			return local()
		}
		parts[k] = int64(op.Lit.Bits)
	}
	t := time.Unix(parts[0], parts[1]).UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return local()
	}
	name := s.Std("time")
	return gofile.Primary(fmt.Sprintf("%s.Date(%d, %d, %d, %d, %d, %d, %d, %s.UTC)", name, t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), name)), true
}

// index returns args[0][args[1]].
func (s *script) index(st testcase.Statement) gofile.Expr {
	var key types.Type = types.Typ[types.Int]
	if m, ok := s.typeOf(st.Args[0]).Underlying().(*types.Map); ok {
		key = m.Key()
	}
	return gofile.Primary(s.ref(st.Args[0], nil).Operand() + "[" + s.ref(st.Args[1], key).Text + "]")
}

// conversion returns T(x), or x alone where the place converts to an interface by
// itself.
func (s *script) conversion(st testcase.Statement, ctx types.Type) gofile.Expr {
	t := st.Op.Type
	if types.IsInterface(t) {
		e := s.ref(st.Args[0], t)
		if ctx != nil && types.IsInterface(ctx) {
			if _, param := types.Unalias(ctx).(*types.TypeParam); !param {
				return e
			}
		}
		return s.Convert(t, e)
	}
	// The operand of a conversion usually needs its own type, but T("x") and T(3) are clear without it.
	from := s.typeOf(st.Args[0])
	if b, ok := types.Unalias(from).(*types.Basic); ok && gofile.Basic(t) != nil && (b.Info()&types.IsString != 0) == gofile.IsBasic(t, types.IsString) {
		return s.Convert(t, s.ref(st.Args[0], from))
	}
	return s.Convert(t, s.ref(st.Args[0], nil))
}

// composite returns a composite literal.
func (s *script) composite(st testcase.Statement) gofile.Expr {
	op := st.Op
	index := func(k int) int {
		if op.Elems == nil {
			return k
		}
		return op.Elems[k]
	}
	switch u := op.Type.Underlying().(type) {
	case *types.Struct:
		var fields []int
		var elems []gofile.Expr
		for k, a := range st.Args {
			f := u.Field(index(k))
			if s.isZeroRef(a) && (!types.IsInterface(f.Type()) || types.IsInterface(s.seq.At(a.Stmt).Op.Type)) {
				continue // a zero in an interface is not nil
			}
			if !s.Selectable(f) || f.Name() == "_" {
				s.Fail("field " + f.Name() + " of " + gofile.ShortName(op.Type) + " is not accessible to a test")
				continue
			}
			fields = append(fields, index(k))
			elems = append(elems, s.ref(a, f.Type()))
		}
		if s.Positional(op.Type) && len(fields) < u.NumFields() && len(fields) > 0 {
			// Point{0, 2} rather than Point{Y: 2}.
			given := elems
			elems = make([]gofile.Expr, u.NumFields())
			for k := range elems {
				elems[k] = s.Zero(u.Field(k).Type(), u.Field(k).Type())
			}
			for k, i := range fields {
				elems[i] = given[k]
			}
			fields = fields[:0:0]
			for k := range elems {
				fields = append(fields, k)
			}
		}
		return s.StructLiteral(op.Type, fields, elems)
	case *types.Map:
		elems := make([]gofile.Expr, len(st.Args))
		for k, a := range st.Args {
			t := u.Key()
			if k%2 == 1 {
				t = u.Elem()
			}
			elems[k] = s.ref(a, t)
		}
		return s.MapLiteral(op.Type, elems)
	case *types.Slice:
		if e, ok := s.textComposite(st, u); ok {
			return e
		}
		return s.list(st, u.Elem(), max(op.N, len(st.Args)), index)
	case *types.Array:
		return s.list(st, u.Elem(), int(u.Len()), index)
	}
	panic("bug: emit: composite of type " + op.Type.String())
}

func (s *script) list(st testcase.Statement, elem types.Type, n int, index func(int) int) gofile.Expr {
	at := make([]int, len(st.Args))
	elems := make([]gofile.Expr, len(st.Args))
	for k, a := range st.Args {
		at[k] = index(k)
		elems[k] = s.ref(a, elem)
	}
	return s.ListLiteral(st.Op.Type, elem, n, at, elems)
}

// isZeroRef reports whether a result is written as a zero value where it is used.
func (s *script) isZeroRef(r testcase.Ref) bool {
	op := s.seq.At(r.Stmt).Op
	if !s.inline[r.Stmt] {
		return false
	}
	l := op.Lit
	return op.Kind == testcase.OpZero || op.Kind == testcase.OpLiteral && l.Bits == 0 && l.Imag == 0 && l.Str == ""
}

// textComposite returns a []byte or []rune of constants that are text as the
// conversion of a string.
func (s *script) textComposite(st testcase.Statement, u *types.Slice) (gofile.Expr, bool) {
	if len(st.Args) == 0 || st.Op.Elems != nil || st.Op.N > len(st.Args) {
		return gofile.Expr{}, false
	}
	v := testcase.Value{Kind: testcase.Slice, Len: len(st.Args)}
	for _, a := range st.Args {
		op := s.seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral || !s.inline[a.Stmt] {
			return gofile.Expr{}, false
		}
		v.Elems = append(v.Elems, testcase.Value{Kind: testcase.Int, Bits: op.Lit.Bits})
	}
	return s.TextSlice(v, st.Op.Type, u)
}

// callText returns a call.
func (s *script) callText(st testcase.Statement) gofile.Expr {
	fn, args := s.callParts(st)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.Text
	}
	return gofile.Primary(fn + "(" + strings.Join(texts, ", ") + ")")
}

// pointerTo returns the pointer that a receiver is what is behind of, if nothing else uses this value: p.Get() rather than
// (*p).Get(). It returns other receivers as they are.
func (s *script) pointerTo(r testcase.Ref) testcase.Ref {
	if st := s.seq.At(r.Stmt); st.Op.Kind == testcase.OpDeref && s.inline[r.Stmt] {
		if _, ok := s.typeOf(st.Args[0]).Underlying().(*types.Pointer); ok && s.seq.At(st.Args[0].Stmt).Op.Kind != testcase.OpAddr {
			return st.Args[0]
		}
	}
	return r
}

// callParts returns the called expression (with its receiver) and the arguments.
func (s *script) callParts(st testcase.Statement) (fn string, args []gofile.Expr) {
	op := st.Op
	refs := st.Args
	var sig, origin *types.Signature
	explicit := false
	switch {
	case op.Via != nil:
		if op.Via.Method != "" {
			fn = "t." + op.Via.Method
		} else {
			fn = s.viaHelper(op.Via)
		}
		sig = op.Signature()
		origin = sig
		if op.Drives() {
			args = append(args, s.driven(st))
		}
		if op.Via.OfTest && op.Via.Method == "" {
			args = append(args, gofile.Primary("t"))
		}
		if op.Kind == testcase.OpMethod {
			refs = refs[1:]
		}
	case op.Kind == testcase.OpFunc:
		fn = s.Object(op.Func)
		sig, origin = op.Signature(), op.Func.Type().(*types.Signature)
		if explicit = len(op.TypeArgs) > 0 && !s.inferable(origin, op.TypeArgs, len(refs)); explicit {
			fn += s.typeArgs(op.TypeArgs)
		}
	case op.Kind == testcase.OpMethod:
		if !s.Selectable(op.Func) {
			s.Fail("method " + op.Func.Name() + " is not accessible to a test")
		}
		fn = s.ref(s.pointerTo(refs[0]), nil).Operand() + "." + op.Func.Name()
		sig = op.Signature()
		origin, explicit = sig, true
		refs = refs[1:]
	case op.Kind == testcase.OpCallValue:
		fn = s.ref(refs[0], nil).Operand()
		sig = s.typeOf(refs[0]).Underlying().(*types.Signature)
		origin = sig
		refs = refs[1:]
	}
	spread := op.Spread
	if elems, ok := s.spreadElems(st); ok {
		// f(1, 2) rather than f([]int{1, 2}...).
		refs = append(refs[:len(refs)-1:len(refs)-1], elems...)
		spread = false
		if op.Kind == testcase.OpFunc && len(op.TypeArgs) > 0 && !explicit && !s.inferable(origin, op.TypeArgs, len(refs)) {
			fn += s.typeArgs(op.TypeArgs)
			explicit = true
		}
	}
	for k, r := range refs {
		args = append(args, s.ref(r, paramType(sig, origin, explicit, k, spread)))
	}
	if spread {
		args[len(args)-1].Text += "..."
	}
	return fn, args
}

// spreadElems returns the elements of a short list that is spread over variadic parameters, so that they can
// be written as single arguments, and false if the last argument is no such list.
func (s *script) spreadElems(st testcase.Statement) ([]testcase.Ref, bool) {
	const most = 8
	if !st.Op.Spread {
		return nil, false
	}
	r := st.Args[len(st.Args)-1]
	list := s.seq.At(r.Stmt)
	if !s.inline[r.Stmt] {
		return nil, false
	}
	switch list.Op.Kind {
	case testcase.OpZero:
		return nil, true
	case testcase.OpComposite:
		n := len(list.Args)
		return list.Args, n > 0 && n <= most && list.Op.N <= n && list.Op.Elems == nil
	}
	return nil, false
}

// typeArgs returns [T, U].
func (w *writer) typeArgs(ts []types.Type) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = w.Type(t)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// paramType returns the type that the place of argument k asks for. It is nil if type arguments are
// inferred from the argument's own type.
func paramType(sig, origin *types.Signature, explicit bool, k int, spread bool) types.Type {
	at := func(sig *types.Signature) types.Type {
		n := sig.Params().Len()
		if sig.Variadic() && k >= n-1 && !spread {
			return sig.Params().At(n - 1).Type().(*types.Slice).Elem()
		}
		if k >= n {
			panic(fmt.Sprintf("bug: emit: argument %d of a call of %s", k, sig))
		}
		return sig.Params().At(k).Type()
	}
	if !explicit && mentionsTypeParam(at(origin)) {
		return nil
	}
	return at(sig)
}

// inferable reports whether Go infers the type arguments of a call. The n arguments have exactly the types of
// the instantiated parameters, or implement them. Before go1.21 type arguments are not inferred from an
// argument that implements a generic interface.
func (w *writer) inferable(origin *types.Signature, args []types.Type, n int) bool {
	tps := origin.TypeParams()
	known := map[*types.TypeParam]bool{}
	for i := range tps.Len() {
		for j := range min(n, origin.Params().Len()) {
			p := origin.Params().At(j).Type()
			if _, param := p.(*types.TypeParam); types.IsInterface(p) && !param && mentionsTypeParam(p) && !w.Since("go1.21") {
				return false
			}
			if mentions(p, tps.At(i), nil) && !types.IsInterface(args[i]) {
				known[tps.At(i)] = true
			}
		}
	}
	// For func F[S ~[]E, E any](s S), the type of S determines E by its constraint.
	for range tps.Len() {
		for i := range tps.Len() {
			if !known[tps.At(i)] {
				continue
			}
			for j := range tps.Len() {
				if mentions(tps.At(i).Constraint().Underlying(), tps.At(j), nil) && !types.IsInterface(args[j]) {
					known[tps.At(j)] = true
				}
			}
		}
	}
	return len(known) == tps.Len()
}

// mentionsTypeParam reports whether a type parameter occurs in t.
func mentionsTypeParam(t types.Type) bool { return mentions(t, nil, nil) }

// mentions reports whether a type parameter occurs in t. If tp is nil, any type parameter counts.
func mentions(t types.Type, tp *types.TypeParam, seen map[types.Type]bool) bool {
	if seen == nil {
		seen = map[types.Type]bool{}
	}
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	in := func(ts ...types.Type) bool {
		for _, u := range ts {
			if mentions(u, tp, seen) {
				return true
			}
		}
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return tp == nil || t == tp
	case *types.Pointer:
		return in(t.Elem())
	case *types.Slice:
		return in(t.Elem())
	case *types.Array:
		return in(t.Elem())
	case *types.Chan:
		return in(t.Elem())
	case *types.Map:
		return in(t.Key(), t.Elem())
	case *types.Signature:
		return in(t.Params(), t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if in(t.At(i).Type()) {
				return true
			}
		}
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if in(t.TypeArgs().At(i)) {
				return true
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if in(t.Field(i).Type()) {
				return true
			}
		}
	case *types.Interface:
		for i := range t.NumEmbeddeds() {
			if in(t.EmbeddedType(i)) {
				return true
			}
		}
		for i := range t.NumExplicitMethods() {
			if in(t.ExplicitMethod(i).Type()) {
				return true
			}
		}
	case *types.Union:
		for i := range t.Len() {
			if in(t.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}

// display returns the call of statement i as messages and comments show it: without package or
// receiver, and without arguments if they are long.
func (s *script) display(i int) string {
	st := s.seq.At(i)
	if st.Op.Func == nil {
		return gofile.OneLine(s.op(i, nil).Text, 50)
	}
	if text, ok := phrase.Title(s.seq, st); ok {
		return text
	}
	_, args := s.callParts(st)
	texts := make([]string, len(args))
	for k, a := range args {
		texts[k] = a.Text
	}
	list := strings.Join(texts, ", ")
	if len(list) > 50 || strings.ContainsAny(list, "\n") {
		list = "..."
	}
	name := st.Op.Func.Name()
	if s.isBeside(i) {
		name = s.ref(st.Args[0], nil).Text + "." + name
	}
	return name + "(" + list + ")"
}

// isBeside reports whether a statement behind the case's own call asks another object than the object that
// the call made or was made on: a buffer that the call wrote to.
func (s *script) isBeside(i int) bool {
	target := s.c.TargetStmt()
	st, own := s.seq.At(i), s.seq.At(target)
	if i <= target || st.Op.Kind != testcase.OpMethod || own.Op.Func == nil || st.Op.Func.Pkg() == own.Op.Func.Pkg() {
		return false
	}
	return st.Args[0].Stmt != target && (own.Op.Kind != testcase.OpMethod || st.Args[0] != own.Args[0])
}
