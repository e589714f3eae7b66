package crossed

import (
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// caseWith returns a case whose call takes zero values of types.
func caseWith(params ...types.Type) *testcase.Case {
	var b testcase.Builder
	var args []testcase.Ref
	var vars []*types.Var
	for _, t := range params {
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t}))
		vars = append(vars, types.NewParam(0, nil, "", t))
	}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, false)
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: types.NewFunc(0, types.NewPackage("example.com/m", "m"), "Fill", sig)}, args...)
	return &testcase.Case{Target: "Fill", Seq: b.Sequence()}
}

func TestPlaceholders(t *testing.T) {
	text := types.Typ[types.String]
	texts, numbers := types.NewMap(text, text), types.NewMap(text, types.Typ[types.Int])
	anything := types.NewMap(text, types.Universe.Lookup("any").Type())
	tests := []struct {
		name   string
		params []types.Type
		want   string // the first sequence
	}{
		{"a map and a text", []types.Type{texts, text}, `Fill(map[string]string{"name": "ann"}, "hello $name")`},
		{"a text and a map of anything", []types.Type{text, anything}, `Fill("hello $name", map[string]interface{}{"name": interface{}("ann")})`},
		{"a list of texts", []types.Type{texts, types.NewSlice(text)}, `Fill(map[string]string{"name": "ann"}, []string{"hello $name"})`},
		{"a map of numbers", []types.Type{numbers, text}, ""},
		{"two maps", []types.Type{texts, texts, text}, ""},
		{"no text", []types.Type{texts}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Placeholders(caseWith(tt.params...))
			if tt.want == "" {
				if got != nil {
					t.Errorf("Placeholders = %s, want none", got[0])
				}
				return
			}
			if len(got) != len(placeholders) || !strings.Contains(got[0].Inline(), `"hello $name"`) || !strings.Contains(got[0].Inline(), `"ann"`) {
				t.Errorf("Placeholders = %d sequences, the first %s, want %d, the first %s", len(got), got[0].Inline(), len(placeholders), tt.want)
			}
		})
	}
}
