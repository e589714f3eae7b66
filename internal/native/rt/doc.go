// Package assayrt is the half of the native runner that runs in the harness process.
//
//  1. It reads sequences from a file descriptor (loop.go, ops.go).
//  2. It executes them by reflection against a registry of the package's functions, types and
//     variables (exec.go, run.go).
//  3. It writes back the outcomes: results as trees (capture.go), coverage (cover.go), panics
//     (panics.go), broken contracts (watch.go).
//
// It is compiled in two places. Package native imports it for the encoding of the protocol. Package native
// also embeds these files and adds them, by a build overlay, to the standard library of the user's tool chain
// as package "assayrt". The generated test file of any package can therefore import it, without a module
// requirement, whatever -mod says, and it is compiled once for all packages. It imports only a few packages
// of the standard library, because its imports are linked into every harness.
//
// Invariants:
//   - it uses file descriptors of its own and never standard input or output, which
//     belong to the code under test;
//   - one case executes at a time, in a goroutine that may end by runtime.Goexit;
//   - all goroutines of this package are parked on channels while the code under
//     test waits, so that the Go runtime still notices a deadlock;
//   - outcomes depend only on what was executed: they contain no addresses and no order of maps.
//
// It has package-level state (the running case), because the instrumented code calls functions without a
// receiver. That is acceptable since the process exists to run cases one by one.
//
// To add an operation: a constant in proto.go, its decoding in ops.go, its execution in exec.go; then its
// encoding in package native.
package assayrt
