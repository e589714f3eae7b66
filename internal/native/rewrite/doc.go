// Package rewrite makes the sources that package native compiles in place of the user's,
// so that a run tells which code it reached, which assertions it broke and which parts of
// a structure it read.
//
// What happens to a file of the package under test:
//
//  1. Instrument walks its functions and notes insertions: a counter for each block and
//     for each outcome of each condition (instrument.go).
//  2. The conditions of calls to annotations (assay.Assume and the others) are passed
//     through hooks of the harness (hooks.go).
//  3. In predicates, and in what they call, reads of fields and elements are passed through
//     package candidate (observe.go for statements, observe_expr.go for expressions). Files
//     of other packages of the module that this concerns come from Others.
//  4. All insertions are applied to the text at once.
//
// Invariants: nothing that is inserted has a newline, so that the user's lines keep their
// numbers; a file that compiles does so afterwards; what the code does is the same.
//
// Not supported: files that use cgo, which the go command translates itself.
package rewrite
