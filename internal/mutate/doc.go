// Package mutate measures how much a suite of tests would notice: it plants small faults (mutants) into the
// package under test and counts those on which some test fails (DeMillo, Lipton and Sayward, 1978).
//
// All mutants are in one binary (mutant schemata, Untch, Offutt and Harrold, ISSTA 1993): the sources are
// rewritten once so that each place asks a variable which mutant is on. One build is therefore enough for any
// number of mutants, thousands of runs take a second, and each run is confined like anything else in package
// native.
//
//  1. Build (analysis.go) has the sources rewritten: rewrite.go walks over them,
//     operators_expr.go, operators_call.go and operators_stmt.go say which mutants an expression, a call or a statement
//     has. operator.go names the kinds and says which operator becomes which, callee.go which function is
//     called in the place of another one.
//  2. The rewritten package is type-checked, and mutants that do not check are dropped
//     (schemata.go). If there are too many a sample is taken, evenly over the source.
//  3. A runner (run.go) runs each mutant against the cases or tests that reach it.
//  4. The outcomes are compared with outcomes without a mutant (differ.go).
//
// The same binary answers two questions:
//   - Analysis.Cases: which mutants change the outcome of a case, and what they change
//     (the status, a result, an argument). Engines and the reducer choose cases by it.
//   - Analysis.Suite: on which mutants a written suite fails. Its test functions are
//     compiled in and called one by one; against a mutant only the tests run that reach it.
//
// Invariants:
//   - A rewriting keeps types and the order of evaluation: the package without a mutant
//     behaves as the original. Each rewriting is checked by go/types, and mutants that do
//     not check are left out.
//   - Deterministic: mutants are numbered in the order of the source. A loop that a
//     mutant made endless is cut by counting its turns; the time limit is only the last
//     resort, for code that waits or recurses.
//   - A kill counts only if the same case, run right after it without a mutant, behaves
//     as before. Otherwise the mutant has spoiled state of the package, and the case is
//     tried again in a process of its own.
//
// No mutants are made where they would be equivalent by construction, or of no interest: zero values returned
// as they are, x*1, unsigned x >= 0, capacities, arguments of panic and of errors' messages, printing and
// logging, taking locks and giving them back, conditions of assay's annotations, tables of constants, code that only package initialisation
// runs, generated files beside others.
//
// Not supported: removal of whole clauses of a switch (a single case can be made to never match, see Case), mutants in package-level variables' initialisers, labelled break
// and continue, files that use cgo. Equivalent mutants that are made nevertheless count as survivors, because
// equivalence cannot be decided in general.
//
// To add a kind of mutant, name it in operator.go and plant it in operators_expr.go, operators_call.go or operators_stmt.go,
// with its helper in support.go.
package mutate
