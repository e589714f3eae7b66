// Package schedule divides a budget of time over packages.
//
//  1. Every package gets a quick pass (Plan.Next in plan.go), so that each has some tests before
//     any gets more.
//  2. Then the package from which the most statements, mutants and findings a second are expected
//     (Plan.gain) gets a longer pass, with three times the time of its last one, and so on, until there is no time
//     left or nothing left to do.
//  3. Where there is no time for a longer pass, or it would have more than Config.Most, packages get
//     rounds (Job.Round): passes that go on from what was found, with another seed. Three rounds in a
//     row that gain nothing finish a package.
//  4. Run (run.go) works on several packages at the same time.
//
// Each pass but a round begins its search anew. Since its time is three times that of the pass before, all earlier
// passes together take at most half as long. That is the price of not knowing beforehand how much time
// a package needs. (Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms",
// Information Processing Letters 47, 1993, show that restarts with geometrically growing bounds are
// within a constant factor of the best fixed bound.)
//
// A pass is expected to gain as much in each second as the last pass did, up to what is still
// uncovered and unnoticed. In a round the engines that gained more for their time get more of it (Weights in engines.go),
// which package strategy carries out, and the round is expected to gain more by it. This is the rate by which Woo, Cha, Gottlieb and Brumley choose among the seeds of a
// fuzzer in "Scheduling black-box mutational fuzzing" (CCS 2013), in its simplest form: there is no
// prior, and no exploration for its own sake, since the quick pass has seen every package once. Campos,
// Arcuri, Fraser and Abreu, "Continuous test generation: enhancing continuous integration with
// automated test generation" (ASE 2014), propose that a budget belongs to a project and not to each
// class, and that a later run continues from an earlier one's tests.
//
// Invariants: at most one worker works on a package at a time. A package gets no further pass once it
// is finished. The plan has no clock; the caller passes the time, so that the plan
// can be tested without one.
//
// Not supported: a package of which nothing grows any more comes last, although a longer search may still find a
// bug in it. Results for one package do not affect
// expectations for another.
package schedule
