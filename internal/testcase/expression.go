package testcase

import (
	"fmt"
	"go/types"
	"strings"
)

// Expression returns the text of an expression, close to Go, that makes a value of the sequence. Names of pkg
// are written without the package.
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
		return op.Lit.Text(op.Type)
	case OpZero:
		switch op.Type.Underlying().(type) {
		case *types.Struct, *types.Array:
			return typ() + "{}"
		}
		return zeroSource(op.Type)
	case OpComposite:
		return typ() + "{" + strings.Join(elementTexts(op, args), ", ") + "}"
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

// maxFill is how many entries that only fill a map are written one by one.
const maxFill = 8

// elementTexts returns the elements of a composite in the form of a Go literal: fields by name, entries
// by key, elements by index if some before them are zero. Of many entries that only fill a map to its
// size, the first and the last are shown.
func elementTexts(op *Operation, args []string) []string {
	var out []string
	at := func(i int) int {
		if op.Elems != nil {
			return op.Elems[i]
		}
		return i
	}
	switch t := op.Type.Underlying().(type) {
	case *types.Struct:
		for i, a := range args {
			out = append(out, t.Field(at(i)).Name()+": "+a)
		}
	case *types.Map:
		for i := 0; i+1 < len(args); i += 2 {
			out = append(out, args[i]+": "+args[i+1])
		}
		zero := zeroSource(t.Elem())
		for i := range op.N {
			if op.N > maxFill && i >= maxFill/2 && i < op.N-1 {
				if i == maxFill/2 {
					out = append(out, "...")
				}
				continue
			}
			key, _ := FillKey(t.Key(), op.From+i)
			out = append(out, key.String()+": "+zero)
		}
	default:
		next := 0
		for i, a := range args {
			if at(i) != next {
				a = fmt.Sprintf("%d: %s", at(i), a)
			}
			out = append(out, a)
			next = at(i) + 1
		}
		if s, ok := t.(*types.Slice); ok && op.N > next {
			out = append(out, fmt.Sprintf("%d: %s", op.N-1, zeroSource(s.Elem())))
		}
	}
	return out
}

// zeroSource returns the zero value of a type as source.
func zeroSource(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		}
	case *types.Struct, *types.Array:
		return "{}"
	}
	return "nil"
}
