package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// relation returns a method or function of the subject that relates two values of a type, and the text of a
// call of it.
func (s *subject) relation(name string, result types.Type) (*types.Func, types.Type, func(x, y string) string) {
	if s.fn != nil {
		sig := s.sig
		if !named(s.fn, name) || !isSignature(sig, []types.Type{nil, nil}, []types.Type{result}) || !types.Identical(sig.Params().At(0).Type(), sig.Params().At(1).Type()) {
			return nil, nil, nil
		}
		return s.fn, sig.Params().At(0).Type(), func(x, y string) string { return "«f»(" + x + ", " + y + ")" }
	}
	f, t := s.takesItself(name, result)
	if f == nil {
		return nil, nil, nil
	}
	return f, t, func(x, y string) string { return x + "." + name + "(" + y + ")" }
}

// named reports whether a function's name ends with the word name: Less, NaturalLess.
func named(f *types.Func, name string) bool {
	return f.Name() == name || name == "Less" && strings.HasSuffix(f.Name(), name)
}

// related does the same as check for a relation. If the relation is a function, its operands are arguments.
func (s *subject) related(name, doc string, f *types.Func, t types.Type, n int, body ...string) []*testcase.Check {
	cs := s.check(f, name, doc, t, n, body...)
	cs[0].Free = s.fn != nil
	return cs
}
