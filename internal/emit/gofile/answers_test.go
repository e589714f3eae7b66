package gofile

import (
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// A stand-in answers by its argument where nothing that was recorded contradicts that.
func TestByArgument(t *testing.T) {
	of := func(params ...types.Type) *types.Signature {
		var vars []*types.Var
		for _, p := range params {
			vars = append(vars, types.NewVar(token.NoPos, nil, "", p))
		}
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, false)
	}
	number, text := types.Typ[types.Int], types.Typ[types.String]
	for _, tt := range []struct {
		name     string
		recorded []string
		sig      *types.Signature
		answers  []string
		want     []Answer
	}{
		{"numbers", []string{"Edges(0)", "Edges(2)", "Edges(1)"}, of(number), []string{"a", "b", "a"}, []Answer{{"0, 1", "a"}, {"2", "b"}}},
		{"texts", []string{`Get("a(b)")`, `Get("c")`}, of(text), []string{"1", "2"}, []Answer{{`"a(b)"`, "1"}, {`"c"`, "2"}}},
		{"the same again", []string{"Edges(0)", "Edges(1)", "Edges(0)"}, of(number), []string{"a", "b", "a"}, []Answer{{"0", "a"}, {"1", "b"}}},
		{"contradicted", []string{"Edges(0)", "Edges(1)", "Edges(0)"}, of(number), []string{"a", "b", "c"}, nil},
		{"one argument", []string{"Edges(0)", "Edges(0)"}, of(number), []string{"a", "a"}, nil},
		{"two parameters", []string{"Edge(0, 1)", "Edge(1, 1)"}, of(number, number), []string{"a", "b"}, nil},
		{"another type", []string{"At(1.5)", "At(2)"}, of(types.Typ[types.Float64]), []string{"a", "b"}, nil},
		{"nothing recorded", nil, of(number), nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ByArgument(tt.recorded, tt.sig, func(i int) string { return tt.answers[i] }); !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
