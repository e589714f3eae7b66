package assayrt

import "reflect"

// Registry is everything that the generated file of a package offers to sequences. Numbers in the
// protocol are indices into its lists.
type Registry struct {
	ID    string // the identity of the build
	Cover []byte // the counters of the instrumented code
	// Cover32 has the counters instead in a build with the race detector, which needs atomic stores.
	Cover32 []uint32
	// Variant and Fuel are the variables of a build with variants of the code under
	// test: which one is switched on, and how many turns of loops a case may take.
	Variant, Fuel *int
	Types         []reflect.Type
	Funcs         []any // functions and method expressions
	Vars          []any // pointers to package-level variables
	Sentinels     []int // the entries of Vars that are errors to compare with, the most specific first
	Stubs         []func(*Stub) any
	Searches      []Search
	// Checks are the entries of Funcs that check whether an object keeps a contract: functions with one
	// or more parameters of one type that return an error.
	Checks []int
	// Invariants are those of Checks by which objects say whether they are valid.
	Invariants []int
}

// Type is reflect.Type.
type Type = reflect.Type

// T returns the type T.
func T[X any]() reflect.Type { return reflect.TypeFor[X]() }

// Names of predeclared types, for packages that declare these names themselves.
type (
	Any        = any
	Bool       = bool
	Byte       = byte
	Comparable = comparable
	Complex128 = complex128
	Complex64  = complex64
	Error      = error
	Float32    = float32
	Float64    = float64
	Int        = int
	Int16      = int16
	Int32      = int32
	Int64      = int64
	Int8       = int8
	Rune       = rune
	String     = string
	Uint       = uint
	Uint16     = uint16
	Uint32     = uint32
	Uint64     = uint64
	Uint8      = uint8
	Uintptr    = uintptr
)

// Stub is the script of a stub: of an implementation of an interface, or a function.
type Stub struct {
	calls map[string]*stubMethod
}

// stubMethod is the script of one method.
type stubMethod struct {
	groups [][]reflect.Value
	next   int
}

// take returns the results of the next call, or nil for zero values.
func (m *stubMethod) take() []reflect.Value {
	if m == nil || len(m.groups) == 0 {
		return nil
	}
	g := m.groups[m.next]
	if m.next+1 < len(m.groups) {
		m.next++
	}
	return g
}

// Call returns the scripted results of the next call of a method.
func (s *Stub) Call(method string) []reflect.Value { return s.calls[method].take() }

// R returns the i-th scripted result as an X, or X's zero value if the script has no such result.
func R[X any](results []reflect.Value, i int) X {
	var x X
	if i < len(results) {
		reflect.ValueOf(&x).Elem().Set(results[i])
	}
	return x
}

// NoStub stands in the registry for a stub type that does not compile.
type NoStub struct{ *Stub }

// Try calls f, and refuses the case if f panics: the arguments are such that no caller could pass them.
func Try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			panic(refusal("the helper cannot be called so: " + panicMessage(v)))
		}
	}()
	f()
}
