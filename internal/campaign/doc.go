// Package campaign is the verb gen: it writes unit tests for a package.
//
// A package goes through these stages. The function generate in gen.go runs them; the result of each is
// passed to the next ones:
//
//  1. look (look.go) finds out what there is to test, and which files of earlier runs are in
//     the way. Package earlier runs their tests meanwhile, on the code as it is now.
//  2. build (look.go) builds the native harness. Package earlier runs the hand-written tests
//     meanwhile.
//  3. compareDocumentation (documented.go) runs the calls of which the documentation says something.
//  4. explore (explore.go) has package strategy let the engines look for cases, phase after phase.
//  5. judge (judge.go) has package finding say what each case is. whatever.go tells failures that a text
//     causes from those that any text shows.
//  6. reduce (reduce.go) has package choose select the cases that become tests.
//  7. verify (verify.go) has package verify emit the tests and run them as go test will; the tests
//     of findings must fail.
//  8. write (write.go) replaces the files and announces tests and findings.
//  9. writeSeeds (fuzz.go), mismatches (judge.go) and mutate (score.go) come after writing, and do not
//     change what was written.
//
// Before the first stage recallOrGenerate (remember.go) looks for the result of an earlier run over the
// same code. If only some functions have changed since, redo.go does only these again.
//
// Invariants:
//   - The user's tree is written at the very end, by renames; on any error it is as
//     it was before.
//   - Everything written has passed `go test` in the package's own directory, with the
//     new files laid over it (go test -overlay). If the time ends before the final suite has
//     run, each of its tests has passed in an earlier run.
//   - The timeout bounds all stages together; times.go divides it. Effort within a stage is
//     counted in deterministic units, so that the same seed gives the same bytes with any
//     number of workers, unless the timeout ends a stage.
//   - A panic of ours ("bug: ...") costs one target and is reported as ours.
//   - If an observed outcome differs from the machine's prediction, this counts as a
//     mismatch, and the observed outcome is used.
//
// To add a stage, give generate its line. To add an engine, see package engine; how the engines work
// together is the table of phases in package strategy.
package campaign
