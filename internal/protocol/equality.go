package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// equal checks Equal of a type, or of two values of one type.
func equal(s *subject) []*testcase.Check {
	f, t, call := s.relation("Equal", boolType)
	if f == nil {
		return nil
	}
	return s.related("checkEqual", "reports whether Equal is reflexive and symmetric.", f, t, 2,
		`if !`+call("x", "x")+` {`,
		`	return «errors».New("a value is not equal to itself")`,
		`}`,
		`if `+call("x", "y")+` != `+call("y", "x")+` {`,
		`	return «errors».New("Equal depends on the order of its operands")`,
		`}`,
		`return nil`)
}

// hash checks that Hash agrees with Equal.
func hash(s *subject) []*testcase.Check {
	e, t := s.takesItself("Equal", boolType)
	if e == nil {
		return nil
	}
	for _, name := range []string{"Hash", "HashCode"} {
		f, _ := s.method(name)
		if !hasSignature(f, nil, []types.Type{nil}) || !types.Comparable(f.Signature().Results().At(0).Type()) {
			continue
		}
		return s.check(f, "checkHash", "reports whether equal values have equal hashes.", t, 2,
			`if x.Equal(y) && x.`+name+`() != y.`+name+`() {`,
			`	return «errors».New("equal values have different hashes")`,
			`}`,
			`return nil`)
	}
	return nil
}
