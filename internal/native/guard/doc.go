// Package guard confines the processes in which code under test runs, for package native
// (the harness) and package gotest (go test, test binaries): assay executes code that
// nobody has looked at with arguments that nobody has chosen, and the user's files,
// processes and network must be as they were when it is done. README's table says what
// such a process may do.
//
// What happens before anything runs:
//
//  1. GoEnv makes the environment of go commands, in which building runs nothing of the
//     package's (build.go).
//  2. Probe confines a process and has it try what it must not do (probe.go). Where that
//     succeeds, or there are no means, who asks decides what may run.
//
// What happens to a process that is to be confined:
//
//  1. Start, GoTest and Command have this program itself started in place of the
//     binary, with a Policy and the binary's environment in a variable (guard.go,
//     gotest.go, env.go). It is the shim then.
//  2. Main, which programs call first thing, sees the variable.
//  3. The shim has exec close descriptors, sets limits of resources, restricts itself to
//     the files that are allowed by Landlock, drops capabilities (guard_linux.go), and has
//     the kernel filter its system calls (seccomp_linux.go). Nothing of that can be taken
//     back. Where it must and cannot, it ends; Failure tells that from a program that
//     failed.
//  4. The shim executes the binary, which inherits all of that, as does what it executes.
//  5. Who started it looks after time and memory, and after the disk by Disk.
//
// Invariants: the filter lists what is allowed, so that what a new kernel has is refused;
// a process with the policy Require runs confined or not at all; what a process may do does
// not depend on what it is started for.
//
// Not supported: systems other than Linux, where Available is false; and architectures other
// than amd64 and arm64, where there is no list of system calls.
//
// To allow a system call, add it to the lists in seccomp_linux.go, if it can do nothing to
// other processes and to files that Landlock does not know of; and an attack that tries to
// misuse it to testdata/hostile.
package guard
