//go:build assay_bugs

package assay

// Assert states that cond must hold here. A reachable violation is a finding.
func Assert(cond bool) {
	if !cond {
		panic("assay: an assertion does not hold")
	}
}

// Verified records that the assertion cond was verified under the conjunction of the named assumptions;
// with none it is fully verified. Several calls on one condition are a disjunction. A reachable
// violation is a finding, as for Assert. Only `assay check` relies on the verifier, and looks for
// violations where the assumptions do not hold.
func Verified(cond bool, ids ...string) {
	if !cond {
		panic("assay: what was said to be verified does not hold")
	}
}
