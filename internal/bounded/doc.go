// Package bounded is the engine that enumerates. It makes all structures within bounds for which a predicate
// holds, up to isomorphism, and with them all inputs of a method that satisfy its contract (Boyapati,
// Khurshid, Marinov: Korat: Automated Testing Based on Java Predicates, ISSTA 2002).
//
//  1. predicate.go finds the predicate: a type's method RepOK() bool or CheckInvariants() error, or its
//     //assay:invariant directives.
//  2. bounds.go makes the finitization: N objects of each struct type in reach and the integers 0..N.
//     If the user has written one with package finite, own.go takes it in place of the default.
//  3. For a method, cases.go makes receiver and arguments the fields of one root struct. The predicate
//     then consists of their invariants and the method's requirements.
//  4. Package native runs the search, the method and the checks of its promises in the confined
//     harness. If there are too many candidates to ask the predicate about each, package lazy counts.
//  5. Enum (enum.go) yields structures. Run (run.go) makes cases of inputs on which the method fails
//     or covers something new. exhaustive.go writes tests that enumerate the inputs again.
//
// Invariants: the structures enumerated, and their order, depend on the bounds only. The predicate has
// accepted natively every structure that is shown or becomes a case.
//
// Not supported: maps, channels, functions and slices of slices as parts of structures (they stay nil),
// fields of types from outside the module, pointers to anything but structs.
//
// Start at Enum for structures, at Run for cases.
package bounded
