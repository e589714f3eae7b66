package term

// Op is the operator of a term.
type Op uint8

// The operators that are stored. Arguments are a, b, c in the order written.
const (
	OpNone  Op = iota
	OpConst    // a constant
	OpVar      // a variable
	OpElem     // an array's element at a constant index: a leaf
	OpArray    // a whole array; it occurs in support sets only and stands for all elements

	OpRead   // (array; index): an array's element at an index that is not constant
	OpLookup // (table; index)

	OpNot
	OpAnd
	OpOr // width above 1 only
	OpXor
	OpNeg
	OpAdd
	OpMul
	OpUDiv
	OpURem
	OpSDiv
	OpSRem
	OpShl
	OpLShr
	OpAShr
	OpEq // width of the operands above 1
	OpUlt
	OpSlt
	OpIte
	OpExtract // (x; hi, lo)
	OpConcat  // (high, low)
	OpZExt
	OpSExt

	OpFAdd
	OpFMul
	OpFDiv
	OpFSqrt
	OpFEq
	OpFLt
	OpFLe
	OpFIsNaN
	OpFFloor
	OpFCeil
	OpFTrunc
	OpFRoundEven
	OpFConv
	OpFFromS
	OpFFromU
	OpFToS
	OpFToU

	opMax
)

// NumOps is larger than every Op. It is the size of tables that are indexed by Op.
const NumOps = int(opMax)

var opNames = [NumOps]string{
	OpNone:       "none",
	OpConst:      "const",
	OpVar:        "var",
	OpElem:       "elem",
	OpArray:      "array",
	OpRead:       "read",
	OpLookup:     "lookup",
	OpNot:        "not",
	OpAnd:        "and",
	OpOr:         "or",
	OpXor:        "xor",
	OpNeg:        "neg",
	OpAdd:        "add",
	OpMul:        "mul",
	OpUDiv:       "udiv",
	OpURem:       "urem",
	OpSDiv:       "sdiv",
	OpSRem:       "srem",
	OpShl:        "shl",
	OpLShr:       "lshr",
	OpAShr:       "ashr",
	OpEq:         "eq",
	OpUlt:        "ult",
	OpSlt:        "slt",
	OpIte:        "ite",
	OpExtract:    "extract",
	OpConcat:     "concat",
	OpZExt:       "zext",
	OpSExt:       "sext",
	OpFAdd:       "fadd",
	OpFMul:       "fmul",
	OpFDiv:       "fdiv",
	OpFSqrt:      "fsqrt",
	OpFEq:        "feq",
	OpFLt:        "flt",
	OpFLe:        "fle",
	OpFIsNaN:     "fisnan",
	OpFFloor:     "ffloor",
	OpFCeil:      "fceil",
	OpFTrunc:     "ftrunc",
	OpFRoundEven: "froundeven",
	OpFConv:      "fconv",
	OpFFromS:     "ffroms",
	OpFFromU:     "ffromu",
	OpFToS:       "ftos",
	OpFToU:       "ftou",
}

// String returns the operator's short name.
func (o Op) String() string { return opNames[o] }

// arity returns the number of arguments. It compares ranges because every step of every walk calls it.
func (o Op) arity() int {
	switch {
	case o <= OpArray:
		return 0
	case o == OpIte:
		return 3
	case o == OpRead, o == OpLookup, o == OpNot, o == OpNeg, o == OpExtract, o == OpZExt, o == OpSExt, o == OpFSqrt, o >= OpFIsNaN:
		return 1
	}
	return 2
}

// IsFloat reports whether o is an operator on floats: whether its operands or its result are floats.
func (o Op) IsFloat() bool { return o >= OpFAdd }
