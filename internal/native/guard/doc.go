// Package guard confines the processes in which code under test runs, for package native (the harness) and
// package gotest (go test, test binaries). assay executes code that nobody has looked at with arguments that
// nobody has chosen, and afterwards the user's files, processes and network must be as they were. README's
// table says what such a process may do.
//
// Before anything runs:
//
//  1. GoEnv makes the environment of go commands, so that building runs nothing of the
//     package's (build.go).
//  2. Probe confines a process and makes it try what it must not do (probe.go). If that
//     succeeds, or the system has no means to confine, the caller decides what may run.
//
// To run a confined process:
//
//  1. Start, GoTest and Command start this program itself in place of the binary, with a
//     Policy and the binary's environment in a variable (guard.go, gotest.go, env.go).
//     This process is called the shim.
//  2. The initialisation of this package, long before main, sees the variable.
//  3. The shim marks descriptors to be closed, sets limits of resources, restricts itself by
//     Landlock to the allowed files, drops capabilities (guard_linux.go), and makes the
//     kernel filter its system calls (seccomp_linux.go). None of this can be undone. If
//     the policy requires these steps and one of them fails, the shim ends; Failure tells that from a
//     program that failed.
//  4. The shim executes the binary. The binary, and all that it executes, inherits the
//     restrictions.
//  5. The process that started the shim watches time and memory, and the disk by Disk.
//
// Invariants: the filter lists what is allowed, so system calls of new kernels are refused; a process with
// the policy Require runs confined or not at all; what a process may do depends on its Policy only.
//
// Not supported: systems other than Linux, where Available is false; and architectures other than amd64 and
// arm64, for which there is no list of system calls.
//
// To allow a system call, add it to the lists in seccomp_linux.go, provided that it has no effect on other
// processes and on files outside of Landlock's rules. Add an attack that tries to misuse it to
// testdata/hostile.
package guard
