// Package check is a modular static analyser over go/ssa, and the inference of the
// conditions that guide tests to what it does not verify.
//
// The analysis is abstract interpretation of one function at a time (fixpoint.go), over
// pentagons (domain.go; Logozzo, Fähndrich, SAC 2008): intervals and weighted upper
// bounds between numbers, lengths and capacities among them; facts about nil and truth;
// dynamic types; and what named places in memory hold (memory.go). It reports every
// assertion of a function (kinds.go), explicit or implied by an instruction, with the
// premise under which it is verified.
//
// What it assumes without checking is explicit (Christakis, Müller, Wüstholz, FM 2012;
// ICSE 2016, seed 003): each assumption has an identifier, a place and a condition that
// a machine can evaluate there. A premise is found by analysing again with one
// assumption left out at a time, so that it names what the verification needs.
//
// From the premises infer.go computes at each point a condition under which all that
// follows is verified, and one under which nothing is (may-unverified and
// must-unverified conditions, as sets of cubes); guide.go hands them, with assumptions
// and assertions, to the machine as a vm.Guide.
//
// Invariants: with every assumption turned off what is verified holds in all executions
// without data races or unsafe code; under a premise in those in which its conditions
// hold. The order of a Go map reaches no result.
//
// Not supported: contents of slices, maps and arrays at indices that are no constants;
// floating-point values; the result of a function of this module but for its being nil
// or not; verification by way of goroutines and channels beyond a channel that never
// leaves its function. A function literal is analysed by itself, and running the
// expression that makes it counts as meeting whatever in it is not verified. Conditions
// that guide name the first 64 assumptions of a function.
//
// Start at Program.Analyse. To add a kind of assertion: kinds.go, the instruction in
// transfer.go, words for it in describe.go. To add a kind of assumption: kinds.go, a
// call of analysis.assume where it is made, its condition in vm's guide.go, a paragraph
// in docs/check.md.
package check
