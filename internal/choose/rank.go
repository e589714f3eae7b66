package choose

import (
	"slices"

	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// typicalWorth is how many blocks a test counts for because it shows best what an exported function is for.
const typicalWorth = 8

// Rank returns the place of each test by worth: first the test that covers most blocks and kills most
// mutants, as far as these are known, then the one that adds most to the first, and so on. A test that is
// typical of its function counts for several blocks more. Of two equals the shorter comes first. adds
// reports whether a test covers or kills something that no test before it does, or is typical. blocks is
// how many blocks the harness counts.
func (s Selection) Rank(blocks int) (place func(*testcase.Case) int, adds func(*testcase.Case) bool) {
	// Of tests that add as much the shorter comes first.
	tests := slices.SortedStableFunc(slices.Values(s.Tests), func(a, b *testcase.Case) int { return a.Seq.Len() - b.Seq.Len() })
	shows := make([]testcase.Cover, len(tests)) // blocks, followed by mutants, followed by what is typical
	next := blocks + 1
	for _, ids := range s.Kills {
		for _, id := range ids {
			next = max(next, blocks+id+1)
		}
	}
	for i, c := range tests {
		if c.Observed != nil {
			shows[i].Union(c.Observed.Cover)
		}
		for _, id := range s.Kills[c.Seq] {
			shows[i].Set(blocks + id)
		}
		if s.Typical[c.Seq] {
			for range typicalWorth {
				shows[i].Set(next)
				next++
			}
		}
	}
	var seen testcase.Cover
	seen.Union(s.Existing)
	places := make(map[*testcase.Sequence]int)
	reaches := make(map[*testcase.Sequence]bool)
	reduce.Greedily(len(tests), func(i int) int { return shows[i].CountBeyond(seen) }, func(i int) {
		reaches[tests[i].Seq] = shows[i].CountBeyond(seen) > 0
		seen.Union(shows[i])
		places[tests[i].Seq] = len(places)
	})
	return func(c *testcase.Case) int { return places[c.Seq] }, func(c *testcase.Case) bool { return reaches[c.Seq] }
}
