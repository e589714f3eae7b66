// Package lazy counts, for package bounded, the structures that satisfy a predicate, without asking the
// predicate about each. It executes the predicate's SSA on a structure in which no field is decided. It
// decides a field only when the execution depends on it, and only as far as it does.
//
//  1. NewCounter compiles the predicate to instructions of a small machine (compile.go).
//  2. layout.go puts the candidate's objects into memory, with a variable for each field. A variable
//     has the set of values in its domain. To read it, pass it on or store it decides nothing.
//  3. The machine executes the predicate (run.go). A test of a variable (x == nil, x < 3,
//     visited[x]) divides its values by outcome, and the execution forks over the outcomes, not over
//     the values (choose.go): of all nodes that were visited, one is tried. A comparison of two
//     variables leaves a constraint. Only to follow a pointer, and for arithmetic, one value is needed.
//  4. Forking is backtracking (fork.go): the machine keeps a trail of its writes, and goes back to the
//     place where executions diverge. Code before that place is not executed again.
//  5. When the predicate holds, the undecided rest is counted, not enumerated (count.go): the number of
//     solutions of the constraints, times the number of ways to complete slots that were not read.
//
// Objects that no field refers to yet are alike, so the first of them stands for all, as in Korat (ISSTA
// 2002). Each isomorphism class is thus counted once, as Korat does.
//
// The count is exact: tests compare it with the native search, which asks the predicate about every
// candidate.
//
// Invariant: if the predicate executes an operation that the machine does not support, or does something that
// a predicate should not do (panic, not end, write to the structure), the count ends with an [Unsupported].
// The native search then counts, and shows the candidate.
//
// Not supported: goroutines, channels, defer, floats, package-level variables, deleting from maps, functions
// without a Go body, domains of more than 64 values.
//
// To add an instruction: code.go, its compilation in compile.go or compile_op.go, its execution in run.go or,
// if it is rare, ops.go. Instructions that fork use choose.go.
package lazy
