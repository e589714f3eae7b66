// Package rewrite makes the sources that package native compiles in place of the user's. A run of them
// reports which code it reached, which assertions it broke and which parts of a structure it read.
//
// The steps for a file of the package under test:
//
//  1. Instrument walks its functions and notes insertions: a counter for each block and
//     for each outcome of each condition (instrument.go).
//  2. The conditions of calls to annotations (assay.Assume and the others) are passed
//     through hooks of the harness (hooks.go).
//  3. In predicates, and in the functions that these call, reads of fields and elements are passed
//     through package candidate (observe.go for statements, observe_expr.go for expressions).
//     Others returns the files of other packages of the module that need this, too.
//  4. Loops over maps go in the order of the keys (order.go), also in code with mutants.
//  5. Conversions of floating-point numbers to integers pass the number through the harness (whole.go),
//     also in code with mutants.
//  6. All changes are made to the text at once.
//
// Invariants: the user's lines keep their numbers; a file that compiles does so afterwards; the code does
// what it may do: of the orders in which a loop may go through a map it takes one, and of the integers that
// a number out of range may become it takes one.
//
// Not supported: files that use cgo, because the go command translates them itself; the order in which
// maps.Keys, package reflect and dependencies go through maps.
package rewrite
