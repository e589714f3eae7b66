package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// idempotence checks that cleaning a clean value changes nothing.
func idempotence(s *subject) []*testcase.Check {
	if s.fn == nil || !isSignature(s.sig, []types.Type{nil}, []types.Type{nil}) || s.sig != s.fn.Signature() {
		return nil
	}
	t := s.sig.Params().At(0).Type()
	if !types.Identical(t, s.sig.Results().At(0).Type()) || !isString(t) {
		return nil
	}
	for _, verb := range []string{"Clean", "Normalize", "Canonical", "Sanitize"} {
		if !strings.HasPrefix(s.fn.Name(), verb) {
			continue
		}
		cs := s.check(s.fn, "check"+s.fn.Name(), "reports whether "+s.fn.Name()+" leaves alone what it has made.", t, 1,
			`if y := «f»(x); «unicode/utf8».ValidString(string(x)) && «f»(y) != y {`,
			`	return «errors».New("`+s.fn.Name()+` of what it returns is something else")`,
			`}`,
			`return nil`)
		cs[0].Free = true
		return cs
	}
	return nil
}
