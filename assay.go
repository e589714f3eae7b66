// Package assay has the annotations by which user code tells assay what it knows. They import nothing,
// cost nothing noticeable, and never panic outside assay: `go build` and `go test` see empty functions.
// Under assay every engine gives them their meaning. Tests of findings are behind the build tag
// assay_bugs. With this tag, Assert and Verified panic if their condition is false, so such a test
// fails as long as the code's own check does.
//
// A module that must not import assay declares functions of its own with a directive above them
// (`//assay:assume`, `//assay:assumeorexecuteconcretely`, `//assay:prefer`, `//assay:assert`,
// `//assay:assumed`, `//assay:verified`). assay treats them alike.
package assay

// Assume states that from here on only executions in which cond holds are of interest (a hard constraint). An
// execution that violates cond becomes no test, whichever engine made it.
func Assume(cond bool) {}

// AssumeOrExecuteConcretely states that cond may be taken for granted while executing symbolically (an
// assumption). If cond conflicts with the path, the path leaves symbolic execution: its inputs are solved
// without the assumption and the rest is executed natively.
func AssumeOrExecuteConcretely(cond bool) {}

// Prefer states that inputs for which cond holds read better (a soft constraint). The preference is dropped
// if a path is impossible with it.
func Prefer(cond bool) {}

// Assumed records that a verifier or a reviewer assumed cond here without checking it, and names that
// assumption. An execution that violates it is a test like any other. It shows behaviour that was not
// verified, so assay looks for both outcomes.
func Assumed(id string, cond bool) {}
