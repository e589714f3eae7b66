package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// clone checks that a copy is equal to its original.
func clone(s *subject) []*testcase.Check {
	e, t := s.takesItself("Equal", boolType)
	if e == nil {
		return nil
	}
	var out []*testcase.Check
	for _, name := range []string{"Clone", "Copy", "DeepCopy"} {
		f, _ := s.method(name)
		if !hasSignature(f, nil, []types.Type{t}) || f.Pkg() != s.pkg || !types.Identical(e.Signature().Params().At(0).Type(), t) {
			continue
		}
		out = append(out, s.check(f, "check"+name, "reports whether a copy is equal to x.", t, 1,
			`if x.Equal(x) && !x.`+name+`().Equal(x) {`,
			`	return «errors».New("what `+name+` returns is not equal")`,
			`}`,
			`return nil`)...)
	}
	return out
}
