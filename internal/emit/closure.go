package emit

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// closure returns a method value, or a function literal that calls a method.
func (s *script) closure(st testcase.Statement) expr {
	op := st.Op
	if !s.selectable(op.Func) {
		s.fail("method " + op.Func.Name() + " is not accessible to a test")
	}
	method := s.ref(st.Args[0], nil).operand() + "." + op.Func.Name()
	if op.MethodValue() {
		return prim(method)
	}
	sig := op.Type.Underlying().(*types.Signature)
	scope := newNames(s.scope)
	params := make([]string, sig.Params().Len())
	for i := range params {
		params[i] = "_"
	}
	passes := false
	for _, p := range op.Pass {
		passes = passes || p >= 0
		if p >= 0 && params[p] == "_" {
			name := sig.Params().At(p).Name()
			if name == "" || name == "_" {
				name = "p" + strconv.Itoa(p)
			}
			params[p] = scope.pick(name)
		}
	}
	if !passes {
		params = nil
	}
	called := op.Signature()
	rest := st.Args[1:]
	var args []string
	for i, p := range op.Pass {
		if p >= 0 {
			args = append(args, params[p])
			continue
		}
		args = append(args, s.ref(rest[0], paramType(called, called, true, i, false)).text)
		rest = rest[1:]
	}
	call := method + "(" + strings.Join(args, ", ") + ")"
	head := "func" + s.signature(sig, params) + " {"
	switch {
	case sig.Results().Len() == 0:
		return expr{text: head + " " + call + " }", prec: binary}
	case op.Returns:
		return expr{text: head + " return " + call + " }", prec: binary}
	}
	var out []string
	for i := range sig.Results().Len() {
		out = append(out, s.ref(rest[i], sig.Results().At(i).Type()).text)
	}
	return expr{text: head + "\n" + call + "\nreturn " + strings.Join(out, ", ") + "\n}", prec: binary}
}
