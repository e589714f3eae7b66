package record

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// How many calls were noted is read from the last statements of a run that came so far.
func TestCounts(t *testing.T) {
	noted := func(n int) []testcase.Value {
		return []testcase.Value{{Kind: testcase.Slice, Elems: make([]testcase.Value, n)}}
	}
	ended := &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{noted(7), noted(2), noted(0)}}
	if got, want := counts(ended, 2), []int{2, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	cut := &testcase.Outcome{Status: testcase.Panicked, Results: [][]testcase.Value{noted(7), noted(2)}}
	for name, o := range map[string]*testcase.Outcome{"a run that panicked": cut, "no run": nil} {
		if got, want := counts(o, 2), []int{0, 0}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
