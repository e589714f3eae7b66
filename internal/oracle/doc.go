// Package oracle reads what the documentation of a package says that its calls come to, so that
// it can be compared with what the code does.
//
// The steps ([Of]):
//
//  1. passages gathers the texts (passage.go): doc comments, README files beside the sources and
//     in the module's directory, and the examples of test files with their "Output:".
//  2. Code in them, examples and blocks of Go, is translated statement by statement to sequences
//     (code.go, with print.go for what it prints), and comments at the end of a line say what the
//     line comes to.
//  3. In prose, tables and lines that are no code, calls are looked for with a value behind them:
//     Foo("a") returns "b", Foo(x) == y, Foo(1, 2) // => 3 (quoted.go, table.go).
//  4. Each call is type-checked in the scope of the package and translated (scope.go,
//     expression.go). What does not check is no claim: prose may have parentheses too.
//  5. The value becomes a contract between a result and what it is said to be (want.go).
//
// A [Claim] is run by its Checks: sequences that make the call and compare one result each. If all
// hold, the claim's own sequence is a test that the documentation vouches for; if one is broken,
// documentation and code differ.
//
// A [Use] is a call in such code of which nothing is said (use.go): its values are those that the
// authors have in mind. Code is read on behind what cannot be translated, but then claims nothing.
// [Vocabulary] has the constants that the same texts pass to each function, claims or not.
//
// Invariants: nothing here fails. A comment that lies is a claim like any other; one that cannot
// be understood is none. Claims come in the order of their places, and are bounded in number.
//
// Not supported: claims behind loops, conditions and function literals (calls in them are uses, made
// once), claims about panics, calls on objects that only prose speaks of ("for a full buffer").
//
// To add a way to say what a call returns, see relation in quoted.go.
package oracle
