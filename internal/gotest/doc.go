// Package gotest runs `go test` for the verbs, in a package's own directory, on files that do not exist
// yet: an overlay lays them over the directory.
//
//  1. Run says what to run: the package, the files over it, the tests, how often.
//  2. Run.Do builds and runs the tests, as confined as its Policy says. Run.Build only builds
//     the test binary; Command runs one.
//  3. The output is read into a Result (output.go): which tests failed and passed, what each
//     of them printed, and the compiler's errors with their places.
//  4. ReadCoverage adds up the coverage profile.
//
// Invariants: an error means that go test could not be run or did not end in time; failing tests are no
// error but part of the Result. The processes are in a process group of their own (group_unix.go), so
// that cancelling ends all of them.
//
// Not supported: without process groups (group_other.go) a hanging test is ended by go test's own
// timeout only.
package gotest
