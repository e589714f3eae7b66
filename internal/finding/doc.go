// Package finding tells the verbs what a case is once it has run: a test, a defect of the code under test,
// both, or nothing; and how bad the defect is.
//
// A case takes these steps:
//
//  1. MarkBroken (invariant.go): a sequence that ends with a call of RepOK or CheckInvariants
//     which says no has broken an invariant.
//  2. Judge.Case (judge.go) says why a case cannot become a test. It is the only place that
//     classifies cases; each stage of gen and the verb check call it.
//  3. Of (finding.go) says which defect the end of a case shows: its kind, its place, and its
//     cause, which consists of the kind and the functions that lead to the place.
//  4. Grade (grade.go) says how bad the defect is and why, by a table of rules. The rules look at the
//     approach of the case (approach.go): the calls and values by which a user of the package would
//     get there.
//     Package usage says whether a user may do that. The rules about nil and about types with constructors are in
//     nilness.go, those about numbers and texts that nobody passes in numbers.go, and those that rest on a convention which code need
//     not repeat in conventions.go. Of findings that no rule excuses evidence.go says what is wrong, and blame.go decides by who has
//     chosen the value whether they are errors (nobody, as with data) or warnings (a programmer). rawvalues.go recognises values that only look usable; asdata.go values that are
//     passed where any value may be; answers.go stand-ins that answer like values; handbuilt.go objects that a case writes field by field.
//  5. Merge (merge.go) keeps one finding for each cause, the one that is easiest to believe, with
//     the exported functions that lead to it.
//  6. Baseline (baseline.go) takes out findings that the user has listed as known.
//
// Mismatch (mismatch.go) is about assay's own defects: it compares the machine's prediction for a case with
// the observed outcome.
//
// Invariants: a finding was observed in a native run, never only predicted. Grading errs towards the lower
// severity, because a false error costs the user's trust in all others.
//
// To add a kind of finding, see Of; to change what counts as misuse, see Grade. A rule has to hold for
// modules that have nothing to do with each other: RATIONALE.md names them.
package finding
