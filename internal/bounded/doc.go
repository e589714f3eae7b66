// Package bounded is the engine that enumerates: all structures within bounds for which a predicate
// holds, up to isomorphism, and with them all inputs of a method that satisfy its contract (Boyapati,
// Khurshid, Marinov: Korat: Automated Testing Based on Java Predicates, ISSTA 2002).
//
// The predicate is a type's invariant: a method RepOK() bool or CheckInvariants() error, or
// //assay:invariant directives (predicate.go). The bounds are a finitization: the user's (package
// finite), or by default N objects of each struct type in reach and the integers 0..N (bounds.go). For
// a method the receiver and the arguments are the fields of one root struct; the predicate is their
// invariants and the method's requirements. Package native runs the search, the method and the checks
// of its promises in the confined harness.
//
// Invariants: the structures enumerated, and their order, depend on the bounds only. The predicate has
// accepted natively every structure that is shown or becomes a case.
//
// Not supported: maps, channels, functions and slices of slices as parts of structures (they stay nil),
// fields of types from outside the module, pointers to anything but structs.
//
// Start at Enum for structures, at Run for cases.
package bounded
