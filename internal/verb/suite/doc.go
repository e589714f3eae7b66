// Package suite judges test files, for editors and agents: the files that a package has, and one that
// somebody proposes.
//
//  1. Gaps plants mutants into the package and runs its test files on them. For mutants that no test
//     notices, the engines look for calls that distinguish the mutant from the code.
//  2. Verify lays a proposed test file over the package's directory, runs it as go test does
//     (several times, in another order), and says what it covers and which mutants it notices
//     beyond what the other test files do.
//
// Everything runs confined, and nothing is written to the package's directory.
//
// Not supported: test files with a TestMain, for questions about mutants and coverage; fuzz functions,
// examples and benchmarks do not count.
package suite
