// Package reduce throws away what is redundant: statements that do not matter,
// literals larger than they need to be, cases that show nothing new, and findings
// with the same cause.
//
// The redundancy of sequences is that of Randoop's redundant tests (seed 002),
// over the same model: a statement is dead if the final statement does not depend
// on it; cleaning a sequence removes what is dead and pure; two sequences are
// redundant if they are equal when cleaned. (The seed's formula keeps what is pure
// and not dead, and asks that each sequence is the other one cleaned, which two
// different sequences never satisfy. What is meant is in redundancy.go.)
//
// Purity is only a hint here. Every removal is verified by running the shorter
// sequence: a case must behave alike and cover the same blocks, a finding must fail
// for the same cause; otherwise the statement stays. The same loop then makes
// literals simpler, as delta debugging does (Zeller and Hildebrandt, TSE 2002).
//
// Which cases stay is decided by what they show: blocks covered, branch decisions of
// the target, and behaviours (which error, nil or not, true or false). The shortest
// inputs win; a case stays for something new, not for each path.
//
// Invariants:
//   - The same input gives the same output, whatever the runner's timing: candidates
//     are tried in a fixed order and in few batches.
//   - A case that is returned was run as it is returned.
//   - Sequences are immutable: what is shortened is a new case.
//
// Not supported: removing statements from the middle of a call chain by using an
// earlier object in place of a later one.
//
// Where to start: [Cases] and [Findings]. A new way to make something simpler is a
// candidate in simplify.go; a new notion of different behaviour belongs into
// behaviour.go.
package reduce
