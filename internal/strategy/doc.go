// Package strategy lets the engines work on a package together. It decides when each engine works and with
// how much effort, and passes results from one engine to another.
//
//  1. If an earlier run is continued, the cases that it found run first (resume.go).
//  2. The phases of a run are a table in strategy.go: hybrid, or separate if the user asked for
//     only some engines.
//  3. Each phase (phases.go) passes its engine the functions to work on, adds the cases to those
//     found so far, and notes the blocks that they cover.
//  4. Flipping (flip.go) executes cases symbolically that come near to uncovered blocks.
//  5. If a phase had too little time, the rest of its work is done in time that later phases do not
//     need (catchUp).
//
// Effort is counted in deterministic units, so the same seed gives the same cases unless the time ends a
// phase. If an engine panics, its phase ends, and the other phases run.
package strategy
