package emit

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// closure returns a method value, or a function literal that calls a method.
func (s *script) closure(st testcase.Statement) gofile.Expr {
	op := st.Op
	if !s.Selectable(op.Func) {
		s.Fail("method " + op.Func.Name() + " is not accessible to a test")
	}
	method := s.ref(st.Args[0], nil).Operand() + "." + op.Func.Name()
	if op.MethodValue() {
		return gofile.Primary(method)
	}
	sig := op.Type.Underlying().(*types.Signature)
	scope := gofile.NewNames(s.scope)
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
			params[p] = scope.Pick(name)
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
		args = append(args, s.ref(rest[0], paramType(called, called, true, i, false)).Text)
		rest = rest[1:]
	}
	call := method + "(" + strings.Join(args, ", ") + ")"
	head := "func" + s.signature(sig, params) + " {"
	switch {
	case sig.Results().Len() == 0:
		return gofile.Expr{Text: head + " " + call + " }", Prec: gofile.Binary}
	case op.Returns:
		return gofile.Expr{Text: head + " return " + call + " }", Prec: gofile.Binary}
	}
	var out []string
	for i := range sig.Results().Len() {
		out = append(out, s.ref(rest[i], sig.Results().At(i).Type()).Text)
	}
	return gofile.Expr{Text: head + "\n" + call + "\nreturn " + strings.Join(out, ", ") + "\n}", Prec: gofile.Binary}
}
