package container

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// pairs are the elements of two collections that a person tries an operation on, by their numbers: with some elements in common, with
// none, and one within the other. With two collections of one element each a wrong operation often returns the right thing.
var pairs = [...][2][]int{
	{{0, 1, 2}, {1, 2, 3}},
	{{0, 1}, {2, 3}},
	{{0, 1, 2}, {0, 1}},
	{{0, 1}, {0, 1, 2}},
}

// MostPairs is for how many numbers [Pair] has a way.
const MostPairs = len(pairs)

// Pair returns a way that passes the n-th pair of collections to a case's own call, if that takes two lists or maps of one type and
// beside them constants alone. A receiver counts as an argument.
func Pair(n int) plain.Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		at := c.TargetStmt()
		st := c.Seq.At(at)
		if at != c.Seq.Len()-1 || !isOwnCall(pkg, st.Op) {
			return nil, false
		}
		results := c.Seq.ResultTypes()
		var of types.Type
		b, args, found := &testcase.Builder{}, make([]testcase.Ref, len(st.Args)), 0
		for k, a := range st.Args {
			t := results[a.Stmt][a.Result]
			switch op := c.Seq.At(a.Stmt).Op; {
			case isCollection(t) && found < 2 && (of == nil || types.Identical(of, t)):
				ref, ok := collection(b, t, pairs[n][found])
				if !ok {
					return nil, false
				}
				args[k], of, found = ref, t, found+1
			case op.Kind == testcase.OpLiteral, op.Kind == testcase.OpZero:
				args[k] = b.Add(op)
			default:
				return nil, false
			}
		}
		if found != 2 {
			return nil, false
		}
		b.Add(st.Op, args...)
		return b.Sequence(), true
	}
}

// isOwnCall reports whether an operation calls a function of the package as it was declared, and not with a list of further arguments.
func isOwnCall(pkg *load.Package, op *testcase.Operation) bool {
	return (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && op.Via == nil && op.Func.Pkg() == pkg.Types && !op.Func.Signature().Variadic()
}

// isCollection reports whether a type is that of lists of numbers or texts, or of maps with such keys and values that need no thought.
func isCollection(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() != types.Uint8 && b.Kind() != types.Int32 && isElement(u.Elem())
	case *types.Map:
		return isElement(u.Key()) && (isElement(u.Elem()) || isMark(u.Elem()))
	}
	return false
}

// isElement reports whether values of a type are whole numbers or texts.
func isElement(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0 && b.Kind() != types.Uintptr
}

// isMark reports whether values of a type only say that a key is there.
func isMark(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Bool
	case *types.Struct:
		return u.NumFields() == 0
	}
	return false
}

// collection appends a list or map with these elements.
func collection(b *testcase.Builder, t types.Type, elements []int) (testcase.Ref, bool) {
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	var args []testcase.Ref
	add := func(t types.Type, i int) bool {
		l, ok := constantOf(t, i)
		if ok {
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: l}))
		}
		return ok
	}
	for _, i := range elements {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			op.N = len(elements)
			if !add(u.Elem(), i) {
				return testcase.Ref{}, false
			}
		case *types.Map:
			if !add(u.Key(), i) {
				return testcase.Ref{}, false
			}
			switch v := u.Elem().Underlying().(type) {
			case *types.Struct:
				args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: u.Elem()}))
			case *types.Basic:
				if v.Kind() == types.Bool {
					args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: u.Elem(), Lit: testcase.Literal{Kind: testcase.LitBool, Bits: 1}}))
				} else if !add(u.Elem(), i) {
					return testcase.Ref{}, false
				}
			}
		}
	}
	return b.Add(op, args...), true
}

// constantOf returns the i-th element of a type as a constant.
func constantOf(t types.Type, i int) (testcase.Literal, bool) {
	words := [...]string{"apple", "banana", "cherry", "damson"}
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok || len(load.ConstantsOf(t)) > 0:
		return testcase.Literal{}, false // an enumeration has values of its own
	case b.Info()&types.IsString != 0:
		return testcase.Literal{Kind: testcase.LitString, Str: words[i]}, true
	case b.Info()&types.IsUnsigned != 0:
		return testcase.Literal{Kind: testcase.LitUint, Bits: uint64(2 * (i + 1))}, true
	}
	return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(2 * (i + 1))}, true
}
