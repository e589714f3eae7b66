// Package campaign is the verb gen: it writes unit tests for a package.
//
// A package goes through these stages; generate in gen.go is the way, and each stage gives
// what it comes to to the next ones:
//
//  1. look (look.go) finds out what there is to test, and which files of earlier runs are in
//     the way. Package earlier runs their tests meanwhile, on the code as it is now.
//  2. build (look.go) builds the native harness. Package earlier runs the hand-written tests
//     meanwhile.
//  3. explore (explore.go) has package strategy let the engines look for cases, phase after phase.
//  4. judge (judge.go) has package finding say what each case is.
//  5. reduce (reduce.go) has package choose say which cases become tests.
//  6. verify (verify.go) has package verify emit the tests and run them as go test will; the tests
//     of findings must fail.
//  7. write (write.go) replaces the files and announces tests and findings.
//  8. seed (fuzz.go), mismatches (judge.go) and mutate (score.go) come after writing, and
//     change nothing of it.
//
// Before the first stage recallOrGenerate (remember.go) looks for what an earlier run came to, of
// which redo.go may have only a part done again.
//
// Invariants:
//   - The user's tree is written at the very end, by renames; on any error it is as
//     it was before.
//   - What is written has passed `go test` in the package's own directory, with the
//     new files laid over it (go test -overlay); where the time is over before it ran as it
//     is, each of its tests has.
//   - The timeout is a bound on all of it; times.go divides it. Effort inside is counted in
//     deterministic units, so that the same seed gives the same bytes with any number of
//     workers unless the bound cuts in.
//   - A panic of ours ("bug: ...") costs one target and is reported as ours.
//   - An outcome that differs from what the machine predicted counts as a mismatch,
//     and what is written is what was observed.
//
// To add a stage, give generate its line. To add an engine, see package engine; how the
// engines work together is the table of phases in package strategy.
package campaign
