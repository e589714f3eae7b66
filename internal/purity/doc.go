// Package purity says what functions do to the world around them: which ones
// certainly start processes, open sockets, change files or send signals
// ([Analysis.Effect]), so that nobody calls them with made-up arguments; which packages
// may do so ([Reach]), so that they are not run where nothing confines them; which ones
// change nothing that outlives them ([Purity.Pure]), so that a call of them can be
// dropped from a test; and whether a panic comes from a number that nobody checked
// ([Unchecked]), or where the value comes from that makes it ([Trace]). Pure is what Randoop's redundancy heuristics ask for (Robinson et
// al., ASE 2011).
//
// Invariants:
//   - Effect speaks only of what every normal return has behind it: a function that
//     may write a file, or that can be led to by its arguments, is not named. What is
//     not named runs under the guard of package native all the same.
//   - Pure is sound and not complete: true is a proof (pure.go says of what), false may
//     only mean that the analysis does not see through a call.
//   - Analyses keep their answers and may be used by several goroutines.
//
// Not supported: effects behind interfaces and function values, behind reflection and
// assembly. For Effect and Unchecked dependencies are known by name only; Pure reads
// their source where there is hope.
//
// To add a function of the standard library that touches the world, add it to the
// table in effects.go; one that is known to be pure, to known.go.
package purity
