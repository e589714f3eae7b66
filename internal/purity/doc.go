// Package purity says what functions do to the world around them. It answers eight questions:
//
//  1. Does a function certainly start processes, open sockets, change files or send signals
//     ([WorldEffects.Effect], effects.go)? Then nobody calls it with made-up arguments.
//  2. May a package do so ([Outside], outside.go)? Then it does not run where nothing confines it.
//  3. Does a function change anything that outlives its call ([Analysis.Pure], [Analysis.EffectsOf], pure.go with
//     pointers.go; package-level variables: globals.go)? If not, a call of it can be dropped from a
//     test.
//  4. Does a panic come from a number that nobody checked ([NumbersOf], flow.go)?
//  5. From where does the value come that makes code panic ([Trace], origin.go)?
//  6. Which functions of its package may a call execute ([Reached], reached.go)?
//  7. Which functions of other packages look for programs of the system or start them ([Processes], outside.go)? What they come to depends on
//     the machine.
//  8. Which calls depend on the clock or on goroutines, so that tests of them run in a bubble of testing/synctest ([Bubbles],
//     bubble.go)?
//
// Randoop's redundancy heuristics need the third answer (Robinson et al., ASE 2011).
//
// Invariants:
//   - Effect names only effects that have happened whenever the function returns normally. A
//     function that may write a file, or that writes one for some arguments, is not named.
//     Functions that are not named still run under the guard of package native.
//   - Pure is sound and not complete: true is a proof (pure.go says of what), false may
//     only mean that the analysis cannot follow a call.
//   - Analyses keep their answers and may be used by several goroutines.
//
// Not supported: effects behind interfaces, function values, reflection and assembly. Effect and
// NumbersOf know dependencies by name only; Pure reads their source if that is promising.
//
// To add a function of the standard library that touches the world, add it to the table in effects.go;
// to add one that is known to be pure, to known.go.
package purity
