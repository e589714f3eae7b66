// Package candidate is the space of candidate structures that a finitization spans, and Korat's search of it
// (Boyapati, Khurshid, Marinov: Korat: Automated Testing Based on Java Predicates, ISSTA 2002): all
// structures within bounds for which a predicate holds, one of each isomorphism class.
//
//  1. A [Spec] says which objects there are and which values their fields may have; it knows types
//     by number only, so it can be sent to another process.
//  2. A [Space] is a Spec in memory: real objects of real types, in one piece of memory, whose fields
//     the search assigns. A candidate is a vector of value numbers, one for each [Slot].
//  3. The search runs the predicate on a candidate. The instrumented predicate reports what it
//     reads ([Read], [Len] and the others).
//  4. The search backtracks on the slot that was read last. So it never looks at candidates that
//     differ only in slots that were not read.
//
// The package is compiled in three places. Package finite uses it in tests that enumerate. Package native
// adds its source to the standard library of the harness, beside assayrt, so that the search runs confined
// and at native speed. The engine uses Spec to print structures. For this reason it imports only a few
// packages of the standard library.
//
// Invariants:
//   - values are tried in the order of their domain, objects in that of their class, so
//     the structures found, and their order, depend on nothing else;
//   - a read that is noted without need costs time and changes no set of structures;
//     one that is not noted loses structures. Reads that cannot be observed therefore count as reads.
//
// It has package-level state (the recorder), because instrumented code has no receiver to record with. One
// search runs at a time.
//
// Not supported: maps, channels and functions as parts of structures (they stay nil), slices of slices.
package candidate
