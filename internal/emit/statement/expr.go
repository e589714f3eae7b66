package statement

import (
	"fmt"
	"go/types"
	"strings"
	"time"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// Ref returns a result for a place of type ctx: its variable, or the expression itself. A nil ctx is a place
// that takes the type from the expression.
func (s *Script) Ref(r testcase.Ref, ctx types.Type) gofile.Expr {
	if v, ok := s.Vars[r]; ok {
		return gofile.Primary(v)
	}
	if !s.inline[r.Stmt] && s.measuring {
		return gofile.Primary("name")
	}
	if !s.inline[r.Stmt] {
		panic("bug: emit: a statement uses a result that was not written: " + s.Seq.String())
	}
	return s.Op(r.Stmt, ctx)
}

// Op returns the expression of statement i for a place of type ctx.
func (s *Script) Op(i int, ctx types.Type) gofile.Expr {
	if b := s.builders[i]; b != nil {
		return s.build(b)
	}
	st := s.Seq.At(i)
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
			return s.AddressOf(s.Convert(t.Elem(), s.Ref(st.Args[0], nil)), op.Type)
		}
		if v, ok := s.Vars[st.Args[0]]; ok && s.receives[i] {
			return gofile.Primary(v)
		}
		if v, ok := s.Vars[st.Args[0]]; ok && s.Uses[st.Args[0]] == 1 && !s.Keep[st.Args[0]] {
			return gofile.Expr{Text: "&" + v, Prec: gofile.Unary}
		}
		return s.AddressOf(s.Ref(st.Args[0], nil), op.Type)
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
			args[k] = s.Ref(a, op.Check.Params[k]).Text
		}
		return gofile.Primary(s.Check(op.Check) + "(" + strings.Join(args, ", ") + ")")
	case testcase.OpGlobal:
		return gofile.Primary(s.Object(op.Var))
	case testcase.OpField:
		if !s.Selectable(op.Var) {
			s.Fail("field " + op.Var.Name() + " is not accessible to a test")
		}
		return gofile.Primary(s.Ref(st.Args[0], nil).Operand() + "." + op.Var.Name())
	case testcase.OpDeref:
		return s.deref(st)
	case testcase.OpIndex:
		return s.index(st)
	case testcase.OpConvert:
		return s.conversion(st, ctx)
	case testcase.OpAssert:
		if s.receives[i] {
			return s.Ref(st.Args[0], nil)
		}
		return gofile.Primary(s.Ref(st.Args[0], nil).Operand() + ".(" + s.Type(op.Type) + ")")
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
func (s *Script) deref(st testcase.Statement) gofile.Expr {
	e := s.Ref(st.Args[0], nil)
	if s.receives[st.Args[0].Stmt] && s.Seq.At(st.Args[0].Stmt).Op.Kind == testcase.OpAddr {
		return e // the variable itself
	}
	if made := s.Seq.At(st.Args[0].Stmt); made.Op.Kind == testcase.OpAddr && s.inline[st.Args[0].Stmt] && s.Vars[made.Args[0]] != "" {
		return gofile.Primary(s.Vars[made.Args[0]]) // v rather than *(&v)
	}
	if t, ok := strings.CutPrefix(e.Composite, "&"); ok { // T{} rather than *&T{}
		return gofile.Expr{Text: strings.TrimPrefix(e.Text, "&"), Composite: t}
	}
	return gofile.Expr{Text: "*" + e.Operand(), Prec: gofile.Unary}
}

// declaredFunc returns the name of a function that a package declares, with type arguments.
func (s *Script) declaredFunc(op *testcase.Operation) gofile.Expr {
	text := s.Object(op.Func)
	if len(op.TypeArgs) > 0 {
		text += s.TypeArgs(op.TypeArgs)
	}
	return gofile.Primary(text)
}

// function returns a function of type t for a place of type ctx. Where the place is an interface, or takes
// the type from the expression and the type has methods, the type is written, because the type of a function
// by itself has no name.
func (s *Script) function(e gofile.Expr, t, ctx types.Type) gofile.Expr {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || ctx == nil && n.NumMethods() == 0 || ctx != nil && !types.IsInterface(ctx) {
		return e
	}
	return s.Convert(t, e)
}

// date writes a moment that is made of seconds since 1970 as people write dates, in UTC: what the zone of the machine makes of it
// would differ elsewhere. Tests are observed where the zone is UTC. It returns false for other statements.
func (s *Script) date(st testcase.Statement) (gofile.Expr, bool) {
	unix := st
	if st.Op.Kind == testcase.OpMethod && st.Op.Func.FullName() == "(time.Time).UTC" && s.inline[st.Args[0].Stmt] {
		unix = s.Seq.At(st.Args[0].Stmt)
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
		op := s.Seq.At(a.Stmt).Op
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
func (s *Script) index(st testcase.Statement) gofile.Expr {
	var key types.Type = types.Typ[types.Int]
	if m, ok := s.TypeOf(st.Args[0]).Underlying().(*types.Map); ok {
		key = m.Key()
	}
	return gofile.Primary(s.Ref(st.Args[0], nil).Operand() + "[" + s.Ref(st.Args[1], key).Text + "]")
}

// conversion returns T(x), or x alone where the place converts to an interface by
// itself.
func (s *Script) conversion(st testcase.Statement, ctx types.Type) gofile.Expr {
	t := st.Op.Type
	if types.IsInterface(t) {
		e := s.Ref(st.Args[0], t)
		if ctx != nil && types.IsInterface(ctx) {
			if _, param := types.Unalias(ctx).(*types.TypeParam); !param {
				return e
			}
		}
		return s.Convert(t, e)
	}
	// The operand of a conversion usually needs its own type, but T("x") and T(3) are clear without it.
	from := s.TypeOf(st.Args[0])
	if b, ok := types.Unalias(from).(*types.Basic); ok && gofile.Basic(t) != nil && (b.Info()&types.IsString != 0) == gofile.IsBasic(t, types.IsString) {
		return s.Convert(t, s.Ref(st.Args[0], from))
	}
	if made := s.Seq.At(st.Args[0].Stmt).Op; made.Kind == testcase.OpLiteral && s.Vars[st.Args[0]] == "" && gosyntax.IsBytes(t) && made.Lit.Str != "" {
		v := testcase.Value{Kind: testcase.Slice, Len: len(made.Lit.Str)}
		for i := range len(made.Lit.Str) {
			v.Elems = append(v.Elems, testcase.Value{Kind: testcase.Uint, Bits: uint64(made.Lit.Str[i])})
		}
		return s.Value(v, t, t) // as a text, or as numbers
	}
	return s.Convert(t, s.Ref(st.Args[0], nil))
}

// composite returns a composite literal.
func (s *Script) composite(st testcase.Statement) gofile.Expr {
	op := st.Op
	index := func(k int) int {
		if op.Elems == nil {
			return k
		}
		return op.Elems[k]
	}
	if b, ok := s.octets(st); ok {
		if text := s.UUID(b, op.Type); text != "" {
			return gofile.Primary(text)
		}
	}
	switch u := op.Type.Underlying().(type) {
	case *types.Struct:
		var fields []int
		var elems []gofile.Expr
		for k, a := range st.Args {
			f := u.Field(index(k))
			if s.isZeroRef(a) && (!types.IsInterface(f.Type()) || types.IsInterface(s.Seq.At(a.Stmt).Op.Type)) {
				continue // a zero in an interface is not nil
			}
			if !s.Selectable(f) || f.Name() == "_" {
				s.Fail("field " + f.Name() + " of " + gofile.ShortName(op.Type) + " is not accessible to a test")
				continue
			}
			fields = append(fields, index(k))
			elems = append(elems, s.Ref(a, f.Type()))
		}
		if s.WithZeros(op.Type) && len(fields) < u.NumFields() && len(fields) > 0 {
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
			elems[k] = s.Ref(a, t)
		}
		return s.MapLiteral(op.Type, elems)
	case *types.Slice:
		if b, ok := s.constantBytes(st); ok {
			if text := s.Address(b, op.Type); text != "" {
				return gofile.Primary(text)
			}
		}
		if e, ok := s.textComposite(st, u); ok {
			return e
		}
		return s.list(st, u.Elem(), max(op.N, len(st.Args)), index)
	case *types.Array:
		return s.list(st, u.Elem(), int(u.Len()), index)
	}
	panic("bug: emit: composite of type " + op.Type.String())
}

func (s *Script) list(st testcase.Statement, elem types.Type, n int, index func(int) int) gofile.Expr {
	at := make([]int, len(st.Args))
	elems := make([]gofile.Expr, len(st.Args))
	for k, a := range st.Args {
		at[k] = index(k)
		elems[k] = s.Ref(a, elem)
	}
	return s.ListLiteral(st.Op.Type, elem, n, at, elems)
}

// isZeroRef reports whether a result is written as a zero value where it is used.
func (s *Script) isZeroRef(r testcase.Ref) bool {
	op := s.Seq.At(r.Stmt).Op
	if !s.inline[r.Stmt] {
		return false
	}
	l := op.Lit
	return op.Kind == testcase.OpZero || op.Kind == testcase.OpLiteral && l.Bits == 0 && l.Imag == 0 && l.Str == ""
}

// textComposite returns a []byte or []rune of constants that are text as the
// conversion of a string.
func (s *Script) textComposite(st testcase.Statement, u *types.Slice) (gofile.Expr, bool) {
	if len(st.Args) == 0 || st.Op.Elems != nil || st.Op.N > len(st.Args) {
		return gofile.Expr{}, false
	}
	v := testcase.Value{Kind: testcase.Slice, Len: len(st.Args)}
	for _, a := range st.Args {
		op := s.Seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral || !s.inline[a.Stmt] {
			return gofile.Expr{}, false
		}
		v.Elems = append(v.Elems, testcase.Value{Kind: testcase.Int, Bits: op.Lit.Bits})
	}
	return s.TextSlice(v, st.Op.Type, u)
}

// callText returns a call.
func (s *Script) callText(st testcase.Statement) gofile.Expr {
	fn, args := s.callParts(st)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.Text
	}
	return gofile.Primary(fn + "(" + strings.Join(texts, ", ") + ")")
}

// pointerTo returns the pointer that a receiver is what is behind of, if nothing else uses this value: p.Get() rather than
// (*p).Get(). It returns other receivers as they are.
func (s *Script) pointerTo(r testcase.Ref) testcase.Ref {
	if st := s.Seq.At(r.Stmt); st.Op.Kind == testcase.OpDeref && s.inline[r.Stmt] {
		if _, ok := s.TypeOf(st.Args[0]).Underlying().(*types.Pointer); ok && s.Seq.At(st.Args[0].Stmt).Op.Kind != testcase.OpAddr {
			return st.Args[0]
		}
	}
	return r
}

// callParts returns the called expression (with its receiver) and the arguments.
func (s *Script) callParts(st testcase.Statement) (fn string, args []gofile.Expr) {
	op := st.Op
	refs := st.Args
	var sig, origin *types.Signature
	explicit := false
	switch {
	case op.Via != nil:
		if op.Via.Method != "" {
			fn = "t." + op.Via.Method
		} else {
			fn = s.ViaHelper(op.Via)
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
		if explicit = len(op.TypeArgs) > 0 && !s.Inferable(origin, op.TypeArgs, len(refs)); explicit {
			fn += s.TypeArgs(op.TypeArgs)
		}
	case op.Kind == testcase.OpMethod:
		if !s.Selectable(op.Func) {
			s.Fail("method " + op.Func.Name() + " is not accessible to a test")
		}
		fn = s.Ref(s.pointerTo(refs[0]), nil).Operand() + "." + op.Func.Name()
		sig = op.Signature()
		origin, explicit = sig, true
		refs = refs[1:]
	case op.Kind == testcase.OpCallValue:
		fn = s.Ref(refs[0], nil).Operand()
		sig = s.TypeOf(refs[0]).Underlying().(*types.Signature)
		origin = sig
		refs = refs[1:]
	}
	spread := op.Spread
	if elems, ok := s.spreadElems(st); ok {
		// f(1, 2) rather than f([]int{1, 2}...).
		refs = append(refs[:len(refs)-1:len(refs)-1], elems...)
		spread = false
		if op.Kind == testcase.OpFunc && len(op.TypeArgs) > 0 && !explicit && !s.Inferable(origin, op.TypeArgs, len(refs)) {
			fn += s.TypeArgs(op.TypeArgs)
			explicit = true
		}
	}
	for k, r := range refs {
		args = append(args, s.Ref(r, ParamType(sig, origin, explicit, k, spread)))
	}
	if spread {
		args[len(args)-1].Text += "..."
	}
	return fn, args
}

// spreadElems returns the elements of a short list that is spread over variadic parameters, so that they can
// be written as single arguments, and false if the last argument is no such list.
func (s *Script) spreadElems(st testcase.Statement) ([]testcase.Ref, bool) {
	const most = 8
	if !st.Op.Spread {
		return nil, false
	}
	r := st.Args[len(st.Args)-1]
	list := s.Seq.At(r.Stmt)
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

// constantBytes returns the bytes that a statement lists as constants, in their order, and false if it lists none or something else.
func (s *Script) constantBytes(st testcase.Statement) ([]byte, bool) {
	if len(st.Args) == 0 || st.Op.Elems != nil || st.Op.N > len(st.Args) || !gosyntax.IsBytes(st.Op.Type) {
		return nil, false
	}
	out := make([]byte, len(st.Args))
	for k, a := range st.Args {
		op := s.Seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || !s.inline[a.Stmt] {
			return nil, false
		}
		out[k] = byte(op.Lit.Bits)
	}
	return out, true
}

// octets returns the bytes of an array that a statement makes of constants.
func (s *Script) octets(st testcase.Statement) ([]byte, bool) {
	array, ok := st.Op.Type.Underlying().(*types.Array)
	if !ok || array.Len() > 1<<10 {
		return nil, false
	}
	out := make([]byte, array.Len())
	for k, a := range st.Args {
		op, at := s.Seq.At(a.Stmt).Op, k
		if st.Op.Elems != nil {
			at = st.Op.Elems[k]
		}
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || !gofile.IsBasic(op.Type, types.IsUnsigned) || at >= len(out) {
			return nil, false
		}
		out[at] = byte(op.Lit.Bits)
	}
	return out, true
}

// Display returns the call of statement i as messages and comments show it: without package or
// receiver, and without arguments if they are long.
func (s *Script) Display(i int) string {
	st := s.Seq.At(i)
	if st.Op.Func == nil {
		return gofile.OneLine(s.Op(i, nil).Text, 50)
	}
	if text, ok := phrase.Title(s.Seq, st); ok {
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
	if st.Op.Loops() {
		name = s.ViaHelper(st.Op.Via) // it calls more methods than one
	}
	if s.IsBeside(i) {
		name = s.Ref(st.Args[0], nil).Text + "." + name
	}
	return name + "(" + list + ")"
}

// IsBeside reports whether a statement behind the case's own call asks another object than the object that
// the call made or was made on: a buffer that the call wrote to.
func (s *Script) IsBeside(i int) bool {
	target := s.Case.TargetStmt()
	st, own := s.Seq.At(i), s.Seq.At(target)
	if i <= target || st.Op.Kind != testcase.OpMethod || own.Op.Func == nil || st.Op.Func.Pkg() == own.Op.Func.Pkg() {
		return false
	}
	return st.Args[0].Stmt != target && (own.Op.Kind != testcase.OpMethod || st.Args[0] != own.Args[0])
}

// driven returns the first argument of a call through a helper: the function under test.
func (s *Script) driven(st testcase.Statement) gofile.Expr {
	recv, function := "", ""
	if st.Op.Kind == testcase.OpMethod {
		if !s.Selectable(st.Op.Func) {
			s.Fail("method " + st.Op.Func.Name() + " is not accessible to a test")
		}
		e := s.Ref(st.Args[0], nil)
		recv = e.Operand()
		if text := st.Op.Driven("", s.TypeOf(st.Args[0]), "", s.Std); text == "" {
			return e
		}
		return gofile.Primary(st.Op.Driven(recv, s.TypeOf(st.Args[0]), "", s.Std))
	}
	function = s.Object(st.Op.Func) + s.optionalTypeArgs(st.Op)
	return gofile.Primary(st.Op.Driven("", nil, function, s.Std))
}

// optionalTypeArgs returns the type arguments of an operation's function, or "" if the function has none.
func (s *Script) optionalTypeArgs(op *testcase.Operation) string {
	if len(op.TypeArgs) == 0 || op.Kind == testcase.OpMethod {
		return ""
	}
	return s.TypeArgs(op.TypeArgs)
}
