package words

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestRelate(t *testing.T) {
	number := func(n uint64) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: n} }
	set := func(keys ...uint64) testcase.Value {
		v := testcase.Value{Kind: testcase.Map, Len: len(keys)}
		for _, k := range keys {
			v.Elems = append(v.Elems, number(k), testcase.Value{Kind: testcase.Struct})
		}
		return v
	}
	cut := set(1)
	cut.Cut = true
	tests := []struct {
		name  string
		x, y  testcase.Value
		want  relation
		known truth
	}{
		{"disjoint", set(1, 2), set(3), disjoint, yes},
		{"overlapping", set(1, 2), set(2, 3), overlapping, yes},
		{"a proper subset", set(1), set(1, 2), part, yes},
		{"a proper superset", set(1, 2), set(2), whole, yes},
		{"the same", set(1, 2), set(2, 1), same, yes},
		{"a pointer to a set", testcase.Value{Kind: testcase.Pointer, Elems: []testcase.Value{set(1)}}, set(3), disjoint, yes},
		{"empty", set(), set(3), unrelated, yes},
		{"nil", testcase.Value{Kind: testcase.Nil}, set(3), unrelated, yes},
		{"not all is known", cut, set(3), unrelated, unknown},
		{"no set", number(1), set(3), unrelated, unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, known := relate(tt.x, tt.y); got != tt.want || known != tt.known {
				t.Errorf("relate(%v, %v) = %v, %v; want %v, %v", tt.x, tt.y, got, known, tt.want, tt.known)
			}
		})
	}
}
