package words

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// call is the part of an executed call that New keeps.
type call struct {
	c *testcase.Case
	// inputs are the receiver, if there is one, and the arguments, as they were right before the call.
	// An unknown input is Invalid. The value that a pointer leads to is left out if a statement may
	// have changed it since it was observed.
	inputs []testcase.Value
	// stubs are, by input, the scripted stubs that were passed, and nil for inputs that are no stubs.
	stubs []*stub
	// fieldStubs are the stubs that fields of literals are.
	fieldStubs map[fieldOf]*stub
	// before and after are the observers' results, by number; Invalid if the observer was not asked.
	before, after []testcase.Value
	member        *Member        // whether an argument is in the receiver, nil if it is not known
	crossed       bool           // see Call.Crossed
	varies        *testcase.Case // see Call.Varies
	// madeOtherwise says that another constructor made the receiver than made most receivers.
	// Predicates over the constructor's arguments then do not apply.
	madeOtherwise bool
	// steps are the calls on the receiver before this one, in words; nil for functions.
	steps []string
	// made says how the receiver was made: "new" for a constructor, or the name of the method that returned it, or "nil".
	made     string
	from     string // the method of another object that returned the receiver right before the call, "" if none did
	settings string // what is set in the struct that the receiver was made with, in words (settings.go)
	outcome  outcome
}

// stub is a scripted stub.
type stub struct {
	fails   []bool // for each call of its only method, whether it returns an error, or nil if the method returns none
	method  string // the only method that is scripted, of an interface with several, or ""
	message string // of the error that the first failing call returns, or ""
	returns string // the only result of its only call, in words, or "" if it has several calls, or no result
}

// fieldOf names a field of an input.
type fieldOf struct{ input, field int }

// readCall reads the inputs of a call of a function with the given signature.
func readCall(c *testcase.Case, sig *types.Signature) *call {
	out := &call{c: c}
	n := sig.Params().Len()
	recv := 0
	if sig.Recv() != nil {
		recv = 1
	}
	out.inputs = make([]testcase.Value, n+recv)
	out.stubs = make([]*stub, n+recv)
	if c.Seq == nil || c.Seq.Len() == 0 {
		return out
	}
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || len(st.Args) < recv {
		return out
	}
	if st.Op.Via != nil {
		return out // the call is one of a helper, whose arguments are not the function's
	}
	variadic := sig.Variadic() && !st.Op.Spread
	for i, ref := range st.Args {
		if variadic && i >= n+recv-1 {
			break
		}
		if i < len(out.inputs) {
			out.inputs[i] = argument(c, ref, at)
			out.stubs[i] = readStub(c, ref)
			out.readFieldStubs(c, ref, i)
		}
	}
	if variadic {
		last := n + recv - 1
		v := testcase.Value{Kind: testcase.Slice, Type: sig.Params().At(n - 1).Type()}
		for _, ref := range st.Args[min(last, len(st.Args)):] {
			v.Elems = append(v.Elems, argument(c, ref, at))
		}
		if v.Len = len(v.Elems); v.Len == 0 {
			v.Kind = testcase.Nil
		}
		out.inputs[last] = v
	}
	if recv == 1 {
		out.history(at)
	}
	return out
}

// argument returns the value of a result as it is before statement at.
func argument(c *testcase.Case, ref testcase.Ref, at int) testcase.Value {
	v := made(c, ref, 0)
	if stale(c, ref, at) {
		return shallow(v)
	}
	return v
}

// maxNesting bounds how deep nested literals are read.
const maxNesting = 8

// made returns the value that a statement made: the observed value, or else the value that the
// operation describes.
func made(c *testcase.Case, ref testcase.Ref, depth int) testcase.Value {
	if o := c.Observed; o != nil && ref.Stmt < len(o.Results) && ref.Result < len(o.Results[ref.Stmt]) {
		if v := o.Results[ref.Stmt][ref.Result]; v.Kind != testcase.Invalid {
			return v
		}
	}
	st := c.Seq.At(ref.Stmt)
	if depth > maxNesting {
		return testcase.Value{}
	}
	switch op := st.Op; op.Kind {
	case testcase.OpLiteral:
		return literalValue(op.Lit, op.Type)
	case testcase.OpZero:
		return zeroOf(op.Type, 0)
	case testcase.OpAddr:
		return testcase.Value{Kind: testcase.Pointer, Type: op.Type, Elems: []testcase.Value{made(c, st.Args[0], depth+1)}}
	case testcase.OpConvert:
		v := made(c, st.Args[0], depth+1)
		switch {
		case types.IsInterface(op.Type) && v.Kind != testcase.Interface && v.Kind != testcase.Invalid:
			return testcase.Value{Kind: testcase.Interface, Type: op.Type, Elems: []testcase.Value{v}}
		case types.IsInterface(op.Type):
			return v
		}
		return convert(v, op.Type)
	case testcase.OpComposite:
		return compositeValue(c, st, depth)
	case testcase.OpStubFunc, testcase.OpStubIface, testcase.OpFuncValue, testcase.OpFuncLit, testcase.OpClosure, testcase.OpMakeChan:
		return testcase.Value{Kind: testcase.Opaque, Type: op.Type}
	}
	return testcase.Value{}
}

// compositeValue returns the value of a composite literal.
func compositeValue(c *testcase.Case, st testcase.Statement, depth int) testcase.Value {
	op := st.Op
	v := testcase.Value{Type: op.Type}
	place := func(i int) int {
		if op.Elems != nil {
			return op.Elems[i]
		}
		return i
	}
	switch u := op.Type.Underlying().(type) {
	case *types.Map:
		v.Kind = testcase.Map
		for _, a := range st.Args {
			v.Elems = append(v.Elems, made(c, a, depth+1))
		}
		v.Len = len(st.Args)/2 + op.N
		v.Cut = op.N > 0
		return v
	case *types.Struct, *types.Array:
		v = zeroOf(op.Type, 0)
	case *types.Slice:
		n := op.N
		for i := range st.Args {
			n = max(n, place(i)+1)
		}
		v.Kind, v.Len = testcase.Slice, n
		const most = 1024
		if n > most {
			v.Cut = true
			return v
		}
		v.Elems = make([]testcase.Value, n)
		for i := range v.Elems {
			v.Elems[i] = zeroOf(u.Elem(), 0)
		}
	default:
		return testcase.Value{}
	}
	for i, a := range st.Args {
		if k := place(i); k < len(v.Elems) {
			v.Elems[k] = made(c, a, depth+1)
		}
	}
	return v
}

// stale reports whether a statement before at may have changed memory that a value leads to, after the
// value was made.
func stale(c *testcase.Case, ref testcase.Ref, at int) bool {
	reach := map[int]bool{ref.Stmt: true}
	// The parts of a value share its memory.
	var down func(i int)
	down = func(i int) {
		st := c.Seq.At(i)
		switch st.Op.Kind {
		case testcase.OpComposite, testcase.OpAddr, testcase.OpConvert, testcase.OpField, testcase.OpDeref, testcase.OpIndex, testcase.OpAssert:
			for _, a := range st.Args {
				if !reach[a.Stmt] && c.Seq.At(a.Stmt).Op.Kind != testcase.OpLiteral {
					reach[a.Stmt] = true
					down(a.Stmt)
				}
			}
		}
	}
	down(ref.Stmt)
	for i := 0; i < at; i++ {
		st := c.Seq.At(i)
		uses := false
		for _, a := range st.Args {
			uses = uses || reach[a.Stmt]
		}
		if !uses || reach[i] && i <= ref.Stmt {
			continue
		}
		switch st.Op.Kind {
		case testcase.OpComposite, testcase.OpAddr, testcase.OpConvert, testcase.OpField, testcase.OpDeref, testcase.OpIndex, testcase.OpAssert:
			reach[i] = true
		default:
			if i > ref.Stmt {
				return true
			}
			reach[i] = true
		}
	}
	return false
}

// shallow returns a value without the memory that it leads to, for memory that may have changed.
func shallow(v testcase.Value) testcase.Value {
	switch v.Kind {
	case testcase.Pointer:
		v.Elems = nil
	case testcase.Slice:
		v.Elems, v.Cut = nil, v.Len > 0
	case testcase.Map:
		return testcase.Value{Kind: testcase.Opaque, Type: v.Type}
	case testcase.Struct, testcase.Array, testcase.Interface:
		elems := make([]testcase.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = shallow(e)
		}
		v.Elems = elems
	}
	return v
}

// readFieldStubs reads the stubs in the fields of a literal that is passed, or that a passed pointer leads
// to.
func (k *call) readFieldStubs(c *testcase.Case, ref testcase.Ref, input int) {
	st := c.Seq.At(ref.Stmt)
	if st.Op.Kind == testcase.OpAddr {
		st = c.Seq.At(st.Args[0].Stmt)
	}
	if _, isStruct := underlying(st.Op.Type).(*types.Struct); !isStruct || st.Op.Kind != testcase.OpComposite {
		return
	}
	for i, a := range st.Args {
		f := i
		if st.Op.Elems != nil {
			f = st.Op.Elems[i]
		}
		if s := readStub(c, a); s != nil {
			if k.fieldStubs == nil {
				k.fieldStubs = make(map[fieldOf]*stub)
			}
			k.fieldStubs[fieldOf{input, f}] = s
		}
	}
}

// readStub returns the script of a stub that is passed, or nil if the value is no stub.
func readStub(c *testcase.Case, ref testcase.Ref) *stub {
	st := c.Seq.At(ref.Stmt)
	for st.Op.Kind == testcase.OpConvert || isRecorder(st.Op) {
		st = c.Seq.At(st.Args[0].Stmt)
	}
	if st.Op.Kind != testcase.OpStubFunc && st.Op.Kind != testcase.OpStubIface {
		return nil
	}
	s := &stub{}
	method := ""
	for i, script := range st.Op.Stub {
		if i > 0 && script.Method != method || script.To == script.From || script.To > len(st.Args) {
			return nil
		}
		method = script.Method
		if u, ok := underlying(st.Op.Type).(*types.Interface); ok && u.NumMethods() > 1 {
			s.method = method
		}
		last := st.Args[script.To-1]
		if ts := c.Seq.ResultTypes()[last.Stmt]; last.Result >= len(ts) || !gosyntax.IsError(ts[last.Result]) {
			if len(st.Op.Stub) == 1 && script.To == script.From+1 {
				s.returns = spell(made(c, last, 0))
			}
			return s
		}
		v := made(c, last, 0)
		if s.fails = append(s.fails, v.Kind != testcase.Nil); v.Err != nil && s.message == "" {
			s.message = v.Err.Message
		}
	}
	return s
}

// isRecorder reports whether an operation wraps a dependency so that its calls are noted: what is passed is still that dependency.
func isRecorder(op *testcase.Operation) bool {
	if op.Via == nil || op.Drives() || op.Via.Sig.Params().Len() != 1 || op.Via.Sig.Results().Len() != 2 {
		return false
	}
	return types.Identical(op.Via.Sig.Params().At(0).Type(), op.Via.Sig.Results().At(0).Type())
}

// history notes how the receiver was made and which calls it had before statement at.
func (k *call) history(at int) {
	seq := k.c.Seq
	recv := seq.At(at).Args[0]
	objects := map[testcase.Ref]bool{recv: true} // the receiver, and objects whose methods returned the receiver
	for from, ok := madeFrom(seq, recv); ok; from, ok = madeFrom(seq, recv) {
		recv = from
		objects[recv] = true
	}
	root := seq.At(recv.Stmt).Op
	if root.Kind == testcase.OpMethod && recv.Stmt == at-1 {
		k.from = root.Func.Name()
	}
	if root.Kind == testcase.OpAssert { // the interface that hides the object
		recv = seq.At(recv.Stmt).Args[0]
		objects[recv] = true
		root = seq.At(recv.Stmt).Op
	}
	switch {
	case root.Kind == testcase.OpFunc:
		k.made = "new"
	case root.Kind == testcase.OpMethod:
		k.made = root.Func.Name()
	case k.inputs[0].Kind == testcase.Nil:
		k.made = "nil"
	}
	k.steps = []string{}
	for i := recv.Stmt + 1; i < at; i++ {
		st := seq.At(i)
		if st.Op.Kind == testcase.OpMethod && len(st.Args) > 0 && objects[st.Args[0]] {
			step := st.Op.Func.Name()
			if len(st.Args) > 1 {
				var args []string
				for _, a := range st.Args[1:] {
					if text := spellConstant(made(k.c, a, 0)); text != "" && text != "{}" { // a function value has no text, and a context says nothing
						args = append(args, text)
					}
				}
				if len(args) > 0 {
					step += "(" + strings.Join(args, ", ") + ")"
				}
			}
			k.steps = append(k.steps, step)
			continue
		}
		if st.Op.Kind == testcase.OpAssert && objects[st.Args[0]] {
			objects[testcase.Ref{Stmt: i}] = true
			continue
		}
		for _, a := range st.Args {
			if objects[a] {
				k.made, k.steps = "", nil // the object was passed elsewhere, so the steps do not tell its state
				return
			}
		}
	}
}

// spellConstant returns the name of the declared constant that a value is, or else the value as Go writes it.
func spellConstant(v testcase.Value) string {
	if v.Type != nil {
		for _, c := range load.ConstantsOf(v.Type) {
			if valueKey(v) != "" && constantKey(c.Val()) == valueKey(v) {
				return c.Name()
			}
		}
	}
	return spell(v)
}

// madeFrom returns the object whose method returned another object of its type: the set-up of
// `p.Limit(3).Reverse()` is one chain of calls.
func madeFrom(seq *testcase.Sequence, r testcase.Ref) (testcase.Ref, bool) {
	st := seq.At(r.Stmt)
	if st.Op.Kind != testcase.OpMethod || r.Result != 0 || len(st.Args) == 0 {
		return testcase.Ref{}, false
	}
	ts := seq.ResultTypes()
	from := st.Args[0]
	if !types.Identical(ts[r.Stmt][0], ts[from.Stmt][from.Result]) {
		return testcase.Ref{}, false
	}
	return from, true
}

// literalValue returns a literal as a value.
func literalValue(l testcase.Literal, t types.Type) testcase.Value {
	kinds := [...]testcase.ValueKind{testcase.LitBool: testcase.Bool, testcase.LitInt: testcase.Int, testcase.LitUint: testcase.Uint,
		testcase.LitFloat: testcase.Float, testcase.LitComplex: testcase.Complex, testcase.LitString: testcase.String}
	if int(l.Kind) >= len(kinds) {
		return testcase.Value{}
	}
	return testcase.Value{Kind: kinds[l.Kind], Type: t, Bits: l.Bits, Imag: l.Imag, Str: l.Str, Len: len(l.Str)}
}

// zeroOf returns the zero value of a type, or Invalid if the type nests too deeply.
func zeroOf(t types.Type, depth int) testcase.Value {
	v := testcase.Value{Kind: testcase.Nil, Type: t}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		v.Kind = basicKind(u)
	case *types.Struct:
		v.Kind = testcase.Struct
		for f := range u.Fields() {
			v.Elems = append(v.Elems, zeroOf(f.Type(), depth+1))
		}
	case *types.Array:
		const most = 256
		v.Kind, v.Len = testcase.Array, int(u.Len())
		if u.Len() > most || depth > maxNesting {
			v.Cut = true
			break
		}
		for range u.Len() {
			v.Elems = append(v.Elems, zeroOf(u.Elem(), depth+1))
		}
	}
	return v
}

// basicKind returns the kind of the values of a basic type.
func basicKind(b *types.Basic) testcase.ValueKind {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return testcase.Bool
	case info&types.IsString != 0:
		return testcase.String
	case info&types.IsUnsigned != 0:
		return testcase.Uint
	case info&types.IsInteger != 0:
		return testcase.Int
	case info&types.IsFloat != 0:
		return testcase.Float
	case info&types.IsComplex != 0:
		return testcase.Complex
	case b.Kind() == types.UnsafePointer:
		return testcase.Nil
	}
	return testcase.Invalid
}

// key returns a text that is equal for two values if no known part of them differs, and reports whether
// the value is known as a whole.
func key(b *strings.Builder, v testcase.Value) bool {
	b.WriteByte(byte('a' + v.Kind))
	switch v.Kind {
	case testcase.Invalid, testcase.Opaque:
		return false
	case testcase.Bool, testcase.Int, testcase.Uint, testcase.Float, testcase.Complex:
		b.WriteString(strconv.FormatUint(v.Bits, 16))
		if v.Imag != 0 {
			b.WriteString("i" + strconv.FormatUint(v.Imag, 16))
		}
		return true
	case testcase.String:
		b.WriteString(strconv.Itoa(v.Len) + ":" + v.Str)
		return !v.Cut
	}
	b.WriteString(strconv.Itoa(v.Len) + "[")
	whole := !v.Cut && !v.Again && (v.Kind != testcase.Pointer || len(v.Elems) == 1)
	for _, e := range v.Elems {
		whole = key(b, e) && whole
	}
	b.WriteByte(']')
	return whole
}

// isKnown reports whether a value is known with all that it leads to.
func isKnown(v testcase.Value) bool {
	var b strings.Builder
	return key(&b, v)
}
