// Package strategy lets the engines work on a package together: which of them works when, with
// how much of the effort, and what one tells another.
//
//  1. The phases of a run are a table (hybrid, or separate where only some engines were asked for,
//     in strategy.go).
//  2. Each phase (phases.go) hands its engine the functions that it is about, adds what comes to
//     what was found, and notes what is covered now.
//  3. Flipping (flip.go) executes cases symbolically that come near to what is not covered.
//  4. What a phase had too little time for is done in what later ones leave (catchUp).
//
// Effort is counted in deterministic units: the same seed gives the same cases unless the bound of
// time cuts in. A panic of an engine costs that engine's phase, not the run.
package strategy
