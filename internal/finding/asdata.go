package finding

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// asData reports for each statement of a sequence whether its values are used as data only: they are passed
// in places that take any value, as an element of a list or a value in a map of any. A container does not
// look into such a value, so it does not matter which value it is and how it was made.
func asData(seq *testcase.Sequence) []bool {
	used, typed := make([]bool, seq.Len()), make([]bool, seq.Len())
	out := make([]bool, seq.Len())
	ts := seq.ResultTypes()
	for i := seq.Len() - 1; i >= 0; i-- {
		out[i] = used[i] && !typed[i]
		st := seq.At(i)
		for k, a := range st.Args {
			used[a.Stmt] = true
			switch {
			case anything(slotOf(st.Op, k, st.Args, ts)):
			case wraps(st.Op.Kind) && out[i]:
			default:
				typed[a.Stmt] = true
			}
		}
	}
	return out
}

// wraps reports whether an operation only puts its arguments into a larger value.
func wraps(k testcase.OpKind) bool {
	switch k {
	case testcase.OpAddr, testcase.OpComposite, testcase.OpConvert:
		return true
	}
	return false
}

// anything reports whether a type is an interface without methods.
func anything(t types.Type) bool {
	if t == nil {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// slotOf returns the type of the place that argument k of an operation is passed to, or nil if the place has
// no type of its own.
func slotOf(op *testcase.Operation, k int, args []testcase.Ref, ts [][]types.Type) types.Type {
	switch op.Kind {
	case testcase.OpFunc, testcase.OpMethod:
		if op.Kind == testcase.OpMethod {
			k--
		}
		sig := op.Signature()
		n := sig.Params().Len()
		switch {
		case k < 0:
			return nil // the argument is the receiver
		case sig.Variadic() && !op.Spread && k >= n-1:
			return sig.Params().At(n - 1).Type().(*types.Slice).Elem()
		case k < n:
			return sig.Params().At(k).Type()
		}
	case testcase.OpConvert:
		return op.Type
	case testcase.OpSetField:
		if k == 1 {
			return op.Var.Type()
		}
	case testcase.OpSetIndex:
		if k > 0 && args[0].Result < len(ts[args[0].Stmt]) {
			if m, ok := ts[args[0].Stmt][args[0].Result].Underlying().(*types.Map); ok && k == 2 {
				return m.Elem()
			}
		}
	case testcase.OpComposite:
		switch t := op.Type.Underlying().(type) {
		case *types.Slice:
			return t.Elem()
		case *types.Array:
			return t.Elem()
		case *types.Map:
			if k%2 == 1 {
				return t.Elem()
			}
		case *types.Struct:
			if op.Elems != nil && k < len(op.Elems) {
				k = op.Elems[k]
			}
			if k < t.NumFields() {
				return t.Field(k).Type()
			}
		}
	}
	return nil
}

// asideOf returns the statements that make a struct without setting a field of it, for something else than the last call of a sequence: the
// struct is changed by its methods and passed to what makes the receiver, say. Nothing fails on its zero value, so that what is said of
// zero values of its type says nothing about the failure.
func asideOf(seq *testcase.Sequence) []bool {
	n := seq.Len()
	ts := seq.ResultTypes()
	direct := make([]bool, n)
	direct[n-1] = true
	for i := n - 1; i >= 0; i-- {
		st := seq.At(i)
		switch st.Op.Kind {
		case testcase.OpSetField, testcase.OpStore, testcase.OpSetIndex, testcase.OpSend:
			direct[i] = direct[st.Args[0].Stmt] // what is written becomes a part
		}
		if !direct[i] {
			continue
		}
		for k, a := range st.Args {
			// A call makes something else of its arguments, but for a method that returns an object like its receiver.
			if i == n-1 || !st.Op.IsCall() || k == 0 && st.Op.Kind == testcase.OpMethod && len(ts[i]) > 0 && usage.SameNamed(load.NamedOf(ts[i][0]), load.NamedOf(ts[a.Stmt][a.Result])) {
				direct[a.Stmt] = true
			}
		}
	}
	out := make([]bool, n)
	for i := range n {
		op := seq.At(i).Op
		out[i] = !direct[i] && (op.Kind == testcase.OpZero || op.Kind == testcase.OpComposite && len(seq.At(i).Args) == 0)
	}
	return out
}
