// Package symbolic is the engine that reaches branches by dynamic symbolic execution:
// it runs a function or method in the symbolic machine along all its paths, within a
// budget, and makes a case of each path that covers something new (Cadar, Dunbar,
// Engler, OSDI 2008; Tillmann, de Halleux, TAP 2008). assay.Assume and
// assay.AssumeOrExecuteConcretely (seed 000) are honoured by the machine.
//
// A method's receiver, and parameters that cannot be written field by field, are built
// by the type's constructors; where branches stay uncovered, other methods are called
// in between, so that the receiver gets into other states. Those sequences are short
// here; exploring them systematically is package sequence's work.
//
// Invariants: the same target, seed and budget give the same cases in the same order.
// Every path ends in a counted vm.Stop; one that the machine cannot follow is handed
// over as a case without prediction.
//
// Not supported: see vm's package comment.
//
// Start at Run; plan.go makes the drivers.
package symbolic
