package random

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// What a literal has in a field takes the place of the field, unless the literal is used for something else, too.
func TestWithoutReads(t *testing.T) {
	text := types.Typ[types.String]
	pkg := types.NewPackage("example.com/p", "p")
	name, city := types.NewField(token.NoPos, pkg, "Name", text, false), types.NewField(token.NoPos, pkg, "City", text, false)
	node := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Node", nil), types.NewStruct([]*types.Var{name, city}, nil), nil)
	f := types.NewFunc(token.NoPos, pkg, "F", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, pkg, "s", text)), nil, false))
	use := types.NewFunc(token.NoPos, pkg, "Use", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, pkg, "n", types.NewPointer(node))), nil, false))
	read := func(of *types.Var, used bool) string {
		b := &testcase.Builder{}
		lit := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
		made := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: node, Elems: []int{0}}, lit)
		addr := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(node)}, made)
		if used {
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: use}, addr)
		}
		field := b.Add(&testcase.Operation{Kind: testcase.OpField, Var: of, Type: text}, addr)
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, field)
		return prune(withoutReads(b.Sequence())).String()
	}
	if got, want := read(name, false), `F("a")`; got != want {
		t.Errorf("a field that is set: %s, want %s", got, want)
	}
	for what, got := range map[string]string{"a field that is not set": read(city, false), "a literal that is passed on": read(name, true)} {
		if got == `F("a")` {
			t.Errorf("%s: %s", what, got)
		}
	}
}
