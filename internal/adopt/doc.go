// Package adopt moves tests from files that assay wrote into hand-written test files. From then on assay
// never rewrites them, and they count as written by hand.
//
//  1. Run finds the named tests: those of a file, those of a function, or one by its name
//     (adopt.go).
//  2. They go to the source's own test file, x_test.go for x.go. If that is in another package
//     (p or p_test) or has another build constraint, they go to a file beside it (target.go).
//  3. The helpers that the tests use are moved, too. If a hand-written file has the same
//     declaration under any name, the tests use that one instead (helper.go). Imports are added to
//     the file, and the tests use the file's names for them (imports.go).
//  4. The test binary is built with the files as they would be. Only if that succeeds they are
//     written, all under temporary names first.
//
// Invariants: on an error nothing has changed. The content of a hand-written file stays as it is, byte for
// byte, except its import declarations. The rest of a generated file is sealed again.
//
// Not supported: tests of findings. They fail until the code is corrected; then gen writes them as ordinary
// tests.
package adopt
