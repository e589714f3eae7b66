package testcase

import (
	"fmt"
	"go/types"
)

// OpKind is the kind of an operation.
type OpKind uint8

// The kinds of operations. In each, args are the results that the statement uses,
// in order.
const (
	OpInvalid   OpKind = iota
	OpLiteral          // a constant of basic underlying type: no args
	OpZero             // the zero value of Type: no args (nil for pointers, slices, ...)
	OpComposite        // a struct, slice, array or map of type Type: args by Elems
	OpAddr             // a pointer (type Type) to a new variable that holds args[0]
	OpFunc             // call of a package-level function Func[TypeArgs...](args...)
	OpMethod           // call of method Func on args[0] with args[1:]
	OpCallValue        // call of the function value args[0] with args[1:]
	OpGlobal           // the value of package-level variable Var
	OpSetGlobal        // Var = args[0]
	OpField            // args[0].Var (through one pointer if args[0] is one)
	OpSetField         // args[0].Var = args[1]; args[0] is a pointer to a struct
	OpDeref            // *args[0]
	OpStore            // *args[0] = args[1]
	OpIndex            // args[0][args[1]] of a slice, array, string or map
	OpConvert          // Type(args[0]), a conversion to an interface included
	OpAssert           // args[0].(Type)
	OpStubFunc         // a function of type Type whose i-th call returns the i-th group of args (Stub)
	OpStubIface        // a stub that implements interface Type, its methods scripted alike (Stub)
	OpMakeChan         // make(Type, N), then args sent to it, then closed if Closed
	OpFuncValue        // the package-level function Func[TypeArgs...] as a value of type Type
	OpClosure          // a function of type Type that calls method Func of args[0] with arguments according to Pass
	OpCheck            // a call of Check with args, which returns an error that says how they break a contract, or nil
	OpSetIndex         // args[0][args[1]] = args[2] of a map
	OpSend             // args[0] <- args[1]; where it would block the sequence is refused
	OpClose            // close(args[0])
	OpFuncLit          // a function of type Type, written as Text: no args
)

var opNames = [...]string{
	OpInvalid: "invalid", OpLiteral: "literal", OpZero: "zero", OpComposite: "composite", OpAddr: "addr",
	OpFunc: "func", OpMethod: "method", OpCallValue: "callvalue", OpGlobal: "global", OpSetGlobal: "setglobal",
	OpField: "field", OpSetField: "setfield", OpDeref: "deref", OpStore: "store", OpIndex: "index",
	OpConvert: "convert", OpAssert: "assert", OpStubFunc: "stubfunc", OpStubIface: "stubiface", OpMakeChan: "makechan", OpFuncValue: "funcvalue", OpClosure: "closure", OpCheck: "check",
	OpSetIndex: "setindex", OpSend: "send", OpClose: "close", OpFuncLit: "funclit",
}

func (k OpKind) String() string {
	if int(k) < len(opNames) {
		return opNames[k]
	}
	return fmt.Sprintf("OpKind(%d)", k)
}

// Operation is the action of a statement. Operations are immutable once they are in a statement, and
// statements may share them.
type Operation struct {
	Kind OpKind

	// Type is the result's type for every kind but the calls, and the type asked
	// for in OpConvert and OpAssert. It is never untyped and never a type parameter.
	Type types.Type

	// Lit is the constant of an OpLiteral.
	Lit Literal
	// Choice is the list that a text was chosen from, the simplest first; other texts would have little
	// effect. Nil means that any text will do.
	Choice []string

	// Elems says where the args of an OpComposite go: field numbers of a struct,
	// indices of a slice or array; nil means 0, 1, 2, ... Of a map the args are
	// key, value, key, value, ... and Elems is nil.
	Elems []int
	// N is the length of a slice composite (elements without an arg are zero), how many
	// entries a map composite has beside its args, or the capacity of a channel.
	N int
	// From is the number of the first of these entries of a map: they have the keys FillKey(From),
	// FillKey(From+1), ... and zero values, and no arg has such a key.
	From int

	// Func is the function or method of OpFunc and OpMethod (of a generic one: the
	// origin), TypeArgs its type arguments (of a generic receiver's method: the
	// receiver's).
	Func     *types.Func
	TypeArgs []types.Type
	// Via is the helper through which an OpFunc or OpMethod calls Func: the arguments (behind the
	// receiver) and results are those of Via.Sig. If the helper drives nothing, Func is the helper
	// itself. Nil means a plain call.
	Via *Helper
	// Spread says that the last argument is a slice passed as `args...`.
	Spread bool

	// Text is the function literal of an OpFuncLit. In it «path» is the name by which the package of that path
	// is imported (see [Operation.Source]). The literal uses only names that it declares, names of packages and
	// predeclared names.
	Text string

	// Var is the field or global of OpField, OpSetField, OpGlobal, OpSetGlobal.
	Var *types.Var

	// Stub says how args script an OpStubFunc or OpStubIface.
	Stub []StubCall
	// Pass says which arguments an OpClosure passes to its method: for each parameter of the method the
	// number of one of the closure's own parameters, or -1 for the next of args[1:]. If Returns is set
	// the closure returns the method's results, otherwise the args behind these.
	Pass    []int
	Returns bool
	// Check is the contract of an OpCheck, which is the last statement of its sequence.
	Check *Check
	// Closed says for an OpMakeChan to close the channel after sending. For an OpLiteral with a Choice
	// it says that no other text will do.
	Closed bool
}

// StubCall is one scripted call of a stub: it returns the args From to To-1 of the
// stub's statement. Calls of a method beyond the scripted ones repeat its last; of
// a method that was not scripted return zero values, or the stub (see [ReturnsItself]).
type StubCall struct {
	Method   string // empty for a function
	From, To int
}

// ReturnsItself reports whether a method of a stub of iface returns the stub if it is not scripted:
// its only result is of the stub's own interface, as that of Copy, With and Parent. The stub is the one
// implementation at hand that a caller can go on with.
func ReturnsItself(iface types.Type, method *types.Signature) bool {
	rs := method.Results()
	return rs.Len() == 1 && types.Identical(rs.At(0).Type(), iface)
}

// LitKind says which part of a Literal counts.
type LitKind uint8

// The kinds of literals.
const (
	LitBool    LitKind = iota + 1
	LitInt             // Bits, sign-extended to 64 bits
	LitUint            // Bits
	LitFloat           // Bits: the IEEE-754 pattern, of 32 bits for a float32
	LitComplex         // Bits and Imag: patterns of the parts
	LitString          // Str, any bytes
)

// Literal is a constant of a basic type, kept as bits so that NaN, -0 and invalid
// UTF-8 survive.
type Literal struct {
	Kind LitKind
	Bits uint64
	Imag uint64
	Str  string
}

// IsCall reports whether the operation calls a function or a method.
func (o *Operation) IsCall() bool { return o.Kind == OpFunc || o.Kind == OpMethod }

// IsNameless reports whether the operation makes a struct of a type without a name and sets fields of it. Tests have such
// structs from a list of examples (package giver), as arguments of functions that read any struct, and with all that
// their fields hold they are examples.
func (o *Operation) IsNameless() bool {
	if o.Kind != OpComposite {
		return false
	}
	_, ok := types.Unalias(o.Type).(*types.Struct)
	return ok
}

// FirstParam returns which argument of a call is given to its first parameter: the one behind the receiver, if it has one.
func (o *Operation) FirstParam() int {
	if o.Kind == OpMethod {
		return 1
	}
	return 0
}

// Signature returns the signature of a call with its type arguments applied. For an OpClosure it is the
// signature of the called method without the receiver. For other operations it is nil.
func (o *Operation) Signature() *types.Signature {
	if o.Via != nil {
		return o.Via.Sig
	}
	switch o.Kind {
	case OpFunc:
		sig := o.Func.Type().(*types.Signature)
		if len(o.TypeArgs) > 0 {
			inst, err := types.Instantiate(nil, sig, o.TypeArgs, false)
			if err != nil {
				panic("bug: testcase: instantiate " + o.Func.FullName() + ": " + err.Error())
			}
			return inst.(*types.Signature)
		}
		return sig
	case OpMethod, OpClosure:
		sig := o.Func.Type().(*types.Signature)
		if len(o.TypeArgs) == 0 {
			return sig
		}
		// The method of the instantiated receiver has a signature with the type arguments in place.
		recv := sig.Recv().Type()
		if p, ok := types.Unalias(recv).(*types.Pointer); ok {
			recv = p.Elem()
		}
		named := types.Unalias(recv).(*types.Named)
		inst, err := types.Instantiate(nil, named.Origin(), o.TypeArgs, false)
		if err != nil {
			panic("bug: testcase: instantiate " + o.Func.FullName() + ": " + err.Error())
		}
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(inst), true, o.Func.Pkg(), o.Func.Name())
		return obj.Type().(*types.Signature)
	}
	return nil
}

// Results returns the types of the results of the operation, given the types of
// its args (which only OpCallValue, OpField, OpDeref and OpIndex need).
func (o *Operation) Results(args []types.Type) []types.Type {
	if o.Kind.Assigns() {
		return nil
	}
	switch o.Kind {
	case OpFunc, OpMethod:
		return tuple(o.Signature().Results())
	case OpCallValue:
		return tuple(args[0].Underlying().(*types.Signature).Results())
	case OpCheck:
		return []types.Type{types.Universe.Lookup("error").Type()}
	case OpGlobal:
		return []types.Type{o.Var.Type()}
	default:
		return []types.Type{o.Type}
	}
}

// Assigns reports whether the operation only changes something and has no result: it is a
// statement and no expression.
func (k OpKind) Assigns() bool {
	switch k {
	case OpSetGlobal, OpSetField, OpStore, OpSetIndex, OpSend, OpClose:
		return true
	}
	return false
}

// MethodValue reports whether an OpClosure is the method value args[0].Func itself.
func (o *Operation) MethodValue() bool {
	for i, p := range o.Pass {
		if p != i {
			return false
		}
	}
	return o.Returns && len(o.Pass) == o.Type.Underlying().(*types.Signature).Params().Len()
}

func tuple(t *types.Tuple) []types.Type {
	out := make([]types.Type, t.Len())
	for i := range out {
		out[i] = t.At(i).Type()
	}
	return out
}

// IntLiteral returns a number as a constant of an integer type, and false if it does not fit.
func IntLiteral(b *types.Basic, n int64) (Literal, bool) {
	bits := IntBits(b)
	if b.Info()&types.IsUnsigned != 0 {
		return Literal{Kind: LitUint, Bits: uint64(n)}, n >= 0 && (bits == 64 || n < 1<<bits)
	}
	return Literal{Kind: LitInt, Bits: uint64(n)}, bits == 64 || n >= -1<<(bits-1) && n < 1<<(bits-1)
}

// IntBits returns the size of an integer type. The types int, uint and uintptr count as 64 bits.
func IntBits(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// ReadsText reports whether an operation makes a reader of a text. How far it was read is not what a test is about.
func ReadsText(op *Operation) bool {
	if op.Kind != OpFunc || op.Via != nil {
		return false
	}
	switch op.Func.FullName() {
	case "strings.NewReader", "bytes.NewReader":
		return true
	}
	return false
}
