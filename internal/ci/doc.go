// Package ci shows runs to people who read them in a pull request or in the pages of a build.
//
//  1. The command creates the reporters that its flags ask for, and passes each event to them.
//  2. GitHub (github.go) prints findings as annotations of lines at once, and in the end appends a summary
//     in Markdown to the job's.
//  3. JUnit (junit.go) writes a file that most build servers read in the end: packages as suites, tests
//     and functions as cases, findings as failures.
//  4. Profile (profile.go) writes the coverage profile that go tool cover and similar tools read.
//
// Invariants: the same events give the same bytes; annotations and lists are bounded, and say how much is
// left out.
//
// Not supported: annotations of other code hosts, which read SARIF (package sarif).
package ci
