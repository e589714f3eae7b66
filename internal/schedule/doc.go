// Package schedule divides a budget of time over packages, for whoever works on them.
//
//  1. Every package gets a quick pass (Plan.Next in plan.go), so that each has some tests before
//     any gets more.
//  2. Then the package is deepened of which the most statements a second are expected
//     (Plan.gain), with three times the time of its last pass, and so on, until there is no time
//     left or nothing left to do.
//  3. Run (run.go) has several packages worked on side by side.
//
// A pass begins its search anew, with more time than the last one had. Since the time is three
// times as much, all passes before the last together take at most half as long as the last: the
// price of not knowing beforehand how much a package needs. That restarts whose bounds grow
// geometrically are within a constant factor of the best fixed bound is from Luby, Sinclair and
// Zuckerman, "Optimal speedup of Las Vegas algorithms" (Information Processing Letters 47, 1993).
//
// What a pass is expected to gain is what the last one gained in each of its seconds, but no more
// than what is still uncovered. This is the rate by which Woo, Cha, Gottlieb and Brumley choose
// among the seeds of a fuzzer in "Scheduling black-box mutational fuzzing" (CCS 2013), in its
// simplest form: no prior and no exploration for its own sake, since the quick pass has seen
// every package once. That a budget belongs to a project and not to each class, and that a
// later run goes on from an earlier one's tests, is the proposal of Campos, Arcuri, Fraser and Abreu
// in "Continuous test generation: enhancing continuous integration with automated test
// generation" (ASE 2014).
//
// Invariants: each package is worked on by one worker at a time. A package is not worked on
// again once it is finished, or had Config.Most. The plan knows of no clock; it is told how late it is,
// so that it can be tested without one.
//
// Not supported: a model of findings or mutants; a package whose coverage does not grow any
// more comes last, although longer search may still find a bug in it. What was learnt of one
// package says nothing about another.
package schedule
