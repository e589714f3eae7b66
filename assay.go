// Package assay holds the annotations by which user code tells assay what it
// knows. They import nothing, are inlined to nothing noticeable, and never panic
// outside assay: `go build` and `go test` see empty functions. Under assay they
// mean what they say, in every engine. With the build tag assay_bugs, behind which are the
// tests of findings, Assert and Verified panic where their condition is false: so a test
// fails for as long as the code's own check does.
//
// A module that must not import assay declares functions of its own with a
// directive above them (`//assay:assume`, `//assay:assumeorexecuteconcretely`,
// `//assay:prefer`, `//assay:assert`, `//assay:assumed`, `//assay:verified`), which are
// recognised alike.
package assay

// Assume states that only executions in which cond holds are of interest from
// here on (a hard constraint). An execution that violates it is no test, not even
// a passing one, whichever engine made it.
func Assume(cond bool) {}

// AssumeOrExecuteConcretely states that cond may be taken for granted while
// executing symbolically (an assumption). Where it conflicts with the path, the
// path leaves symbolic execution: its inputs are solved without the assumption and
// the rest is executed natively.
func AssumeOrExecuteConcretely(cond bool) {}

// Prefer states that inputs for which cond holds read better (a soft constraint).
// It is dropped wherever it is in the way of a path.
func Prefer(cond bool) {}

// Assumed records that a verifier or a reviewer assumed cond here without checking
// it, and names that assumption. An execution that violates it is a test like any
// other: it shows what was not verified, so both outcomes are looked for.
func Assumed(id string, cond bool) {}
