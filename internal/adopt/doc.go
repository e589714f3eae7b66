// Package adopt moves tests from files that assay wrote to the tests by hand, where they are never
// written again and count as written by hand.
//
//  1. Run finds the tests that are named: those of a file, those of a function, one by its name
//     (adopt.go).
//  2. The file that they go to is the source's own test file, x_test.go for x.go. Where that is in
//     another package (p or p_test) or under another build constraint, it is one beside it
//     (target.go).
//  3. With the tests go the helpers that they use, unless a hand-written file declares the same
//     under any name already: then they use that (helper.go). Imports join those of the file, and
//     the tests use the names that the file has for them (imports.go).
//  4. The test binary is built with the files as they would be. Only if that succeeds they are
//     written, all under temporary names first.
//
// Invariants: on an error nothing has changed. What was in a file by hand stays as it is, byte for
// byte, but for its import declarations. What is left of a generated file is sealed again.
//
// Not supported: tests of findings, which fail until the code is mended; then gen writes them as
// tests.
package adopt
