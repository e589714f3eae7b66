// Package finding tells the verbs what a case is once it has run: a test, a defect of the
// code under test, both, or nothing; and how bad the defect is.
//
// A case takes these steps:
//
//  1. MarkBroken (invariant.go): a sequence that ends by asking RepOK or CheckInvariants, and
//     is told no, has broken an invariant.
//  2. Judge.Case (judge.go) says why a case cannot become a test. It is the only place that
//     classifies cases; each stage of gen and the verb check ask it.
//  3. Of (finding.go) says which defect the end of a case shows: its kind, its place, and its
//     cause, which is the kind and the functions that lead to the place.
//  4. SeverityOf (severity.go) grades it by the approach of the case (approach.go): whether a
//     user of the package could have done what the test does, and should have known better.
//     rawvalues.go says which values only look usable; handbuilt.go finds objects that a case
//     writes down field by field.
//  5. Merge (merge.go) keeps one finding for each place, the one that is easiest to believe.
//  6. Baseline (baseline.go) takes out what the user has listed as known.
//
// Mismatch (mismatch.go) is about assay's own defects: it compares what the machine predicted
// of a case with what was observed.
//
// Invariants: a finding was observed in a native run, never only predicted. Grading errs
// towards the lower severity, because an error that is none costs the user's trust in all
// others.
//
// To add a kind of finding, see Of; to change what counts as misuse, see approach and
// SeverityOf.
package finding
