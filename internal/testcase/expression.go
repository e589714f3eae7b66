package testcase

import (
	"fmt"
	"go/types"
	"strings"
)

// Expression shows how a value of the sequence is made, as one expression close to Go. Names of
// pkg go without its name.
func (s *Sequence) Expression(ref Ref, pkg *types.Package) string {
	made := s.At(ref.Stmt)
	args := make([]string, len(made.Args))
	for i, a := range made.Args {
		args[i] = s.Expression(a, pkg)
	}
	op := made.Op
	list := strings.Join(args, ", ")
	typ := func() string { return types.TypeString(op.Type, types.RelativeTo(pkg)) }
	switch op.Kind {
	case OpLiteral:
		return op.Lit.String()
	case OpZero:
		switch op.Type.Underlying().(type) {
		case *types.Struct, *types.Array:
			return typ() + "{}"
		case *types.Basic:
			return "zero " + typ()
		}
		return "nil"
	case OpComposite:
		if st, ok := op.Type.Underlying().(*types.Struct); ok {
			for i := range args {
				f := i
				if op.Elems != nil {
					f = op.Elems[i]
				}
				args[i] = st.Field(f).Name() + ": " + args[i]
			}
			list = strings.Join(args, ", ")
		}
		return typ() + "{" + list + "}"
	case OpAddr:
		return "&" + list
	case OpFunc:
		return op.Func.Name() + "(" + list + ")"
	case OpMethod:
		return args[0] + "." + op.Func.Name() + "(" + strings.Join(args[1:], ", ") + ")"
	case OpConvert:
		return typ() + "(" + list + ")"
	case OpDeref:
		return "*" + list
	}
	return fmt.Sprintf("%s(%s)", op.Kind, list)
}
