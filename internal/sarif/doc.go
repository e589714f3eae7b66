// Package sarif shows findings as a file of the Static Analysis Results Interchange Format, version
// 2.1.0, which code hosts, editors and viewers read.
//
//  1. Log.Event collects findings, those that the baseline accepts, and diagnostics.
//  2. Log.Write makes the file of them: a rule for each kind of finding (rules.go), a result
//     for each finding (result.go).
//
// A result has the place where the code fails, the calls of the case and its way through the code as a
// code flow, and a fingerprint that stays the same if lines move. Its related locations are the test that
// shows the finding, if there is a file with it, the declaration of the function that users call, and that of
// the argument, field, variable or function that the wrong value comes from. A finding that the baseline accepts is a suppressed result. File names are
// relative to the root of the repository.
//
// Invariant: the same events give the same bytes.
//
// Not supported: verdicts of check that are no findings (assumed, unknown), fixes, properties of the
// source such as contents and hashes.
//
// To describe a new kind of finding, add it to the table in rules.go.
package sarif
