// Package sequence is the engine that explores sequences of method calls with symbolic
// arguments, breadth first (Xie, Marinov, Schulte, Notkin, "Symstra: A Framework for
// Generating Object-Oriented Unit Tests Using Symbolic Execution", TACAS 2005; seed
// 001). A state is the heap that can be reached from the receiver, written out
// canonically (vm.Snapshot), and what the path condition says of the symbolic values in
// it. A new state whose concrete states an earlier one has all of is pruned, so what is
// left is explored once. Of each branch that is reached the first, shortest sequence
// becomes a case.
//
// Invariants:
//   - Nothing is pruned without proof: a state is covered if the heaps are isomorphic and
//     its condition implies the other's, in which values that are no longer in the heap are
//     quantified away. Differences of machine integers are decided exactly (zone.go), the
//     rest soundly by the solver (subsume.go). Where the code decides nothing but the order
//     of numbers, which is watched, only that counts (order.go).
//   - The same type and configuration give the same states and cases in the same order.
//   - A sequence that panics, or breaks a contract or the invariant of its receiver, is a
//     case and is not extended.
//
// Not supported: receivers that goroutines hold on to, maps and stubs as inputs that the
// receiver keeps (such states are explored, but not compared: Result.Opaque). Of two objects
// of the type that a call brings together only the receiver is a state afterwards.
//
// Start at Run; explore.go is the search, methods.go says what is called, peers.go makes
// other objects of the type.
package sequence
