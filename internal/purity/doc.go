// Package purity says what functions do to the world around them: which ones
// certainly start processes, open sockets, change files or send signals
// ([Analysis.Effect]), so that nobody calls them with made-up arguments.
//
// Invariants:
//   - Effect speaks only of what every normal return has behind it: a function that
//     may write a file, or that can be led to by its arguments, is not named. What is
//     not named runs under the guard of package native all the same.
//   - An Analysis keeps its answers and may be used by several goroutines.
//
// Not supported: effects behind interfaces and function values, behind reflection and
// assembly. Dependencies are known by name (effects.go); their source is not looked
// into.
//
// To add a function of the standard library that touches the world, add it to the
// table in effects.go.
package purity
