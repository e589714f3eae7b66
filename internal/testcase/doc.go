// Package testcase has the data that engines, the native runner, the reducer and the emitter exchange:
// operations, statements, sequences, outcomes of running them, and findings.
//
// A case is a [Sequence] in the sense of Randoop (Pacheco et al., ICSE 2007): an immutable list of
// statements, each an [Operation] applied to results of earlier statements. Random sequences, shortest
// method sequences, models of path conditions and enumerated structures all become sequences, so there
// is one native runner, one reducer and one emitter.
//
// Types are go/types types of the program that package load loaded. Values, whether predicted by the
// machine or observed natively, are trees of [Value] that refer to nothing live, so they can be
// compared, printed and sent.
//
// Not supported: values that cannot be written as Go expressions (addresses, channels' contents,
// closures made by the code under test) are [Opaque]: later statements can pass them on, but nothing is
// asserted about them.
//
// To add an operation: give it an [OpKind], its typing rule in (*Operation).Results and its text in
// dump.go; then the runner (native) and the writer (emit) will refuse it by name until they know it.
package testcase
