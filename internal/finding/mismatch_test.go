package finding

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Which of two bounds in a statement is looked at first Go leaves open; any other difference counts.
func TestMismatchOfPanics(t *testing.T) {
	for _, tt := range []struct {
		predicted, observed string
		same                bool
	}{
		{"index-out-of-range", "slice-out-of-range", true},
		{"slice-out-of-range", "index-out-of-range", true},
		{"index-out-of-range", "index-out-of-range", true},
		{"nil-dereference", "index-out-of-range", false},
		{"index-out-of-range", "explicit", false},
	} {
		outcome := func(kind string) *testcase.Outcome {
			return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Runtime: true, Kind: kind}}
		}
		got := Mismatch(&testcase.Case{Predicted: outcome(tt.predicted), Observed: outcome(tt.observed)})
		if (got == "") != tt.same {
			t.Errorf("predicted %s, observed %s: %q", tt.predicted, tt.observed, got)
		}
	}
}

// How many callers a stack has depends on who runs the case; any other list has to have its length.
func TestMismatchOfLists(t *testing.T) {
	for _, tt := range []struct {
		name string
		elem types.BasicKind
		same bool
	}{
		{"addresses", types.Uintptr, true},
		{"numbers", types.Uint64, false},
	} {
		outcome := func(n int) *testcase.Outcome {
			list := testcase.Value{Kind: testcase.Slice, Type: types.NewSlice(types.Typ[tt.elem]), Len: n}
			for range n {
				list.Elems = append(list.Elems, testcase.Value{Kind: testcase.Uint, Type: types.Typ[tt.elem], Bits: 7})
			}
			return &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{list}}}
		}
		got := Mismatch(&testcase.Case{Predicted: outcome(2), Observed: outcome(3)})
		if (got == "") != tt.same {
			t.Errorf("%s, two predicted and three observed: %q", tt.name, got)
		}
	}
}
