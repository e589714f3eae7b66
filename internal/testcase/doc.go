// Package testcase has the data that engines, the native runner, the reducer and the emitter exchange.
//
//  1. An engine makes a [Sequence] of statements, each an [Operation] on results of earlier statements
//     (sequence.go, operation.go), and a [Case] of the sequence (case.go).
//  2. The runner executes the sequence. The [Outcome] has the results as trees of [Value] (value.go).
//  3. Package finding decides whether the case is a test or a [Finding].
//  4. The reducer takes statements away, and the emitter prints the sequence as Go.
//  5. [Sequence.Dump] and [Parse] (parse.go) are for keeping sequences; dump.go prints them for people.
//
// Sequences are those of Randoop (Pacheco et al., ICSE 2007): immutable lists of statements. Random
// sequences, shortest method sequences, models of path conditions and enumerated structures all become
// sequences, so there is one native runner, one reducer and one emitter.
//
// Types are go/types types of the program that package load loaded. Values, whether predicted by the machine
// or observed natively, refer to nothing live, so they can be compared, printed and sent.
//
// Not supported: values that cannot be written as Go expressions (addresses, channels' contents, closures
// made by the code under test) are [Opaque]: later statements can pass them on, but nothing is asserted about
// them.
//
// To add an operation: give it an [OpKind], its typing rule in (*Operation).Results and its text in dump.go;
// then the runner (native) and the writer (emit) will refuse it by name until they know it.
package testcase
