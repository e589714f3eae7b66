// Package protocol knows which contracts Go types are expected to keep without saying so: what the
// standard library documents about the interfaces that they implement, and what the names of their
// methods promise. Randoop checks similar contracts of Java's Object (Pacheco et al., ICSE 2007,
// section 2.2).
//
//  1. rules (rules.go) is the table of contracts, each with its name for -contracts and its
//     severity. Each family has a file: contracts that the library documents in sort.go, io.go,
//     fs.go and iterator.go; contracts that names promise in progress.go, invariant.go, equality.go, order.go,
//     text.go, inverse.go, container.go, size.go, clone.go and idempotent.go.
//  2. Of asks each rule for the checks of the types and functions of a package.
//  3. A check is a function in Go source over one to three values of a type. The native
//     harness compiles and calls it, and the test that reproduces a finding declares the same
//     function, so that both mean the same.
//
// Invariants: the source compiles with the language of go 1.13; the comment of a check says what it
// does to its arguments; the text of an error that it returns names no values.
//
// Not supported: iterators with no or more than three arguments, generic Parse and Decode functions,
// and contracts between methods of different types other than Parse and String.
//
// To add a contract, add a row to the table of rules.
package protocol
