// Package reach finds an input that leads to a place of a function, or to an outcome of a condition, or
// that breaks a given condition; or it says why there is none.
//
//  1. Run plants a panic at the place into the source (plant.go): at the line, in front of
//     a condition's outcome, or behind a given condition that is false. A condition over results
//     becomes a clause of a contract. The file on disk stays as it is: the new source is an overlay.
//  2. The verb check is run over that function. A case that refutes the planted assertion is the
//     input, and it was run natively; if the assertion is proved, the proof is the reason why there
//     is no input.
//
// Invariant: nothing is written. The given condition is first parsed as an expression, so that it
// cannot contain anything else.
//
// Not supported: places in package-level variables' initialisers; conditions of a named boolean type;
// functions that the verb check does not analyse.
package reach
