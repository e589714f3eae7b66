// Package reach finds an input that leads to a place of a function, to an outcome of a condition,
// or that breaks a condition which somebody states; or says why there is none.
//
//  1. Run plants a panic at the place into the source (plant.go): at the line as it is, in front of
//     a condition's outcome, or behind a stated condition that is false. A condition over results
//     becomes a clause of a contract. The file on disk stays as it is: the new source is an overlay.
//  2. The verb check is run over that function. What refutes the planted assertion is the input,
//     and was run natively; what proves it is the reason why there is none.
//
// Invariant: nothing is written. What is asked about is parsed as an expression first, so that it
// cannot be anything else.
//
// Not supported: places in package-level variables' initialisers; conditions of a named boolean
// type; functions that the verb check does not analyse.
package reach
