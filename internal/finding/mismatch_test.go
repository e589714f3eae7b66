package finding

import (
	"go/token"
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

func TestMismatch(t *testing.T) {
	returned := func(vs ...testcase.Value) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{vs}}
	}
	one, two := testcase.Value{Kind: testcase.Int, Bits: 1}, testcase.Value{Kind: testcase.Int, Bits: 2}
	list := func(vs ...testcase.Value) testcase.Value {
		return testcase.Value{Kind: testcase.Slice, Elems: vs, Len: len(vs)}
	}
	keys := func(path string, n testcase.Value) testcase.Value {
		name := types.NewTypeName(token.NoPos, types.NewPackage(path, "aes"), "block", nil)
		return testcase.Value{Kind: testcase.Struct, Type: types.NewNamed(name, types.NewStruct(nil, nil), nil), Elems: []testcase.Value{n}}
	}
	tests := []struct {
		name      string
		p, o      *testcase.Outcome
		different bool
	}{
		{"equal", returned(one), returned(one), false},
		{"value", returned(one), returned(two), true},
		{"status", returned(one), &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{}}, true},
		{"nothing predicted", nil, returned(one), false},
		{"unknown part", returned(list(one, testcase.Value{})), returned(list(one, two)), false},
		{"known part", returned(list(one, two)), returned(list(one, one)), true},
		{"length", returned(list(one)), returned(list(one, two)), true},
		{"refused", returned(one), &testcase.Outcome{Status: testcase.Refused}, false},
		{"struct", returned(keys("example.com/aes", one)), returned(keys("example.com/aes", two)), true},
		{"struct that the processor fills", returned(keys("crypto/internal/fips140/aes", one)), returned(keys("crypto/internal/fips140/aes", two)), false},
		{"by another order of a map", returned(one), &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{}, Unstable: true}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Mismatch(&testcase.Case{Predicted: tt.p, Observed: tt.o})
			if (got != "") != tt.different {
				t.Errorf("mismatch = %q, want different %v", got, tt.different)
			}
		})
	}
}
