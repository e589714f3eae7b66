// Package pair says of two versions of a package what belongs together, and carries calls
// from one version over to the other.
//
//  1. Packages pairs declarations by name, and those whose names are gone by what they say:
//     functions by their bodies, types by their shapes (names.go).
//  2. It compares what paired declarations say, and follows what they use: a function is
//     changed if it, or anything that it reaches, says something else (changed.go).
//  3. Functions of one signature become a Function; what has no partner is Unpaired, with the
//     reason (pair.go).
//  4. A Translator rewrites the sequences of one version for the other: each operation names
//     the function, field, type or variable of the other version (translate.go, types.go).
//  5. Hunks lists the lines in which two declarations differ, so that a difference in what
//     they do can be led back to a place (hunks.go).
//
// Nothing here runs code. Invariant: a function that is not Changed does in both versions the
// same with the same inputs, as far as its package's source decides; comments and layout do
// not count.
//
// Not supported: functions that were split or merged, and values of types that are declared
// within functions.
package pair
