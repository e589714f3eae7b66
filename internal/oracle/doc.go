// Package oracle reads what the documentation of a package says about results of calls, so that this can be
// compared with what the code does.
//
// The steps ([Of]):
//
//  1. passages gathers the texts (passage.go): doc comments, README files beside the sources and
//     in the module's directory, and the examples of test files with their "Output:".
//  2. Code in them, examples and blocks of Go, is translated statement by statement to sequences
//     (code.go, with print.go for its output). A comment at the end of a line is read as the result
//     of the line. A block that uses a variable of an earlier block goes on there. Function literals
//     are taken as they are written, if they use nothing from around them (function.go).
//  3. In prose, tables and other lines, calls are looked for with a value behind them:
//     Foo("a") returns "b", Foo(x) == y, Foo(1, 2) // => 3 (quoted.go, table.go).
//  4. Each call is type-checked in the scope of the package and translated (scope.go,
//     expression.go). Text that does not check is no claim: prose may have parentheses too.
//  5. The value becomes a contract that compares it with the result (want.go).
//
// A [Claim] is run by its Checks: sequences that make the call and compare one result each. If all hold, the
// claim's own sequence is a test that the documentation vouches for; if one is broken, documentation and code
// differ.
//
// A [Use] is a call in such code whose result the documentation does not mention (use.go): its arguments are
// values that the authors have in mind. Code behind a statement that cannot be translated is still read for
// uses, but claims nothing. [Vocabulary] has the constants that the same texts pass to each function, claims
// or not.
//
// Code elsewhere in the module, which package load/callers finds, is read for its uses alone (caller.go), and for the structs of
// constants that it writes out.
//
// Invariants: nothing here fails. A comment that is wrong is a claim like any other. A comment that cannot be
// understood is no claim. Claims come in the order of their places, and are bounded in number.
//
// Not supported: claims behind loops, and behind conditions that do more than print or handle an error (calls in
// them are uses, made once), types with methods that code declares, function literals that use variables from around
// them, claims about panics, calls on objects that only prose describes ("for a full buffer").
//
// To add a way to say what a call returns, see relation in quoted.go.
package oracle
