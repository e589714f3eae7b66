// Package assayrt is the half of the native runner that lives in the harness
// process: it reads sequences from a file descriptor, executes them by reflection
// against a registry of the package's functions, types and variables, and writes
// back what happened.
//
// It is compiled in two places. Package native imports it for the encoding of the
// protocol; and it embeds these files and adds them, by a build overlay, to the
// standard library of the user's tool chain as package "assayrt", so that the
// generated test file of any package can import it: without a module requirement,
// whatever -mod says, and compiled once for all packages. Hence it imports nothing
// but the standard library, and little of that: what it imports is linked into
// every harness.
//
// Invariants:
//   - it uses file descriptors of its own and never standard input or output, which
//     belong to the code under test;
//   - one case executes at a time, in a goroutine that may end by runtime.Goexit;
//   - all goroutines of this package are parked on channels while the code under
//     test waits, so that the Go runtime still notices a deadlock;
//   - what it sends depends only on what was executed: no addresses, no order of maps.
//
// It has package-level state (the running case), because what the instrumented
// code calls has no receiver. That is the process's state: the process exists to
// run cases one by one.
//
// To add an operation: a constant in proto.go, its decoding in ops.go, its
// execution in exec.go; then its encoding in package native.
package assayrt
