// Package random makes sequences of calls at random, runs them, and learns from what happens: the
// feedback-directed random test generation of Pacheco, Lahiri, Ernst and Ball (ICSE 2007), with
// mutation of literals by coverage, as fuzzers do it.
//
// The steps:
//
//  1. An action is chosen: a call, an access to a field, a call of a function value (actions.go).
//  2. Each argument gets a value (values.go): from the pool, which has the results of earlier
//     sequences (pool.go), or made on the spot, as a constant out of the code and its tests, a
//     composite literal, a stub, or the result of a known function of the standard library. Together
//     they extend earlier sequences by one call (draft.go).
//  3. Other sequences are made from one that covered something new, by changing a constant in it
//     (mutate.go).
//  4. Sequences run natively in batches (run.go).
//  5. What a sequence did decides what happens to it (learn.go):
//     one that panics, hangs or ends the process is a case if it does so in a new way, and is not
//     extended;
//     one that an assumption discards is dropped;
//     of one that returns, results and changed arguments go into the pool, unless equal values are
//     there (by a hash of all memory that can be reached);
//     one that covers something new is a case.
//  6. A case is made as small as possible (shrink.go), observed twice and yielded (emit.go).
//
// Invariants: the seed and the package determine everything. Effort is counted in executed operations
// (calls into the code under test, in replayed prefixes, too), not in time. No order of maps affects a
// choice.
//
// The harness checks contracts (package protocol) of each new object at the end of the sequence that
// made it. Contracts that relate several objects are checked by sequences of their own (checks.go), the
// more rarely the more often they held. A sequence that breaks a contract is a case; one that breaks an
// invariant is not extended.
//
// Where the code asserts the type of a value that may be anything, values of these types are made (dynamic.go). Keys and
// paths name what the sequence has put somewhere (mention.go).
//
// In a package that waits for the clock durations are short, few sequences of a batch call what may sleep, and such calls
// get the options that make them wait less (moments.go). A sequence that sleeps for too long is no failure.
//
// Function arguments are stubs, named functions, method values, or closures that call a method of an
// object in the sequence, so that a callback may change the object whose method calls it
// (funcvalues.go). A case whose closure calls itself or is called more than a thousand times is
// refused. A sequence with a closure that hangs or ends the process is no finding. Where any value may be and is called by reflection,
// functions are passed, and arguments that fit them.
//
// Not supported: closures that make more than one call, and more than one goroutine.
//
// To add a source of values, start in values.go; another kind of action, in actions.go; another
// well-known function, in factories.go.
package random
