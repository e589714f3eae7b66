package vm

import (
	"errors"
	"fmt"
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// maxWritten is the largest number of elements that are written for one input.
const maxWritten = 1 << 18

// builder writes a path's inputs as statements.
type builder struct {
	m       *Machine
	st      *State
	mod     *term.Model
	out     testcase.Builder
	objs    map[ObjID]testcase.Ref
	busy    map[ObjID]bool
	links   []link         // fields that are set once the object is there to which they point
	stmt    []testcase.Ref // of the driver's calls
	arr     map[ObjID]testcase.Ref
	adapted map[[2]int]testcase.Ref // by call and result: the variable that holds the result, or the value in its interface
}

// unwritable is the panic value for an input that cannot be written.
type unwritable string

// Sequence writes a path's inputs and calls as a sequence of statements. The error says what cannot be
// written.
func (m *Machine) Sequence(p *Path, s *Solution) (seq *testcase.Sequence, err error) {
	b := &builder{m: m, st: p.State, mod: s.Model, objs: map[ObjID]testcase.Ref{}, busy: map[ObjID]bool{}, arr: map[ObjID]testcase.Ref{}, adapted: map[[2]int]testcase.Ref{}}
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unwritable)
			if !ok {
				panic(r)
			}
			seq, err = nil, errors.New(string(u))
		}
	}()
	for i := 0; i <= p.State.call; i++ {
		b.call(i)
	}
	return b.out.Sequence(), nil
}

// call writes a call of the driver with its arguments.
func (b *builder) call(i int) {
	c := &b.st.driver.Calls[i]
	if c.Question {
		b.stmt = append(b.stmt, testcase.Ref{Stmt: -1})
		return
	}
	at := 0
	var refs []testcase.Ref
	for _, a := range c.Args {
		t := b.m.types.of(a.Type)
		switch {
		case a.Of > 0:
			refs = append(refs, b.repeatedArgument(a))
		case a.Call < 0:
			refs = append(refs, b.value(b.st.args[i][at:at+t.Size], t))
		default:
			r := testcase.Ref{Stmt: b.stmt[a.Call].Stmt, Result: a.Result}
			switch {
			case a.Addr:
				r = b.once(testcase.OpAddr, a, r)
			case a.Unbox:
				r = b.once(testcase.OpAssert, a, r)
			case a.Deref:
				r = b.out.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: a.Type}, r)
			case a.Box != nil:
				r = b.out.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: a.Type}, r)
			}
			refs = append(refs, r)
		}
		at += t.Size
	}
	op := &testcase.Operation{Kind: testcase.OpFunc, Func: c.Obj, TypeArgs: c.TypeArgs}
	sig := c.Obj.Type().(*types.Signature)
	if sig.Recv() != nil {
		op.Kind = testcase.OpMethod
	}
	op.Spread = sig.Variadic()
	b.stmt = append(b.stmt, b.out.Add(op, refs...))
}

// once adds the operation that adapts a result, of which all arguments use the same.
func (b *builder) once(kind testcase.OpKind, a DriverArg, result testcase.Ref) testcase.Ref {
	key := [2]int{a.Call, a.Result}
	if _, ok := b.adapted[key]; !ok {
		b.adapted[key] = b.out.Add(&testcase.Operation{Kind: kind, Type: a.Type}, result)
	}
	return b.adapted[key]
}

func (b *builder) eval(v Value) uint64 {
	if v.Lazy == poison {
		panic(unwritable("a value that the machine could not compute"))
	}
	if v.Term != 0 {
		return b.m.ts.Eval(v.Term, b.mod)
	}
	return v.Bits
}

func (b *builder) zero(t *Type) testcase.Ref {
	return b.out.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t.Go})
}

// literal makes the operation of a scalar.
func literal(t *Type, bits uint64) *testcase.Operation {
	op := &testcase.Operation{Kind: testcase.OpLiteral, Type: t.Go}
	switch t.Kind {
	case KBool:
		op.Lit = testcase.Literal{Kind: testcase.LitBool, Bits: bits & 1}
	case KInt:
		op.Lit = testcase.Literal{Kind: testcase.LitInt, Bits: uint64(sext(bits, t.Bits))}
	case KUint:
		op.Lit = testcase.Literal{Kind: testcase.LitUint, Bits: bits}
	case KFloat:
		op.Lit = testcase.Literal{Kind: testcase.LitFloat, Bits: bits}
	}
	return op
}

// value writes an input.
func (b *builder) value(v []Value, t *Type) testcase.Ref {
	switch t.Kind {
	case KBool, KInt, KUint, KFloat:
		return b.out.Add(literal(t, b.eval(v[0])))
	case KComplex:
		return b.out.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t.Go,
			Lit: testcase.Literal{Kind: testcase.LitComplex, Bits: b.eval(v[0]), Imag: b.eval(v[1])}})
	case KString:
		return b.out.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t.Go,
			Lit: testcase.Literal{Kind: testcase.LitString, Str: b.text(v)}})
	case KSlice:
		return b.slice(v, t)
	case KArray, KStruct:
		if isTime(t) {
			return b.timeValue(v, t)
		}
		return b.aggregate(v, t, 0)
	case KPointer:
		return b.pointer(v[0], t)
	case KMap:
		return b.mapValue(v[0], t)
	case KChan:
		return b.channel(v[0], t)
	case KFunc:
		return b.function(v[0], t)
	case KInterface:
		return b.iface(v, t)
	}
	return b.zero(t)
}

// text returns the bytes of a string input.
func (b *builder) text(v []Value) string {
	n := b.eval(v[1])
	if n == 0 {
		return ""
	}
	if n > maxWritten {
		panic(unwritable(fmt.Sprintf("a string of %d bytes", n)))
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(b.element(v[0], i, 8))
	}
	return string(out)
}

// element returns the initial element i of an input that is an array of scalars.
func (b *builder) element(p Value, i, w int) uint64 {
	o := b.st.object(p.obj())
	if o.input > 0 {
		rec := b.st.objects[o.input-1]
		if rec.array {
			if rec.text && p.off()+i >= maxFill {
				arr := b.m.inputArray(rec.name, rec.elem.width())
				if leaf := b.m.ts.Read(arr, b.m.ts.Const(64, uint64(p.off()+i))); b.mod.Has(leaf) {
					return b.m.ts.Eval(leaf, b.mod)
				}
				return fillByte
			}
			arr := b.m.inputArray(rec.name, rec.elem.width())
			leaf := b.m.ts.Read(arr, b.m.ts.Const(64, uint64(p.off()+i)))
			return b.m.ts.Eval(leaf, b.mod)
		}
	}
	return b.eval(b.m.readCell(b.st, ptr(p.obj(), p.off()+i), w))
}

// slice writes a slice input.
func (b *builder) slice(v []Value, t *Type) testcase.Ref {
	n := b.eval(v[1])
	if n > maxWritten {
		panic(unwritable(fmt.Sprintf("a slice of %d elements", n)))
	}
	if n == 0 {
		if k := v[0].Lazy; k != 0 && b.st.lazies.at(k).kind == notNil || k == 0 && v[0].Bits != 0 {
			return b.out.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t.Go})
		}
		return b.zero(t)
	}
	if r, ok := b.arr[v[0].obj()]; ok && v[0].off() == 0 {
		return r
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t.Go, N: int(n)}
	var refs []testcase.Ref
	elem := t.Elem
	if elem.scalar() {
		zero := true
		for i := range int(n) {
			bits := b.element(v[0], i, elem.width())
			if bits == 0 && n > 64 {
				zero = false
				continue
			}
			op.Elems = append(op.Elems, i)
			refs = append(refs, b.out.Add(literal(elem, bits)))
		}
		if zero {
			op.Elems = nil
		}
	} else {
		o := b.st.object(v[0].obj())
		if o.input == 0 {
			panic(unwritable("a slice that is no input"))
		}
		rec := b.st.objects[o.input-1]
		for i := range int(n) {
			var cells []Value
			for _, e := range rec.elems {
				if e.index == int64(i) {
					cells = b.st.objects[b.st.object(e.cells).input-1].initial
				}
			}
			if cells == nil {
				if n > 64 {
					continue
				}
				op.Elems = append(op.Elems, i)
				refs = append(refs, b.zero(elem))
				continue
			}
			op.Elems = append(op.Elems, i)
			refs = append(refs, b.value(cells, elem))
		}
		if len(op.Elems) == int(n) {
			op.Elems = nil
		}
	}
	r := b.out.Add(op, refs...)
	b.arr[v[0].obj()] = r
	return r
}

// aggregate writes a struct or array. The owner is the object that the struct is, or 0.
func (b *builder) aggregate(v []Value, t *Type, owner ObjID) testcase.Ref {
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t.Go, Elems: []int{}}
	var refs []testcase.Ref
	part := func(i int, pt *Type, cells []Value) {
		if b.isZero(cells, pt) {
			return
		}
		op.Elems = append(op.Elems, i)
		refs = append(refs, b.value(cells, pt))
	}
	if t.Kind == KArray {
		size := t.Elem.Size
		for i := range t.Len {
			part(i, t.Elem, v[i*size:(i+1)*size])
		}
		if len(op.Elems) == t.Len {
			op.Elems = nil
		}
	} else {
		for i, f := range t.Fields {
			if f.Name == "_" || f.Type.Size == 0 || owner != 0 && b.linked(owner, t, i, v[f.Off]) {
				continue
			}
			part(i, f.Type, v[f.Off:f.Off+f.Type.Size])
		}
	}
	return b.out.Add(op, refs...)
}

// isZero reports whether a value is certainly the zero value.
func (b *builder) isZero(v []Value, t *Type) bool {
	switch t.Kind {
	case KString:
		return b.eval(v[1]) == 0
	case KSlice:
		return b.eval(v[1]) == 0 && (v[0].Lazy == 0 && v[0].Bits == 0 || v[0].Lazy != 0 && b.st.lazies.at(v[0].Lazy).kind != notNil)
	case KStruct:
		for _, f := range t.Fields {
			if !b.isZero(v[f.Off:f.Off+f.Type.Size], f.Type) {
				return false
			}
		}
		return true
	case KArray:
		for i := range t.Len {
			if !b.isZero(v[i*t.Elem.Size:(i+1)*t.Elem.Size], t.Elem) {
				return false
			}
		}
		return true
	case KPointer, KMap, KChan, KFunc, KInterface:
		if v[0].Lazy != 0 {
			k := b.st.lazies.at(v[0].Lazy).kind
			return k == isNil || k == undecided
		}
		return v[0].Bits == 0
	}
	return b.eval(v[0]) == 0 && (t.Size < 2 || b.eval(v[1]) == 0)
}

// decided returns the decided value of a pointer, map or channel. An undecided one was not used on the path,
// so it may be nil.
func (b *builder) decided(v Value) Value {
	if v.Lazy == 0 {
		return v
	}
	e := b.st.lazies.at(v.Lazy)
	if e.kind != isValue {
		return Value{}
	}
	return e.val[0]
}

// pointer writes a pointer input and the value behind it.
func (b *builder) pointer(v Value, t *Type) testcase.Ref {
	v = b.decided(v)
	if v.Bits == 0 {
		return b.zero(t)
	}
	id := v.obj()
	if id == zeroBase {
		return b.out.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t.Go}, b.zero(t.Elem)) // of any type
	}
	if r, ok := b.objs[id]; ok {
		return r
	}
	if b.busy[id] {
		panic(unwritable("a cyclic input"))
	}
	o := b.st.object(id)
	if o.input == 0 || v.off() != 0 {
		if g := b.m.byObj[id]; g != nil && g.v != nil && v.off() == 0 {
			panic(unwritable("the address of a variable"))
		}
		panic(unwritable("a pointer to something that is no input"))
	}
	b.busy[id] = true
	rec := b.st.objects[o.input-1]
	var inner testcase.Ref
	if rec.elem.Kind == KStruct && !isTime(rec.elem) {
		inner = b.aggregate(rec.initial, rec.elem, id)
	} else {
		inner = b.value(rec.initial, rec.elem)
	}
	r := b.out.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t.Go}, inner)
	delete(b.busy, id)
	b.objs[id] = r
	b.setLinks(id, r)
	return r
}

// channel writes a channel input.
func (b *builder) channel(v Value, t *Type) testcase.Ref {
	v = b.decided(v)
	if v.Bits == 0 {
		return b.zero(t)
	}
	if r, ok := b.objs[v.obj()]; ok {
		return r
	}
	o := b.st.object(v.obj())
	if o.input == 0 {
		panic(unwritable("a channel that is no input"))
	}
	rec := b.st.objects[o.input-1]
	op := &testcase.Operation{Kind: testcase.OpMakeChan, Type: t.Go, N: chanRoom}
	filled := 0
	if c, ok := t.Go.Underlying().(*types.Chan); ok && c.Dir() != types.SendOnly {
		op.Closed = c.Dir() == types.RecvOnly
		filled = chanFill // this includes elements without cells, which are not in rec.initial
	}
	var refs []testcase.Ref
	size := t.Elem.Size
	for i := range filled {
		refs = append(refs, b.value(rec.initial[i*size:(i+1)*size], t.Elem))
	}
	r := b.out.Add(op, refs...)
	b.objs[v.obj()] = r
	return r
}

// stub writes the scripted calls of a stub.
func (b *builder) stub(op *testcase.Operation, e *lazyEntry) testcase.Ref {
	var refs []testcase.Ref
	for _, c := range e.calls {
		from := len(refs)
		for _, f := range c.result.Fields {
			refs = append(refs, b.value(c.cells[f.Off:f.Off+f.Type.Size], f.Type))
		}
		op.Stub = append(op.Stub, testcase.StubCall{Method: c.method, From: from, To: len(refs)})
	}
	return b.out.Add(op, refs...)
}

// function writes a function input.
func (b *builder) function(v Value, t *Type) testcase.Ref {
	if v.Lazy == 0 {
		return b.zero(t)
	}
	e := b.st.lazies.at(v.Lazy)
	if e.kind == isNil {
		return b.zero(t)
	}
	// The function was not used on the path, so it may be a stub.
	return b.stub(&testcase.Operation{Kind: testcase.OpStubFunc, Type: t.Go}, e)
}

// iface writes an interface input.
func (b *builder) iface(v []Value, t *Type) testcase.Ref {
	if v[0].Lazy == 0 {
		if v[0].Bits == 0 {
			return b.zero(t)
		}
		return b.boxed(v, t)
	}
	e := b.st.lazies.at(v[0].Lazy)
	switch e.kind {
	case isValue:
		return b.boxed(e.val[:], t)
	case isStub:
		if b.m.isError(e.iface) {
			return b.newError()
		}
		return b.stub(&testcase.Operation{Kind: testcase.OpStubIface, Type: e.iface.Go}, e)
	case notNil:
		if b.m.isError(e.typ) {
			return b.newError()
		}
		if e.typ.iface.NumMethods() > 0 {
			return b.stub(&testcase.Operation{Kind: testcase.OpStubIface, Type: t.Go}, e)
		}
	case isNil:
		return b.zero(t)
	case undecided:
		if len(e.excluded) == 0 {
			return b.zero(t)
		}
	}
	// The value must not have any of the excluded types.
	if e.typ.iface.NumMethods() == 0 {
		for _, k := range []types.BasicKind{types.Int, types.String, types.Bool, types.Float64, types.Uint16, types.Int8} {
			bt := b.m.types.of(types.Typ[k])
			if b.m.allowed(e, bt) {
				lit := literal(bt, 1)
				if bt.Kind == KString {
					lit.Lit = testcase.Literal{Kind: testcase.LitString, Str: "a"}
				}
				if bt.Kind == KFloat {
					lit.Lit.Bits = floatBits(1.5, bt.Bits)
				}
				return b.out.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t.Go}, b.out.Add(lit))
			}
		}
	}
	return b.zero(t)
}

// boxed writes an interface that holds a value of a known type.
func (b *builder) boxed(v []Value, t *Type) testcase.Ref {
	if g := b.m.sentinel(b.st, [2]Value{v[0], v[1]}); g != nil {
		return b.out.Add(&testcase.Operation{Kind: testcase.OpGlobal, Var: g})
	}
	dt := b.m.types.all[v[0].Bits]
	inner := b.value(b.m.unbox(b.st, dt, v[1]), dt)
	return b.out.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t.Go}, inner)
}

// newError writes an error input.
func (b *builder) newError() testcase.Ref {
	fn, err := b.m.prog.LookupFunc("errors", "New")
	if err != nil {
		panic(unwritable("an error: " + err.Error()))
	}
	s := b.out.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: stubError}})
	return b.out.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: load.Visible(b.m.pkg.Types, fn.Object().(*types.Func))}, s)
}
