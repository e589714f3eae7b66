// Package bounded is the engine that enumerates: all structures within bounds for which
// a predicate holds, up to isomorphism, and with them all inputs of a method that
// satisfy its contract (Boyapati, Khurshid, Marinov: Korat: Automated Testing Based on
// Java Predicates, ISSTA 2002).
//
// The predicate is a type's invariant: a method RepOK() bool or CheckInvariants() error,
// or //assay:invariant directives. The bounds are a finitization: the user's (package
// finite) or the default, N objects of each struct type in reach and the integers 0..N.
// For a method the receiver and the arguments are the fields of one root struct, the
// predicate their invariants and what the method requires; package native runs the
// search, the method and the checks of what it ensures in the confined harness.
//
// Invariants: what is enumerated, and in which order, depends on the bounds only; every
// structure that is shown or becomes a case was accepted by the predicate natively.
//
// Not supported: maps, channels, functions and slices of slices as parts of structures
// (they stay nil), fields of types from outside the module, pointers to anything but
// structs.
//
// Start at Enum for structures, at Run for cases; bounds.go has the default bounds.
package bounded
