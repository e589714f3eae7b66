// Package pair finds the counterparts of declarations in two versions of a package, and translates
// calls from one version to the other.
//
//  1. Packages pairs declarations by name, and those whose names are gone by their content:
//     functions by their bodies, types by their shapes (names.go), and what was renamed and changed at the same time by its
//     callers and what it uses (renamed.go, graph.go).
//  2. It compares the texts of paired declarations, and follows what they use: a function is
//     changed if its text, or that of anything it reaches, differs (changed.go).
//  3. Functions of one signature become a Function; a declaration without a partner is Unpaired,
//     with the reason (pair.go).
//  4. A Translator rewrites the sequences of one version for the other: each operation names
//     the function, field, type or variable of the other version (translate.go, types.go).
//  5. Hunks lists the lines in which two declarations differ, so that a difference in behaviour
//     can be traced to a place (hunks.go). TakeBack (takeback.go) makes the newer version without some of these lines.
//
// Nothing here runs code. Invariant: a function that is not Changed does the same in both versions with
// the same inputs, as far as its package's source decides; comments and layout do not count.
//
// Not supported: functions that were split or merged, and values of types that are declared within
// functions.
package pair
