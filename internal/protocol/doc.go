// Package protocol tells the engines and the harness which contracts Go types are expected to
// keep without saying so: what the standard library documents of the interfaces that they
// implement, and what the names of their methods promise. Randoop checks the like of Java's
// Object (Pacheco et al., ICSE 2007, section 2.2).
//
//  1. rules (rules.go) is the table of contracts, each with its name for -contracts and its
//     severity. Each family has a file: what the library documents in sort.go, io.go, fs.go
//     and iterator.go; what names promise in invariant.go, equality.go, order.go, text.go,
//     inverse.go, container.go, size.go, clone.go and idempotent.go.
//  2. Of asks each rule which checks there are for the types and functions of a package.
//  3. A check is a function in Go source over one to three values of a type. The native
//     harness compiles and calls it, and the test that reproduces a finding declares the same
//     function, so that what it says in the harness and what it says to the user cannot
//     differ.
//
// Invariants: the source compiles with the language of go 1.13; what a check does to its
// arguments is said in its comment; the text of an error that it returns names no values.
//
// Not supported: iterators that take more than three arguments or none, generic Parse
// and Decode functions, and contracts between methods of different types but Parse and
// String.
//
// To add a contract, add a row to the table of rules.
package protocol
