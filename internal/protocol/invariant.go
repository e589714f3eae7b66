package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// invariant checks RepOK and CheckInvariants.
func invariant(s *subject) []*testcase.Check {
	if f, t := s.method("RepOK"); hasSignature(f, nil, []types.Type{boolType}) {
		return s.check(f, "checkInvariant", "reports whether x is valid by its own word.", t, 1,
			`if !x.RepOK() {`,
			`	return «errors».New("RepOK() is false")`,
			`}`,
			`return nil`)
	}
	if f, t := s.method("CheckInvariants"); hasSignature(f, nil, []types.Type{errorType}) {
		return s.check(f, "checkInvariant", "reports whether x is valid by its own word.", t, 1,
			`return x.CheckInvariants()`)
	}
	return nil
}
