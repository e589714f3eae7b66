// Package words names test cases: "empty", "amount above reviewAbove", "full". A name is a predicate over the
// inputs of a call and over the results of the receiver's observers before it. The name is proved: the
// predicate holds for the case, and for no executed call of the function with another outcome. All executed
// calls count, thousands of them, not only those that became tests. So a name cannot be wrong about executed
// calls. About other calls a name is a conjecture, like an invariant found by Daikon (Ernst et al., 2001).
// Daikon looks for predicates that hold in all executions, this package for the simplest predicate that tells
// one class of executions from the others.
//
// Readers take the row of a table that stands for one side of a comparison like a clause of a switch: the clauses above it have
// taken the inputs for which an earlier comparison in the code went another way. A predicate may therefore also be proved among only those
// calls that reach a comparison on the case's own path (path.go, proof.go). A sentence (Clause) has no rows
// above it, so it is always proved among all calls.
//
// The way of the data:
//  1. Calls are read once (input.go, outcome.go).
//  2. Families of predicates are evaluated on all calls: conditions of the code (condition.go,
//     say.go, eval.go), observers and the constants that their results pass (observer.go), shapes of
//     values (shape.go, dynamic.go), what stand-ins return (script.go), membership (member.go), outcomes (result.go), where a text is that is a part
//     of another one (textpart.go), and predicates made for one row (special.go), among them that a
//     call undoes another one (special.go).
//  3. For each row the cheapest proved predicate, or pair of predicates, is chosen (proof.go,
//     namer.go). Rows for which there is none are told apart by other things (apart.go).
//  4. English is made in one place (grammar.go).
//
// Invariants:
//   - A nil receiver has a name of its own; predicates about objects do not apply to it.
//   - If all calls had the same outcome, the paths that they took tell them apart.
//   - The names of one test differ. Neither map order nor time decides anything.
//   - A predicate that cannot be evaluated on a call (an unobserved value, a panic) does
//     not count as false there: it proves nothing.
//   - Names contain no unexported fields and variables, because users do not know them. Sentences contain no locals either; a row may have the
//     name of one by which the function decides.
//   - New reads the calls once; Names may be called for many tests.
//
// Not supported: results of functions other than observers and a few of the standard library (IsLeap(year));
// conditions behind a loop, or behind an assignment to a variable that they read; int is taken to have 64
// bits.
//
// To add a predicate: write the function that says on which calls it holds in the file of its family, and its
// phrase in grammar.go.
package words
