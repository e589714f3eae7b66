// Package ci shows runs to people who read them in a pull request or in the pages of a build:
//
//   - GitHub (github.go) prints findings as annotations of lines, and appends a summary in Markdown
//     to the job's.
//   - JUnit (junit.go) makes a file that most build servers read: packages as suites, tests and
//     functions as cases, findings as failures.
//   - Profile (profile.go) makes the coverage profile that go tool cover and similar tools read.
//
// Each receives events. Invariants: the same events give the same bytes; annotations and lists are
// bounded, and say how much is left out.
//
// Not supported: annotations of other code hosts, which read SARIF (package sarif).
package ci
