package assayrt

import (
	"bytes"
	"math"
	"reflect"
	"sort"
	"unsafe"
)

// Limits of how much of one statement's values is captured. Larger values are cut, and marked as cut.
const (
	maxDepth  = 24
	maxNodes  = 3000
	maxString = 1 << 16 // bytes of one string
	maxBytes  = 1 << 18 // bytes in all
)

// capturer writes values as trees. Over a case, objects get numbers in the order in which they occur. An
// object is written once in each group; a group is the results of a statement, or the arguments after the
// last statement.
type capturer struct {
	w     *Writer
	reg   *Registry
	cover *coverage

	ids   identities
	nodes int
	start int // length of the output when the group began

	hashing bool
	scratch Writer
	sorting bool // the value that is written is a key of a map, and is written only to put the keys in order

	types   map[reflect.Type]int // numbers of dynamic types, over the process's life
	known   map[reflect.Type]int // types that were defined to this process
	errType reflect.Type
	errs    map[reflect.Type]bool // whether a type implements error, by type
}

func newCapturer(r *Registry, cover *coverage) *capturer {
	return &capturer{
		reg: r, cover: cover, types: map[reflect.Type]int{}, known: map[reflect.Type]int{},
		errType: reflect.TypeFor[error](), errs: map[reflect.Type]bool{},
	}
}

// begin starts a case.
func (c *capturer) begin() { c.ids.reset() }

// values writes a group of values.
func (c *capturer) values(w *Writer, vs []reflect.Value) {
	c.w, c.start, c.nodes = w, len(w.Buf), 0
	c.ids.group++
	w.Num(len(vs))
	for _, v := range vs {
		c.value(addressable(v), 0)
	}
}

// addressable returns v, or a copy of v with an address. It copies values that may have unexported parts,
// because these can only be read through an address.
func addressable(v reflect.Value) reflect.Value {
	if k := v.Kind(); (k == reflect.Struct || k == reflect.Array) && !v.CanAddr() {
		return copyOf(v)
	}
	return v
}

// hash returns a hash of the written form of v; it is the same in every process.
func (c *capturer) hash(v reflect.Value) uint64 {
	c.hashing = true
	c.ids.reset()
	c.scratch.Buf = c.scratch.Buf[:0]
	c.w, c.start, c.nodes = &c.scratch, 0, 0
	c.value(addressable(v), 0)
	c.hashing = false
	return Hash(c.scratch.Buf)
}

// Hash returns the hash of an encoding: FNV-1a, with the high bits folded in.
func Hash(p []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range p {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h ^ h>>29
}

// full reports whether the group has used up its share.
func (c *capturer) full(depth int) bool {
	return depth > maxDepth || c.nodes > maxNodes || len(c.w.Buf)-c.start > maxBytes
}

// value writes v. It may have been reached through an unexported field.
func (c *capturer) value(v reflect.Value, depth int) {
	c.nodes++
	if !v.CanInterface() {
		v = lift(v)
	}
	w := c.w
	prefix := byte(0)
	if depth <= 2 && !c.hashing && c.isError(v) {
		if e, ok := v.Interface().(error); ok && c.errorInfo(e) {
			prefix = KErr
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		w.Byte(prefix | KBool)
		w.Bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.Byte(prefix | KInt)
		w.Int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.Byte(prefix | KUint)
		w.Uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.Byte(prefix | KFloat)
		w.Bits(floatBits(v))
	case reflect.Complex64, reflect.Complex128:
		w.Byte(prefix | KComplex)
		c.complexBits(v)
	case reflect.String:
		s := v.String()
		if lent.names(s) {
			w.Byte(prefix | KOpaque)
			return
		}
		n := len(s)
		if room := maxBytes - (len(w.Buf) - c.start); n > maxString || n > room {
			s = s[:max(0, min(maxString, room))]
		}
		w.Byte(prefix | KString)
		w.Num(n)
		w.Str(s)
	case reflect.Slice:
		c.slice(v, prefix, depth)
	case reflect.Map:
		c.mapping(v, prefix, depth)
	case reflect.Array:
		if c.full(depth) {
			w.Byte(prefix | KOpaque)
			return
		}
		w.Byte(prefix | KArray)
		w.Num(v.Len())
		for i := range v.Len() {
			c.value(v.Index(i), depth+1)
		}
	case reflect.Struct:
		if c.full(depth) {
			w.Byte(prefix | KOpaque)
			return
		}
		w.Byte(prefix | KStruct)
		w.Num(v.NumField())
		for i := range v.NumField() {
			c.value(v.Field(i), depth+1)
		}
	case reflect.Pointer:
		c.pointer(v, prefix, depth)
	case reflect.Interface:
		if v.IsNil() {
			w.Byte(prefix | KNil)
			return
		}
		w.Byte(prefix | KInterface)
		c.dynamicType(v.Elem().Type())
		c.value(addressable(v.Elem()), depth+1)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			w.Byte(prefix | KNil)
		} else {
			w.Byte(prefix | KOpaque)
		}
	default:
		w.Byte(prefix | KOpaque)
	}
}

// lift returns v without the mark by which reflection protects unexported fields. If v has no address it
// returns a copy.
func lift(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	// Only scalars have no address here, see addressable.
	n := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Bool:
		n.SetBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.SetInt(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n.SetUint(v.Uint())
	case reflect.Float32, reflect.Float64:
		n.SetFloat(v.Float())
	case reflect.Complex64, reflect.Complex128:
		n.SetComplex(v.Complex())
	case reflect.String:
		n.SetString(v.String())
	default:
		panic("bug: assayrt: lift of a value without address: " + v.Type().String())
	}
	return n
}

// floatBits returns the bit pattern of a float, which has 32 bits for a float32.
func floatBits(v reflect.Value) uint64 {
	if v.Kind() == reflect.Float32 {
		return uint64(math.Float32bits(float32(v.Float())))
	}
	return math.Float64bits(v.Float())
}

func (c *capturer) complexBits(v reflect.Value) {
	z := v.Complex()
	if v.Kind() == reflect.Complex64 {
		c.w.Bits(uint64(math.Float32bits(float32(real(z)))))
		c.w.Bits(uint64(math.Float32bits(float32(imag(z)))))
		return
	}
	c.w.Bits(math.Float64bits(real(z)))
	c.w.Bits(math.Float64bits(imag(z)))
}

// identity writes the number of an object, and reports whether the group has it already.
func (c *capturer) identity(o object) (again bool) {
	id, again := c.ids.meet(o)
	c.w.Num(id)
	c.w.Bool(again)
	return again
}

func (c *capturer) slice(v reflect.Value, prefix byte, depth int) {
	w := c.w
	if v.IsNil() {
		w.Byte(prefix | KNil)
		return
	}
	w.Byte(prefix | KSlice)
	n := v.Len()
	if n == 0 || v.Type().Elem().Size() == 0 {
		w.Num(0)
		w.Bool(false)
	} else if c.identity(object{v.UnsafePointer(), v.Type(), n}) {
		w.Num(n)
		return
	}
	w.Num(n)
	// The number of elements is known only at the end, so a 1 is written before each element.
	for i := 0; i < n && !c.full(depth); i++ {
		w.Byte(1)
		c.value(v.Index(i), depth+1)
	}
	w.Byte(0)
}

func (c *capturer) pointer(v reflect.Value, prefix byte, depth int) {
	w := c.w
	switch {
	case v.IsNil():
		w.Byte(prefix | KNil)
		return
	case c.full(depth) || opaquePointer(v.Type()):
		w.Byte(prefix | KOpaque)
		return
	}
	w.Byte(prefix | KPointer)
	if v.Type().Elem().Size() == 0 {
		w.Num(0) // a flag that says that such pointers may or may not be equal
		w.Bool(false)
	} else if c.identity(object{v.UnsafePointer(), v.Type(), 0}) {
		return
	}
	c.value(v.Elem(), depth+1)
}

// opaquePointer names types whose contents are not captured: time zones and descriptors of types belong
// to the process, are large, and tell nothing about the case. A pointer type with a name that is not exported is mostly what
// package unsafe has made of a list or a text, as those in a slog.Value are: of an empty one it leads to memory of something else.
func opaquePointer(t reflect.Type) bool {
	e := t.Elem()
	if name := t.Name(); name != "" && (name[0] < 'A' || name[0] > 'Z') {
		return true
	}
	if e.Kind() == reflect.Struct && e.NumField() == 1 && e.Field(0).Type == reflect.TypeFor[*Stub]() {
		return true
	}
	switch e.PkgPath() {
	case "time":
		return e.Name() == "Location"
	case "reflect", "internal/abi", "internal/reflectlite", "assayrt":
		return true
	}
	return false
}

// mapping writes a map in the order of its keys.
func (c *capturer) mapping(v reflect.Value, prefix byte, depth int) {
	w := c.w
	if v.IsNil() {
		w.Byte(prefix | KNil)
		return
	}
	w.Byte(prefix | KMap)
	if c.identity(object{v.UnsafePointer(), v.Type(), 0}) {
		w.Num(v.Len())
		return
	}
	w.Num(v.Len())
	for _, e := range c.entries(v) {
		if c.full(depth) {
			break
		}
		w.Byte(1)
		ev := reflect.New(v.Type().Elem()).Elem()
		ev.Set(e.value)
		kv := reflect.New(v.Type().Key()).Elem()
		kv.Set(e.key)
		c.value(kv, depth+1)
		c.value(ev, depth+1)
	}
	w.Byte(0)
}

// entry is a key of a map with its value. Both are kept, because a NaN cannot be looked up.
type entry struct{ key, value reflect.Value }

// entries returns the entries of a map in an order that depends on the values of the keys only: numbers
// and strings in their own order, other keys by their written form (pointers by the values behind
// them).
func (c *capturer) entries(v reflect.Value) []entry {
	out := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		out = append(out, entry{it.Key(), it.Value()})
	}
	var less func(a, b reflect.Value) bool
	switch v.Type().Key().Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		less = func(a, b reflect.Value) bool { return a.Int() < b.Int() }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		less = func(a, b reflect.Value) bool { return a.Uint() < b.Uint() }
	case reflect.String:
		less = func(a, b reflect.Value) bool { return a.String() < b.String() }
	case reflect.Float32, reflect.Float64:
		less = func(a, b reflect.Value) bool {
			return a.Float() < b.Float() || a.Float() != a.Float() && b.Float() == b.Float()
		}
	default:
		switch {
		case len(out) < 2:
			return out
		case c.sorting:
			// An object that is a key of a map often leads back to the map. To put the keys of maps behind it in order
			// would never end, so a map behind a key is told by its size alone.
			return nil
		}
		return c.sortEncoded(out)
	}
	sort.Slice(out, func(i, j int) bool { return less(out[i].key, out[j].key) })
	return out
}

// sortEncoded sorts entries by the encodings of their keys. A separate capturer makes the encodings, so that
// they give no numbers to objects.
func (c *capturer) sortEncoded(list []entry) []entry {
	enc := make([][]byte, len(list))
	for i, e := range list {
		t := &capturer{reg: c.reg, cover: c.cover, errType: c.errType, errs: c.errs, types: map[reflect.Type]int{}, known: c.known, sorting: true}
		var w Writer
		kv := reflect.New(e.key.Type()).Elem()
		kv.Set(e.key)
		t.nodes = maxNodes - 100
		t.w, t.start = &w, 0
		t.value(kv, maxDepth-4)
		enc[i] = w.Buf
	}
	index := make([]int, len(list))
	for i := range index {
		index[i] = i
	}
	sort.SliceStable(index, func(i, j int) bool { return bytes.Compare(enc[index[i]], enc[index[j]]) < 0 })
	out := make([]entry, len(list))
	for i, k := range index {
		out[i] = list[k]
	}
	return out
}
