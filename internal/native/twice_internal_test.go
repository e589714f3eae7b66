package native

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A case that was left out of the second run keeps the outcome of the first; the others are compared with their own.
func TestMergeAgain(t *testing.T) {
	first := []*testcase.Outcome{{Status: testcase.Returned}, {Status: testcase.Returned}}
	again := []*prepared{{}, {}} // backwards
	again[1].out.Outcome = &testcase.Outcome{Status: testcase.Panicked}
	mergeAgain(first, again)
	if !first[0].Unstable || first[1].Unstable {
		t.Errorf("unstable: %t, %t; want the first alone", first[0].Unstable, first[1].Unstable)
	}
}
