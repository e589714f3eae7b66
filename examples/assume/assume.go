// Package assume shows what a function can take for granted. An assumption made with
// [assay.Assume] removes the paths that violate it; one made with
// [assay.AssumeOrExecuteConcretely] only keeps them out of symbolic execution: they
// are run concretely, and their branches are covered.
package assume

import "github.com/goassay/assay"

// Positive returns 0 for every number that it is tested with: the other branch
// conflicts with the assumption and is not reached.
func Positive(x int) int {
	assay.Assume(x > 0)
	if x <= 0 {
		return -1
	}
	return 0
}

// Short reports whether the list is short. The assumption hides the other branch
// from symbolic execution and from every test.
func Short(list []int) bool {
	assay.Assume(len(list) <= 10)
	return len(list) <= 10
}

// Length says in a word how long the list is. The assumption is dropped where it
// conflicts with the branch, so both branches are tested.
func Length(list []int) string {
	assay.AssumeOrExecuteConcretely(len(list) <= 10)
	if len(list) > 10 {
		return "long"
	}
	return "short"
}
