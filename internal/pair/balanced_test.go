package pair

import (
	"reflect"
	"testing"
)

// A hunk that opens a block belongs to the one that closes it, over those between them that are whole. What is whole, and what
// nothing closes in its declaration, belongs to none.
func TestBalanced(t *testing.T) {
	hunk := func(decl string, lines ...string) Hunk {
		return Hunk{Decl: decl, New: Stretch{File: "m.go", Text: lines}}
	}
	p := &Pairing{Hunks: []Hunk{
		hunk("m.F", "x := 1"), hunk("m.F", "if f(x) {"), hunk("m.F", "y := g()"), hunk("m.F", "}"),
		hunk("m.G", "for {", "if x {"), hunk("m.G", "}"), hunk("m.H", "}"),
		{Decl: "m.I", Old: Stretch{Text: []string{"if x {"}}, New: Stretch{Text: []string{"if y {"}}},
	}}
	for i, want := range [][]int{{0}, {1, 3}, {2}, {1, 3}, nil, nil, nil, {7}} {
		if got := p.Balanced(i); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %v, want %v", p.Hunks[i], got, want)
		}
	}
	for i, want := range []bool{false, false, false, true, false, true, true, false} {
		if got := p.Hunks[i].Closes(); got != want {
			t.Errorf("%v closes: %t, want %t", p.Hunks[i], got, want)
		}
	}
}
