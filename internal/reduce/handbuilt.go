package reduce

import "github.com/goassay/assay/internal/testcase"

// This file treats cases that build objects by hand. A reader of a test wants to see how a user of the
// package gets an object. An engine can easily write down a state field by field, but such a state says
// little: perhaps no calls of the type's methods lead to it, and the test breaks with each change of the
// representation.

// splitHandBuilt separates the cases that build states by hand from the others.
func (cfg Config) splitHandBuilt(cases []*testcase.Case) (natural []*testcase.Case, handBuilt map[*testcase.Case]bool) {
	if cfg.HandBuilt == nil {
		return cases, nil
	}
	handBuilt = make(map[*testcase.Case]bool)
	for _, c := range cases {
		if cfg.HandBuilt(c) {
			handBuilt[c] = true
		} else {
			natural = append(natural, c)
		}
	}
	return natural, handBuilt
}

// coversBeyond reports whether a case covers a block of its own function that is not in the set reached.
func coversBeyond(c *testcase.Case, blocks []BlockInfo, reached testcase.Cover) bool {
	for b := range blocks {
		if blocks[b].Func == c.Target && c.Observed.Cover.Has(b) && !reached.Has(b) {
			return true
		}
	}
	return false
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
