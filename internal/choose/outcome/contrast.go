package outcome

import "github.com/goassay/assay/internal/testcase"

// Contrasts returns what tests show of a function beside its best test: that it returns something else for other inputs. A
// function that always returned what it returns in its only test would pass that test. The parameter best has the best test of
// each function, and stands says which other tests a reader would take for examples of their function.
//
// Each test that returns something else than the best one shows the same, so that one of them is enough. The best test shows
// that it is the one to differ from.
func Contrasts(tests []*testcase.Case, best map[*testcase.Case]bool, stands func(*testcase.Case) bool) map[*testcase.Case]string {
	of := make(map[string]*testcase.Case)
	for _, c := range tests {
		if best[c] && !ReturnsNothing(c) {
			of[c.Target] = c
		}
	}
	out := make(map[*testcase.Case]string)
	for _, c := range tests {
		b := of[c.Target]
		if b == nil || c == b || !stands(c) || c.Observed.Status != testcase.Returned || HasError(c) || SameResults(b, c) {
			continue
		}
		out[c] = "something else than the best of " + c.Target
		out[b] = "the best of " + c.Target
	}
	return out
}
