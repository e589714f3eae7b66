// Package choose turns the cases that the engines found into the tests that are worth writing.
//
//  1. Calls of functions called Must become calls of the functions behind them (unwrap.go). Cases that
//     cover and show nothing new are dropped, and the others are shortened (choose.go,
//     with package reduce). The values that iterators yield are collected (unwrap.go).
//  2. The observers of objects are learnt, and tests ask them for the state behind a call (question);
//     objects of other packages are asked what they are, and those of the standard library are read (told).
//  3. Mutants choose: killers.go lists the steps. Cases become tests if they notice mutants that the
//     tests let survive: programs of the documentation with one more option set (options.go), dropped
//     cases, cases at the boundaries of constants (boundary), and cases that make further calls on a
//     changed object (sequel.go). Of large results those fields are
//     asserted that notice mutants (fields.go). Values that a person would have written take the place
//     of others (respell.go), functions and objects that people pass take the place of stand-ins
//     (standin), and elements and keys without content get some (kept.go). Then the tests go that nobody would miss (needed.go), first of all those that are
//     beside the point, whatever they cover (beside.go).
//  4. The calls that names are proved against are collected (question).
//  5. The selected tests run once more, apart from tests that would spoil the state for others
//     (confirm.go).
//
// Selection.Rank orders tests by worth, for files that cannot hold them all (choose.go).
//
// Not supported: a function that turns another function's errors into panics is known by the name MustX
// alone. A stub is replaced by an object of the package only if one of the package's types is a container
// that runs have shown how to fill. A test whose proposals took longer than a second three times gets no
// further proposals. Assertions are made by package emit from the observed outcome; mutants choose only whole
// tests, observers and fields.
package choose
