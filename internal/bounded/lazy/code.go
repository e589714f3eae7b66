package lazy

// opcode is the kind of an instruction.
type opcode uint8

const (
	opMove       opcode = iota // a ← b, n cells
	opLoad                     // a ← n cells, k cells behind *b
	opStore                    // *a ← b, n cells
	opField                    // a ← &b.field, k cells behind b
	opIndexAddr                // a ← &b[c], elements of n cells; k is the array's length, -1 of a slice
	opIndex                    // a ← b[c] of an array value, elements of n cells; k is its length
	opAlloc                    // a ← new, n cells
	opArith                    // a ← b op c; k is the token, n the kind of number
	opCompare                  // a ← b rel c, single cells; k is the relation
	opEqual                    // a ← b == c, n cells; k is 1 for !=
	opEqualIface               // a ← b == c, interfaces; k is the relation
	opCompareStr               // a ← b rel c, texts
	opConcat                   // a ← b + c, texts
	opNot                      // a ← !b
	opNegate                   // a ← -b, n is the kind of number; k is 1 for ^
	opConvert                  // a ← b as a number of kind n
	opIf                       // b; edges x
	opCompareIf                // b rel c, as in opCompare; edges x
	opJump                     // edge x
	opCall                     // x
	opReturn                   // list of operands in x
	opLen                      // a ← len(b) of a text
	opMapLen                   // a ← len(b)
	opStrIndex                 // a ← b[c] of a text
	opSlice                    // a ← b[c:x]; see sliceArgs
	opAppend                   // a ← append(b, c...), elements of n cells
	opAppendVals               // a ← append(b, k values of n cells at c)
	opSliceFrom                // a ← b[k:], elements of n cells
	opCopy                     // a ← copy(b, c), elements of n cells
	opMakeSlice                // a ← make([]T, b, c), elements of n cells
	opMakeMap                  // a ← make(map)
	opMapUpdate                // a[b] = c; x is the map's layout
	opLookup                   // a ← b[c]; x is the map's layout, k is 1 for comma-ok
	opRange                    // a ← iterator of map b
	opNext                     // a ← next of b; x is the map's layout
	opMakeIface                // a ← interface of b, n cells, dynamic type k
	opAssert                   // a ← b.(T); x
	opClosure                  // a ← closure of x
	opPanic
	opUnsupported // k is the reason's number
)

// instr is an instruction. Its operands are registers of the frame, or constants from constBase on.
type instr struct {
	op      opcode
	a, b, c int32
	n       int32
	k       int64
	x       any
}

const constBase = 1 << 24

// tempBase is the first register of the temporaries of edges, as long as the size of the frame is not known.
const tempBase = 1 << 23
