package native

import (
	"encoding/binary"
	"fmt"
	"go/types"

	"github.com/goassay/assay/internal/native/rewrite"
	"github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// encoder turns sequences into messages. It sends the definition of a type or operation to the harness once,
// and later messages refer to it by number. The definitions are kept, because a restarted harness needs them
// again.
type encoder struct {
	g *registry

	typeIDs  map[types.Type]int
	typeKeys map[string]int
	typeDefs [][]byte
	typs     []types.Type

	ops    map[*testcase.Operation][]opUse
	opKeys map[string]int
	opDefs [][]byte

	asserts []rewrite.Assertion             // the assertions, by the numbers in outcomes
	refuse  func(*testcase.Sequence) string // as in Config
}

// opUse identifies an operation together with the type of its first argument. Both decide what a method call
// or a field selection means. For other operations the type is nil.
type opUse struct {
	on types.Type
	opInfo
}

// opInfo is the encoded form of an opUse.
type opInfo struct {
	id      int
	results []types.Type
	err     error
}

func newEncoder(g *registry, asserts []rewrite.Assertion) *encoder {
	return &encoder{
		g: g, asserts: asserts,
		typeIDs: map[types.Type]int{}, typeKeys: map[string]int{},
		ops: map[*testcase.Operation][]opUse{}, opKeys: map[string]int{},
	}
}

// refusedError is the reason why a sequence cannot be run.
type refusedError string

func (e refusedError) Error() string { return string(e) }

// typ returns the number of a type. It defines the type if the type is new.
func (e *encoder) typ(t types.Type) (int, error) {
	if id, ok := e.typeIDs[t]; ok {
		return id, nil
	}
	key := rewrite.TypeKey(t)
	if id, ok := e.typeKeys[key]; ok {
		e.typeIDs[t] = id
		return id, nil
	}
	def, err := e.define(t)
	if err != nil {
		return 0, err
	}
	id := len(e.typeDefs)
	e.typeDefs = append(e.typeDefs, def)
	e.typs = append(e.typs, t)
	e.typeIDs[t], e.typeKeys[key] = id, id
	return id, nil
}

// define writes the definition of a type.
func (e *encoder) define(t types.Type) ([]byte, error) {
	var w assayrt.Writer
	var fail error
	part := func(t types.Type) {
		id, err := e.typ(t)
		if err != nil && fail == nil {
			fail = err
		}
		w.Num(id)
	}
	tuple := func(l *types.Tuple) {
		w.Num(l.Len())
		for v := range l.Variables() {
			part(v.Type())
		}
	}
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		w.Byte(assayrt.TSlice)
		part(t.Elem())
	case *types.Array:
		w.Byte(assayrt.TArray)
		w.Num(int(t.Len()))
		part(t.Elem())
	case *types.Pointer:
		w.Byte(assayrt.TPtr)
		part(t.Elem())
	case *types.Map:
		w.Byte(assayrt.TMap)
		part(t.Key())
		part(t.Elem())
	case *types.Chan:
		w.Byte(assayrt.TChan)
		w.Byte([...]byte{types.SendRecv: 3, types.SendOnly: 2, types.RecvOnly: 1}[t.Dir()])
		part(t.Elem())
	case *types.Signature:
		w.Byte(assayrt.TFunc)
		w.Bool(t.Variadic())
		tuple(t.Params())
		tuple(t.Results())
	default:
		id, err := e.g.leaf(t)
		if err != nil {
			return nil, fmt.Errorf("type %s: %w", types.TypeString(t, nil), err)
		}
		w.Byte(assayrt.TLeaf)
		w.Num(id)
	}
	return w.Buf, fail
}

// use returns the encoded form of an operation applied to arguments of the given types.
func (e *encoder) use(o *testcase.Operation, args []types.Type) opInfo {
	var on types.Type
	switch o.Kind {
	case testcase.OpMethod, testcase.OpCallValue, testcase.OpField, testcase.OpSetField, testcase.OpDeref, testcase.OpIndex, testcase.OpStore, testcase.OpClosure:
		if len(args) == 0 {
			return opInfo{err: refusedError(o.Kind.String() + " without an argument")}
		}
		on = args[0]
	}
	for _, u := range e.ops[o] {
		if u.on == on {
			return u.opInfo
		}
	}
	info := e.newUse(o, on, args)
	e.ops[o] = append(e.ops[o], opUse{on, info})
	return info
}

func (e *encoder) newUse(o *testcase.Operation, on types.Type, args []types.Type) opInfo {
	def, err := e.defineOp(o, on, args)
	if err != nil {
		return opInfo{err: fmt.Errorf("%s: %w", o.Kind, err)}
	}
	id, ok := e.opKeys[string(def)]
	if !ok {
		id = len(e.opDefs)
		e.opDefs = append(e.opDefs, def)
		e.opKeys[string(def)] = id
	}
	return opInfo{id: id, results: e.results(o, args)}
}

// results returns the types of an operation's results. For OpIndex and OpDeref they depend on the types
// of the arguments.
func (e *encoder) results(o *testcase.Operation, args []types.Type) []types.Type {
	switch {
	case o.Via != nil:
	case o.Kind == testcase.OpMethod && len(o.TypeArgs) == 0:
		// The signature is that of the method found through the receiver's instantiation.
		if f := methodOf(args[0], o.Func); f != nil {
			var out []types.Type
			for v := range f.Signature().Results().Variables() {
				out = append(out, v.Type())
			}
			return out
		}
	case o.Type != nil:
	case o.Kind == testcase.OpDeref:
		if p, ok := args[0].Underlying().(*types.Pointer); ok {
			return []types.Type{p.Elem()}
		}
	case o.Kind == testcase.OpField:
		return []types.Type{o.Var.Type()}
	}
	return o.Results(args)
}

// methodOf returns the method of a receiver's own type that f names.
func methodOf(recv types.Type, f *types.Func) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(recv, true, f.Pkg(), f.Name())
	m, _ := obj.(*types.Func)
	return m
}

// defineOp writes the definition of an operation.
func (e *encoder) defineOp(o *testcase.Operation, on types.Type, args []types.Type) ([]byte, error) {
	var w assayrt.Writer
	var fail error
	num := func(i int, err error) {
		if err != nil && fail == nil {
			fail = err
		}
		w.Num(i)
	}
	kind := o.Kind
	switch kind {
	case testcase.OpCheck:
		kind = testcase.OpFunc
	case testcase.OpFuncLit:
		kind = testcase.OpFuncValue
	}
	w.Byte(byte(kind))
	switch o.Kind {
	case testcase.OpCheck:
		num(e.g.registerCheck(o.Check))
		w.Bool(false)
	case testcase.OpFuncValue:
		num(e.typ(o.Type))
		num(e.g.function(o.Func, o.TypeArgs))
	case testcase.OpFuncLit:
		num(e.typ(o.Type))
		num(e.g.literal(o))
	case testcase.OpClosure:
		num(e.typ(o.Type))
		num(e.g.method(o.Func, on))
		w.Num(len(o.Pass))
		for _, p := range o.Pass {
			w.Num(p + 1)
		}
		w.Bool(o.Returns)
	case testcase.OpLiteral:
		num(e.typ(o.Type))
		w.Bits(o.Lit.Bits)
		switch b, ok := o.Type.Underlying().(*types.Basic); {
		case !ok:
			return nil, refusedError("a literal of type " + o.Type.String())
		case b.Info()&types.IsComplex != 0:
			w.Bits(o.Lit.Imag)
		case b.Info()&types.IsString != 0:
			w.Str(o.Lit.Str)
		}
	case testcase.OpZero, testcase.OpAddr, testcase.OpConvert, testcase.OpAssert:
		num(e.typ(o.Type))
	case testcase.OpComposite:
		num(e.typ(o.Type))
		w.Num(o.N)
		w.Num(o.From)
		w.Bool(o.Elems != nil)
		if o.Elems != nil {
			w.Num(len(o.Elems))
			for _, i := range o.Elems {
				w.Num(i)
			}
		}
	case testcase.OpFunc, testcase.OpMethod:
		switch {
		case o.Via != nil:
			num(e.g.via(o, on))
		case o.Kind == testcase.OpFunc:
			num(e.g.function(o.Func, o.TypeArgs))
		default:
			num(e.g.method(o.Func, on))
		}
		w.Bool(o.Spread)
	case testcase.OpCallValue:
		if _, ok := on.Underlying().(*types.Signature); !ok {
			return nil, refusedError("call of a " + on.String())
		}
		w.Bool(o.Spread)
	case testcase.OpGlobal, testcase.OpSetGlobal:
		num(e.g.variable(o.Var))
	case testcase.OpField, testcase.OpSetField:
		path := fieldPath(on, o.Var)
		if path == nil {
			return nil, refusedError(on.String() + " has no field " + o.Var.Name())
		}
		w.Num(len(path))
		for _, i := range path {
			w.Num(i)
		}
	case testcase.OpDeref, testcase.OpStore, testcase.OpIndex, testcase.OpSetIndex, testcase.OpSend, testcase.OpClose:
	case testcase.OpStubFunc, testcase.OpStubIface:
		num(e.typ(o.Type))
		if o.Kind == testcase.OpStubIface {
			num(e.g.stub(o.Type))
		}
		if err := checkStub(o, args); err != nil {
			return nil, err
		}
		w.Num(len(o.Stub))
		for _, c := range o.Stub {
			w.Str(c.Method)
			w.Num(c.From)
			w.Num(c.To)
		}
	case testcase.OpMakeChan:
		num(e.typ(o.Type))
		w.Num(o.N)
		w.Bool(o.Closed)
	default:
		return nil, refusedError("this operation is not known to the harness")
	}
	return w.Buf, fail
}

// fieldPath returns the index path to a field of t, or of the type that t points to. The path may lead
// through embedded structs.
func fieldPath(t types.Type, v *types.Var) []int {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if f := s.Field(i); f == v || f.Name() == v.Name() && (f.Exported() || f.Pkg().Path() == v.Pkg().Path()) {
				return []int{i}
			}
		}
	}
	obj, path, _ := types.LookupFieldOrMethod(t, true, v.Pkg(), v.Name())
	if _, ok := obj.(*types.Var); ok {
		return path
	}
	return nil
}

// checkStub checks that the values in a stub's script have the types that its methods return.
func checkStub(o *testcase.Operation, args []types.Type) error {
	for _, c := range o.Stub {
		var sig *types.Signature
		if o.Kind == testcase.OpStubFunc {
			sig, _ = o.Type.Underlying().(*types.Signature)
		} else if i, ok := o.Type.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				if m.Name() == c.Method {
					sig = m.Signature()
				}
			}
		}
		if sig == nil {
			return refusedError("a stub of " + o.Type.String() + " has no method " + c.Method)
		}
		if c.From < 0 || c.To > len(args) || c.To-c.From != sig.Results().Len() {
			return refusedError("a stub's " + c.Method + " with a wrong number of results")
		}
		for i, t := range args[c.From:c.To] {
			if !types.AssignableTo(t, sig.Results().At(i).Type()) {
				return refusedError("a stub's " + c.Method + " that returns a " + t.String())
			}
		}
	}
	return nil
}

// sequence writes a sequence, or says why it cannot be run. It appends the numbers of its operations to
// ops, and returns them and the types of the results of each statement.
func (e *encoder) sequence(w *assayrt.Writer, s *testcase.Sequence, ops []int32, buf [][]types.Type) ([]int32, [][]types.Type, error) {
	if e.refuse != nil {
		if why := e.refuse(s); why != "" {
			return ops, nil, refusedError(why)
		}
	}
	mark := len(w.Buf)
	w.Num(s.Len())
	out := buf[:0]
	var args []types.Type
	for i := range s.Len() {
		st := s.At(i)
		args = args[:0]
		for _, a := range st.Args {
			if a.Result >= len(out[a.Stmt]) {
				w.Buf = w.Buf[:mark]
				return ops, nil, refusedError(fmt.Sprintf("statement %d uses result %d of statement %d, which has %d", i, a.Result, a.Stmt, len(out[a.Stmt])))
			}
			args = append(args, out[a.Stmt][a.Result])
		}
		info := e.use(st.Op, args)
		if info.err != nil {
			w.Buf = w.Buf[:mark]
			return ops, nil, info.err
		}
		out = append(out, info.results)
		w.Num(info.id)
		ops = append(ops, int32(info.id))
		w.Num(len(st.Args))
		for _, a := range st.Args {
			if a.Result == 0 {
				w.Num(a.Stmt << 1)
			} else {
				w.Num(a.Stmt<<1 | 1)
				w.Num(a.Result)
			}
		}
	}
	return ops, out, nil
}

// batch writes the head of a batch: the definitions of types from a number on, and the definitions of the
// given operations.
func (e *encoder) batch(level int, each bool, typesFrom int, ops []int32, n int) []byte {
	w := assayrt.Writer{Buf: make([]byte, 4, 4096)}
	w.Byte(assayrt.MsgBatch)
	w.Byte(byte(level))
	w.Bool(each)
	w.Num(len(e.typeDefs) - typesFrom)
	for _, d := range e.typeDefs[typesFrom:] {
		w.Buf = append(w.Buf, d...)
	}
	w.Num(len(ops))
	for _, id := range ops {
		w.Num(int(id))
		w.Buf = append(w.Buf, e.opDefs[id]...)
	}
	w.Num(n)
	return w.Buf
}

// frame fills in the length of a message whose first four bytes were left free.
func frame(msg []byte) []byte {
	binary.LittleEndian.PutUint32(msg, uint32(len(msg)-4))
	return msg
}
