// Package lazy counts the structures that satisfy a predicate without asking it about
// each: it executes the predicate's SSA on a structure of which nothing is decided, and
// decides a field only when, and as far as, the execution depends on it.
//
// Korat's rule (ISSTA 2002) says what is enumerated; this is another way to get there:
//
//   - A field is a variable: a set of the values of its domain. Reading it, passing it on
//     and storing it decides nothing. A test of it (x == nil, x < 3, visited[x]) parts
//     its values by outcome, and the execution forks over the outcomes, not over the
//     values: of all nodes that were visited, one is tried. Comparing two variables
//     leaves a constraint. Only following a pointer, or arithmetic, asks for one value.
//   - Objects that no field has been given yet are alike, so the first of them stands for
//     all, as in Korat; that makes one structure of each isomorphism class.
//   - Forking is backtracking: the machine keeps a trail of what it wrote, and goes back
//     to where the executions part. What is before that is not executed again.
//   - When the predicate holds, what is still undecided is counted, not enumerated: the
//     solutions of the constraints, times the ways to complete what was not looked at.
//
// The count is exact: tests compare with the native search, which asks the predicate
// about every candidate.
//
// Invariant: what the machine cannot do, and everything that a predicate should not do
// (panic, not end, write to the structure), ends the count with an [Unsupported]; then
// the native search has to do it, and shows the candidate.
//
// Not supported: goroutines, channels, defer, floats, package-level variables, deleting
// from maps, functions without a Go body, domains of more than 64 values.
//
// To add an instruction: code.go, its compilation in compile.go or compile_op.go, its execution
// in run.go or, if it is rare, ops.go. What forks is in choose.go.
package lazy
