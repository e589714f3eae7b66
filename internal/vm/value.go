package vm

import "github.com/goassay/assay/internal/term"

// Value is one cell: a register, an array element, a field. It holds no Go pointer,
// so that frames and objects are invisible to the garbage collector's scan and copy
// without write barriers.
//
// What a cell means follows from the type of its place:
//
//	bool, integers, floats  Bits is the value (zero-extended; IEEE-754 pattern), or
//	                        Term is its term of the type's width and Bits is unused
//	pointers                Bits is object<<32 | cell; Term, if any, is a 64-bit number of
//	                        cells to add (an address with a symbolic index)
//	maps, channels          Bits is object<<32
//	functions               Bits is function number | funcBit, or a closure object<<32
//	strings                 two cells: a pointer to bytes, a length
//	slices                  three cells: a pointer, a length, a capacity
//	interfaces              two cells: a type number (0: nil), a value (boxed if not one cell)
//
// Structs and arrays are the cells of their parts one after the other. Lazy is the
// number of the lazily decided input that a pointer, slice, interface or function
// cell stands for until it is resolved; poison marks a value that is not known.
type Value struct {
	Bits uint64
	Term term.ID
	Lazy uint32
}

// poison in Value.Lazy marks a value that an initialiser would have computed if the machine could run
// it.
const poison = ^uint32(0)

// funcBit distinguishes a function number from a closure object.
const funcBit = 1 << 63

// ObjID names an object of a state. The two top bits tell the region.
type ObjID uint32

const (
	staticRegion ObjID = 1 << 31 // constants of the program: immutable, shared by all states
	imageRegion  ObjID = 1 << 30 // made by package initialisers: shared until written
)

func ptr(o ObjID, off int) Value { return Value{Bits: uint64(o)<<32 | uint64(uint32(off))} }

func (v Value) obj() ObjID { return ObjID(v.Bits >> 32) }
func (v Value) off() int   { return int(uint32(v.Bits)) }

func boolean(b bool) Value {
	if b {
		return Value{Bits: 1}
	}
	return Value{}
}

func num(n int) Value { return Value{Bits: uint64(n)} }

// mask returns the bits of a w-bit value.
func mask(w uint8) uint64 { return ^uint64(0) >> (64 - uint(w)) }

// sext sign-extends the low w bits of v.
func sext(v uint64, w uint8) int64 {
	sh := 64 - uint(w)
	return int64(v<<sh) >> sh
}
