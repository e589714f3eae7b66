// Package statement writes the sequence of a case as Go statements, for the tests that package emit puts together.
//
//  1. [New] prepares a script: the first statements of a sequence, in a file and a scope of names (script.go). Objects that several
//     calls make may be folded into one expression ([Script.FoldObject], builder.go).
//  2. [Script.Plan] decides which results are written where they are used, and which get a variable (plan.go). The row of a table has
//     no place for variables, so [Script.PlanRow] finds out whether it does without.
//  3. [Script.Arrange] writes a statement that prepares the test (script.go), with names for its results (variable.go); a large
//     map is written by loops (bigmap.go). [Script.Bare] writes a call without assertions. The lines are in Out.
//  4. [Script.Op] and [Script.Ref] write the expressions (expr.go): type arguments where Go does not infer them (infer.go), stand-ins
//     and closures (stub.go).
//  5. [File.Declarations] are the types and functions that these expressions name, once for all tests of a file (file.go).
//
// Nothing here asserts anything: which results a test compares, and how, is package emit's matter.
//
// Invariants:
//   - What is written has the effects of the sequence in the order of the sequence.
//   - A result whose statement is not written where it is used has a variable before it is used.
//   - What cannot be written is refused by [gofile.Writer.Fail], with a reason for users.
//
// Where to start: a new operation needs its text in [Script.Op] and, if it takes more than an expression, in [Script.Arrange] and
// [StatementsOnly].
package statement
