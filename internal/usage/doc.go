// Package usage decides what a user of a package may do, from evidence in the package itself: what
// documentation says, what functions check before they use it, what they refuse with an error, and
// which values the package makes for its users.
//
// Each answer is a [Word]: whether something is allowed, the sentence that says why, and how strong the
// reason is. Package finding asks about the inputs of a case (a nil argument, a zero value, a text) and
// grades the case by the answers; usage itself sees no case.
//
//  1. [New] keeps the package. Nothing is read before the first question.
//  2. facts.go reads each function once: which of its parameters and fields it compares with
//     nil, of which it takes the length, how many of its returns give an error.
//  3. documentation.go finds sentences that announce a panic, ask something of the caller, allow
//     nil or say that a zero value is ready. It also reads the documentation of an interface or a
//     function type that a function implements.
//  4. values.go answers for values (nil, zero values), functions.go for functions (whether they
//     can refuse, which data they take, what their siblings check).
//
// Invariants: an answer depends only on the package, and never on the order of questions. If there is
// no evidence the answer is that users may not do it, with Rank 0: a finding that nobody would mend
// costs more trust than one that is missed.
//
// Not supported: documentation in other languages than English; guards in a dependency; callers in
// other packages.
//
// To add evidence, give facts a field and the question that needs it a line.
package usage
