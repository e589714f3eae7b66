// Package choose turns the cases that the engines found into the tests that are worth writing.
//
//  1. Calls of functions called Must become calls of what is behind them (must.go). Cases that
//     cover and show nothing new are dropped, and the others are shortened (choose.go,
//     with package reduce). What iterators yield is collected (collect.go).
//  2. Observers of objects are learnt, and tests ask them what a call has done (askstate.go).
//  3. Mutants choose: killers.go lists the steps. Cases at the boundaries of constants
//     (boundary.go), dropped ones and those that go on behind a call that changes an object (sequel.go)
//     become tests where they notice what the tests let survive;
//     fields of large results are asserted where they matter (fields.go); values that a person
//     would have written take the place of others (respell.go), functions and objects that people
//     pass that of stand-ins (standins.go); tests that nobody would miss go
//     (needed.go), and first those that are beside the point, whatever they cover (beside.go).
//  4. The calls that names are proved against are collected (calls.go).
//  5. What is left runs once more, beside what could spoil it (confirm.go, spoilers.go).
//
// Selection.Rank orders tests by worth, for files that cannot hold them all (rank.go).
//
// Not supported: a function that panics for another's errors is known by the name MustX alone. In
// place of a stub there is an object of the package only if one of its types is a container that
// runs have shown how to fill. A test of which three proposals took longer than a second is not
// respelled any more. Assertions are those that package emit makes of what was observed; only whole
// tests, observers and fields are chosen by mutants.
package choose
