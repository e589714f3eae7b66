package campaign

import (
	"math/bits"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// rankTests returns the place of each test by what it is worth: first the one that covers most
// and kills most mutants, as far as that is known, then the one that adds most to it, and
// so on. Of two the shorter comes first. adds reports whether a test covers something that
// none before it does. blocks is how many blocks the harness counts.
func (s selection) rankTests(blocks int) (place func(*testcase.Case) int, adds func(*testcase.Case) bool) {
	shows := make([]testcase.Cover, len(s.tests)) // blocks, then mutants behind them
	left := make([]int, len(s.tests))
	for i, c := range s.tests {
		left[i] = i
		if c.Observed != nil {
			shows[i].Union(c.Observed.Cover)
		}
		for _, id := range s.kills[c.Seq] {
			shows[i].Set(blocks + id)
		}
	}
	var seen testcase.Cover
	seen.Union(s.existing)
	places := make(map[*testcase.Sequence]int)
	reaches := make(map[*testcase.Sequence]bool)
	for len(left) > 0 {
		best, gain := 0, -1
		for k, i := range left {
			n := 0
			for w, x := range shows[i] {
				if w < len(seen) {
					x &^= seen[w]
				}
				n += bits.OnesCount64(x)
			}
			if n > gain || n == gain && s.tests[i].Seq.Len() < s.tests[left[best]].Seq.Len() {
				best, gain = k, n
			}
		}
		i := left[best]
		for b := range blocks {
			if shows[i].Has(b) && !seen.Has(b) {
				reaches[s.tests[i].Seq] = true
				break
			}
		}
		seen.Union(shows[i])
		places[s.tests[i].Seq] = len(places)
		left = slices.Delete(left, best, best+1)
	}
	return func(c *testcase.Case) int { return places[c.Seq] }, func(c *testcase.Case) bool { return reaches[c.Seq] }
}
