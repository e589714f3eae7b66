// Package check is a static analyser for Go: it says of each assertion of a function,
// whether written down or implied by an instruction, under which assumptions no execution
// breaks it. Its results guide the symbolic engine to what it does not verify.
//
// The steps, for one function at a time:
//
//  1. run (fixpoint.go) computes what holds at the entry of each block, by abstract
//     interpretation. A state (domain.go) has pentagons (Logozzo, Fähndrich, SAC 2008):
//     intervals, and upper bounds of numbers by other numbers, lengths and capacities
//     among them. It also has facts about nil and truth, dynamic types, and what places in
//     memory hold (memory.go), lengths of maps included (maplength.go).
//  2. step (transfer.go, arith.go, calls.go, makes.go, refine.go) takes a state through an
//     instruction, and records the assertions that the instruction makes (assertions.go).
//  3. Analyse (check.go) does this with all assumptions, with none, and with one left out
//     at a time. The premise of an assertion is what its verification needs.
//  4. Package guide below computes from the premises where an exploration may end, since all
//     that follows is verified, and where it should go first; the symbolic machine takes that
//     as a vm.Guide.
//  5. Depends (depends.go) says whether executions that were followed depend on more than
//     their inputs, so that an exploration is no proof.
//
// What is assumed without being checked is explicit (Christakis, Müller, Wüstholz, FM 2012
// and ICSE 2016): each assumption has a kind (assumptions.go), an identifier, a place, and
// a condition that the machine can evaluate there.
//
// Invariants: what is verified with every assumption turned off holds in all executions
// without data races and without package unsafe; what is verified under a premise holds in
// those in which the premise does. Whatever an instruction may change is forgotten, unless
// an assumption says that it stays. The order of a Go map reaches no result.
//
// Not supported: contents of slices, maps and arrays at indices that are no constants;
// floating-point values; the result of a function of this module but for its being nil
// or not; verification by way of goroutines and channels beyond a channel that never
// leaves its function. A function literal is analysed by itself, and running the
// expression that makes it counts as meeting whatever in it is not verified.
//
// Start at Program.Analyse. To add a kind of assertion: assertions.go, the instruction in
// transfer.go, words for it in describe.go. To add a kind of assumption: assumptions.go, a
// call of analysis.assume where it is made, its condition in vm's guide.go, a paragraph
// in docs/check.md. To add an instruction's effect on memory: memory.go for the function
// itself, effects.go for its callers, and a fault in mutants_test.go that leaves it out.
package check
