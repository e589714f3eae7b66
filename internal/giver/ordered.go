package giver

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// orderedNumbers are the numbers of the elements that ordered makes: out of order, as elements come to a container.
var orderedNumbers = [...]int64{3, 1, 5, 2, 4}

// ordered returns sequences that make values of an interface of the package by which users give the package elements that have an
// order: Less(Item) bool, or Compare(Item) int, with or without Equal, as google/btree, petar/GoLLRB and biogo/store/llrb have them.
// A stand-in would give all its elements the same answer.
// The values are numbers of a type that tests declare. It returns nil for other interfaces.
func ordered(named *types.Named) []*testcase.Sequence {
	u := named.Underlying().(*types.Interface)
	if !named.Obj().Exported() || named.TypeParams().Len() > 0 {
		return nil
	}
	own := "«" + named.Obj().Pkg().Path() + "»." + named.Obj().Name()
	var methods strings.Builder
	orders := false
	for m := range u.Methods() {
		sig := m.Signature()
		if sig.Params().Len() != 1 || sig.Results().Len() != 1 || !types.Identical(sig.Params().At(0).Type(), named) {
			return nil
		}
		b, ok := sig.Results().At(0).Type().(*types.Basic)
		if !ok {
			return nil
		}
		result := ""
		switch name := m.Name(); {
		case b.Kind() == types.Bool && (name == "Less" || name == "LessThan"):
			result, orders = "n < other.(«.number»)", true
		case b.Kind() == types.Int && (name == "Compare" || name == "CompareTo" || name == "Cmp"):
			result, orders = "int(n - other.(«.number»))", true
		case b.Kind() == types.Bool && (name == "Equal" || name == "Equals"):
			result = "n == other.(«.number»)"
		default:
			return nil
		}
		fmt.Fprintf(&methods, "\nfunc (n «.number») %s(other %s) %s { return %s }\n", m.Name(), own, b.Name(), result)
	}
	if !orders {
		return nil
	}
	name := strings.ToLower(named.Obj().Name()[:1]) + named.Obj().Name()[1:]
	if types.Universe.Lookup(name) != nil {
		name = "element" // comparable means something else
	}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "n", types.Typ[types.Int])), types.NewTuple(types.NewParam(0, nil, "", named)), false)
	h := &testcase.Helper{
		Name: name, Doc: "returns a number in the order of numbers.", Sig: sig, Number: "number",
		Text: fmt.Sprintf("func «.»(n int) %s { return «.number»(n) }\n\ntype «.number» int\n%s", own, methods.String()),
		Func: types.NewFunc(0, types.NewPackage("ordered", "ordered"), name, sig),
	}
	var out []*testcase.Sequence
	for _, n := range orderedNumbers {
		var b testcase.Builder
		lit := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}})
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h}, lit)
		out = append(out, b.Sequence())
	}
	return out
}
