package testcase

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strings"
)

// ValueKind is the shape of a Value.
type ValueKind uint8

// The kinds of values.
const (
	Invalid   ValueKind = iota // not observed
	Bool                       // Bits
	Int                        // Bits, sign-extended
	Uint                       // Bits (uintptr too)
	Float                      // Bits: IEEE-754 pattern, of 32 bits for float32
	Complex                    // Bits and Imag
	String                     // Str
	Nil                        // a nil pointer, slice, map, channel, function or interface
	Slice                      // Elems; non-nil
	Array                      // Elems
	Map                        // Elems: key, value, ... in the order of SortKeys
	Struct                     // Elems: all fields in order
	Pointer                    // Elems[0] is the value behind the pointer, which is not nil
	Interface                  // Elems[0]: the dynamic value; non-nil
	Opaque                     // a function, channel, unsafe pointer, or something too deep or too large
)

// Value is a Go value as data: an observation, or a prediction of one.
type Value struct {
	Kind ValueKind
	// Type is the static type at the top and the dynamic type inside an Interface. It is nil if the program
	// knows no name for the type; TypeName then is reflect's name of it with its full package path.
	Type     types.Type
	TypeName string

	Bits, Imag uint64
	Str        string
	Elems      []Value

	// Len is the true length of a Slice, Map or String whose Elems or Str were cut (Cut is true), and
	// otherwise the number of its elements.
	Len int
	Cut bool

	// ID identifies an object within one observation: pointers, maps and slices with the same non-zero
	// ID are the same object. If an object occurs a second time, Elems is empty there and Again is
	// true.
	ID    int
	Again bool

	// Err describes a value that implements error.
	Err *ErrorInfo

	// Varies says of an Opaque value that it was not the same in two runs, and MaybeNil that it was nil in one of them.
	// Other Opaque values were not looked into.
	Varies, MaybeNil bool

	// Shuffled says of a Slice that its elements, all texts or whole numbers, came in another order in another run, as those of a map do. Elems are
	// then in ascending order.
	Shuffled bool
}

// Ascending returns a list of texts or of whole numbers with its elements in ascending order, and false for any other value.
func (v Value) Ascending() (Value, bool) {
	if v.Kind != Slice || v.Cut || v.Again || len(v.Elems) < 2 {
		return v, false
	}
	kind := v.Elems[0].Kind
	if kind != String && kind != Int && kind != Uint || slices.ContainsFunc(v.Elems, func(e Value) bool { return e.Kind != kind || e.Cut }) {
		return v, false
	}
	v.Elems = slices.Clone(v.Elems)
	slices.SortFunc(v.Elems, func(a, b Value) int {
		switch kind {
		case String:
			return strings.Compare(a.Str, b.Str)
		case Int:
			return cmp.Compare(int64(a.Bits), int64(b.Bits))
		}
		return cmp.Compare(a.Bits, b.Bits)
	})
	return v, true
}

// ErrorInfo describes an error.
type ErrorInfo struct {
	Message string
	// Sentinels are the package-level error variables e, of the package under test and of its imports, for
	// which errors.Is(err, e) holds. The most specific comes first: the variable identical to err, followed
	// by those that err wraps.
	Sentinels []*types.Var
	// Identical says that err == Sentinels[0].
	Identical bool
	// Unstable says that the message contains an address, a time or another thing
	// that differed between runs.
	Unstable bool
	// Foreign says that the error is of an exported type of another module than the one under test, like
	// *json.UnmarshalTypeError. What it says is up to that module, and may change with it.
	Foreign bool
	// Own is the longest phrase of the package's code that the message contains, where no test compares the whole message (see
	// Compared). It is "" if the package has said nothing.
	Own string
}

// longestMessage is how many bytes of a message a test compares at most.
const longestMessage = 200

// Compared reports whether tests compare the whole message of the error: it is short, no other package is responsible for it, and it
// does not change from run to run.
func (e *ErrorInfo) Compared() bool {
	return e.Message != "" && len(e.Message) <= longestMessage && !e.Foreign && !e.Unstable
}

// Literal returns the value as a constant, and false if it is none of a basic type, or was cut.
func (v Value) Literal() (Literal, bool) {
	switch v.Kind {
	case Bool:
		return Literal{Kind: LitBool, Bits: v.Bits}, true
	case Int:
		return Literal{Kind: LitInt, Bits: v.Bits}, true
	case Uint:
		return Literal{Kind: LitUint, Bits: v.Bits}, true
	case String:
		return Literal{Kind: LitString, Str: v.Str}, !v.Cut
	}
	return Literal{}, false
}

// Bytes returns the bytes that a string or a slice of bytes holds, as far as they are known, and false if the value is neither.
// Of an empty slice nobody can tell what it would hold.
func (v Value) Bytes() ([]byte, bool) {
	if v.Kind == String {
		return []byte(v.Str), true
	}
	if v.Kind != Slice || len(v.Elems) == 0 {
		return nil, false
	}
	out := make([]byte, len(v.Elems))
	for i, e := range v.Elems {
		if e.Kind != Uint || e.Bits > math.MaxUint8 {
			return nil, false
		}
		out[i] = byte(e.Bits)
	}
	return out, true
}

// FillsPage reports whether a value is a text that nobody reads to see what a call did: one of more than a few lines.
func (v Value) FillsPage() bool {
	const longest = 400 // bytes
	return v.Kind == String && v.Len > longest
}

// IsZero reports whether a value is the zero value of its type. Of a value that is cut off nobody knows.
func (v Value) IsZero() bool {
	switch v.Kind {
	case Nil:
		return true
	case Bool, Int, Uint, Float:
		return v.Bits == 0
	case Complex:
		return v.Bits == 0 && v.Imag == 0
	case String:
		return v.Len == 0 && v.Str == ""
	case Struct, Array:
		return !v.Cut && !slices.ContainsFunc(v.Elems, func(e Value) bool { return !e.IsZero() })
	}
	return false
}

// Equal reports whether two values are the same in all parts known in both: kinds, bits, lengths,
// elements and sharing. Two NaNs are equal whatever their payload; -0 and +0 differ. Opaque equals
// Opaque. Types are not compared, because the place determines them.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case Bool, Int, Uint:
		return v.Bits == w.Bits
	case Float:
		return v.sameFloat(w, v.Bits, w.Bits)
	case Complex:
		return v.sameFloat(w, v.Bits, w.Bits) && v.sameFloat(w, v.Imag, w.Imag)
	case String:
		return v.Str == w.Str && v.Len == w.Len
	case Invalid, Nil, Opaque:
		return true
	}
	if v.Len != w.Len || v.Again != w.Again || len(v.Elems) != len(w.Elems) {
		return false
	}
	for i := range v.Elems {
		if !v.Elems[i].Equal(w.Elems[i]) {
			return false
		}
	}
	return true
}

// differs reports whether nothing of a value was the same in two runs.
func (v Value) differs() bool {
	if v.Kind == Opaque || v.Err != nil && v.Err.Unstable {
		return true
	}
	return len(v.Elems) > 0 && !slices.ContainsFunc(v.Elems, func(e Value) bool { return !e.differs() })
}

// sameFloat compares two float patterns; a pattern over 32 bits long is a float64.
func (v Value) sameFloat(w Value, a, b uint64) bool {
	if a == b {
		return true
	}
	if v.is32() {
		return nan32(uint32(a)) && nan32(uint32(b))
	}
	return nan64(a) && nan64(b)
}

// is32 reports whether v is a float32 or complex64.
func (v Value) is32() bool {
	if v.Type == nil {
		return false
	}
	b, ok := v.Type.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Float32 || b.Kind() == types.Complex64)
}

func nan32(b uint32) bool { return b&0x7f800000 == 0x7f800000 && b&0x007fffff != 0 }

func nan64(b uint64) bool {
	return b&0x7ff0000000000000 == 0x7ff0000000000000 && b&0x000fffffffffffff != 0
}

// Unshared returns a value whose parts that occur a second time have their elements there, too, as far as they are not part of
// themselves. It compares as equal by reflect.DeepEqual, which does not ask whether two parts are one object.
func (v Value) Unshared() Value {
	if !v.hasAgain() {
		return v
	}
	return v.unshared(make(map[int]Value), make(map[int]bool))
}

// hasAgain reports whether a part of a value occurs a second time.
func (v *Value) hasAgain() bool {
	if v.Again {
		return true
	}
	for i := range v.Elems {
		if v.Elems[i].hasAgain() {
			return true
		}
	}
	return false
}

// unshared does what Unshared does, given the parts that are complete, and those that are not.
func (v Value) unshared(complete map[int]Value, open map[int]bool) Value {
	if v.Again {
		first, ok := complete[v.ID]
		if !ok || open[v.ID] || first.Kind != v.Kind || first.Len != v.Len {
			return v // a part of itself, or another part of the same array
		}
		return first
	}
	if v.ID != 0 {
		open[v.ID] = true
	}
	elems := v.Elems
	v.Elems = make([]Value, len(elems))
	for i, e := range elems {
		v.Elems[i] = e.unshared(complete, open)
	}
	if v.ID != 0 {
		delete(open, v.ID)
		complete[v.ID] = v
	}
	return v
}
