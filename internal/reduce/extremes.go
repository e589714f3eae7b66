package reduce

import (
	"go/types"
	"math"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// extremes proposes the largest or smallest number of its type in place of a number near it: math.MaxInt32
// and 1 show an overflow better than 2147483640 and 8. If a finding needs one large number, the other numbers
// can become small once this number is an extreme.
func extremes(s *subject) []edit {
	var out []edit
	for i := s.seq.Len() - 1; i >= 0; i-- {
		op := s.seq.At(i).Op
		if op.Kind != testcase.OpLiteral {
			continue
		}
		if l, ok := extreme(op); ok && l != op.Lit {
			c := *op
			c.Lit = l
			out = append(out, replace(i, &c))
		}
	}
	return out
}

// extreme returns the extreme of a literal's type that is nearest to the literal, if the literal lies in the
// outer half of the type's range.
func extreme(op *testcase.Operation) (testcase.Literal, bool) {
	b, ok := underlyingOf(op.Type).(*types.Basic)
	if !ok {
		return testcase.Literal{}, false
	}
	size := map[types.BasicKind]int{
		types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64, types.Int: 64,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64,
	}[b.Kind()]
	if size <= 8 {
		return testcase.Literal{}, false // the value of a byte has a meaning, and not just a size
	}
	switch l := op.Lit; l.Kind {
	case testcase.LitInt:
		largest := int64(math.MaxInt64) >> (64 - size)
		switch v := int64(l.Bits); {
		case v > largest/2:
			return testcase.Literal{Kind: l.Kind, Bits: uint64(largest)}, true
		case v < -(largest / 2):
			return testcase.Literal{Kind: l.Kind, Bits: uint64(-largest - 1)}, true
		}
	case testcase.LitUint:
		if largest := uint64(math.MaxUint64) >> (64 - size); l.Bits > largest/2 {
			return testcase.Literal{Kind: l.Kind, Bits: largest}, true
		}
	}
	return testcase.Literal{}, false
}

// simplerBesideExtremes proposes simpler literals for all numbers that are not extremes.
func simplerBesideExtremes(s *subject) []edit {
	return slices.DeleteFunc(literals(s), func(e edit) bool {
		op := s.seq.At(e[0].at).Op
		if op.Kind != testcase.OpLiteral {
			return false
		}
		l, ok := extreme(op)
		return ok && l == op.Lit
	})
}
