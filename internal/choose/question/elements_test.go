package question

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// TestListsWell checks that a helper which lists elements may fail behind few tests only, and that its lists have to differ.
func TestListsWell(t *testing.T) {
	list := func(n int) testcase.Value {
		v := testcase.Value{Kind: testcase.Slice, Len: n}
		for range n {
			v.Elems = append(v.Elems, testcase.Value{Kind: testcase.Int, Bits: 7})
		}
		return v
	}
	several := func(n int) []testcase.Value {
		out := []testcase.Value{list(0)}
		for len(out) < n {
			out = append(out, list(2))
		}
		return out
	}
	offByOne := testcase.Value{Kind: testcase.Slice, Len: 2, Elems: []testcase.Value{{Kind: testcase.Interface}, {Kind: testcase.Interface, Elems: []testcase.Value{{Kind: testcase.Int, Bits: 7}}}}}
	for _, tt := range []struct {
		name   string
		lists  []testcase.Value
		failed int
		want   bool
	}{
		{"it never fails", several(2), 0, true},
		{"one object leads round in a circle", several(fewFail), 1, true},
		{"one list too few for the failure", several(fewFail - 1), 1, false},
		{"enough for two failures", several(2 * fewFail), 2, true},
		{"too few for two failures", several(2*fewFail - 1), 2, false},
		{"all lists are alike", []testcase.Value{list(2), list(2)}, 0, false},
		{"no list has several elements", []testcase.Value{list(0), list(1)}, 0, false},
		{"there are no lists", nil, 0, false},
		{"elements are counted from one", []testcase.Value{list(0), offByOne, offByOne}, 0, false},
		{"a list of nils", []testcase.Value{list(0), {Kind: testcase.Slice, Len: 2, Elems: []testcase.Value{{Kind: testcase.Nil}, {Kind: testcase.Nil}}}}, 0, true},
		{"one list begins with nil", []testcase.Value{list(2), offByOne}, 0, true},
	} {
		if got := listsWell(tt.lists, tt.failed); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
