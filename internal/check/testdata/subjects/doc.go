// Package subjects has solutions of common programming tasks (of the kind that Rosetta
// Code collects), for the comparison of the ways in which verification results guide
// tests: see docs/check.md.
package subjects

// holds is an assertion.
//
//assay:assert
func holds(ok bool) {}
