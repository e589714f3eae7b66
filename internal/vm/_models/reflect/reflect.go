// Package models holds the functions of package reflect that add offsets to addresses
// or call functions. They are replaced because in the machine a value consists of cells, not of
// bytes, and a call needs no frame of bytes. The other functions of package reflect run from their
// own source, over the descriptors that the machine makes (reflect_type.go). The models are loaded only if a
// program uses package reflect.
package models

import (
	"internal/abi"
	"reflect"
	"unsafe"
)

// value has the fields of reflect.Value.
type value struct {
	typ  *abi.Type
	ptr  unsafe.Pointer
	flag uintptr
}

// The bits of a value's flag, as in package reflect.
const (
	flagKindMask    = 1<<5 - 1
	flagStickyRO    = 1 << 5
	flagEmbedRO     = 1 << 6
	flagIndir       = 1 << 7
	flagAddr        = 1 << 8
	flagMethod      = 1 << 9
	flagMethodShift = 10
	flagRO          = flagStickyRO | flagEmbedRO
)

func (v value) kind() reflect.Kind { return reflect.Kind(v.flag & flagKindMask) }

// ro returns the bits of v's flag that a part of v inherits: whether v came from an unexported field.
func (v value) ro() uintptr {
	if v.flag&flagRO != 0 {
		return flagStickyRO
	}
	return 0
}

func inside(v reflect.Value) value { return *(*value)(unsafe.Pointer(&v)) }

func outside(v value) reflect.Value { return *(*reflect.Value)(unsafe.Pointer(&v)) }

// vmTypeOf returns the descriptor of a value's type.
func vmTypeOf(x any) *abi.Type

// vmField returns the address of field i of the struct of type t at p.
func vmField(t *abi.Type, p unsafe.Pointer, i int) unsafe.Pointer

// vmElem returns the address of element i of elements of type t at p.
func vmElem(p unsafe.Pointer, i int, t *abi.Type) unsafe.Pointer

func internal_abi_TypeOf(a any) *abi.Type { return vmTypeOf(a) }

func reflect_Value_Field(v value, i int) value {
	if v.kind() != reflect.Struct {
		panic(&reflect.ValueError{"reflect.Value.Field", v.kind()})
	}
	t := (*abi.StructType)(unsafe.Pointer(v.typ))
	if uint(i) >= uint(len(t.Fields)) {
		panic("reflect: Field index out of range")
	}
	f := &t.Fields[i]
	fl := v.flag&(flagStickyRO|flagIndir|flagAddr) | uintptr(f.Typ.Kind())
	if !f.Name.IsExported() {
		if f.Embedded() {
			fl |= flagEmbedRO
		} else {
			fl |= flagStickyRO
		}
	}
	if fl&flagIndir == 0 && f.Typ.Size() == 0 {
		return value{f.Typ, unsafe.Pointer(new(struct{})), fl | flagIndir}
	}
	return value{f.Typ, vmField(v.typ, v.ptr, i), fl}
}

func reflect_Value_Index(v value, i int) value {
	switch v.kind() {
	case reflect.Array:
		t := (*abi.ArrayType)(unsafe.Pointer(v.typ))
		if uint(i) >= uint(t.Len) {
			panic("reflect: array index out of range")
		}
		fl := v.flag&(flagIndir|flagAddr) | v.ro() | uintptr(t.Elem.Kind())
		return value{t.Elem, vmElem(v.ptr, i, t.Elem), fl}
	case reflect.Slice:
		s := (*sliceHeader)(v.ptr)
		if uint(i) >= uint(s.len) {
			panic("reflect: slice index out of range")
		}
		t := (*abi.SliceType)(unsafe.Pointer(v.typ))
		return value{t.Elem, vmElem(s.data, i, t.Elem), flagAddr | flagIndir | v.ro() | uintptr(t.Elem.Kind())}
	case reflect.String:
		s := (*string)(v.ptr)
		if uint(i) >= uint(len(*s)) {
			panic("reflect: string index out of range")
		}
		b := new(byte)
		*b = (*s)[i]
		return value{vmTypeOf(byte(0)), unsafe.Pointer(b), v.ro() | uintptr(reflect.Uint8) | flagIndir}
	}
	panic(&reflect.ValueError{"reflect.Value.Index", v.kind()})
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

func reflect_Value_Slice(v value, i, j int) value {
	if v.kind() == reflect.String {
		s := *(*string)(v.ptr)
		if i < 0 || j < i || j > len(s) {
			panic("reflect.Value.Slice: string slice index out of bounds")
		}
		t := s[i:j]
		return value{v.typ, unsafe.Pointer(&t), v.flag}
	}
	s, t := sliced(v, "Slice")
	if i < 0 || j < i || j > s.cap {
		panic("reflect.Value.Slice: slice index out of bounds")
	}
	return part(v, s, t, i, j, s.cap)
}

func reflect_Value_Slice3(v value, i, j, k int) value {
	s, t := sliced(v, "Slice3")
	if i < 0 || j < i || k < j || k > s.cap {
		panic("reflect.Value.Slice3: slice index out of bounds")
	}
	return part(v, s, t, i, j, k)
}

// sliced returns the array or slice that is sliced, and the type of the result.
func sliced(v value, method string) (sliceHeader, *abi.SliceType) {
	switch v.kind() {
	case reflect.Array:
		if v.flag&flagAddr == 0 {
			panic("reflect.Value." + method + ": slice of unaddressable array")
		}
		t := (*abi.ArrayType)(unsafe.Pointer(v.typ))
		return sliceHeader{v.ptr, int(t.Len), int(t.Len)}, (*abi.SliceType)(unsafe.Pointer(t.Slice))
	case reflect.Slice:
		return *(*sliceHeader)(v.ptr), (*abi.SliceType)(unsafe.Pointer(v.typ))
	}
	panic(&reflect.ValueError{"reflect.Value." + method, v.kind()})
}

func part(v value, s sliceHeader, t *abi.SliceType, i, j, k int) value {
	if k-i > 0 {
		s.data = vmElem(s.data, i, t.Elem)
	}
	s.len, s.cap = j-i, k-i
	return value{&t.Type, unsafe.Pointer(&s), v.ro() | flagIndir | uintptr(reflect.Slice)}
}

// vmMethod finds method i of a value of type t. The value is at p or, if indir is false, is p itself.
func vmMethod(t *abi.Type, p unsafe.Pointer, indir bool, i int) (fn unsafe.Pointer, rt *abi.Type, rp unsafe.Pointer, ft *abi.FuncType)

// vmCall calls a function. If rt is not nil, the function is a method, and its receiver of type rt is at rp.
func vmCall(fn unsafe.Pointer, rt *abi.Type, rp unsafe.Pointer, ft *abi.FuncType, args, rets []unsafe.Pointer)

// vmMakeFunc makes a function of type ft. A call of that function calls callReflect.
func vmMakeFunc(ft *abi.Type, fn func([]reflect.Value) []reflect.Value) unsafe.Pointer

func typ(t *abi.Type) reflect.Type { return outside(value{t, nil, uintptr(t.Kind())}).Type() }

// method finds the method that a method value stands for.
func method(op string, v value) (fn unsafe.Pointer, rt *abi.Type, rp unsafe.Pointer, ft *abi.FuncType) {
	fn, rt, rp, ft = vmMethod(v.typ, v.ptr, v.flag&flagIndir != 0, int(v.flag>>flagMethodShift))
	if fn == nil {
		panic("reflect: " + op + " of method on nil interface value")
	}
	return
}

func reflect_Value_call(v value, op string, in []reflect.Value) []reflect.Value {
	ft := (*abi.FuncType)(unsafe.Pointer(v.typ))
	var fn, rp unsafe.Pointer
	var rt *abi.Type
	if v.flag&flagMethod != 0 {
		fn, rt, rp, ft = method(op, v)
	} else if v.flag&flagIndir != 0 {
		fn = *(*unsafe.Pointer)(v.ptr)
	} else {
		fn = v.ptr
	}
	if fn == nil {
		panic("reflect.Value.Call: call of nil function")
	}
	n := ft.NumIn()
	spread := op == "CallSlice"
	switch {
	case spread && !ft.IsVariadic():
		panic("reflect: CallSlice of non-variadic function")
	case spread && len(in) < n:
		panic("reflect: CallSlice with too few input arguments")
	case spread && len(in) > n:
		panic("reflect: CallSlice with too many input arguments")
	case !spread && ft.IsVariadic():
		n--
	}
	if len(in) < n {
		panic("reflect: Call with too few input arguments")
	}
	if !spread && !ft.IsVariadic() && len(in) > n {
		panic("reflect: Call with too many input arguments")
	}
	for _, x := range in {
		if x.Kind() == reflect.Invalid {
			panic("reflect: " + op + " using zero Value argument")
		}
	}
	for i := 0; i < n; i++ {
		if xt, targ := in[i].Type(), typ(ft.In(i)); !xt.AssignableTo(targ) {
			panic("reflect: " + op + " using " + xt.String() + " as type " + targ.String())
		}
	}
	if !spread && ft.IsVariadic() {
		m := len(in) - n
		slice := reflect.MakeSlice(typ(ft.In(n)), m, m)
		elem := typ(ft.In(n)).Elem()
		for i := 0; i < m; i++ {
			x := in[n+i]
			if xt := x.Type(); !xt.AssignableTo(elem) {
				panic("reflect: cannot use " + xt.String() + " as type " + elem.String() + " in " + op)
			}
			slice.Index(i).Set(x)
		}
		in = append(append(make([]reflect.Value, 0, n+1), in[:n]...), slice)
	}
	args := make([]unsafe.Pointer, len(in))
	for i, x := range in {
		if inside(x).flag&flagRO != 0 {
			panic("reflect: reflect.Value." + op + " using value obtained using unexported field")
		}
		a := reflect.New(typ(ft.In(i)))
		a.Elem().Set(x)
		args[i] = a.UnsafePointer()
	}
	out := make([]reflect.Value, ft.NumOut())
	rets := make([]unsafe.Pointer, len(out))
	for i := range out {
		r := reflect.New(typ(ft.Out(i)))
		rets[i] = r.UnsafePointer()
		out[i] = r.Elem()
	}
	vmCall(fn, rt, rp, ft, args, rets)
	for i, r := range out {
		out[i] = settled(inside(r))
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// settled returns the value that a variable holds. The result cannot be set any more.
func settled(v value) reflect.Value {
	v.flag &^= flagAddr
	if v.typ.IsDirectIface() {
		v.ptr = *(*unsafe.Pointer)(v.ptr)
		v.flag &^= flagIndir
	}
	return outside(v)
}

func reflect_MakeFunc(t reflect.Type, fn func([]reflect.Value) []reflect.Value) value {
	if t.Kind() != reflect.Func {
		panic("reflect: call of MakeFunc with non-Func type")
	}
	ft := inside(reflect.Zero(t)).typ
	return value{ft, vmMakeFunc(ft, fn), uintptr(reflect.Func)}
}

// callReflect is called by the functions that MakeFunc has made. The parameters args and rets are the
// addresses of the made function's parameters and results.
func callReflect(ft *abi.FuncType, fn func([]reflect.Value) []reflect.Value, args, rets []unsafe.Pointer) {
	in := make([]reflect.Value, len(args))
	for i, p := range args {
		t := ft.In(i)
		in[i] = settled(value{t, p, uintptr(t.Kind()) | flagIndir})
	}
	out := fn(in)
	if len(out) != len(rets) {
		panic("reflect: wrong return count from function created by MakeFunc")
	}
	for i, p := range rets {
		v := out[i]
		if !v.IsValid() {
			panic("reflect: function created by MakeFunc using closure returned zero Value")
		}
		if inside(v).flag&flagRO != 0 {
			panic("reflect: function created by MakeFunc using closure returned value obtained from unexported field")
		}
		reflect.NewAt(typ(ft.Out(i)), p).Elem().Set(v)
	}
}

func reflect_makeMethodValue(op string, v value) value {
	if v.flag&flagMethod == 0 {
		panic("reflect: internal error: invalid use of makeMethodValue")
	}
	fn, rt, rp, ft := method(op, v)
	bound := func(in []reflect.Value) []reflect.Value {
		args := make([]unsafe.Pointer, len(in))
		for i, x := range in {
			a := reflect.New(typ(ft.In(i)))
			a.Elem().Set(x)
			args[i] = a.UnsafePointer()
		}
		out := make([]reflect.Value, ft.NumOut())
		rets := make([]unsafe.Pointer, len(out))
		for i := range out {
			r := reflect.New(typ(ft.Out(i)))
			rets[i] = r.UnsafePointer()
			out[i] = r.Elem()
		}
		vmCall(fn, rt, rp, ft, args, rets)
		return out
	}
	return value{&ft.Type, vmMakeFunc(&ft.Type, bound), v.flag&flagRO | uintptr(reflect.Func)}
}
