// Package words names test cases: "empty", "amount above reviewAbove", "full". A name is
// a predicate over the inputs of a call and over what the receiver's observers said
// before it, and it is proved: it holds for the case, and for no executed call of the
// function with another outcome. All executed calls count, thousands of them, not only
// those that became tests. So a name cannot lie about what was executed; about what was
// not, it is a conjecture in the sense of Daikon (Ernst et al., 2001), turned round: the
// simplest predicate is sought that tells one class of executions from the others.
//
// A row of a table that was chosen for one side of a comparison is read like a clause of
// a switch: what earlier comparisons sent elsewhere is taken away. A predicate may
// therefore also be proved among the calls that reach a comparison on the case's own path
// (path.go, proof.go). A sentence stands alone; a Clause is always proved among all calls.
//
// The way of the data: calls are read once (input.go, outcome.go); families of predicates
// are evaluated on all of them (conditions of the code: condition.go, say.go, eval.go; observers:
// observer.go; shapes of values: shape.go; constants: constant.go; membership:
// member.go; outcomes: result.go; what only one row has: special.go); for each row the cheapest proved predicate, or pair,
// is chosen (proof.go, namer.go). What things are called is said in one place (grammar.go).
//
// Invariants:
//   - A nil receiver has a name of its own; what is said of an object is not said of it.
//   - Where all calls came to the same, the paths that they took tell them apart.
//   - The names of one test differ. Neither map order nor time decides anything.
//   - A predicate that cannot be evaluated on a call (an unobserved value, a panic) does
//     not count as false there: it proves nothing.
//   - Unexported fields, variables and locals are in no name: a test cannot see them.
//   - New asks nothing of the calls again; Names may be called for many tests.
//
// Not supported: what other functions than observers and a few of the standard library
// return (IsLeap(year)); conditions behind a loop or an assignment to what they read; int
// is taken to have 64 bits.
//
// To add a predicate: write the function that says on which calls it holds in the file of
// its family, and its phrase in grammar.go.
package words
