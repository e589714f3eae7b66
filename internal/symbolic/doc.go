// Package symbolic is the engine that reaches branches by dynamic symbolic execution (Cadar, Dunbar,
// Engler, OSDI 2008; Tillmann, de Halleux, TAP 2008):
//
//  1. plan.go makes drivers: sequences of calls, with symbols for arguments, that end with the
//     target. A receiver, or a parameter that users cannot write field by field, is built by a
//     constructor of its type. While branches are uncovered, other methods are called in between, so
//     that the receiver gets into other states.
//  2. Run (symbolic.go) executes each driver in the symbolic machine (package vm) along all its
//     paths, within a budget.
//     Outcomes that contradict what each path had decided before are then looked for from inputs that
//     they ask for (goal.go of package vm).
//  3. The condition of each path that covers something new is solved, and the solution becomes a
//     case.
//  4. Where types of the package have a predicate (RepOK, CheckInvariants), what the target returns and
//     was passed is asked at the ends of paths, with valid inputs (questions.go). A path on which an object
//     says no is solved as well.
//
// Sequences are short here; package sequence explores long ones systematically. The machine honours
// assay.Assume and assay.AssumeOrExecuteConcretely (as UTBot has them).
//
// Invariants: the same target, seed and budget give the same cases in the same order. Every path ends
// in a counted vm.Stop. If the machine cannot follow a path to its end, the path's inputs become a case
// without prediction.
//
// Not supported: see vm's package comment.
package symbolic
