// Package guard confines the processes in which code under test runs, for package native
// (the harness) and package campaign (go test, test binaries): assay executes code that
// nobody has looked at with arguments that nobody has chosen, and the user's files,
// processes and network must be as they were when it is done.
//
// What happens to a process that is to be confined:
//
//  1. Start, GoTest and Command have this program itself started in place of the
//     binary, with what is allowed in an environment variable. It is the shim then.
//  2. Main, which programs call first thing, sees the variable.
//  3. The shim sets limits of resources (guard_linux.go), restricts itself to the files
//     that are allowed by Landlock (guard_linux.go), and has the kernel filter its system
//     calls (seccomp_linux.go). None of the three can be taken back.
//  4. The shim executes the binary, which inherits all of that, as does what it starts.
//
// Not supported: systems other than Linux. Available is false there.
package guard
