// Package campaign runs the verbs over packages: it gives engines their budgets,
// takes their cases to the native runner, to package finding, the reducer and the emitter,
// has the files written and says what happens as events.
//
// The way of a package through gen is the table of stages in gen.go.
//
// Invariants:
//   - The user's tree is written at the very end, by renames; on any error it is as
//     it was before.
//   - What is written has passed `go test` in the package's own directory, with the
//     new files laid over it (go test -overlay).
//   - The timeout is a bound on all of it. Effort inside is counted in deterministic
//     units, so that the same seed gives the same bytes with any number of workers
//     unless the bound cuts in. Results of workers are merged in the order of targets.
//   - A panic of ours ("bug: ...") costs one target and is reported as ours.
//   - An outcome that differs from what the machine predicted counts as a mismatch,
//     and what is written is what was observed.
//
// How the engines work together is the table of phases in strategy.go.
//
// Not supported: assertions are those that package emit makes of what was observed; only
// whole tests are chosen by mutants.
//
// To add an engine, give it an adapter in adapter.go; to add a stage, the table in gen.go.
package campaign
