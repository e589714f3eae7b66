// Package engine lets the verbs use all engines in the same way: an engine gets a Task about one function,
// one type or the whole package, and yields cases.
//
//  1. All (engine.go) is the table of engines; Select picks those that -engine names.
//  2. Explore (explore.go) passes each of many targets to engines, with several workers. It
//     returns the results in the order of the targets, so they do not depend on the number of
//     workers.
//  3. An adapter (symbolic.go, sequence.go, bounded.go, random.go) translates the Task to the
//     configuration of the engine's own package, and the engine's result to a Report.
//
// To add an engine, write a file with its adapter and add a line to All. Its Unit says what its tasks are
// about, and tells the phases in package strategy when it works: nothing else has to change, but for the help text of -engine, which
// names the engines (cmd/assay/help.go). If the harness
// has to be built with operations that its cases call, the engine is also a Preparer; if it can follow the
// path of a given case, it is a Follower.
//
// Invariants: a panic in an engine costs one target. An engine that does not stop when its time is over is
// left behind, and its cases up to then count.
package engine
