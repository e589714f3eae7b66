// Package lazy counts the structures that satisfy a predicate without asking it about each. It executes
// the predicate's SSA on a structure in which no field is decided, and decides a field only when, and
// as far as, the execution depends on it.
//
// It counts the same structures as Korat (ISSTA 2002) in another way:
//
//   - A field is a variable: a set of values from its domain. Reading it, passing it on
//     and storing it decides nothing. A test of it (x == nil, x < 3, visited[x]) divides
//     its values by outcome, and the execution forks over the outcomes, not over the
//     values: of all nodes that were visited, one is tried. Comparing two variables
//     leaves a constraint. Only following a pointer, or arithmetic, needs one value.
//   - Objects that no field refers to yet are alike, so the first of them stands for
//     all, as in Korat. That yields one structure of each isomorphism class.
//   - Forking is backtracking: the machine keeps a trail of its writes, and goes back
//     to where the executions diverge. Code before that is not executed again.
//   - When the predicate holds, the undecided rest is counted, not enumerated: the
//     solutions of the constraints, times the ways to complete slots that were not read.
//
// The count is exact: tests compare it with the native search, which asks the predicate about every
// candidate.
//
// Invariant: an operation that the machine does not support, and everything that a predicate should not
// do (panic, not end, write to the structure), ends the count with an [Unsupported]. Then the native
// search counts, and shows the candidate.
//
// Not supported: goroutines, channels, defer, floats, package-level variables, deleting from maps,
// functions without a Go body, domains of more than 64 values.
//
// To add an instruction: code.go, its compilation in compile.go or compile_op.go, its execution in
// run.go or, if it is rare, ops.go. Instructions that fork use choose.go.
package lazy
