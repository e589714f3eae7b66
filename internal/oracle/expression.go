package oracle

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"

	"github.com/goassay/assay/internal/testcase"
)

// translator turns code into statements of a sequence.
type translator struct {
	scope *scope
	fset  *token.FileSet
	stmts []testcase.Statement
	vars  map[types.Object]testcase.Ref
	// pointers has the pointers to variables whose address the code takes. From there on the pointer stands for the
	// variable.
	pointers map[types.Object]testcase.Ref
	// fields has those of these variables whose address the code does not take: a field of them was set.
	fields map[types.Object]bool
	calls  []int // the statements that call functions of the package under test
}

func newTranslator(s *scope, fset *token.FileSet) *translator {
	return &translator{scope: s, fset: fset, vars: make(map[types.Object]testcase.Ref), pointers: make(map[types.Object]testcase.Ref), fields: make(map[types.Object]bool)}
}

func (t *translator) add(op *testcase.Operation, args ...testcase.Ref) testcase.Ref {
	t.stmts = append(t.stmts, testcase.Statement{Op: op, Args: args})
	return testcase.Ref{Stmt: len(t.stmts) - 1}
}

// try runs f. If f fails, try removes the statements that f has added.
func (t *translator) try(f func() bool) bool {
	n, calls := len(t.stmts), len(t.calls)
	if f() {
		return true
	}
	t.stmts, t.calls = t.stmts[:n], t.calls[:calls]
	maps.DeleteFunc(t.pointers, func(_ types.Object, p testcase.Ref) bool { return p.Stmt >= n })
	return false
}

// sequence returns the first n statements.
func (t *translator) sequence(n int) *testcase.Sequence {
	return testcase.NewSequence(append([]testcase.Statement(nil), t.stmts[:n]...)...)
}

// expr translates a checked expression. It returns false if no operation has the same effect.
func (t *translator) expr(info *types.Info, e ast.Expr) (testcase.Ref, bool) {
	tv := info.Types[e]
	if tv.Value != nil {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.CHAR && tv.Type == types.Typ[types.Uint8] {
			tv.Type = types.Universe.Lookup("byte").Type() // the byte is written as a character
		}
		return t.constant(tv)
	}
	if tv.IsNil() {
		return t.add(&testcase.Operation{Kind: testcase.OpZero, Type: tv.Type}), isTyped(tv.Type)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.expr(info, e.X)
	case *ast.Ident:
		return t.object(info, e)
	case *ast.CompositeLit:
		return t.composite(info, e)
	case *ast.CallExpr:
		return t.call(info, e)
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok && e.Op == token.AND {
			x, ok := t.composite(info, lit)
			return t.add(&testcase.Operation{Kind: testcase.OpAddr, Type: tv.Type}, x), ok
		}
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok && e.Op == token.AND {
			delete(t.fields, info.Uses[id])
			return t.address(info.Uses[id], tv.Type)
		}
	case *ast.FuncLit:
		return t.function(info, e)
	case *ast.StarExpr:
		x, ok := t.expr(info, e.X)
		if !ok {
			return x, false
		}
		return t.add(&testcase.Operation{Kind: testcase.OpDeref, Type: tv.Type}, x), true
	case *ast.SelectorExpr:
		return t.selector(info, e)
	case *ast.IndexExpr:
		return t.index(info, e)
	}
	return testcase.Ref{}, false
}

func isTyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return !ok || b.Info()&types.IsUntyped == 0
}

// constant translates a constant expression.
func (t *translator) constant(tv types.TypeAndValue) (testcase.Ref, bool) {
	typ := types.Default(tv.Type)
	if types.IsInterface(typ) {
		return testcase.Ref{}, false
	}
	lit, ok := testcase.ConstantLiteral(tv.Value, typ)
	if !ok {
		return testcase.Ref{}, false
	}
	return t.add(&testcase.Operation{Kind: testcase.OpLiteral, Type: typ, Lit: lit}), true
}

// SameConstants reports whether results of a sequence are the given constants.
func SameConstants(s *testcase.Sequence, refs []testcase.Ref, values []constant.Value) bool {
	for i, r := range refs {
		op := s.At(r.Stmt).Op
		if op.Kind != testcase.OpLiteral {
			return false
		}
		if lit, ok := testcase.ConstantLiteral(values[i], op.Type); !ok || lit != op.Lit {
			return false
		}
	}
	return true
}

// object translates a name: a variable of the code, or a variable or function of a package.
func (t *translator) object(info *types.Info, id *ast.Ident) (testcase.Ref, bool) {
	switch obj := info.Uses[id].(type) {
	case *types.Var:
		if p, ok := t.pointers[obj]; ok {
			return t.add(&testcase.Operation{Kind: testcase.OpDeref, Type: obj.Type()}, p), true
		}
		if ref, ok := t.vars[obj]; ok {
			return ref, true
		}
		if obj.Parent() != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() && obj.Pkg() != t.scope.env {
			return t.add(&testcase.Operation{Kind: testcase.OpGlobal, Var: obj}), true
		}
	case *types.Func:
		if obj.Signature().Recv() == nil {
			return t.add(&testcase.Operation{Kind: testcase.OpFuncValue, Type: info.TypeOf(id), Func: obj, TypeArgs: instance(info, id)}), true
		}
	}
	return testcase.Ref{}, false
}

// address translates the address of a variable of the code.
func (t *translator) address(obj types.Object, typ types.Type) (testcase.Ref, bool) {
	if p, ok := t.pointers[obj]; ok {
		return p, true
	}
	ref, ok := t.vars[obj]
	if !ok {
		return testcase.Ref{}, false
	}
	p := t.add(&testcase.Operation{Kind: testcase.OpAddr, Type: typ}, ref)
	t.pointers[obj] = p
	return p, true
}

// pointerTo returns the pointer to the variable that an expression names, if the code has taken its address.
func (t *translator) pointerTo(info *types.Info, e ast.Expr) (testcase.Ref, bool) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return testcase.Ref{}, false
	}
	p, ok := t.pointers[info.Uses[id]]
	return p, ok
}

// instance returns the type arguments that a name is instantiated with.
func instance(info *types.Info, id *ast.Ident) []types.Type {
	var out []types.Type
	if inst, ok := info.Instances[id]; ok {
		for a := range inst.TypeArgs.Types() {
			out = append(out, a)
		}
	}
	return out
}

// composite translates a literal of a struct, slice, array or map.
func (t *translator) composite(info *types.Info, lit *ast.CompositeLit) (testcase.Ref, bool) {
	typ := info.Types[lit].Type
	if p, ok := typ.(*types.Pointer); ok { // the element is a &T{} whose & and T are left out
		typ = p.Elem()
	}
	if len(lit.Elts) > maxComposites {
		return testcase.Ref{}, false
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: typ}
	var args []testcase.Ref
	element := func(e ast.Expr, typ types.Type) bool {
		if info.Types[e].IsNil() { // the type checker leaves nil untyped
			args = append(args, t.add(&testcase.Operation{Kind: testcase.OpZero, Type: typ}))
			return true
		}
		ref, ok := t.expr(info, e)
		args = append(args, ref)
		return ok
	}
	switch u := typ.Underlying().(type) {
	case *types.Struct:
		for i, e := range lit.Elts {
			field := i
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				field = -1
				for k := range u.NumFields() {
					if id, ok := kv.Key.(*ast.Ident); ok && u.Field(k).Name() == id.Name {
						field = k
					}
				}
				e = kv.Value
			}
			if field < 0 || !element(e, u.Field(field).Type()) {
				return testcase.Ref{}, false
			}
			op.Elems = append(op.Elems, field)
		}
	case *types.Slice, *types.Array:
		elem := u.(interface{ Elem() types.Type }).Elem()
		for _, e := range lit.Elts {
			if _, ok := e.(*ast.KeyValueExpr); ok || !element(e, elem) {
				return testcase.Ref{}, false
			}
		}
		if _, ok := u.(*types.Slice); ok {
			op.N = len(args)
		}
	case *types.Map:
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok || !element(kv.Key, u.Key()) || !element(kv.Value, u.Elem()) {
				return testcase.Ref{}, false
			}
		}
	default:
		return testcase.Ref{}, false
	}
	ref := t.add(op, args...)
	if p, ok := info.Types[lit].Type.(*types.Pointer); ok {
		ref = t.add(&testcase.Operation{Kind: testcase.OpAddr, Type: p}, ref)
	}
	return ref, true
}

// call translates a call or a conversion.
func (t *translator) call(info *types.Info, e *ast.CallExpr) (testcase.Ref, bool) {
	fun := ast.Unparen(e.Fun)
	if ft := info.Types[fun]; ft.IsType() {
		if len(e.Args) != 1 {
			return testcase.Ref{}, false
		}
		x, ok := t.expr(info, e.Args[0])
		if !ok {
			return x, false
		}
		return t.add(&testcase.Operation{Kind: testcase.OpConvert, Type: ft.Type}, x), true
	}
	op := &testcase.Operation{Spread: e.Ellipsis.IsValid()}
	var args []testcase.Ref
	name := fun
	switch x := fun.(type) {
	case *ast.IndexExpr:
		name = x.X
	case *ast.IndexListExpr:
		name = x.X
	}
	switch x := name.(type) {
	case *ast.Ident:
		f, ok := info.Uses[x].(*types.Func)
		if !ok {
			return t.builtin(info, e)
		}
		op.Kind, op.Func, op.TypeArgs = testcase.OpFunc, f, instance(info, x)
	case *ast.SelectorExpr:
		f, ok := info.Uses[x.Sel].(*types.Func)
		if !ok {
			return testcase.Ref{}, false
		}
		sel := info.Selections[x]
		if sel == nil {
			op.Kind, op.Func, op.TypeArgs = testcase.OpFunc, f, instance(info, x.Sel)
			break
		}
		if sel.Kind() != types.MethodVal || len(sel.Index()) != 1 {
			return testcase.Ref{}, false
		}
		recv, ok := t.pointerTo(info, x.X)
		if !ok {
			recv, ok = t.expr(info, x.X)
		}
		if !ok {
			return recv, false
		}
		op.Kind, op.Func, op.TypeArgs = testcase.OpMethod, f.Origin(), receiverArgs(f.Signature().Recv().Type()) // the method may be of an embedded interface
		args = append(args, recv)
	default:
		return testcase.Ref{}, false
	}
	sig, _ := info.Types[e.Fun].Type.Underlying().(*types.Signature)
	for i, a := range e.Args {
		if sig != nil && info.Types[a].IsNil() && (!sig.Variadic() || i < sig.Params().Len()-1) { // the type checker leaves nil untyped
			args = append(args, t.add(&testcase.Operation{Kind: testcase.OpZero, Type: sig.Params().At(i).Type()}))
			continue
		}
		ref, ok := t.buffer(info, sig, i, a)
		if !ok {
			ref, ok = t.expr(info, a)
		}
		if !ok {
			return ref, false
		}
		args = append(args, ref)
	}
	ref := t.add(op, args...)
	t.notePassed(op, args, len(args)-len(e.Args))
	if op.Func.Pkg() != nil && op.Func.Pkg().Path() == t.scope.pkg.Path {
		t.calls = append(t.calls, ref.Stmt)
	}
	return ref, true
}

// buffer translates os.Stdout and os.Stderr where a function takes any writer: a buffer takes their place, so that a test can
// look at what was written.
func (t *translator) buffer(info *types.Info, sig *types.Signature, i int, arg ast.Expr) (testcase.Ref, bool) {
	sel, ok := ast.Unparen(arg).(*ast.SelectorExpr)
	if !ok || sig == nil || i >= sig.Params().Len() || sig.Variadic() && i >= sig.Params().Len()-1 {
		return testcase.Ref{}, false
	}
	v, ok := info.Uses[sel.Sel].(*types.Var)
	if !ok || v.Pkg() == nil || v.Pkg().Path() != "os" || v.Name() != "Stdout" && v.Name() != "Stderr" {
		return testcase.Ref{}, false
	}
	pkg, err := t.scope.prog.ImportedPackage("bytes")
	if err != nil {
		return testcase.Ref{}, false
	}
	typ := pkg.Scope().Lookup("Buffer").Type()
	iface, ok := sig.Params().At(i).Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 || !types.Implements(types.NewPointer(typ), iface) {
		return testcase.Ref{}, false
	}
	made := t.add(&testcase.Operation{Kind: testcase.OpComposite, Type: typ})
	return t.add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(typ)}, made), true
}

// notePassed notes the constants that a call of the package passes. The arguments of the call are those from
// the index first on.
func (t *translator) notePassed(op *testcase.Operation, args []testcase.Ref, first int) {
	if op.Func.Pkg() == nil || op.Func.Pkg().Path() != t.scope.pkg.Path || op.Spread || op.Func.Signature().Variadic() {
		return
	}
	list := make([]constant.Value, len(args)-first)
	some := false
	for i, a := range args[first:] {
		list[i] = constantOf(t.stmts[a.Stmt].Op)
		some = some || list[i] != nil
	}
	if some {
		t.scope.note(testcase.TargetName(op.Func), list)
	}
}

// constantOf returns the constant that an operation makes, or nil if it makes no constant.
func constantOf(op *testcase.Operation) constant.Value {
	if op.Kind != testcase.OpLiteral {
		return nil
	}
	switch op.Lit.Kind {
	case testcase.LitBool:
		return constant.MakeBool(op.Lit.Bits != 0)
	case testcase.LitInt:
		return constant.MakeInt64(int64(op.Lit.Bits))
	case testcase.LitUint:
		return constant.MakeUint64(op.Lit.Bits)
	case testcase.LitFloat:
		f := math.Float64frombits(op.Lit.Bits)
		if b, ok := op.Type.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
			f = float64(math.Float32frombits(uint32(op.Lit.Bits)))
		}
		return constant.MakeFloat64(f)
	case testcase.LitString:
		return constant.MakeString(op.Lit.Str)
	}
	return nil
}

// receiverArgs returns the type arguments of a method's receiver.
func receiverArgs(recv types.Type) []types.Type {
	if p, ok := types.Unalias(recv).(*types.Pointer); ok {
		recv = p.Elem()
	}
	n, ok := types.Unalias(recv).(*types.Named)
	if !ok {
		return nil
	}
	var out []types.Type
	for a := range n.TypeArgs().Types() {
		out = append(out, a)
	}
	return out
}

// builtin translates new(T), and make of a map or of a slice of zeros.
func (t *translator) builtin(info *types.Info, e *ast.CallExpr) (testcase.Ref, bool) {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok || len(e.Args) == 0 {
		return testcase.Ref{}, false
	}
	if _, ok := info.Uses[id].(*types.Builtin); !ok {
		return testcase.Ref{}, false
	}
	typ := info.Types[e].Type
	switch id.Name {
	case "new":
		if !info.Types[e.Args[0]].IsType() {
			return testcase.Ref{}, false
		}
		zero := t.add(&testcase.Operation{Kind: testcase.OpZero, Type: info.Types[e.Args[0]].Type})
		return t.add(&testcase.Operation{Kind: testcase.OpAddr, Type: typ}, zero), true
	case "make":
		n := 0
		if len(e.Args) > 1 {
			v := info.Types[e.Args[1]].Value
			if v == nil {
				return testcase.Ref{}, false
			}
			size, exact := constant.Int64Val(constant.ToInt(v))
			if !exact || size < 0 || size > maxComposites {
				return testcase.Ref{}, false
			}
			n = int(size)
		}
		switch typ.Underlying().(type) {
		case *types.Map:
			return t.add(&testcase.Operation{Kind: testcase.OpComposite, Type: typ}), true
		case *types.Slice:
			return t.add(&testcase.Operation{Kind: testcase.OpComposite, Type: typ, N: n}), true
		}
	}
	return testcase.Ref{}, false
}

// selector translates a field, or a name of another package.
func (t *translator) selector(info *types.Info, e *ast.SelectorExpr) (testcase.Ref, bool) {
	sel := info.Selections[e]
	if sel == nil {
		return t.object(info, e.Sel)
	}
	field, ok := sel.Obj().(*types.Var)
	if sel.Kind() != types.FieldVal || len(sel.Index()) != 1 || !ok {
		return testcase.Ref{}, false
	}
	x, ok := t.pointerTo(info, e.X)
	if !ok {
		x, ok = t.expr(info, e.X)
	}
	if !ok {
		return x, false
	}
	if value, set, written := t.element(x, field); written {
		return value, set
	}
	return t.add(&testcase.Operation{Kind: testcase.OpField, Type: field.Type(), Var: field}, x), true
}

// element returns what a field of a struct is set to if the struct is written out there, as the rows of a table are: the
// other fields have nothing to do with the call that is passed this one. It is not set where the row leaves it out.
func (t *translator) element(x testcase.Ref, field *types.Var) (value testcase.Ref, set, written bool) {
	st := t.stmts[x.Stmt]
	if st.Op.Kind == testcase.OpAddr && len(st.Args) == 1 {
		x = st.Args[0]
		st = t.stmts[x.Stmt]
	}
	of, isStruct := types.Unalias(st.Op.Type).(*types.Struct) // what has a name may be worth more than its parts
	if st.Op.Kind != testcase.OpComposite || !isStruct {
		return value, false, false
	}
	for _, later := range t.stmts[x.Stmt+1:] {
		if later.Op.Kind == testcase.OpSetField {
			return value, false, false
		}
	}
	for i, number := range st.Op.Elems {
		if of.Field(number) == field {
			return st.Args[i], true, true
		}
	}
	return value, false, true
}

// index translates an element of a slice, array, text or map.
func (t *translator) index(info *types.Info, e *ast.IndexExpr) (testcase.Ref, bool) {
	if !info.Types[e.X].IsValue() {
		return testcase.Ref{}, false
	}
	x, ok := t.expr(info, e.X)
	if !ok {
		return x, false
	}
	i, ok := t.expr(info, e.Index)
	if !ok {
		return i, false
	}
	typ := info.Types[e].Type
	if tuple, ok := typ.(*types.Tuple); ok {
		typ = tuple.At(0).Type()
	}
	return t.add(&testcase.Operation{Kind: testcase.OpIndex, Type: typ}, x, i), true
}
