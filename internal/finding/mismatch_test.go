package finding

import (
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
