// Package sequence is the engine that explores sequences of method calls with symbolic arguments,
// breadth first (Symstra: Xie, Marinov, Schulte, Notkin, TACAS 2005).
//
//  1. Constructors make the first receivers, with symbols as arguments (methods.go, explore.go).
//  2. Each method is called on each state, along all paths of the symbolic machine. A state is the
//     heap that the receiver leads to, in a canonical form (vm.Snapshot), and the part of the path
//     condition about the symbolic values in it (condition.go).
//  3. A new state is pruned if an earlier state subsumes it, that is, represents all its concrete
//     states: whatever follows has been explored from the earlier one (subsume.go).
//  4. For each branch that is reached, the first and therefore shortest sequence becomes a case.
//
// Invariants:
//   - A state is pruned only with proof: the heaps are isomorphic, and the condition of the
//     pruned state implies the other's, in which values that are no longer in the heap are
//     existentially quantified. Differences of machine integers are decided exactly (zone.go),
//     everything else soundly by the solver (subsume.go). If the code decides nothing but the
//     order of numbers, which is checked while it runs, only the order counts (order.go).
//   - The same type and configuration give the same states and cases in the same order.
//   - A sequence that panics, or breaks a contract or the invariant of its receiver, is a
//     case and is not extended.
//
// Not supported: receivers that goroutines hold on to; maps and stubs as inputs that the receiver keeps
// (such states are explored, but not compared: Result.Opaque). If a call takes another object of the
// type, only the receiver is a state afterwards.
//
// Start at Run; explore.go is the search, methods.go says which methods are called, peers.go makes
// other objects of the type.
package sequence
