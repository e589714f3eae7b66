// Package check is a static analyser for Go. For each assertion of a function, written down or implied by an
// instruction, it says under which assumptions no execution breaks the assertion. The symbolic engine uses
// the results to explore code first whose assertions are not verified.
//
// The steps, for one function at a time:
//
//  1. run (fixpoint.go) computes the state at the entry of each block, by abstract
//     interpretation. A state (domain.go) has pentagons (Logozzo, Fähndrich, SAC 2008):
//     an interval for each number, and upper bounds of numbers by other numbers, such as
//     lengths and capacities. It also has facts about nil and truth, dynamic types, the
//     contents of places in memory (memory.go), and lengths of maps (maplength.go).
//  2. step (transfer.go, arith.go, calls.go, makes.go, refine.go) takes a state through an
//     instruction, and records the assertions that the instruction makes (assertions.go).
//  3. Analyse (check.go) does this with all assumptions, with none, and with one left out
//     at a time. The premise of an assertion consists of the assumptions that it cannot do without.
//  4. Package guide below computes from the premises where an exploration may end, because
//     everything behind that place is verified, and where it should go first. The symbolic
//     machine takes these as a vm.Guide.
//  5. Depends (depends.go) says whether executions depend on more than their inputs. Following
//     all paths is then no proof.
//
// Assumptions are explicit (Christakis, Müller, Wüstholz, FM 2012 and ICSE 2016): each has a kind
// (assumptions.go), an identifier, a place, and a condition that the machine can evaluate there.
//
// Invariants: an assertion that is verified with every assumption turned off holds in all executions without
// data races and without package unsafe. An assertion that is verified under a premise holds in those of
// these executions in which the premise holds. A state forgets what an instruction may change, unless an
// assumption says that it stays. The order of a Go map reaches no result.
//
// Not supported: contents of slices, maps and arrays at indices that are no constants; floating-point values;
// results of functions of this module, except whether they are nil; verification across goroutines and
// channels, except for a channel that never leaves its function. A function literal is analysed by itself;
// running the expression that makes it counts as reaching its assertions that are not verified.
//
// Start at Program.Analyse. To add a kind of assertion: assertions.go, the instruction in transfer.go, words
// for it in describe.go. To add a kind of assumption: assumptions.go, a call of analysis.assume where it is
// made, a paragraph in docs/check.md, and the condition by which the machine decides whether an execution keeps the assumption:
// guide_condition.go of package vm has the kinds of conditions. To add an instruction's effect on
// memory: memory.go for the function itself, effects.go for its callers, and a fault in mutants_test.go that
// leaves it out.
package check
