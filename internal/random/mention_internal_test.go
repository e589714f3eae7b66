package random

import (
	"go/types"
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Texts for later calls name things that exist: keys that earlier calls were given, and paths into nested
// data.
func TestMentioned(t *testing.T) {
	text := types.Typ[types.String]
	anything := types.Universe.Lookup("any").Type()
	object := types.NewMap(text, anything)
	list := types.NewSlice(anything)
	word := func(s string) *testcase.Operation {
		return &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}
	}
	compose := func(t types.Type, n int) *testcase.Operation {
		return &testcase.Operation{Kind: testcase.OpComposite, Type: t, N: n}
	}
	d := &draft{}
	items := d.add(compose(list, 2), d.add(word("x")), d.add(word("y")))
	inner := d.add(compose(object, 0), d.add(word("b")), items)
	outer := d.add(compose(object, 0), d.add(word("a")), inner)
	put := types.NewFunc(0, nil, "Put", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	d.add(&testcase.Operation{Kind: testcase.OpMethod, Func: put}, outer, d.add(word("key")))

	e := &engine{rnd: rand.New(rand.NewPCG(1, 2))}
	got := make(map[string]bool)
	for range 5000 {
		if l, ok := e.mentioned(d, text, text); ok {
			got[l.Str] = true
		}
	}
	for _, want := range []string{"key", "a", "a.b", "a.b[0]", "a.b[1]", "a.b[2]", "a.b.1", "a/b/1", "b"} {
		if !got[want] {
			t.Errorf("%q was never mentioned", want)
		}
	}
	for _, never := range []string{"x", "y", ""} {
		if got[never] {
			t.Errorf("%q is no key, and was mentioned", never)
		}
	}
}
