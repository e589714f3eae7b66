// Package engine lets the verbs use all engines alike: an engine gets a Task, about one
// function, one type or the whole package, and yields cases.
//
//  1. All (engine.go) is the table of engines; Select takes those that -engine names.
//  2. Explore (explore.go) gives each of many targets to engines, with several workers, and
//     returns what they found in the order of the targets, so that the number of workers
//     changes nothing.
//  3. An adapter (symbolic.go, sequence.go, bounded.go, random.go) translates the Task to the
//     configuration of the engine's own package, and what came of it to a Report.
//
// To add an engine, write a file with its adapter and add a line to All. Unit says what its
// tasks are about, and by that the phases in package strategy know when it works: nothing
// else has to change. An engine whose cases call what the harness has to be built with is a
// Preparer; one that can follow the path of a given case is a Follower.
//
// Invariants: a panic in an engine costs one target. An engine that does not stop when its
// time is over is left behind, and what it had found until then counts.
package engine
