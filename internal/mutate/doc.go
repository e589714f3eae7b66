// Package mutate tells how much a suite of tests would notice: it plants small faults
// (mutants) into the package under test and counts those that some test fails on
// (DeMillo, Lipton and Sayward, 1978).
//
// All mutants are in one binary (mutant schemata, Untch, Offutt and Harrold, ISSTA
// 1993): the sources are rewritten once so that each place asks a variable which mutant
// is on. So there is one build however many mutants there are, thousands run in a
// second, and each runs confined like anything else in package native.
//
//  1. Build (analysis.go) has the sources rewritten: rewrite.go walks over them,
//     operators_expr.go and operators_stmt.go say which mutants an expression or a statement
//     has. operator.go names the kinds and says which operator becomes which.
//  2. The rewritten package is type-checked, and mutants that do not check are dropped
//     (schemata.go). Of too many a sample is taken, evenly over the source.
//  3. A runner (run.go) runs each mutant against the cases or tests that reach it.
//  4. What was observed is compared with a run without mutants (differ.go).
//
// The same binary answers two questions:
//   - Analysis.Cases: which mutants change what is observed of a case, and where (its
//     status, which result, which argument). Engines and the reducer choose by it.
//   - Analysis.Suite: which mutants a written suite fails on. Its test functions are
//     compiled in and called one by one; of a mutant only the tests run that reach it.
//
// Invariants:
//   - A rewriting keeps types and the order of evaluation: the package with no mutant
//     on behaves as the original. Each rewriting is checked by go/types, and what does
//     not check is left out, not guessed at.
//   - Deterministic: mutants are numbered in the order of the source, a loop that a
//     mutant made endless is cut by counting its turns; the time limit is only the last
//     resort, for what waits or recurses.
//   - A kill is believed only if the same case behaves as ever right after it, with no
//     mutant on. Otherwise the mutant spoiled state of the package, and it is tried
//     again in a process of its own.
//
// What is left out because it is equivalent by construction, or of no interest: zero
// values returned as they are, x*1, unsigned x >= 0, capacities, arguments of panic and
// of errors' messages, printing and logging, conditions of assay's annotations, tables
// of constants, code that only package initialisation runs, generated files.
//
// Not supported: removal of switch cases, mutants in package-level variables'
// initialisers, labelled break and continue, files that use cgo. Equivalent mutants
// beyond those above are counted as survivors; nobody knows them in general.
//
// To add a kind of mutant, name it in operator.go and plant it in operators_expr.go or
// operators_stmt.go, with its helper in support.go.
package mutate
