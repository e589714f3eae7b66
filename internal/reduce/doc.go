// Package reduce throws away what is redundant: statements without effect on the result, literals that are
// larger than necessary, cases that show nothing new, and findings with the same cause.
//
//  1. [Cases] chooses cases by the things that they show (behaviour.go): blocks covered, branch
//     decisions of the target, and behaviours (which error, nil or not, true or false). The shortest
//     inputs win; a case stays for something new, not for each path.
//  2. The chosen cases are made smaller (minimise.go): statements are left out (edits.go), and literals become
//     simpler (simplify.go), as in delta debugging (Zeller and Hildebrandt, TSE 2002). Each edit is
//     checked by a run: a case must behave alike and cover the same blocks (caserule.go), a finding must fail
//     for the same cause; otherwise the edit is not made.
//  3. [Findings] does the same for findings, one for each cause.
//
// The definition of redundant sequences is that of Randoop's tests (Robinson et al., ASE 2011): a statement
// is dead if the final statement does not depend on it; cleaning a sequence removes statements that are dead
// and pure; two sequences are redundant if they are equal when cleaned. (The paper's formula keeps statements
// that are pure and not dead, and asks that each sequence is the other one cleaned, which two different
// sequences never satisfy. redundancy.go has the formula that must be meant.) Purity is only a hint here,
// since each removal is checked by a run.
//
// Invariants:
//   - The same input gives the same output, whatever the runner's timing: candidates
//     are tried in a fixed order and in few batches.
//   - Every case that is returned was run in exactly this form.
//   - Sequences are immutable: a shortened case is a new case.
//
// Not supported: removing statements from the middle of a call chain by using an earlier object in place of a
// later one, unless the call returns a pointer of its receiver's type.
//
// Where to start: [Cases] and [Findings]. A new way to make a literal simpler belongs into simplify.go, another
// kind of edit into edits.go, a new notion of different behaviour into behaviour.go.
package reduce
