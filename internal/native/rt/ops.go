package assayrt

import (
	"math"
	"reflect"
	"time"
)

// operation is an operation in the form in which it can be executed.
type operation struct {
	kind   int
	typ    reflect.Type  // the type of the result, if the operation names one
	lit    reflect.Value // the value, for literals, zero values and functions
	params []reflect.Type
	spread bool
	varp   reflect.Value // the addressable variable
	field  []int         // the index path of a field
	elems  []int         // of a closure: which of its parameters each parameter of the method gets, or -1 for an argument
	n      int
	from   int
	stub   int
	calls  []stubCall
	sleeps bool // the function is time.Sleep
	closed bool // for a closure: whether it returns the method's results
}

// isCall reports whether the operation calls code of the user's.
func (o *operation) isCall() bool {
	return o.kind == OpFunc || o.kind == OpMethod || o.kind == OpCallValue
}

// stubCall is one scripted call. It returns the arguments from to to-1.
type stubCall struct {
	method   string
	from, to int
}

// readType reads the definition of a type in terms of the registry and of types
// defined earlier.
func (x *executor) readType(r *Reader) reflect.Type {
	at := func() reflect.Type {
		i := r.Num()
		if i >= len(x.types) {
			r.Bad = true
			return reflect.TypeFor[int]()
		}
		return x.types[i]
	}
	list := func() []reflect.Type {
		out := make([]reflect.Type, r.Count())
		for i := range out {
			out[i] = at()
		}
		return out
	}
	switch r.Byte() {
	case TLeaf:
		return x.reg.Types[r.Num()]
	case TSlice:
		return reflect.SliceOf(at())
	case TArray:
		n := r.Num()
		return reflect.ArrayOf(n, at())
	case TPtr:
		return reflect.PointerTo(at())
	case TMap:
		k := at()
		return reflect.MapOf(k, at())
	case TChan:
		dir := reflect.ChanDir(r.Byte())
		return reflect.ChanOf(dir, at())
	case TFunc:
		variadic := r.Bool()
		in := list()
		return reflect.FuncOf(in, list(), variadic)
	}
	r.Bad = true
	return reflect.TypeFor[int]()
}

// readOp reads the definition of an operation.
func (x *executor) readOp(r *Reader) operation {
	o := operation{kind: int(r.Byte())}
	typ := func() reflect.Type {
		i := r.Num()
		if i >= len(x.types) {
			r.Bad = true
			return reflect.TypeFor[int]()
		}
		return x.types[i]
	}
	switch o.kind {
	case OpLiteral:
		o.typ = typ()
		o.lit = readLiteral(r, o.typ)
	case OpZero:
		o.typ = typ()
		o.lit = reflect.Zero(o.typ)
	case OpComposite:
		o.typ = typ()
		o.n = r.Num()
		o.from = r.Num()
		if r.Bool() {
			o.elems = make([]int, r.Count())
			for i := range o.elems {
				o.elems[i] = r.Num()
			}
		}
	case OpAddr, OpConvert, OpAssert:
		o.typ = typ()
	case OpFuncValue:
		o.typ = typ()
		o.lit = convert(reflect.ValueOf(x.reg.Funcs[r.Num()]), o.typ)
	case OpClosure:
		o.typ = typ()
		o.lit = reflect.ValueOf(x.reg.Funcs[r.Num()])
		o.setParams(o.lit.Type())
		o.elems = make([]int, r.Count())
		for i := range o.elems {
			o.elems[i] = r.Num() - 1
		}
		o.closed = r.Bool()
	case OpFunc, OpMethod:
		o.lit = reflect.ValueOf(x.reg.Funcs[r.Num()])
		o.spread = r.Bool()
		o.sleeps = o.lit.Pointer() == reflect.ValueOf(time.Sleep).Pointer()
		o.setParams(o.lit.Type())
	case OpCallValue:
		o.spread = r.Bool()
	case OpGlobal, OpSetGlobal:
		o.varp = reflect.ValueOf(x.reg.Vars[r.Num()]).Elem()
	case OpField, OpSetField:
		o.field = make([]int, r.Count())
		for i := range o.field {
			o.field[i] = r.Num()
		}
	case OpDeref, OpStore, OpIndex, OpSetIndex, OpSend, OpClose:
	case OpStubFunc, OpStubIface:
		o.typ = typ()
		if o.kind == OpStubIface {
			o.stub = r.Num()
		}
		o.calls = make([]stubCall, r.Count())
		for i := range o.calls {
			o.calls[i] = stubCall{r.Str(), r.Num(), r.Num()}
		}
	case OpMakeChan:
		o.typ = typ()
		o.n = r.Num()
		o.closed = r.Bool()
	default:
		r.Bad = true
	}
	return o
}

// setParams fills in the parameters of a function type.
func (o *operation) setParams(t reflect.Type) {
	o.params = make([]reflect.Type, t.NumIn())
	for i := range o.params {
		o.params[i] = t.In(i)
	}
	// In a variadic call without "..." each further argument has the type of an element.
	if t.IsVariadic() && !o.spread {
		o.params[len(o.params)-1] = o.params[len(o.params)-1].Elem()
	}
}

// readLiteral reads the bits of a constant of a type with a basic underlying type.
func readLiteral(r *Reader, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	bits := r.Bits()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(bits != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(bits))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(bits)
	case reflect.Float32:
		// A conversion to float64 would turn a signalling NaN into a quiet one.
		*(*uint32)(v.Addr().UnsafePointer()) = uint32(bits)
	case reflect.Float64:
		*(*uint64)(v.Addr().UnsafePointer()) = bits
	case reflect.Complex64:
		*(*[2]uint32)(v.Addr().UnsafePointer()) = [2]uint32{uint32(bits), uint32(r.Bits())}
	case reflect.Complex128:
		v.SetComplex(complex(math.Float64frombits(bits), math.Float64frombits(r.Bits())))
	case reflect.String:
		v.SetString(r.Str())
	default:
		r.Bad = true
	}
	// The value has no address, so that nobody can change a constant.
	return reflect.ValueOf(v.Interface())
}
