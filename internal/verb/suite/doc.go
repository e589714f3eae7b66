// Package suite judges test files: those that a package has, and one that somebody proposes.
//
//   - Gaps plants mutants into the package and runs its test files on them. For those that no
//     test notices it has the engines look for calls that would tell the mutant from the code.
//   - Verify lays a proposed test file over the package's directory, runs it as go test does
//     (several times, in another order), and says what it covers and which mutants it notices
//     beyond what the other test files do.
//
// Everything runs confined, and nothing is written to the package's directory.
//
// Not supported: test files with a TestMain, where mutants and coverage are asked about; fuzz
// functions, examples and benchmarks count for nothing.
package suite
