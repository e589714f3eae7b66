// Package random makes sequences at random and learns from what they do: the
// feedback-directed random test generation of Pacheco, Lahiri, Ernst and Ball
// (ICSE 2007), with the mutation of literals by coverage that fuzzers have added
// since.
//
// A step chooses an action (a call, a field, a call of a function value), finds a
// value for each of its arguments, and so extends what earlier steps made. Values
// come from the pool of results of earlier sequences, by type and by what satisfies
// an interface, or are made on the spot: constants out of the code and its tests,
// composite literals, stubs, results of well-known functions of the standard
// library. Another kind of step takes a sequence that covered something new and
// changes a constant in it. Sequences run natively in batches; what they do decides
// what becomes of them:
//
//   - one that panics, hangs or ends the process is a case if it does so in a new
//     way, and is not extended;
//   - one that an assumption discards is dropped;
//   - of one that returns, results and changed arguments go into the pool, unless
//     equal values are there (by the hash of all that is reachable);
//   - one that covers something new is a case, after it was cut down to what covers
//     it, with constants as simple as they can be.
//
// Invariants: everything follows from the seed and the package; effort is counted
// in executed operations (calls into the code under test, those of replayed
// prefixes included), not in time; no order of maps reaches a choice.
//
// Contracts (package protocol) are checked of each new object by the harness, at the end of
// the sequence that made it; those that relate objects by sequences of their own, the rarer
// the more often they held. What breaks one is a case; what breaks an invariant is not
// extended.
//
// Functions as arguments are stubs, functions that have names, method values, and closures
// that call a method of what the sequence has, so that a callback may change the very thing
// that calls it. A case whose closure calls itself or is called more than a thousand times is
// refused, and what hangs or ends the process with a closure is no finding.
//
// Not supported: closures that do more than one call, and more than one goroutine.
//
// To add a source of values, start in values.go; another kind of action, in
// actions.go; another well-known function, in factories.go.
package random
